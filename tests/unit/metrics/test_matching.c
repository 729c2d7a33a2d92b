/* Sizes of matchings: by hand, and against one augmenting path after the other on a table of every pair. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "metrics/matching.h"
#include "property/metrics_seed.h"

enum { RANDOM_SIDE = 64, MAX_SIDE = 100, MAX_PIXELS = MAX_SIDE * MAX_SIDE };

/* A picture of bits; its pixels in order. */
typedef struct bitmap {
    size_t height, width;
    bool at[MAX_SIDE][MAX_SIDE];
} bitmap;

static size_t pixels_of(const bitmap *map, dv_pixel *pixels) {
    size_t n = 0;
    for (size_t y = 0; y < map->height; y++)
        for (size_t x = 0; x < map->width; x++)
            if (map->at[y][x]) pixels[n++] = (dv_pixel){(uint32_t)y, (uint32_t)x};
    return n;
}

static uint64_t size_of(const dv_pixel *a, size_t n_a, const dv_pixel *b, size_t n_b, uint32_t radius) {
    uint64_t size = 4242, swapped = 4242;
    assert_int_equal(dv_matching_size(a, n_a, b, n_b, 1 << 14, 1 << 14, radius, &size), DV_OK);
    assert_int_equal(dv_matching_size(b, n_b, a, n_a, 1 << 14, 1 << 14, radius, &swapped), DV_OK);
    assert_int_equal(size, swapped);
    return size;
}

static bool are_near(dv_pixel a, dv_pixel b, uint32_t radius) {
    const int64_t dy = (int64_t)a.y - b.y, dx = (int64_t)a.x - b.x;
    return dy * dy + dx * dx <= (int64_t)radius * radius;
}

/* Kuhn's method. Looks for a path from pixel i of a; partner  [n_b], SIZE_MAX where free. */
static bool find_path(const dv_pixel *a, size_t i, const dv_pixel *b, size_t n_b, uint32_t radius, size_t *partner,
                      bool *seen) {
    for (size_t j = 0; j < n_b; j++) {
        if (seen[j] || !are_near(a[i], b[j], radius)) continue;
        seen[j] = true;
        if (partner[j] == SIZE_MAX || find_path(a, partner[j], b, n_b, radius, partner, seen)) {
            partner[j] = i;
            return true;
        }
    }
    return false;
}

static size_t plain_size(const dv_pixel *a, size_t n_a, const dv_pixel *b, size_t n_b, uint32_t radius) {
    static size_t partner[MAX_PIXELS];
    static bool seen[MAX_PIXELS];
    size_t size = 0;
    for (size_t j = 0; j < n_b; j++) partner[j] = SIZE_MAX;
    for (size_t i = 0; i < n_a; i++) {
        memset(seen, 0, sizeof seen);
        size += find_path(a, i, b, n_b, radius, partner, seen);
    }
    return size;
}

/* What the disk test counts: pixels of a with any pixel of b nearby. */
static size_t count_near(const dv_pixel *a, size_t n_a, const dv_pixel *b, size_t n_b, uint32_t radius) {
    size_t n = 0;
    for (size_t i = 0; i < n_a; i++)
        for (size_t j = 0; j < n_b; j++)
            if (are_near(a[i], b[j], radius)) {
                n++;
                break;
            }
    return n;
}

static void paint(bitmap *map, size_t top, size_t left, size_t height, size_t width) {
    for (size_t y = top; y < top + height && y < map->height; y++)
        for (size_t x = left; x < left + width && x < map->width; x++) map->at[y][x] = true;
}

/* Pixels that differ from their right, lower or lower-right neighbour inside the picture. */
static void outline(const bitmap *mask, bitmap *out) {
    *out = (bitmap){.height = mask->height, .width = mask->width};
    for (size_t y = 0; y < mask->height; y++)
        for (size_t x = 0; x < mask->width; x++) {
            const bool here = mask->at[y][x], below = y + 1 < mask->height, right = x + 1 < mask->width;
            out->at[y][x] = (right && mask->at[y][x + 1] != here) || (below && mask->at[y + 1][x] != here) ||
                            (right && below && mask->at[y + 1][x + 1] != here);
        }
}

