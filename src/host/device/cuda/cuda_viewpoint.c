/* cuda_viewpoint.c: resamples of objects, as many at once as a number of bytes allows: the counts go to the device
 * once, the scores come back batch by batch. */
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "device/cuda/cuda_device.h"
#include "device/cuda/cuda_parts.h"
#include "device/cuda/cuda_slots.h"
#include "kernels/kernels.h"

static const size_t MOST_BYTES = (size_t)256 << 20;

enum {
    INTERSECTIONS,
    UNIONS,
    TRUTHS,
    ORDER,
    USABLE,
    EXCLUDED,
    CURVE_STARTS,
    CURVE_CELLS,
    MIOU,
    MIOU_OBJECTS,
    NORMALISED,
    STEPS,
    BREAKS, /* and the next one, by dv_steps */
    WEIGHTS = BREAKS + 2,
    N_PARTS
};
_Static_assert((int)N_PARTS <= (int)DV_CUDA_MOST_PARTS, "a part each");

typedef struct resampling {
    const dv_cuda_device *cuda;
    const dv_viewpoint_draws *in;   /* all resamples, on the host */
    const dv_viewpoint_scores *out; /* likewise */
    dv_viewpoint_draws there;       /* a batch of them, on the device */
    dv_viewpoint_scores made;       /* likewise */
    void *weights;
    dv_cuda_parts parts;
} resampling;

/* *out, a pointer of any type: a copy of n elements on the device. The host's memory stays borrowed until the stream is
 * synchronised. */
static dv_status send(resampling *of, size_t part, const void *host, size_t n, size_t size, void *out) {
    void *memory;
    DV_TRY(dv_cuda_part(&of->parts, part, n, size, "counts of objects", &memory));
    memcpy(out, &memory, sizeof memory);
    if (n == 0) return DV_OK;
    return dv_cuda_check(cudaMemcpyAsync(memory, host, n * size, cudaMemcpyHostToDevice, of->cuda->stream),
                         "copying counts of objects to the device");
}

static dv_status send_draws(resampling *of) {
    const dv_viewpoint_draws *const in = of->in;
    dv_viewpoint_draws *const to = &of->there;
    size_t n;
    DV_TRY(dv_mul_size(in->n_cells, in->n_objects, "counts of objects", &n));
    DV_TRY(dv_mul_size(n, in->n_classes, "counts of objects", &n));
    *to = *in;
    DV_TRY(send(of, INTERSECTIONS, in->intersections, n, sizeof *in->intersections, &to->intersections));
    DV_TRY(send(of, UNIONS, in->unions, n, sizeof *in->unions, &to->unions));
    DV_TRY(send(of, TRUTHS, in->truths, n, sizeof *in->truths, &to->truths));
    DV_TRY(send(of, ORDER, in->order, in->n_objects, sizeof *in->order, &to->order));
    DV_TRY(send(of, USABLE, in->usable, in->n_cells, sizeof *in->usable, &to->usable));
    if (in->excluded) DV_TRY(send(of, EXCLUDED, in->excluded, in->n_classes, sizeof *in->excluded, &to->excluded));
    DV_TRY(send(of, CURVE_STARTS, in->curve_starts, in->n_curves + 1, sizeof *in->curve_starts, &to->curve_starts));
    return send(of, CURVE_CELLS, in->curve_cells, in->n_points, sizeof *in->curve_cells, &to->curve_cells);
}

static size_t bytes_of_resample(const dv_viewpoint_draws *in) {
    return dv_launch_viewpoint_workspace((int64_t)in->n_objects, 1) + 2 * in->n_cells * sizeof(double) +
           2 * in->n_points * sizeof(double) + 2 * in->n_curves * sizeof(int32_t);
}

/* For n resamples at once. */
static dv_status make_room(resampling *of, size_t n) {
    const dv_viewpoint_draws *const in = of->in;
    dv_viewpoint_scores *const made = &of->made;
    const char *const what = "scores of resamples";
    const size_t n_weights = dv_launch_viewpoint_workspace((int64_t)in->n_objects, 1);
    DV_TRY(dv_cuda_part(&of->parts, MIOU, in->n_cells * n, sizeof *made->miou, what, &made->miou));
    DV_TRY(
        dv_cuda_part(&of->parts, MIOU_OBJECTS, in->n_cells * n, sizeof *made->miou_objects, what, &made->miou_objects));
    DV_TRY(dv_cuda_part(&of->parts, NORMALISED, in->n_points * n, sizeof *made->normalised, what, &made->normalised));
    DV_TRY(dv_cuda_part(&of->parts, STEPS, in->n_points * n, sizeof *made->steps, what, &made->steps));
    for (size_t rule = 0; rule < 2; rule++)
        DV_TRY(dv_cuda_part(&of->parts, BREAKS + rule, in->n_curves * n, sizeof *made->breaks[rule], what,
                            &made->breaks[rule]));
    return dv_cuda_part(&of->parts, WEIGHTS, n, n_weights, "drawn objects", &of->weights);
}

