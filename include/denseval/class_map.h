/* class_map.h: classes of one label space as classes of another. */
#ifndef DENSEVAL_CLASS_MAP_H
#define DENSEVAL_CLASS_MAP_H

#include <stddef.h>
#include <stdint.h>

#include "denseval/labels.h"
#include "denseval/status.h"

DV_C_BEGIN

enum { DV_N_LABELS = 65536, DV_NO_TARGET = -1 };

/* All ids are mapped at the same time: what a label became is not mapped again. */
typedef struct dv_class_map {
    int32_t target[DV_N_LABELS]; /* by source label: a label, or DV_NO_TARGET where the file does not list it */
} dv_class_map;

/* Reads a table with the columns source_id and target_id (docs/FORMATS.md, "Class maps"). Each target is below
 * n_classes or in `ignored`. Fails with DV_E_MISSING, DV_E_DATA (naming the line: no label, a source twice, a target
 * that is no class; no line at all), DV_E_IO, DV_E_NOMEM; the message begins with the path. */
DV_MUST_USE dv_status dv_class_map_read(const char *path, size_t n_classes, const dv_label_set *ignored,
                                        dv_class_map *map);

DV_C_END
#endif