static void empty_sides_have_no_pair(void **state) {
    (void)state;
    const dv_pixel one[] = {{3, 4}};
    assert_int_equal(size_of(NULL, 0, NULL, 0, 5), 0);
    assert_int_equal(size_of(one, 1, NULL, 0, 5), 0);
}

static void the_radius_is_euclidean_and_inclusive(void **state) {
    (void)state;
    const dv_pixel origin[] = {{10, 10}}, same[] = {{10, 10}}, right[] = {{10, 11}}, far[] = {{13, 14}},
                   corner[] = {{12, 12}};
    assert_int_equal(size_of(origin, 1, same, 1, 0), 1);
    assert_int_equal(size_of(origin, 1, right, 1, 0), 0);
    assert_int_equal(size_of(origin, 1, right, 1, 1), 1);
    assert_int_equal(size_of(origin, 1, far, 1, 4), 0);
    assert_int_equal(size_of(origin, 1, far, 1, 5), 1); /* 3, 4, 5 */
    assert_int_equal(size_of(origin, 1, corner, 1, 2), 0);
    assert_int_equal(size_of(origin, 1, corner, 1, 3), 1);
}

static void radius_zero_counts_common_pixels(void **state) {
    (void)state;
    const dv_pixel a[] = {{0, 0}, {0, 5}, {2, 1}, {7, 7}}, b[] = {{0, 5}, {1, 1}, {2, 1}, {7, 8}};
    assert_int_equal(size_of(a, 4, b, 4, 0), 2);
}

/* b at columns 1, 3, 5, ..., a at 0, 2, 4, ...: at distance 1 a chain. With one more b at the left end every a that
 * prefers its left neighbour has to be right; a long path has to be turned over, without deep recursion. */
static void a_chain_is_matched_from_end_to_end(void **state) {
    (void)state;
    enum { LINKS = 8000 };
    dv_pixel *a = malloc(LINKS * sizeof *a), *b = malloc(LINKS * sizeof *b);
    assert_non_null(a);
    assert_non_null(b);
    for (uint32_t i = 0; i < LINKS; i++) {
        a[i] = (dv_pixel){0, 2 * i};
        b[i] = (dv_pixel){0, 2 * i + 1};
    }
    assert_int_equal(size_of(a, LINKS, b, LINKS, 1), LINKS);
    assert_int_equal(size_of(a + 1, LINKS - 1, b, LINKS, 1), LINKS - 1);
    assert_int_equal(size_of(a, LINKS, b, LINKS - 1, 1), LINKS - 1);
    assert_int_equal(size_of(a + 1, LINKS - 1, b, LINKS - 1, 1), LINKS - 1);
    a[0] = (dv_pixel){0, 1}; /* now a shares its first place with b, where a greedy start pairs them */
    assert_int_equal(size_of(a, LINKS, b, LINKS, 1), LINKS);
    free(a);
    free(b);
}

/* Nearest partners first gives 1: the pixels at columns 5 and 6; the most is 2. */
static void the_greedy_start_is_revised(void **state) {
    (void)state;
    const dv_pixel a[] = {{0, 0}, {0, 6}}, b[] = {{0, 5}, {0, 11}};
    assert_int_equal(size_of(a, 2, b, 2, 5), 2);
}

static void more_pixels_than_partners(void **state) {
    (void)state;
    const dv_pixel a[] = {{4, 4}, {4, 5}, {5, 4}, {5, 5}, {9, 60}}, b[] = {{4, 6}, {6, 4}};
    assert_int_equal(size_of(a, 5, b, 2, 3), 2);
    assert_int_equal(size_of(a, 5, b, 2, UINT32_MAX), 2); /* everything is near */
    assert_int_equal(size_of(a, 5, b, 1, 1), 1);
}

/* Masks of 100 x 100 at radius 2. A square of h x w has 2 (h + w) contour pixels, in a row above it, its last row, a
 * column to the left and its last column; fewer at the last rows and columns of the picture. Squares of 10 x 10 moved
 * by 1 and 2 match whole. Moved by s = 3 or 4, of the 11 pixels of either row s - 2 at one end are alone, and of the
 * columns only the two pixels nearest to a row have a partner, in that row: 2 (11 - (s - 2) + 2) = 24 and 22 pairs. */
