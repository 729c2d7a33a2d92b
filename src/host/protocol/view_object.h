/* view_object.h: one capture on its way to a dv_view_object. */
#ifndef DV_PROTOCOL_VIEW_OBJECT_H
#define DV_PROTOCOL_VIEW_OBJECT_H

#include "denseval/viewpoint_bin.h"
#include "io/colmap.h"

/* Where a capture lies. */
typedef struct dv_view_capture {
    const char *name;     /* CLASS/INSTANCE, or the folder */
    const char *folder;   /* path */
    const char *instance; /* NULL in the layout MODELS */
    const char *masks;    /* path of its folder of masks; NULL: none are asked for */
} dv_view_capture;

/* Fills an object from a capture. *reason is set, to a text of static lifetime, and DV_OK comes back, where the capture
 * lacks what makes it one; DV_E_DATA and DV_E_MISSING mean a bad capture, other failures end the run. *object: zeroed;
 * release with dv_view_object_clear whatever the outcome */
DV_MUST_USE dv_status dv_view_object_make(const dv_view_options *options, const dv_view_capture *capture,
                                          dv_view_object *object, const char **reason);
void dv_view_object_clear(dv_view_object *object);

/* The steps of it, in this order. *model: the caller's until dv_colmap_clear */
DV_MUST_USE dv_status dv_view_read_model(const dv_view_options *options, const dv_view_capture *capture,
                                         dv_view_object *object, dv_colmap_model *model, const char **reason);
DV_MUST_USE dv_status dv_view_find_pictures(const dv_view_capture *capture, dv_view_object *object,
                                            const char **reason);
DV_MUST_USE dv_status dv_view_find_masks(const dv_view_options *options, const dv_view_capture *capture,
                                         dv_view_object *object, const char **reason);
DV_MUST_USE dv_status dv_view_measure(const dv_view_options *options, const dv_colmap_model *model,
                                      dv_view_object *object);
DV_MUST_USE dv_status dv_view_choose(const dv_view_options *options, dv_view_object *object);

#endif
