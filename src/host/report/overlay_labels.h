/* overlay_labels.h: where the label maps of an overlay come from: a folder of PNGs or a feature file, found by key. */
#ifndef DV_REPORT_OVERLAY_LABELS_H
#define DV_REPORT_OVERLAY_LABELS_H

#include <stdbool.h>
#include <stddef.h>

#include "denseval/features.h"
#include "denseval/image.h"
#include "io/folder.h"

enum { DV_LABEL_NAME_SIZE = 1024 };
#define DV_NO_ITEM ((size_t)-1)

typedef struct dv_label_key dv_label_key;

typedef struct dv_label_source {
    const char *path;      /* borrowed until closed */
    dv_folder folder;      /* empty for a feature file */
    dv_features *features; /* NULL for a folder; owned */
    size_t n_items;
    dv_label_key *keys; /* [n_items], rising; owned */
    bool *taken;        /* [n_items], by item; owned */
} dv_label_source;

/* Opens `path`, a folder or else a feature file with labels. Two maps of one key are DV_E_DATA naming both.
 * *source: release with dv_label_source_close; closed on failure */
DV_MUST_USE dv_status dv_label_source_open(const char *path, dv_label_source *source);
void dv_label_source_close(dv_label_source *source);

/* The map of a picture: that of its name ("x.jpg.png" for x.jpg) or of its key ("x.png"). Marks it as taken; where both
 * are there, or it is taken, DV_E_DATA. *item: DV_NO_ITEM where there is none */
DV_MUST_USE dv_status dv_label_source_take(dv_label_source *source, const dv_folder_file *picture, size_t *item);

/* "FOLDER/FILE", or "FILE: image N (ID)". name char [DV_LABEL_NAME_SIZE]; returned for convenience */
const char *dv_label_source_name(const dv_label_source *source, size_t item, char *name);

/* Reads one map; the message of a failure begins with its name. *map: release with dv_label_map_clear */
DV_MUST_USE dv_status dv_label_source_read(const dv_label_source *source, size_t item, dv_label_map *map);

#endif
