/* The kernel's classes against those of dv_upsample_argmax. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "cuda_runtime_api.h"
#include "denseval/aggregate.h"
#include "denseval/upsample.h"
#include "kernels/kernels.h"
#include "simt.h"
#include "simt/device_memory.h"

typedef struct shape {
    size_t n_images, grid_h, grid_w, height, width, n_classes;
} shape;

/* Soft labels of few different values, so that ties are common; pure patches in large parts. */
static void fill(const shape *of, uint32_t *seed, double *soft, uint16_t *pure) {
    const size_t n_patches = of->n_images * of->grid_h * of->grid_w;
    for (size_t i = 0; i < n_patches; i++) {
        double *const label = soft + i * of->n_classes;
        const size_t n_present = draw(seed) % 3 == 0 ? draw(seed) % (of->n_classes + 1) : 1;
        for (size_t j = 0; j < n_present; j++)
            label[n_present == 1 ? draw(seed) % 2 % of->n_classes : draw(seed) % of->n_classes] =
                n_present == 1 ? 1.0 : (double)(1 + draw(seed) % 4) / 4.0;
        size_t n_found = 0, last = 0;
        for (size_t c = 0; c < of->n_classes; c++)
            if (label[c] > 0) n_found++, last = c;
        pure[i] = n_found == 1 ? (uint16_t)last : DV_MIXED;
    }
}

static void expect_classes_of_the_host(const shape *of, uint32_t seed) {
    const size_t n_patches = of->grid_h * of->grid_w, n_pixels = of->height * of->width;
    double *const soft = checked(calloc(of->n_images * n_patches * of->n_classes, sizeof *soft));
    uint16_t *const pure = checked(calloc(of->n_images * n_patches, sizeof *pure));
    uint16_t *const expected = checked(calloc(of->n_images * n_pixels, sizeof *expected));
    fill(of, &seed, soft, pure);
    dv_upsampler *upsampler;
    assert_int_equal(dv_upsampler_create(of->grid_h, of->grid_w, of->height, of->width, &upsampler), DV_OK);
    void *const scratch = checked(aligned_alloc(64, dv_upsampler_scratch(upsampler, of->n_classes)));
    for (size_t i = 0; i < of->n_images; i++)
        dv_upsample_argmax(upsampler, soft + i * n_patches * of->n_classes, pure + i * n_patches, of->n_classes,
                           scratch, expected + i * n_pixels);

    double *const soft_there = on_device(soft, of->n_images * n_patches * of->n_classes * sizeof *soft);
    uint16_t *const pure_there = on_device(pure, of->n_images * n_patches * sizeof *pure);
    uint16_t *const pred_there = on_device(NULL, of->n_images * n_pixels * sizeof *pred_there);
    assert_int_equal(dv_launch_upsample_argmax(soft_there, pure_there, (int64_t)of->n_images, (int64_t)of->grid_h,
                                               (int64_t)of->grid_w, (int64_t)of->height, (int64_t)of->width,
                                               (int64_t)of->n_classes, pred_there, NULL),
                     cudaSuccess);
    expect_on_device(pred_there, expected, of->n_images * n_pixels * sizeof *expected);
    free_on_device(soft_there, pure_there, pred_there);
    assert_int_equal(simt_n_alive(), 0);
    dv_upsampler_free(upsampler);
    free(scratch);
    free(soft);
    free(pure);
    free(expected);
}

/* Grids larger and smaller than the picture, one patch, one pixel, more pixels than a block has threads. */
static void every_shape_gives_the_classes_of_the_host(void **state) {
    (void)state;
    const shape shapes[] = {{1, 1, 1, 1, 1, 1},  {2, 2, 3, 9, 31, 3},  {1, 5, 1, 17, 3, 40},
                            {3, 7, 9, 5, 4, 16}, {1, 3, 3, 1, 300, 2}, {2, 4, 4, 21, 16, 150}};
    for (uint64_t seed = 0; seed < simt_n_seeds(); seed++)
        for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
            simt_set_seed(seed);
            expect_classes_of_the_host(&shapes[i], (uint32_t)(7 * seed + i));
        }
}

static void no_image_is_no_launch(void **state) {
    (void)state;
    simt_fail_launch(1);
    assert_int_equal(dv_launch_upsample_argmax(NULL, NULL, 0, 1, 1, 1, 1, 1, NULL, NULL), cudaSuccess);
    simt_fail_launch(0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_shape_gives_the_classes_of_the_host),
        cmocka_unit_test(no_image_is_no_launch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
