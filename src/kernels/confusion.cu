/* Pairs of labels, counted. A block takes a stripe of one picture into a histogram of its own in shared memory, 32 bit
 * (a stripe is shorter than that), and adds it to the 64-bit matrix at its end: sums of integers, so no order shows.
 * Matrices too large for shared memory get their counts in place, one addition for all lanes that hold the same pair.
 */
#include "denseval/labels.h"
#include "kernels/kernels.h"
#include "kernels/warp.cuh"

namespace {

enum : unsigned {
    THREADS = 256,
    STRIPE = THREADS * 64, /* pixels */
    MOST_GRID_Y = 65535,
    SHARED_BYTES = 48 * 1024
};

struct counting {
    const uint16_t *truth, *pred; /* [n_images, n_pixels] */
    const uint32_t *ignored;      /* [2048], a bit a label */
    dv_image_counts *images;      /* [n_images] */
    uint64_t *counts;             /* [n_images, n_classes, n_classes] */
    uint64_t *false_positives;    /* [n_images, n_classes] */
    int64_t n_images, n_pixels, n_classes;
    dv_invalid_labels invalid;
};

/* Where a pixel is counted. */
enum place : unsigned { IN_MATRIX, FALSE_POSITIVE, IGNORED, DROPPED, FAULT };

__device__ place place_of(const counting &of, unsigned truth, unsigned pred) {
    const bool is_class = truth < of.n_classes;
    if (of.ignored[truth / 32] >> truth % 32 & 1u) return IGNORED;
    if (!is_class && of.invalid == DV_INVALID_DROP) return DROPPED;
    if (pred >= of.n_classes || (!is_class && of.invalid == DV_INVALID_ERROR)) return FAULT;
    return is_class ? IN_MATRIX : FALSE_POSITIVE;
}

/* Adds one for each lane of `lanes` that is at the same place; one of them does it for all. */
__device__ void add_grouped(unsigned lanes, uint64_t *counter, int64_t key) {
    const unsigned same = __match_any_sync(lanes, static_cast<unsigned>(key));
    if (dv_lane() == static_cast<unsigned>(__ffs(static_cast<int>(same)) - 1))
        atomicAdd(reinterpret_cast<unsigned long long *>(counter), static_cast<unsigned long long>(__popc(same)));
}

/* One pixel of each lane of the warp; `inside`: this lane has one. */
template <bool SHARED>
__device__ void count_pixel(const counting &of, int64_t image, int64_t pixel, bool inside, uint32_t *histogram) {
    const int64_t at = image * of.n_pixels + pixel;
    const unsigned truth = inside ? of.truth[at] : 0, pred = inside ? of.pred[at] : 0;
    const place where = inside ? place_of(of, truth, pred) : IGNORED;
    const int64_t cell = static_cast<int64_t>(truth) * of.n_classes + pred;
    dv_image_counts *const sums = of.images + image;
    if (SHARED && where == IN_MATRIX) atomicAdd(histogram + cell, 1u);
    const unsigned in_matrix = __ballot_sync(DV_ALL_LANES, !SHARED && where == IN_MATRIX);
    if (!SHARED && where == IN_MATRIX)
        add_grouped(in_matrix, of.counts + image * of.n_classes * of.n_classes + cell, cell);
    if (where == FALSE_POSITIVE)
        atomicAdd(reinterpret_cast<unsigned long long *>(of.false_positives + image * of.n_classes + pred), 1ull);
    const unsigned n_ignored = static_cast<unsigned>(__popc(__ballot_sync(DV_ALL_LANES, inside && where == IGNORED)));
    const unsigned n_dropped = static_cast<unsigned>(__popc(__ballot_sync(DV_ALL_LANES, where == DROPPED)));
    if (dv_lane() == 0 && n_ignored) atomicAdd(&sums->ignored, static_cast<unsigned long long>(n_ignored));
    if (dv_lane() == 0 && n_dropped) atomicAdd(&sums->dropped, static_cast<unsigned long long>(n_dropped));
    if (where == FAULT) atomicMin(&sums->first_fault, static_cast<unsigned long long>(pixel));
}

template <bool SHARED> __global__ void __launch_bounds__(THREADS) confusion(counting of) {
    const int64_t n_cells = of.n_classes * of.n_classes;
    uint32_t *histogram = nullptr;
    if constexpr (SHARED) {
        DV_SHARED_PART(uint32_t, part, 0, n_cells);
        histogram = part;
    }
    for (int64_t image = blockIdx.y; image < of.n_images; image += gridDim.y) {
        if (SHARED)
            for (int64_t i = threadIdx.x; i < n_cells; i += THREADS) histogram[i] = 0;
        __syncthreads();
        const int64_t first = static_cast<int64_t>(blockIdx.x) * STRIPE;
        for (int64_t i = threadIdx.x; i < STRIPE; i += THREADS)
            count_pixel<SHARED>(of, image, first + i, first + i < of.n_pixels, histogram);
        __syncthreads();
        if (SHARED)
            for (int64_t i = threadIdx.x; i < n_cells; i += THREADS)
                if (histogram[i])
                    atomicAdd(reinterpret_cast<unsigned long long *>(of.counts + image * n_cells + i),
                              static_cast<unsigned long long>(histogram[i]));
        __syncthreads(); /* before the next image clears it */
    }
}

} // namespace

int dv_launch_confusion(const uint16_t *truth, const uint16_t *pred, int64_t n_images, int64_t n_pixels,
                        int64_t n_classes, const uint32_t *ignored, dv_invalid_labels invalid, dv_image_counts *images,
                        uint64_t *counts, uint64_t *false_positives, dv_stream stream) {
    if (n_images == 0 || n_pixels == 0) return cudaSuccess;
    const counting of = {truth, pred, ignored, images, counts, false_positives, n_images, n_pixels, n_classes, invalid};
    const dim3 grid(static_cast<unsigned>((n_pixels + STRIPE - 1) / STRIPE),
                    static_cast<unsigned>(n_images < MOST_GRID_Y ? n_images : int64_t{MOST_GRID_Y}));
    const size_t n_bytes = static_cast<size_t>(n_classes * n_classes) * sizeof(uint32_t);
    if (n_bytes <= SHARED_BYTES) return DV_LAUNCH(confusion<true>, grid, THREADS, n_bytes, stream, of);
    return DV_LAUNCH(confusion<false>, grid, THREADS, 0, stream, of);
}
