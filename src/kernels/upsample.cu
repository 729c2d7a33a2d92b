/* The class that wins each pixel, a thread a pixel, with the bits of dv_upsample_argmax: two horizontal blends, one
 * vertical, none fused, classes in rising order. Soft labels are read where they lie; pixels of one cell read the same
 * four patches, which the cache then holds. No picture of soft labels is ever made. */
#include "denseval/aggregate.h"
#include "kernels/kernels.h"
#include "kernels/launch.cuh"

namespace {

enum : unsigned { THREADS = 256, MOST_GRID_Y = 65535 };

struct upsampling {
    const double *soft;   /* [n_images, grid_h, grid_w, n_classes] */
    const uint16_t *pure; /* [n_images, grid_h, grid_w] */
    uint16_t *pred;       /* [n_images, height, width] */
    int64_t n_images, grid_h, grid_w, height, width, n_classes;
};

/* Where a pixel lies between two patches of an axis. */
struct place {
    int64_t first, second;
    double share; /* of the second */
};

__device__ place place_of(int64_t pixel, int64_t n_patches, int64_t n_pixels) {
    const double centre =
        (static_cast<double>(pixel) + 0.5) * static_cast<double>(n_patches) / static_cast<double>(n_pixels) - 0.5;
    const double at = centre > 0.0 ? centre : 0.0;
    const int64_t whole = static_cast<int64_t>(at);
    const int64_t first = whole < n_patches ? whole : n_patches - 1;
    return {first, first + 1 < n_patches ? first + 1 : first, at - static_cast<double>(first)};
}

__device__ double blend(double a, double b, double share) {
    return a * (1.0 - share) + b * share;
}

/* The largest blend of four patches; the lowest class on ties, 0 where all are 0. */
__device__ uint16_t winner_of(const upsampling &of, const int64_t (&patches)[4], double down, double right) {
    const double *const top_left = of.soft + patches[0] * of.n_classes;
    const double *const top_right = of.soft + patches[1] * of.n_classes;
    const double *const bottom_left = of.soft + patches[2] * of.n_classes;
    const double *const bottom_right = of.soft + patches[3] * of.n_classes;
    double best = 0.0;
    int64_t winner = 0;
    for (int64_t c = 0; c < of.n_classes; c++) {
        const double top = blend(top_left[c], top_right[c], right);
        const double bottom = blend(bottom_left[c], bottom_right[c], right);
        const double value = blend(top, bottom, down);
        if (value > best) {
            best = value;
            winner = c;
        }
    }
    return static_cast<uint16_t>(winner);
}

__device__ uint16_t class_of(const upsampling &of, int64_t image, int64_t y, int64_t x) {
    const place row = place_of(y, of.grid_h, of.height), column = place_of(x, of.grid_w, of.width);
    const int64_t origin = image * of.grid_h * of.grid_w;
    const int64_t above = origin + row.first * of.grid_w, below = origin + row.second * of.grid_w;
    const int64_t patches[4] = {above + column.first, above + column.second, below + column.first,
                                below + column.second};
    const uint16_t pure = of.pure[patches[0]];
    if (pure != DV_MIXED && of.pure[patches[1]] == pure && of.pure[patches[2]] == pure && of.pure[patches[3]] == pure)
        return pure;
    return winner_of(of, patches, row.share, column.share);
}

__global__ void __launch_bounds__(THREADS) upsample_argmax(upsampling of) {
    const int64_t pixel = static_cast<int64_t>(blockIdx.x) * THREADS + threadIdx.x;
    if (pixel >= of.height * of.width) return;
    for (int64_t image = blockIdx.y; image < of.n_images; image += gridDim.y)
        of.pred[image * of.height * of.width + pixel] = class_of(of, image, pixel / of.width, pixel % of.width);
}

} // namespace

int dv_launch_upsample_argmax(const double *soft, const uint16_t *pure, int64_t n_images, int64_t grid_h,
                              int64_t grid_w, int64_t height, int64_t width, int64_t n_classes, uint16_t *pred,
                              dv_stream stream) {
    if (n_images == 0) return cudaSuccess;
    const upsampling of = {soft, pure, pred, n_images, grid_h, grid_w, height, width, n_classes};
    const dim3 grid(static_cast<unsigned>((height * width + THREADS - 1) / THREADS),
                    static_cast<unsigned>(n_images < MOST_GRID_Y ? n_images : int64_t{MOST_GRID_Y}));
    return DV_LAUNCH(upsample_argmax, grid, THREADS, 0, stream, of);
}
