/* images.bin: u64 images, then each: u32 id, f64 [4] quaternion w x y z, f64 [3] translation, u32 camera, name with its
 * NUL, u64 points, points of 24 bytes. All little-endian. */
#include <endian.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "io/colmap_parse.h"

enum { HEAD_BYTES = 64, POINT_BYTES = 24, LEAST_BYTES = HEAD_BYTES + 2 + 8, POSE_AT = 4, PLACE_SIZE = 64 };

typedef struct reader {
    FILE *stream;
    uint64_t left;          /* bytes of the file that were not read yet */
    char place[PLACE_SIZE]; /* "image 3 of 23" */
    char *name;             /* of the image at hand; owned by getdelim */
    size_t name_size;
} reader;

static dv_status read_failure(const reader *r) {
    return dv_fail(DV_E_IO, "%s: cannot read: %s", r->place, dv_error_text(errno));
}

/* Takes n bytes off what is left. */
static dv_status take(reader *r, uint64_t n, const char *what) {
    if (n > r->left)
        return dv_fail(DV_E_DATA, "%s, %s: %" PRIu64 " bytes are left, %" PRIu64 " are needed: the file was cut",
                       r->place, what, r->left, n);
    r->left -= n;
    return DV_OK;
}

static dv_status read_bytes(reader *r, void *bytes, size_t n, const char *what) {
    DV_TRY(take(r, n, what));
    return fread(bytes, 1, n, r->stream) == n ? DV_OK : read_failure(r);
}

static dv_status read_count(reader *r, const char *what, uint64_t *count) {
    DV_TRY(read_bytes(r, count, sizeof *count, what));
    *count = le64toh(*count);
    return DV_OK;
}

static dv_status read_name(reader *r) {
    const ssize_t length = getdelim(&r->name, &r->name_size, '\0', r->stream);
    if (length < 0 && ferror(r->stream)) return read_failure(r);
    if (length < 0 && !feof(r->stream)) return dv_fail(DV_E_NOMEM, "%s: no memory for a name", r->place);
    if (length < 1 || r->name[length - 1] != '\0')
        return dv_fail(DV_E_DATA, "%s, name: does not end: the file was cut", r->place);
    return take(r, (uint64_t)length, "name");
}

static dv_status skip_points(reader *r) {
    uint64_t n_points;
    DV_TRY(read_count(r, "number of points", &n_points));
    if (n_points > r->left / POINT_BYTES)
        return dv_fail(DV_E_DATA, "%s, %s: %" PRIu64 " points, %" PRIu64 " bytes are left: the file was cut", r->place,
                       r->name, n_points, r->left);
    DV_TRY(take(r, n_points * POINT_BYTES, "points"));
    return fseeko(r->stream, (off_t)(n_points * POINT_BYTES), SEEK_CUR) == 0 ? DV_OK : read_failure(r);
}

static dv_status read_image(reader *r, dv_colmap_model *model) {
    unsigned char head[HEAD_BYTES];
    double pose[7];
    DV_TRY(read_bytes(r, head, sizeof head, "pose"));
    for (size_t i = 0; i < 7; i++) {
        uint64_t bits;
        memcpy(&bits, head + POSE_AT + 8 * i, sizeof bits);
        bits = le64toh(bits);
        memcpy(&pose[i], &bits, sizeof bits);
    }
    DV_TRY(read_name(r));
    DV_TRY(dv_colmap_add(model, r->place, r->name, pose));
    return skip_points(r);
}

static dv_status read_all(reader *r, dv_colmap_model *model) {
    uint64_t n_images;
    DV_TRY(read_count(r, "number of images", &n_images));
    if (n_images > r->left / LEAST_BYTES)
        return dv_fail(DV_E_DATA, "head: %" PRIu64 " images do not fit the %" PRIu64 " bytes of the file", n_images,
                       r->left);
    for (uint64_t i = 0; i < n_images; i++) {
        snprintf(r->place, sizeof r->place, "image %" PRIu64 " of %" PRIu64, i + 1, n_images);
        DV_TRY(read_image(r, model));
    }
    if (r->left) return dv_fail(DV_E_DATA, "%" PRIu64 " bytes behind the last image", r->left);
    return DV_OK;
}

dv_status dv_colmap_read_binary(FILE *stream, uint64_t n_bytes, dv_colmap_model *model) {
    reader r = {.stream = stream, .left = n_bytes, .place = "head"};
    const dv_status status = read_all(&r, model);
    free(r.name);
    return status;
}
