/* cuda_confusion.c: counts of pixels, as many images at once as MOST_BYTES of counts, and the memory that is free,
 * allow. */
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "device/cuda/cuda_device.h"
#include "device/cuda/cuda_slots.h"
#include "kernels/kernels.h"

static const size_t MOST_BYTES = (size_t)256 << 20;

typedef struct counting {
    dv_cuda_device *cuda;
    const dv_pixel_policy *policy;
    const uint16_t *truth, *pred; /* there */
    size_t height, width, n_classes;
    dv_confusion *const *confusions;
} counting;

/* Counts of images first .. first + n_images - 1, on the host and where they lie in the workspace of the device:
 * images, counts, false positives and ignored labels, one behind the other. */
typedef struct batch {
    size_t first, n_images, n_bytes;
    unsigned char *host; /* owned */
    unsigned char *there;
    size_t counts_at, false_positives_at, ignored_at;
} batch;

static size_t bytes_of_image(size_t n_classes) {
    return sizeof(dv_image_counts) + n_classes * (n_classes + 1) * sizeof(uint64_t);
}

static size_t bytes_of_batch(size_t n_images, size_t n_classes) {
    return n_images * bytes_of_image(n_classes) + sizeof(dv_label_set);
}

/* Makes room for *n images; half as many, down to one, where there is no memory for them. */
static dv_status make_room(const counting *of, size_t *n) {
    for (;; *n = (*n + 1) / 2) {
        void *there;
        const dv_status status = dv_cuda_scratch(of->cuda, bytes_of_batch(*n, of->n_classes), &there);
        if (status != DV_E_BACKEND || *n == 1) return status;
    }
}

static dv_status batch_create(const counting *of, size_t first, size_t n_images, batch *out) {
    const dv_label_set *const ignored = &of->policy->ignored;
    const size_t n_classes = of->n_classes;
    *out = (batch){.first = first, .n_images = n_images};
    out->counts_at = n_images * sizeof(dv_image_counts);
    out->false_positives_at = out->counts_at + n_images * n_classes * n_classes * sizeof(uint64_t);
    out->ignored_at = n_images * bytes_of_image(n_classes);
    out->n_bytes = bytes_of_batch(n_images, n_classes);
    void *there;
    DV_TRY(dv_cuda_scratch(of->cuda, out->n_bytes, &there));
    out->there = there;
    DV_TRY(dv_alloc(out->n_bytes, 1, "counts of images", &out->host));
    dv_image_counts *const images = (dv_image_counts *)(void *)out->host;
    for (size_t i = 0; i < n_images; i++) images[i].first_fault = UINT64_MAX;
    memcpy(out->host + out->ignored_at, ignored->bits, sizeof ignored->bits);
    return DV_OK;
}

static dv_status count_batch(const counting *of, const batch *b) {
    const size_t n_pixels = of->height * of->width, at = b->first * n_pixels;
    cudaStream_t stream = of->cuda->stream;
    DV_CUDA_TRY(cudaMemcpyAsync(b->there, b->host, b->n_bytes, cudaMemcpyHostToDevice, stream),
                "copying counts to the device");
    DV_CUDA_TRY(dv_launch_confusion(of->truth + at, of->pred + at, (int64_t)b->n_images, (int64_t)n_pixels,
                                    (int64_t)of->n_classes, (const uint32_t *)(const void *)(b->there + b->ignored_at),
                                    of->policy->invalid, (dv_image_counts *)(void *)b->there,
                                    (uint64_t *)(void *)(b->there + b->counts_at),
                                    (uint64_t *)(void *)(b->there + b->false_positives_at), stream),
                "counting confusions");
    return dv_cuda_check(cudaMemcpyAsync(b->host, b->there, b->ignored_at, cudaMemcpyDeviceToHost, stream),
                         "copying counts from the device");
}

static dv_status fetch_labels(const counting *of, size_t image, uint16_t *truth, uint16_t *pred) {
    const size_t n_pixels = of->height * of->width, n_bytes = n_pixels * sizeof *truth;
    const uint16_t *const from[] = {of->truth + image * n_pixels, of->pred + image * n_pixels};
    uint16_t *const to[] = {truth, pred};
    for (size_t i = 0; i < 2; i++)
        DV_CUDA_TRY(cudaMemcpyAsync(to[i], from[i], n_bytes, cudaMemcpyDeviceToHost, of->cuda->stream),
                    "copying labels from the device");
    return DV_OK;
}

