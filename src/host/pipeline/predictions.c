#include "pipeline/predictions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/atomic_file.h"
#include "core/check.h"
#include "core/memory.h"
#include "io/image_put.h"

struct dv_predictions {
    dv_atomic_folder *folder;
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
    dv_status status = dv_make_parents(path);
    if (status == DV_OK) status = dv_label_map_put(path, labels, height, width);
    free(path);
    return status;
}

dv_status dv_predictions_commit(dv_predictions *predictions) {
    const dv_status status = dv_atomic_folder_commit(predictions->folder);
    free(predictions);
    return status;
}

void dv_predictions_abandon(dv_predictions *predictions) {
    if (predictions) dv_atomic_folder_abandon(predictions->folder);
    free(predictions);
}
