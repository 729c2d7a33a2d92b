/* toy.h: small feature files for tests: every patch points in the direction of a class, so that what a search finds is
 * known by hand. */
#ifndef DV_TEST_TOY_H
#define DV_TEST_TOY_H

#include <stddef.h>
#include <stdint.h>

enum { TOY_GRID = 2, TOY_PATCH = 4, TOY_PATCHES = 4, TOY_CLASSES = 3, TOY_DIM = 3, TOY_SIDE = TOY_GRID * TOY_PATCH };

/* An image: the direction of each patch, and the class that its pixels have in truth. */
typedef struct toy_image {
    int direction[TOY_PATCHES]; /* 0..TOY_DIM-1; -1: a zero row */
    int truth[TOY_PATCHES];     /* any label */
    int bin;                    /* degrees */
    const char *object;
} toy_image;

/* Writes a feature file (f32). ids: NULL, or one a image, else "PREFIX0", "PREFIX1", ... Fails the test on error. */
void toy_write(const char *path, const char *prefix, const toy_image *images, size_t n_images);

/* A fresh folder, and a path in it. The folder is the caller's to remove with toy_folder_remove. */
char *toy_folder(void);
void toy_folder_remove(char *folder);
char *toy_path(const char *folder, const char *name); /* the caller's until free() */

#endif