/* The message of the host, whose function meets the same pixel first. */
static dv_status tell_fault(const counting *of, size_t image) {
    const size_t n_pixels = of->height * of->width;
    uint16_t *truth = NULL, *pred = NULL;
    dv_confusion *checked = NULL;
    dv_status status = dv_alloc_unset(n_pixels, sizeof *truth, "labels of an image", &truth);
    if (status == DV_OK) status = dv_alloc_unset(n_pixels, sizeof *pred, "labels of an image", &pred);
    if (status == DV_OK) status = dv_confusion_create(of->n_classes, &checked);
    if (status == DV_OK) status = fetch_labels(of, image, truth, pred);
    status = dv_cuda_finish(of->cuda->stream, status, "copying labels from the device");
    if (status == DV_OK) {
        status = dv_confusion_add(checked, of->policy, truth, pred, of->height, of->width);
        if (status == DV_OK) status = dv_fail(DV_E_INTERNAL, "a pixel at fault that the host does not find");
    }
    dv_confusion_free(checked);
    free(truth);
    free(pred);
    return dv_context(status, "image %zu", image);
}

static dv_status add_batch(const counting *of, const batch *b, size_t *bad_image) {
    const size_t n_classes = of->n_classes;
    const dv_image_counts *const images = (const dv_image_counts *)(const void *)b->host;
    const uint64_t *const counts = (const uint64_t *)(const void *)(b->host + b->counts_at);
    const uint64_t *const false_positives = (const uint64_t *)(const void *)(b->host + b->false_positives_at);
    for (size_t i = 0; images && i < b->n_images; i++) {
        if (images[i].first_fault != UINT64_MAX) {
            const dv_status status = tell_fault(of, b->first + i);
            if (status == DV_E_DATA && bad_image) *bad_image = b->first + i;
            return status;
        }
        dv_confusion *const to = of->confusions[b->first + i];
        dv_confusion_add_counts(to, counts + i * n_classes * n_classes, false_positives + i * n_classes);
        dv_confusion_add_left_out(to, images[i].ignored, images[i].dropped);
    }
    return DV_OK;
}

dv_status dv_cuda_confusion(dv_device *device, const dv_pixel_policy *policy, const uint16_t *truth,
                            const uint16_t *pred, size_t n_images, size_t height, size_t width,
                            dv_confusion *const *confusions, size_t *bad_image) {
    if (n_images == 0) return DV_OK;
    const size_t n_classes = dv_confusion_classes(confusions[0]);
    for (size_t i = 1; i < n_images; i++)
        if (dv_confusion_classes(confusions[i]) != n_classes)
            return dv_fail(DV_E_ARG, "image %zu: matrix of %zu classes, expected %zu as of image 0", i,
                           dv_confusion_classes(confusions[i]), n_classes);
    /* A map without pixels adds nothing: the policy alone is looked at. */
    DV_TRY(dv_context(dv_confusion_add(confusions[0], policy, NULL, NULL, 0, 0), "image 0"));
    const counting of = {(dv_cuda_device *)device, policy, truth, pred, height, width, n_classes, confusions};
    DV_TRY(dv_cuda_enter(of.cuda));
    const size_t fit = MOST_BYTES / bytes_of_image(n_classes), at_least_one = fit > 0 ? fit : 1;
    size_t most = at_least_one < n_images ? at_least_one : n_images;
    dv_status status = make_room(&of, &most);
    for (size_t first = 0; status == DV_OK && first < n_images; first += most) {
        batch b = {0};
        status = batch_create(&of, first, n_images - first < most ? n_images - first : most, &b);
        if (status == DV_OK) status = dv_cuda_queue(of.cuda);
        if (status == DV_OK) status = count_batch(&of, &b);
        status = dv_cuda_settle(of.cuda, status, "counting confusions");
        if (status == DV_OK) status = add_batch(&of, &b, bad_image);
        free(b.host);
    }
    return status;
}
