#include "io/colmap.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/check.h"
#include "core/memory.h"
#include "denseval/number.h"
#include "io/colmap_parse.h"
#include "io/folder.h"

static double largest_of(const double *q) {
    double largest = 0;
    for (int i = 0; i < 4; i++) largest = fmax(largest, fabs(q[i]));
    return largest;
}

/* By the largest part first, so that no square overflows or vanishes. */
static void normalise(const double *q, double *unit) {
    const double largest = largest_of(q);
    double sum = 0;
    for (int i = 0; i < 4; i++) {
        unit[i] = q[i] / largest;
        sum += unit[i] * unit[i];
    }
    for (int i = 0; i < 4; i++) unit[i] /= sqrt(sum);
}

static dv_status check_pose(const char *place, const char *name, const double *pose) {
    static const char *const parts[] = {"qw", "qx", "qy", "qz", "tx", "ty", "tz"};
    char text[DV_NUMBER_SIZE];
    for (int i = 0; i < 7; i++)
        if (!isfinite(pose[i]))
            return dv_fail(DV_E_DATA, "%s, %s: %s %s: must be finite", place, name, parts[i],
                           dv_format_double(pose[i], text));
    if (largest_of(pose) == 0) return dv_fail(DV_E_DATA, "%s, %s: quaternion of length 0: no rotation", place, name);
    return DV_OK;
}

static dv_status grow(dv_colmap_model *model) {
    if (model->n_images & (model->n_images - 1)) return DV_OK; /* the room is the next power of two */
    const size_t wanted = model->n_images ? model->n_images * 2 : 1;
    dv_colmap_image *const grown = reallocarray(model->images, wanted, sizeof *grown);
    if (!grown) return dv_fail(DV_E_NOMEM, "no memory for %zu images", wanted);
    model->images = grown;
    return DV_OK;
}

dv_status dv_colmap_add(dv_colmap_model *model, const char *place, const char *name, const double *pose) {
    if (!*name) return dv_fail(DV_E_DATA, "%s: no name", place);
    DV_TRY(check_pose(place, name, pose));
    DV_TRY(grow(model));
    dv_colmap_image *const image = &model->images[model->n_images];
    DV_TRY(dv_strdup(name, &image->name));
    memcpy(image->stored, pose, sizeof image->stored);
    memcpy(image->translation, pose + 4, sizeof image->translation);
    normalise(pose, image->rotation);
    model->n_images++;
    return DV_OK;
}

static int compare_images(const void *a, const void *b) {
    return dv_natural_compare(((const dv_colmap_image *)a)->name, ((const dv_colmap_image *)b)->name);
}

static dv_status sort(dv_colmap_model *model) {
    if (model->n_images > 1) qsort(model->images, model->n_images, sizeof *model->images, compare_images);
    for (size_t i = 1; i < model->n_images; i++)
        if (strcmp(model->images[i - 1].name, model->images[i].name) == 0)
            return dv_fail(DV_E_DATA, "image %s: is there twice", model->images[i].name);
    return DV_OK;
}

static bool is_text(const char *path) {
    const size_t length = strlen(path);
    return length >= 4 && strcmp(path + length - 4, ".txt") == 0;
}

static dv_status read_open(FILE *stream, const char *path, dv_colmap_model *model) {
    struct stat facts;
    if (fstat(fileno(stream), &facts) != 0) return dv_fail(DV_E_IO, "cannot stat: %s", dv_error_text(errno));
    if (!S_ISREG(facts.st_mode)) return dv_fail(DV_E_DATA, "no regular file");
    DV_TRY(is_text(path) ? dv_colmap_read_text(stream, model)
                         : dv_colmap_read_binary(stream, (uint64_t)facts.st_size, model));
    return sort(model);
}

dv_status dv_colmap_read(const char *path, dv_colmap_model *model) {
    *model = (dv_colmap_model){0};
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe must not stop us */
    FILE *const stream = descriptor < 0 ? NULL : fdopen(descriptor, "rb");
    if (!stream) {
        const int error = errno;
        if (descriptor >= 0) close(descriptor);
        return dv_fail(error == ENOENT || error == ENOTDIR ? DV_E_MISSING : DV_E_IO, "%s: cannot open: %s", path,
                       dv_error_text(error));
    }
    const dv_status status = read_open(stream, path, model);
    fclose(stream); /* nothing was written, so nothing can be lost here */
    if (status == DV_OK) return DV_OK;
    dv_colmap_clear(model);
    return dv_context(status, "%s", path);
}

void dv_colmap_clear(dv_colmap_model *model) {
    for (size_t i = 0; i < model->n_images; i++) free(model->images[i].name);
    free(model->images);
    *model = (dv_colmap_model){0};
}
