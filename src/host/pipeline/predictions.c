#include "pipeline/predictions.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/atomic_file.h"
#include "core/check.h"
#include "core/folder_content.h"
#include "core/memory.h"
#include "io/image_put.h"

struct dv_predictions {
    dv_atomic_folder *folder;
    atomic_size_t n_written;
};

dv_status dv_predictions_begin(const char *path, bool force, dv_predictions **out) {
    *out = NULL;
    dv_predictions *made;
    DV_TRY(dv_alloc(1, sizeof *made, "a prediction folder", &made));
    const dv_status status = dv_atomic_folder_begin(path, force, &made->folder);
    if (status != DV_OK) {
        free(made);
        return status;
    }
    *out = made;
    return DV_OK;
}

const char *dv_predictions_temporary(const dv_predictions *predictions) {
    return dv_atomic_folder_temporary(predictions->folder);
}

/* Every component must be a plain name: no empty one (so no leading '/'), no "." and no "..". */
static dv_status check_id(const char *image_id) {
    const char *part = image_id;
    for (;;) {
        const size_t length = strcspn(part, "/");
        if (length == 0 || strncmp(part, ".", length) == 0 || strncmp(part, "..", length) == 0)
            return dv_fail(DV_E_DATA, "image_id \"%s\": no name for a prediction file", image_id);
        if (!part[length]) return DV_OK;
        part += length + 1;
    }
}

dv_status dv_predictions_write(dv_predictions *predictions, const char *image_id, const uint16_t *labels, size_t height,
                               size_t width) {
    DV_TRY(check_id(image_id));
    const char *folder = dv_atomic_folder_temporary(predictions->folder);
    const size_t size = strlen(folder) + strlen(image_id) + sizeof "/.png";
    char *path;
    DV_TRY(dv_alloc(size, 1, "a path", &path));
    snprintf(path, size, "%s/%s.png", folder, image_id);
    dv_status status = dv_make_parents(folder, image_id);
    if (status == DV_OK) status = dv_label_map_put(path, labels, height, width);
    free(path);
    if (status == DV_OK) predictions->n_written++;
    return status;
}

/* Whoever removes a folder while files are added to it may leave it without those from before. */
static dv_status check_count(const dv_predictions *predictions) {
    const char *const folder = dv_atomic_folder_temporary(predictions->folder);
    const size_t n_written = predictions->n_written;
    size_t n_found = 0;
    char *names;
    DV_TRY(dv_folder_list_files(folder, &names));
    for (const char *c = names; *c; c++) n_found += *c == '\n';
    free(names);
    if (n_found >= n_written) return DV_OK;
    return dv_fail(DV_E_IO, "%s: %zu of %zu predictions were removed by somebody else", folder, n_written - n_found,
                   n_written);
}

dv_status dv_predictions_commit(dv_predictions *predictions) {
    const dv_status status = check_count(predictions);
    if (status != DV_OK) {
        dv_predictions_abandon(predictions);
        return status;
    }
    dv_atomic_folder *const folder = predictions->folder;
    free(predictions);
    return dv_atomic_folder_commit(folder);
}

void dv_predictions_abandon(dv_predictions *predictions) {
    if (predictions) dv_atomic_folder_abandon(predictions->folder);
    free(predictions);
}
