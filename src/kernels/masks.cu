/* Objects of two label maps: pixels, intersections, contours as bit rows, and contour pixels near another contour. All
 * sums are integers, so no order shows. Objects get slots: `slot_of` maps a label to its slot + 1, 0 for those that are
 * not looked at, so that a launch can take as many objects as memory allows. */
#include "kernels/kernels.h"
#include "kernels/warp.cuh"

namespace {

enum : unsigned { THREADS = 256, MOST_BLOCKS = 1u << 20 };

using count = unsigned long long;

unsigned blocks_for(int64_t n) {
    const int64_t n_blocks = (n + THREADS - 1) / THREADS;
    return static_cast<unsigned>(n_blocks < MOST_BLOCKS ? n_blocks : int64_t{MOST_BLOCKS});
}

/* Adds one a lane where `key` is not 0; lanes with one key add together. The whole warp calls it. */
__device__ void add_by_key(count *counts, uint64_t key) {
    const unsigned same = __match_any_sync(DV_ALL_LANES, static_cast<unsigned long long>(key));
    if (key != 0 && dv_lane() == static_cast<unsigned>(__ffs(static_cast<int>(same)) - 1))
        atomicAdd(counts + key - 1, static_cast<count>(__popc(same)));
}

/* counts[label - 1] += 1 for every pixel that is not 0. */
__global__ void __launch_bounds__(THREADS) count_labels(const uint16_t *labels, int64_t n_pixels, count *counts) {
    const int64_t step = static_cast<int64_t>(gridDim.x) * THREADS;
    for (int64_t first = static_cast<int64_t>(blockIdx.x) * THREADS; first < n_pixels; first += step) {
        const int64_t i = first + threadIdx.x;
        add_by_key(counts, i < n_pixels ? labels[i] : 0);
    }
}

struct joint {
    const uint16_t *truth, *pred;                 /* [n_pixels] */
    const uint32_t *truth_slot_of, *pred_slot_of; /* [65536] */
    int64_t n_pixels, n_pred;
    count *counts; /* [n_truth, n_pred], or [n_truth] where equal labels alone count */
    bool all_pairs;
};

__device__ uint64_t key_of(const joint &of, int64_t i) {
    const uint32_t truth = of.truth_slot_of[of.truth[i]], pred = of.pred_slot_of[of.pred[i]];
    if (truth == 0 || pred == 0) return 0;
    if (of.all_pairs) return static_cast<uint64_t>(truth - 1) * static_cast<uint64_t>(of.n_pred) + pred;
    return of.truth[i] == of.pred[i] ? truth : 0;
}

__global__ void __launch_bounds__(THREADS) count_joint(joint of) {
    const int64_t step = static_cast<int64_t>(gridDim.x) * THREADS;
    for (int64_t first = static_cast<int64_t>(blockIdx.x) * THREADS; first < of.n_pixels; first += step) {
        const int64_t i = first + threadIdx.x;
        add_by_key(of.counts, i < of.n_pixels ? key_of(of, i) : 0);
    }
}

struct edges {
    const uint16_t *labels;  /* [height, width] */
    const uint32_t *slot_of; /* [65536] */
    int64_t height, width, n_row_words;
    count *counts;  /* [n_slots] contour pixels, or NULL */
    uint32_t *bits; /* [n_slots, height, n_row_words], or NULL */
};

__device__ void mark(const edges &of, uint16_t label, int64_t y, int64_t x) {
    const uint32_t slot = of.slot_of[label];
    if (label == 0 || slot == 0) return;
    if (of.counts) atomicAdd(of.counts + slot - 1, count{1});
    if (of.bits) atomicOr(of.bits + ((slot - 1) * of.height + y) * of.n_row_words + x / 32, 1u << x % 32);
}

/* A pixel is on the contour of a label that it has and one of its neighbours on the right, below and below right has
 * not, or the other way round; on the last row the right one alone counts, in the last column the one below. */
__device__ void mark_pixel(const edges &of, int64_t y, int64_t x) {
    const uint16_t *const at = of.labels + y * of.width + x;
    const uint16_t own = at[0];
    const bool has_right = x + 1 < of.width, has_below = y + 1 < of.height;
    const uint16_t right = has_right ? at[1] : own, below = has_below ? at[of.width] : own;
    const uint16_t corner = has_right && has_below ? at[of.width + 1] : own;
    if (right == own && below == own && corner == own) return;
    mark(of, own, y, x);
    if (right != own) mark(of, right, y, x);
    if (below != own && below != right) mark(of, below, y, x);
    if (corner != own && corner != right && corner != below) mark(of, corner, y, x);
}

__global__ void __launch_bounds__(THREADS) find_contours(edges of) {
    const int64_t step = static_cast<int64_t>(gridDim.x) * THREADS, n_pixels = of.height * of.width;
    for (int64_t i = static_cast<int64_t>(blockIdx.x) * THREADS + threadIdx.x; i < n_pixels; i += step)
        mark_pixel(of, i / of.width, i % of.width);
}

struct nearness {
    const uint32_t *bits, *other_bits; /* [slots, height, n_row_words] */
    const dv_slot_pair *pairs;         /* [n_pairs] */
    const uint32_t *half_widths;       /* [radius + 1]: of the disk's row dy */
    int64_t height, width, n_row_words, n_pairs;
    int32_t radius;
    count *matched; /* [n_pairs] */
};

/* Is a bit of the row set between two columns, both included? */
__device__ bool row_has(const uint32_t *row, int64_t first, int64_t last) {
    for (int64_t word = first / 32; word <= last / 32; word++) {
        uint32_t window = 0xffffffffu;
        if (word == first / 32) window &= 0xffffffffu << first % 32;
        if (word == last / 32) window &= 0xffffffffu >> (31 - last % 32);
        if (row[word] & window) return true;
    }
    return false;
}

__device__ bool disk_has(const nearness &of, const uint32_t *map, int64_t y, int64_t x) {
    for (int32_t dy = 0; dy <= of.radius; dy++) {
        const int64_t reach = of.half_widths[dy];
        const int64_t first = x - reach > 0 ? x - reach : 0, last = x + reach < of.width ? x + reach : of.width - 1;
        if (y + dy < of.height && row_has(map + (y + dy) * of.n_row_words, first, last)) return true;
        if (dy != 0 && y - dy >= 0 && row_has(map + (y - dy) * of.n_row_words, first, last)) return true;
    }
    return false;
}

/* A thread a word of a contour: most are empty. */
__global__ void __launch_bounds__(THREADS) count_near(nearness of) {
    const int64_t n_words = of.height * of.n_row_words;
    const dv_slot_pair pair = of.pairs[blockIdx.y];
    const uint32_t *const map = of.bits + pair.own * n_words, *const other = of.other_bits + pair.other * n_words;
    unsigned n_near = 0;
    const int64_t step = static_cast<int64_t>(gridDim.x) * THREADS;
    for (int64_t i = static_cast<int64_t>(blockIdx.x) * THREADS + threadIdx.x; i < n_words; i += step)
        for (uint32_t left = map[i]; left; left &= left - 1)
            n_near +=
                disk_has(of, other, i / of.n_row_words, i % of.n_row_words * 32 + __ffs(static_cast<int>(left)) - 1);
    for (int lanes = 16; lanes > 0; lanes /= 2) n_near += __shfl_xor_sync(DV_ALL_LANES, n_near, lanes);
    if (dv_lane() == 0 && n_near) atomicAdd(of.matched + blockIdx.y, static_cast<count>(n_near));
}

} // namespace

