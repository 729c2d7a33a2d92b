/* Scores and curves of every resample of the objects, with the bits of the host: draws, sums of integers, then doubles
 * in class order. A block draws for one resample; then a thread has a resample and a cell, and goes through the classes
 * in order, a few at a time: the counts of the cell come through shared memory for all of its block, how often each
 * object was drawn from lists that lie resample beside resample. The rules are those of core/class_mean.h and
 * core/curve.h. */
#include "core/class_mean.h"
#include "core/curve.h"
#include "core/philox.h"
#include "kernels/kernels.h"
#include "kernels/launch.cuh"

namespace {

enum : unsigned {
    THREADS = 128,
    PARTS = 3,    /* intersections, unions, truths */
    CLASSES = 4,  /* at a time */
    OBJECTS = 32, /* of a tile in shared memory */
    MOST_GRID_Y = 65535
};

struct resampling {
    dv_viewpoint_draws in;
    dv_viewpoint_scores out;
    uint32_t *weights; /* [n_objects, n_resamples], workspace: how often each was drawn */
};

/* Aligned, so that two counts are read at once. */
struct alignas(16) class_counts {
    uint64_t parts[PARTS][CLASSES];
};

__global__ void __launch_bounds__(THREADS) draw_objects(resampling of) {
    const dv_viewpoint_draws &in = of.in;
    uint32_t *const weights = of.weights + blockIdx.x; /* of one resample */
    for (size_t i = threadIdx.x; i < in.n_objects; i += THREADS) weights[i * in.n_resamples] = 0;
    __syncthreads();
    for (size_t i = threadIdx.x; i < in.n_objects; i += THREADS) {
        const size_t rank = dv_philox_below(in.seed, in.first_resample + blockIdx.x, i, in.n_objects);
        atomicAdd(weights + in.order[rank] * in.n_resamples, 1u);
    }
}

/* Counts of some objects and classes of a cell; 0 past the last ones. */
__device__ void stage(const dv_viewpoint_draws &in, size_t cell, size_t first_object, size_t first_class,
                      class_counts *tile) {
    for (unsigned i = threadIdx.x; i < OBJECTS * PARTS * CLASSES; i += THREADS) {
        const unsigned place = i / (PARTS * CLASSES), part = i / CLASSES % PARTS, c = i % CLASSES;
        const uint64_t *const counts = part == 0 ? in.intersections : part == 1 ? in.unions : in.truths;
        const bool inside = first_object + place < in.n_objects && first_class + c < in.n_classes;
        const size_t at = (cell * in.n_objects + first_object + place) * in.n_classes + first_class + c;
        tile[place].parts[part][c] = inside ? counts[at] : 0;
    }
}

__device__ void add_weighted(class_counts &sums, uint64_t weight, const class_counts &counts) {
    DV_UNROLL
    for (unsigned i = 0; i < PARTS * CLASSES; i++)
        sums.parts[i / CLASSES][i % CLASSES] += weight * counts.parts[i / CLASSES][i % CLASSES];
}

/* What the objects that a resample drew have together. All threads of a block come here, `is_one` or not. */
__device__ void sum_classes(const resampling &of, size_t cell, size_t first_class, size_t resample, bool is_one,
                            class_counts *tile, class_counts &sums) {
    const size_t n_objects = of.in.n_objects;
    const uint32_t *weight = of.weights + resample;
    sums = class_counts{};
    for (size_t first = 0; first < n_objects; first += OBJECTS) {
        __syncthreads(); /* the tile before has been read */
        stage(of.in, cell, first, first_class, tile);
        __syncthreads();
        const unsigned n = n_objects - first < OBJECTS ? static_cast<unsigned>(n_objects - first) : OBJECTS;
        for (unsigned i = 0; is_one && i < n; i++, weight += of.in.n_resamples) add_weighted(sums, *weight, tile[i]);
    }
}

/* The means over all classes and over those from 1 on. */
struct means {
    dv_class_mean all, objects;
};

__device__ void add_classes(const dv_viewpoint_draws &in, size_t first_class, const class_counts &sums, means &to) {
    DV_UNROLL
    for (unsigned i = 0; i < CLASSES; i++) {
        const size_t c = first_class + i;
        double iou;
        if (c >= in.n_classes || (in.excluded && in.excluded[c])) continue;
        if (!dv_absent_iou(in.absent, sums.parts[0][i], sums.parts[1][i], sums.parts[2][i], &iou)) continue;
        dv_class_mean_add(&to.all, iou);
        if (c > 0) dv_class_mean_add(&to.objects, iou);
    }
}

__global__ void __launch_bounds__(THREADS) score_resamples(resampling of) {
    DV_SHARED_ARRAY(class_counts, tile, OBJECTS);
    const dv_viewpoint_draws &in = of.in;
    const size_t resample = size_t{blockIdx.x} * THREADS + threadIdx.x;
    const bool is_one = resample < in.n_resamples;
    for (size_t cell = blockIdx.y; cell < in.n_cells; cell += gridDim.y) {
        means found = {};
        const size_t n_classes = in.usable[cell] && in.n_objects > 0 ? in.n_classes : 0; /* 0: no class is added */
        for (size_t c = 0; c < n_classes; c += CLASSES) {
            class_counts sums;
            sum_classes(of, cell, c, resample, is_one, tile, sums);
            add_classes(in, c, sums, found);
        }
        if (!is_one) continue;
        of.out.miou[cell * in.n_resamples + resample] = dv_class_mean_value(&found.all);
        of.out.miou_objects[cell * in.n_resamples + resample] = dv_class_mean_value(&found.objects);
    }
}

__global__ void __launch_bounds__(THREADS) follow_curves(resampling of) {
    const size_t resample = size_t{blockIdx.x} * THREADS + threadIdx.x;
    if (resample >= of.in.n_resamples) return;
    for (size_t curve = blockIdx.y; curve < of.in.n_curves; curve += gridDim.y)
        dv_curve_of_resample(&of.in, &of.out, curve, resample);
}

/* A block for some resamples of each of n, of which one block may have several. */
dim3 grid_of(const dv_viewpoint_draws *in, size_t n) {
    return dim3(static_cast<unsigned>((in->n_resamples + THREADS - 1) / THREADS),
                static_cast<unsigned>(n < MOST_GRID_Y ? n : size_t{MOST_GRID_Y}));
}

} // namespace

size_t dv_launch_viewpoint_workspace(int64_t n_objects, int64_t n_resamples) {
    return static_cast<size_t>(n_objects) * static_cast<size_t>(n_resamples) * sizeof(uint32_t);
}

int dv_launch_viewpoint(const dv_viewpoint_draws *in, const dv_viewpoint_scores *out, void *workspace,
                        dv_stream stream) {
    const resampling of = {*in, *out, static_cast<uint32_t *>(workspace)};
    int code = cudaSuccess;
    if (in->n_resamples == 0) return code;
    if (in->n_objects > 0)
        code = DV_LAUNCH(draw_objects, static_cast<unsigned>(in->n_resamples), THREADS, 0, stream, of);
    if (code == cudaSuccess && in->n_cells > 0)
        code = DV_LAUNCH(score_resamples, grid_of(in, in->n_cells), THREADS, 0, stream, of);
    if (code == cudaSuccess && in->n_curves > 0)
        code = DV_LAUNCH(follow_curves, grid_of(in, in->n_curves), THREADS, 0, stream, of);
    return code;
}
