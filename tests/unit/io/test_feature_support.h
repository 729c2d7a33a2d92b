/* test_feature_support.h: a small valid feature file, to be spoiled in one place at a time. */
#ifndef DV_TEST_FEATURE_SUPPORT_H
#define DV_TEST_FEATURE_SUPPORT_H

#include "test_hdf5_support.h"

#include "denseval/features.h"

/* The sample: 3 images, a grid of 2 x 3 patches of 2 pixels, 4 dimensions. */
enum { IMAGES = 3, GRID_H = 2, GRID_W = 3, PATCHES = 6, DIM = 4, PATCH_PX = 2, INPUT_H = 4, INPUT_W = 6 };
enum { N_VALUES = IMAGES * PATCHES * DIM, N_PIXELS = IMAGES * INPUT_H * INPUT_W };
extern const hsize_t feature_dims[4], label_dims[4], image_dims[4];

/* Value i of a sample's features: small integers above 0, exact in every dtype. */
double sample_value(size_t i);
uint8_t sample_label(size_t i);

/* Writes the sample with raw HDF5: f32 features, u8 labels, ids "PREFIX0".., object ids, bins, angles, class ids and
 * names, uniform numbers, every attribute. */
void sample_make(const char *path, const char *prefix);

/* Opens the file, lets `change` at it, closes it. */
void sample_change(const char *path, void (*change)(hid_t file));

/* Puts a dataset in the place of the one of this name. */
void replace(hid_t file, const char *name, hid_t stored, hid_t memory, const hsize_t dims[4], const void *values);
/* Replaces /features by f64 values stored as `stored`. */
void replace_features(hid_t file, hid_t stored, const hsize_t dims[4], const double *values);

/* Opens a set that must be good, of one or two files. */
dv_features *open_set(const char *first, const char *second);
/* Tries to; what was opened is closed again. */
dv_status try_set(const char *first, const char *second);

#endif