static void squares_by_hand(void **state) {
    (void)state;
    static const struct {
        size_t truth[4], pred[4]; /* top, left, height, width */
        size_t n_truth, n_pred, size;
    } cases[] = {
        {{20, 20, 10, 10}, {20, 21, 10, 10}, 40, 40, 40}, {{20, 20, 10, 10}, {20, 22, 10, 10}, 40, 40, 40},
        {{20, 20, 10, 10}, {20, 23, 10, 10}, 40, 40, 24}, {{20, 20, 10, 10}, {20, 24, 10, 10}, 40, 40, 22},
        {{20, 20, 3, 3}, {21, 21, 1, 1}, 12, 4, 4},       {{30, 10, 1, 60}, {30, 10, 3, 60}, 122, 126, 122},
        {{0, 0, 100, 100}, {0, 0, 0, 0}, 0, 0, 0},        {{0, 0, 0, 0}, {40, 40, 5, 5}, 0, 20, 0},
        {{95, 95, 5, 5}, {94, 94, 6, 6}, 11, 13, 11},
    };
    static dv_pixel truth[MAX_PIXELS], pred[MAX_PIXELS];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bitmap masks[2] = {{.height = 100, .width = 100}, {.height = 100, .width = 100}}, contour;
        paint(&masks[0], cases[i].truth[0], cases[i].truth[1], cases[i].truth[2], cases[i].truth[3]);
        paint(&masks[1], cases[i].pred[0], cases[i].pred[1], cases[i].pred[2], cases[i].pred[3]);
        outline(&masks[0], &contour);
        const size_t n_truth = pixels_of(&contour, truth);
        outline(&masks[1], &contour);
        const size_t n_pred = pixels_of(&contour, pred);
        assert_int_equal(n_truth, cases[i].n_truth);
        assert_int_equal(n_pred, cases[i].n_pred);
        assert_int_equal(size_of(truth, n_truth, pred, n_pred, 2), cases[i].size);
    }
}

/* Random pictures of several kinds; the second is often a disturbed copy of the first. */
static void scatter(bitmap *map, size_t n, uint64_t *random) {
    for (size_t i = 0; i < n; i++) map->at[test_below(random, map->height)][test_below(random, map->width)] = true;
}

static void cluster(bitmap *map, size_t n, uint64_t *random) {
    for (size_t i = 0; i < n; i++) {
        const size_t y = test_below(random, map->height), x = test_below(random, map->width);
        for (size_t k = test_below(random, 12); k > 0; k--)
            paint(map, y + test_below(random, 4), x + test_below(random, 4), 1, 1);
    }
}

static void blobs(bitmap *map, size_t n, uint64_t *random) {
    bitmap mask = {.height = map->height, .width = map->width};
    for (size_t i = 0; i < n; i++)
        paint(&mask, test_below(random, map->height), test_below(random, map->width), 1 + test_below(random, 20),
              1 + test_below(random, 20));
    for (size_t i = test_below(random, 40); i > 0; i--) /* ragged edges */
        mask.at[test_below(random, map->height)][test_below(random, map->width)] ^= true;
    outline(&mask, map);
}

static void disturb(const bitmap *from, bitmap *map, uint64_t *random) {
    const size_t reach = 1 + test_below(random, 4);
    for (size_t y = 0; y < from->height; y++)
        for (size_t x = 0; x < from->width; x++)
            if (from->at[y][x] && test_below(random, 8) > 0)
                paint(map, y + test_below(random, reach), x + test_below(random, reach), 1, 1 + test_below(random, 2));
}

static void draw_pair(bitmap maps[2], uint64_t *random) {
    const size_t height = 1 + test_below(random, RANDOM_SIDE), width = 1 + test_below(random, RANDOM_SIDE);
    const size_t kind = test_below(random, 3);
    for (size_t i = 0; i < 2; i++) {
        maps[i] = (bitmap){.height = height, .width = width};
        if (i == 1 && test_below(random, 2) == 0)
            disturb(&maps[0], &maps[1], random);
        else if (kind == 0)
            scatter(&maps[i], test_below(random, 200), random);
        else if (kind == 1)
            cluster(&maps[i], test_below(random, 40), random);
        else
            blobs(&maps[i], test_below(random, 5), random);
    }
}

