#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/log.h"
#include "core/memory.h"
#include "protocol/view_object.h"

/* Reads one model. One that is not wanted may be damaged: then it has 0 images. */
static dv_status read_one(const dv_view_options *options, const dv_colmap_file *file, bool wanted,
                          dv_view_model *listed, dv_colmap_model *model) {
    DV_TRY(dv_strdup(file->number, &listed->number));
    DV_TRY(dv_strdup(file->path, &listed->path));
    const dv_status status = dv_colmap_read(file->path, model);
    listed->read = status == DV_OK;
    listed->n_images = model->n_images;
    if (status != DV_E_DATA || wanted || options->sparse_model == DV_SPARSE_LARGEST) return status;
    dv_log(DV_LOG_WARNING, "not the model in use, but damaged: %s", dv_last_error());
    return DV_OK;
}

/* Reads all models, and keeps the one in use. zero: of model 0, or n where there is none */
static dv_status read_all(const dv_view_options *options, const dv_colmap_files *files, size_t zero,
                          dv_view_object *object, dv_colmap_model *kept) {
    const bool largest = options->sparse_model == DV_SPARSE_LARGEST;
    DV_TRY(dv_alloc(files->n, sizeof *object->models, "a list of models", &object->models));
    object->model = largest ? 0 : zero;
    for (size_t i = 0; i < files->n; i++) {
        dv_colmap_model model = {0};
        object->n_models = i + 1; /* so that what it holds is released */
        DV_TRY(read_one(options, &files->files[i], i == zero, &object->models[i], &model));
        const bool better = largest ? i == 0 || model.n_images > kept->n_images : i == zero;
        if (!better) {
            dv_colmap_clear(&model);
            continue;
        }
        object->model = i;
        dv_colmap_clear(kept);
        *kept = model;
    }
    return DV_OK;
}

static void log_models(const dv_view_options *options, const dv_view_capture *capture, const dv_view_object *object) {
    if (object->n_models < 2) return;
    const dv_view_model *const used = &object->models[object->model], *largest = used;
    for (size_t i = 0; i < object->n_models; i++) {
        const dv_view_model *const model = &object->models[i];
        dv_log(DV_LOG_INFO, "%s: sparse model %s has %zu images", capture->name, model->number, model->n_images);
        if (model->n_images > largest->n_images) largest = model;
    }
    if (largest != used && options->sparse_model == DV_SPARSE_ZERO)
        dv_log(DV_LOG_WARNING, "%s: sparse model %s has %zu images, model %s has %zu, and --sparse-model is 0",
               capture->name, used->number, used->n_images, largest->number, largest->n_images);
}

static dv_status fill_frames(const dv_colmap_model *model, dv_view_object *object) {
    DV_TRY(dv_alloc(model->n_images, sizeof *object->frames, "a list of frames", &object->frames));
    object->n_frames = model->n_images;
    for (size_t i = 0; i < model->n_images; i++) {
        object->frames[i].usable = true;
        DV_TRY(dv_strdup(model->images[i].name, &object->frames[i].name));
    }
    return DV_OK;
}

/* In MVImgNet such captures occur and are skipped; a folder that was named is expected to hold a model. */
static dv_status lacks(const dv_view_options *options, const dv_view_capture *capture, dv_status status,
                       const char *what, const char **reason) {
    if (options->layout != DV_VIEW_MVIMGNET) return dv_fail(status, "%s: %s", capture->folder, what);
    *reason = what;
    return DV_OK;
}

static dv_status read_found(const dv_view_options *options, const dv_view_capture *capture,
                            const dv_colmap_files *files, dv_view_object *object, dv_colmap_model *model,
                            const char **reason) {
    size_t zero = 0;
    if (files->n == 0) return lacks(options, capture, DV_E_MISSING, "no sparse model (images.bin, images.txt)", reason);
    while (zero < files->n && strcmp(files->files[zero].number, "0") != 0 && *files->files[zero].number) zero++;
    if (zero == files->n && options->sparse_model == DV_SPARSE_ZERO)
        return lacks(options, capture, DV_E_MISSING, "no sparse model 0, but others", reason);
    DV_TRY(read_all(options, files, zero, object, model));
    log_models(options, capture, object);
    if (model->n_images == 0) return lacks(options, capture, DV_E_DATA, "the sparse model has no images", reason);
    return fill_frames(model, object);
}

dv_status dv_view_read_model(const dv_view_options *options, const dv_view_capture *capture, dv_view_object *object,
                             dv_colmap_model *model, const char **reason) {
    dv_colmap_files files;
    *model = (dv_colmap_model){0};
    DV_TRY(dv_colmap_find(capture->folder, &files));
    const dv_status status = read_found(options, capture, &files, object, model, reason);
    dv_colmap_files_clear(&files);
    return status;
}
