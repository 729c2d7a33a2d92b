/* fixture.h: small feature files for the tests of the bank, in a folder of their own. */
#ifndef DV_TESTS_BANK_FIXTURE_H
#define DV_TESTS_BANK_FIXTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "denseval/bank.h"
#include "denseval/features.h"

/* A set with f32 features: row (image, patch) is [1000 * image + patch + 1, 1, 0, ..], so that rows tell their origin.
 */
typedef struct fixture_set {
    size_t n_images, grid_h, grid_w, patch_size, dim;
    size_t n_classes;       /* named c0, c1, ..; 0: no /class_names */
    const uint8_t *labels;  /* [n_images, input_h, input_w]; NULL: no /labels */
    const char *const *ids; /* [n_images]; NULL: no /image_id */
    const char *const *object_ids;
    const int32_t *view_bins;
    const double *uniforms; /* [passes, n_images, n_patches]; NULL: no /uniform */
    size_t passes;          /* 0: /uniform has no such dimension */
    const size_t *numbers;  /* [n_images], what an image calls itself in its rows; NULL: 0, 1, .. */
    size_t n_bad;           /* rows that are changed */
    struct {
        size_t image, patch;
        float value; /* of every element */
    } bad[4];
} fixture_set;

/* Makes the folder before and removes it after a group of tests. */
int fixture_begin(void **state);
int fixture_end(void **state);

/* FOLDER/NAME; static storage, eight at a time. */
const char *fixture_path(const char *name);

/* Writes a feature file and returns its path; fails the test where it cannot. */
const char *fixture_write(const char *name, const fixture_set *set);

/* Opens one file as a set; fails the test where it cannot. */
dv_features *fixture_open(const char *path);

/* Asserts that the rows of a bank are these patches of these images, with their features. */
void fixture_expect_rows(dv_bank *bank, size_t n_rows, const int32_t *images, const int32_t *patches,
                         const int32_t *ranks);

/* Are two files equal, byte by byte? */
bool fixture_same_bytes(const char *left, const char *right);

#endif