/* For *n resamples; for half as many, down to one, where there is no memory for them. */
static dv_status make_some_room(resampling *of, size_t *n) {
    for (;; *n = (*n + 1) / 2) {
        const dv_status status = make_room(of, *n);
        if (status != DV_E_BACKEND || *n <= 1) return status;
        dv_cuda_parts_drop(&of->parts, MIOU);
    }
}

/* Rows of a batch into those of all resamples. */
static dv_status receive(const resampling *of, void *host, const void *made, size_t n_rows, size_t size) {
    const size_t n = of->there.n_resamples, stride = of->in->n_resamples;
    const size_t at = of->there.first_resample - of->in->first_resample;
    const size_t n_at_once = n == stride ? n_rows : 1; /* one copy where all resamples are one batch */
    for (size_t row = 0; row < n_rows; row += n_at_once)
        DV_CUDA_TRY(cudaMemcpyAsync((char *)host + (row * stride + at) * size, (const char *)made + row * n * size,
                                    n_at_once * n * size, cudaMemcpyDeviceToHost, of->cuda->stream),
                    "copying scores of resamples from the device");
    return DV_OK;
}

static dv_status receive_scores(const resampling *of) {
    const dv_viewpoint_draws *const in = of->in;
    const dv_viewpoint_scores *const out = of->out, *const made = &of->made;
    DV_TRY(receive(of, out->miou, made->miou, in->n_cells, sizeof *out->miou));
    DV_TRY(receive(of, out->miou_objects, made->miou_objects, in->n_cells, sizeof *out->miou_objects));
    DV_TRY(receive(of, out->normalised, made->normalised, in->n_points, sizeof *out->normalised));
    DV_TRY(receive(of, out->steps, made->steps, in->n_points, sizeof *out->steps));
    for (size_t rule = 0; rule < 2; rule++)
        DV_TRY(receive(of, out->breaks[rule], made->breaks[rule], in->n_curves, sizeof *out->breaks[rule]));
    return DV_OK;
}

/* n resamples from `first` on. */
static dv_status draw_batch(resampling *of, size_t first, size_t n) {
    DV_TRY(dv_check_interrupted());
    of->there.first_resample = of->in->first_resample + first;
    of->there.n_resamples = n;
    DV_CUDA_TRY(dv_launch_viewpoint(&of->there, &of->made, of->weights, of->cuda->stream), "resampling objects");
    return receive_scores(of);
}

static dv_status draw(resampling *of, size_t most_bytes) {
    const size_t n = of->in->n_resamples, bytes = bytes_of_resample(of->in);
    const size_t fit = bytes > 0 ? most_bytes / bytes : n, at_least_one = fit > 0 ? fit : 1;
    size_t most = at_least_one < n ? at_least_one : n;
    DV_TRY(send_draws(of));
    DV_TRY(make_some_room(of, &most));
    for (size_t first = 0; first < n; first += most) {
        const dv_status status = draw_batch(of, first, n - first < most ? n - first : most);
        DV_TRY(dv_cuda_finish(of->cuda->stream, status, "resampling objects"));
    }
    return DV_OK;
}

dv_status dv_cuda_resample_within(dv_device *device, const dv_viewpoint_draws *in, const dv_viewpoint_scores *out,
                                  size_t most_bytes) {
    dv_cuda_device *const cuda = (dv_cuda_device *)device;
    resampling of = {.cuda = cuda, .in = in, .out = out, .parts = {.meter = cuda->gpus.each[0].meter}};
    DV_TRY(dv_cuda_queue(cuda));
    const dv_status status = dv_cuda_settle(cuda, draw(&of, most_bytes), "resampling objects");
    dv_cuda_parts_free(&of.parts);
    return status;
}

dv_status dv_cuda_resample(dv_device *device, const dv_viewpoint_draws *in, const dv_viewpoint_scores *out) {
    return dv_cuda_resample_within(device, in, out, MOST_BYTES);
}