static void transpose(const bitmap *map, bitmap *out) {
    *out = (bitmap){.height = map->width, .width = map->height};
    for (size_t y = 0; y < map->height; y++)
        for (size_t x = 0; x < map->width; x++) out->at[x][y] = map->at[y][x];
}

static void random_sets_have_the_size_of_the_plain_method(void **state) {
    (void)state;
    uint64_t random = test_seed();
    static dv_pixel a[MAX_PIXELS], b[MAX_PIXELS];
    static bitmap maps[2], turned[2];
    size_t n_short = 0; /* where the disk test says more on both sides */
    for (int repeat = 0; repeat < 1200; repeat++) {
        draw_pair(maps, &random);
        const uint32_t radius = (uint32_t)test_below(&random, repeat % 10 == 0 ? 40 : 6);
        const size_t n_a = pixels_of(&maps[0], a), n_b = pixels_of(&maps[1], b);
        const size_t size = size_of(a, n_a, b, n_b, radius);
        if (size != plain_size(a, n_a, b, n_b, radius)) fail_msg("repeat %d, radius %u", repeat, radius);
        const size_t near_a = count_near(a, n_a, b, n_b, radius), near_b = count_near(b, n_b, a, n_a, radius);
        assert_true(size <= near_a && size <= near_b);
        n_short += size < near_a && size < near_b;
        for (size_t i = 0; i < 2; i++) transpose(&maps[i], &turned[i]);
        const size_t n_turned_a = pixels_of(&turned[0], a), n_turned_b = pixels_of(&turned[1], b);
        assert_int_equal(size_of(a, n_turned_a, b, n_turned_b, radius), size);
    }
    assert_true(n_short > 50);
}

static void contract_breaches_are_refused(void **state) {
    (void)state;
    uint64_t size = 42;
    const dv_pixel good[] = {{1, 2}, {3, 0}}, twice[] = {{1, 2}, {1, 2}}, falling[] = {{3, 0}, {1, 2}};
    assert_int_equal(dv_matching_size(good, 2, twice, 2, 4, 4, 1, &size), DV_E_ARG);
    assert_string_equal(dv_last_error(),
                        "second contour, pixel 1, row 1, column 2: must come after the pixel before it");
    assert_int_equal(dv_matching_size(falling, 2, good, 2, 4, 4, 1, &size), DV_E_ARG);
    assert_string_equal(dv_last_error(),
                        "first contour, pixel 1, row 1, column 2: must come after the pixel before it");
    assert_int_equal(dv_matching_size(good, 2, good, 2, 3, 4, 1, &size), DV_E_ARG);
    assert_string_equal(dv_last_error(), "first contour, pixel 1, row 3, column 0: must be inside 3 x 4");
    assert_int_equal(dv_matching_size(good, 2, good, 2, 4, 2, 1, &size), DV_E_ARG);
    assert_string_equal(dv_last_error(), "first contour, pixel 0, row 1, column 2: must be inside 4 x 2");
    assert_int_equal(dv_matching_size(good, 2, good, 2, (size_t)1 << 31, 4, 1, &size), DV_E_ARG);
    assert_string_equal(dv_last_error(), "a picture of 2147483648 x 4: each must be at most 1073741824");
    assert_int_equal(size, 42);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_sides_have_no_pair),
        cmocka_unit_test(the_radius_is_euclidean_and_inclusive),
        cmocka_unit_test(radius_zero_counts_common_pixels),
        cmocka_unit_test(a_chain_is_matched_from_end_to_end),
        cmocka_unit_test(the_greedy_start_is_revised),
        cmocka_unit_test(more_pixels_than_partners),
        cmocka_unit_test(squares_by_hand),
        cmocka_unit_test(random_sets_have_the_size_of_the_plain_method),
        cmocka_unit_test(contract_breaches_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
