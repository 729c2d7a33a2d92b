/* host_slots.c: the slots after the search. Each task owns its patches or its image, so threads change no bit. */
#include <pthread.h>
#include <stdlib.h>

#include "core/check.h"
#include "core/memory.h"
#include "denseval/aggregate.h"
#include "device/host_device.h"
#include "metrics/viewpoint_resample.h"

enum { PATCHES_PER_TASK = 256, ALIGNMENT = 64 };

typedef struct aggregate_job {
    const int64_t *ids;
    const double *cosines;
    size_t n, k;
    double beta;
    const uint16_t *counts;
    size_t n_classes;
    double *soft;
    uint16_t *pure;
} aggregate_job;

static dv_status aggregate_task(void *context, size_t task, size_t worker) {
    (void)worker;
    const aggregate_job *j = context;
    const size_t begin = task * PATCHES_PER_TASK;
    const size_t n = j->n - begin < PATCHES_PER_TASK ? j->n - begin : PATCHES_PER_TASK;
    dv_aggregate(j->ids + begin * j->k, j->cosines + begin * j->k, n, j->k, j->beta, j->counts, j->n_classes,
                 j->soft + begin * j->n_classes, j->pure + begin);
    return DV_OK;
}

dv_status dv_host_aggregate(dv_device *device, const int64_t *ids, const double *cosines, size_t n, size_t k,
                            double beta, const uint16_t *counts, size_t n_classes, double *soft, uint16_t *pure) {
    aggregate_job job = {ids, cosines, n, k, beta, counts, n_classes, soft, pure};
    const size_t n_tasks = (n + PATCHES_PER_TASK - 1) / PATCHES_PER_TASK;
    return dv_pool_run(((dv_host_device *)device)->pool, n_tasks, aggregate_task, &job);
}

typedef struct upsample_job {
    const dv_upsampler *upsampler;
    const double *soft;
    const uint16_t *pure;
    size_t n_classes, n_patches, n_pixels; /* patches and pixels of one image */
    unsigned char *scratch;                /* [threads, scratch_size] */
    size_t scratch_size;
    uint16_t *pred;
} upsample_job;

static dv_status upsample_task(void *context, size_t image, size_t worker) {
    const upsample_job *j = context;
    dv_upsample_argmax(j->upsampler, j->soft + image * j->n_patches * j->n_classes, j->pure + image * j->n_patches,
                       j->n_classes, j->scratch + worker * j->scratch_size, j->pred + image * j->n_pixels);
    return DV_OK;
}

dv_status dv_host_upsample_argmax(dv_device *device, const dv_upsampler *upsampler, const double *soft,
                                  const uint16_t *pure, size_t n_images, size_t n_classes, uint16_t *pred) {
    dv_pool *pool = ((dv_host_device *)device)->pool;
    upsample_job job = {.upsampler = upsampler, .soft = soft, .pure = pure, .n_classes = n_classes, .pred = pred};
    size_t grid_h, grid_w, height, width;
    dv_upsampler_sizes(upsampler, &grid_h, &grid_w, &height, &width);
    job.n_patches = grid_h * grid_w;
    job.n_pixels = height * width;
    const size_t size = dv_upsampler_scratch(upsampler, n_classes);
    job.scratch_size = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    DV_TRY(dv_alloc(dv_pool_threads(pool), job.scratch_size, "upsampling scratch", &job.scratch));
    const dv_status status = dv_pool_run(pool, n_images, upsample_task, &job);
    free(job.scratch);
    return status;
}

typedef struct confusion_job {
    const dv_pixel_policy *policy;
    const uint16_t *truth, *pred;
    size_t height, width;
    dv_confusion *const *confusions;
    pthread_mutex_t lock;
    size_t bad_image; /* under lock: the lowest that failed */
} confusion_job;

static dv_status confusion_task(void *context, size_t image, size_t worker) {
    (void)worker;
    confusion_job *j = context;
    const size_t at = image * j->height * j->width;
    const dv_status status =
        dv_confusion_add(j->confusions[image], j->policy, j->truth + at, j->pred + at, j->height, j->width);
    if (status == DV_OK) return DV_OK;
    pthread_mutex_lock(&j->lock);
    if (image < j->bad_image) j->bad_image = image;
    pthread_mutex_unlock(&j->lock);
    return dv_context(status, "image %zu", image);
}

dv_status dv_host_confusion(dv_device *device, const dv_pixel_policy *policy, const uint16_t *truth,
                            const uint16_t *pred, size_t n_images, size_t height, size_t width,
                            dv_confusion *const *confusions, size_t *bad_image) {
    confusion_job job = {.policy = policy,
                         .truth = truth,
                         .pred = pred,
                         .height = height,
                         .width = width,
                         .confusions = confusions,
                         .lock = PTHREAD_MUTEX_INITIALIZER,
                         .bad_image = SIZE_MAX};
    const dv_status status = dv_pool_run(((dv_host_device *)device)->pool, n_images, confusion_task, &job);
    pthread_mutex_destroy(&job.lock);
    /* Tasks start in rising order and all that started finish, so the lowest image at fault is always among them. */
    if (status == DV_E_DATA && bad_image) *bad_image = job.bad_image;
    return status;
}

dv_status dv_host_resample(dv_device *device, const dv_viewpoint_draws *in, const dv_viewpoint_scores *out) {
    return dv_viewpoint_resample(((dv_host_device *)device)->pool, in, out);
}
