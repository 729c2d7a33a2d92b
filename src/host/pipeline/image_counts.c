#include "pipeline/image_counts.h"

#include <stdlib.h>
#include <string.h>

#include "cluster/exchange.h"
#include "core/check.h"
#include "core/memory.h"
#include "pipeline/scoring.h"

dv_status dv_image_counts_make(size_t n_images, size_t n_classes, dv_image_counts *counts) {
    static const char what[] = "counts of the images";
    size_t n_values;
    *counts = (dv_image_counts){.n_images = n_images, .n_classes = n_classes};
    DV_TRY(dv_mul_size(n_images, 1 + 3 * n_classes, what, &n_values));
    DV_TRY(dv_alloc(n_values, sizeof *counts->scored, what, &counts->scored));
    counts->intersections = counts->scored + n_images;
    counts->unions = counts->intersections + n_images * n_classes;
    counts->truths = counts->unions + n_images * n_classes;
    return DV_OK;
}

void dv_image_counts_clear(dv_image_counts *counts) {
    free(counts->scored);
    *counts = (dv_image_counts){0};
}

void dv_image_counts_set(dv_image_counts *counts, size_t place, const dv_confusion *confusion) {
    const size_t base = place * counts->n_classes;
    counts->scored[place] = 1;
    dv_class_counts(confusion, counts->intersections + base, counts->unions + base, counts->truths + base);
}

/* Each image was scored by one rank, so the sum is what that rank has. */
dv_status dv_image_counts_join(dv_ranks *ranks, dv_image_counts *counts) {
    return dv_ranks_sum(ranks, counts->scored, counts->n_images * (1 + 3 * counts->n_classes));
}

void dv_image_counts_pack(dv_image_counts *counts) {
    uint64_t *const arrays[] = {counts->intersections, counts->unions, counts->truths};
    const size_t n_classes = counts->n_classes;
    size_t n = 0;
    for (size_t image = 0; image < counts->n_images; image++) {
        if (!counts->scored[image]) continue;
        for (size_t i = 0; n < image && i < sizeof arrays / sizeof *arrays; i++)
            memcpy(arrays[i] + n * n_classes, arrays[i] + image * n_classes, n_classes * sizeof *arrays[i]);
        n++;
    }
    counts->n_images = n;
}