int dv_launch_mask_labels(const uint16_t *labels, int64_t n_pixels, unsigned long long *counts, dv_stream stream) {
    return DV_LAUNCH(count_labels, blocks_for(n_pixels), THREADS, 0, stream, labels, n_pixels, counts);
}

int dv_launch_mask_joint(const uint16_t *truth, const uint16_t *pred, int64_t n_pixels, const uint32_t *truth_slot_of,
                         const uint32_t *pred_slot_of, int64_t n_pred, bool all_pairs, unsigned long long *counts,
                         dv_stream stream) {
    const joint of = {truth, pred, truth_slot_of, pred_slot_of, n_pixels, n_pred, counts, all_pairs};
    return DV_LAUNCH(count_joint, blocks_for(n_pixels), THREADS, 0, stream, of);
}

int dv_launch_mask_contours(const uint16_t *labels, int64_t height, int64_t width, const uint32_t *slot_of,
                            unsigned long long *counts, uint32_t *bits, dv_stream stream) {
    const edges of = {labels, slot_of, height, width, (width + 31) / 32, counts, bits};
    return DV_LAUNCH(find_contours, blocks_for(height * width), THREADS, 0, stream, of);
}

int dv_launch_mask_near(const uint32_t *bits, const uint32_t *other_bits, int64_t height, int64_t width,
                        const dv_slot_pair *pairs, int64_t n_pairs, int32_t radius, const uint32_t *half_widths,
                        unsigned long long *matched, dv_stream stream) {
    if (n_pairs == 0) return cudaSuccess;
    const int64_t n_row_words = (width + 31) / 32;
    const nearness of = {bits, other_bits, pairs, half_widths, height, width, n_row_words, n_pairs, radius, matched};
    const dim3 grid(blocks_for(height * n_row_words), static_cast<unsigned>(n_pairs));
    return DV_LAUNCH(count_near, grid, THREADS, 0, stream, of);
}
