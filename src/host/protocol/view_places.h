/* view_places.h: where the captures of a run lie. */
#ifndef DV_PROTOCOL_VIEW_PLACES_H
#define DV_PROTOCOL_VIEW_PLACES_H

#include "denseval/viewpoint_bin.h"

typedef struct dv_view_place {
    char *name;                          /* CLASS/INSTANCE, or the folder as given; owned */
    char *folder;                        /* path; owned */
    char *class_name, *instance, *masks; /* owned; NULL in the layout MODELS, masks also where none are asked for */
} dv_view_place;

/* Zeroed it is empty; release with dv_view_places_clear. */
typedef struct dv_view_places {
    size_t n;
    dv_view_place *places; /* [n]: in natural order of names in the layout MVIMGNET, else as given; owned */
} dv_view_places;

/* Lists them. In the layout MVIMGNET a folder below the root is a class where some folder in it has an "images" or a
 * "sparse"; others, and the folder of masks, are passed over. Fails with DV_E_MISSING (a folder is not there),
 * DV_E_DATA (no class in a folder; two captures of one name), DV_E_USAGE (a folder that is given twice), DV_E_IO,
 * DV_E_NOMEM. Whatever the outcome, release it */
DV_MUST_USE dv_status dv_view_places_find(const dv_view_options *options, dv_view_places *places);
void dv_view_places_clear(dv_view_places *places);

#endif
