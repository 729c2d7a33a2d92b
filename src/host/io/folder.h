/* folder.h: the image files below a folder, in natural order, with the keys that they are joined by. */
#ifndef DV_IO_FOLDER_H
#define DV_IO_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

#include "denseval/status.h"

/* What is looked for. In the layout CLASS/BIN/{img,mask} both lie side by side below one folder: where a folder has
 * "img" or "images" beside "mask" or "masks", only the one of the role is entered. */
typedef enum dv_folder_role {
    DV_FOLDER_PICTURES = 0, /* .jpg, .jpeg, .png, in either case */
    DV_FOLDER_LABELS = 1    /* .png */
} dv_folder_role;

typedef struct dv_folder_file {
    char *path; /* below the folder, components joined by '/'; owned */
    char *name; /* path without the components img, images, mask, masks; owned */
    char *key;  /* name without its last extension; owned */
} dv_folder_file;

typedef struct dv_folder {
    size_t n_files;
    dv_folder_file *files; /* [n_files], by dv_natural_compare of path; owned */
    size_t n_passed_over;  /* hidden and foreign files and folders; those within are not counted */
} dv_folder;

/* Lists files recursively; links are followed. Fails with DV_E_MISSING (no such folder, a link to nothing), DV_E_DATA
 * (not a folder, links that form a ring), DV_E_IO, DV_E_NOMEM. *folder: release with dv_folder_clear; zeroed on failure
 */
DV_MUST_USE dv_status dv_folder_list(const char *path, dv_folder_role role, dv_folder *folder);
void dv_folder_clear(dv_folder *folder);

/* The name of a path as in dv_folder_file: without the components img, images, mask, masks; the last one always stays.
 * *name: the caller's until free() */
DV_MUST_USE dv_status dv_folder_name(const char *path, char **name);

/* Below, at or above 0 as strcmp. Runs of digits compare as numbers of any length; '/' comes before all else, so that
 * a folder's files stay together. Equal only for equal texts: what differs in leading zeros alone goes by bytes. */
int dv_natural_compare(const char *a, const char *b);

/* Length of the text without its last extension: "a/b.jpg.png" gives that of "a/b.jpg". A dot that begins a component
 * begins no extension. */
size_t dv_stem_length(const char *path);

/* Is this its last extension (".png"), in either case? */
bool dv_has_extension(const char *path, const char *extension);

#endif
