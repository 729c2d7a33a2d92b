/* Links to the chosen frames, as CLASS/BIN/{img,mask}. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/atomic_file.h"
#include "core/check.h"
#include "core/folder_content.h"
#include "denseval/viewpoint_bin.h"
#include "io/image_file.h"

static dv_status no_path(void) {
    return dv_fail(DV_E_NOMEM, "no memory for a path");
}

dv_status dv_view_link_name(const dv_view_object *object, size_t frame, char **name) {
    if (asprintf(name, "%s_%s", object->instance, object->frames[frame].name) < 0) {
        *name = NULL;
        return no_path();
    }
    for (char *at = *name; *at; at++)
        if (*at == '/') *at = '_';
    return DV_OK;
}

bool dv_view_is_linked(const dv_view_options *options, const dv_view_result *result, const dv_view_object *object) {
    if (object->class_id == SIZE_MAX) return false;
    return result->classes[object->class_id].accepted && (object->accepted || !options->notebook);
}

static dv_status make_folder(const char *path) {
    if (mkdir(path, 0777) == 0 || errno == EEXIST) return DV_OK;
    return dv_fail(DV_E_IO, "%s: cannot be made: %s", path, dv_error_text(errno));
}

/* ROOT/CLASS/BIN/KIND with all that is missing above it; the caller's until free(). */
static dv_status make_bin_folder(const char *root, const char *class_name, int bin, const char *kind, char **path) {
    if (asprintf(path, "%s/%s/%d/%s", root, class_name, bin, kind) < 0) {
        *path = NULL;
        return no_path();
    }
    dv_status status = DV_OK;
    for (char *slash = *path + strlen(root); status == DV_OK && (slash = strchr(slash + 1, '/')) != NULL;) {
        *slash = '\0';
        status = make_folder(*path);
        *slash = '/';
    }
    return status == DV_OK ? make_folder(*path) : status;
}

static dv_status make_link(const char *folder, const char *name, const char *suffix, const char *target) {
    char *path = NULL, *const real = realpath(target, NULL);
    dv_status status = DV_OK;
    if (!real)
        status = dv_fail(DV_E_IO, "%s: cannot be resolved: %s", target, dv_error_text(errno));
    else if (asprintf(&path, "%s/%s%s", folder, name, suffix) < 0)
        status = no_path();
    else if (symlink(real, path) != 0)
        status =
            errno == EEXIST
                ? dv_fail(DV_E_DATA, "%s: another frame has the link name %s%s too", target, name, suffix)
                : dv_fail(DV_E_IO, "%s: link %s%s: cannot be made: %s", target, name, suffix, dv_error_text(errno));
    free(path);
    free(real);
    return status;
}

static dv_status link_one(const char *root, const char *class_name, int bin, const char *kind, const char *name,
                          const char *suffix, const char *target) {
    char *folder;
    dv_status status = make_bin_folder(root, class_name, bin, kind, &folder);
    if (status == DV_OK) status = make_link(folder, name, suffix, target);
    free(folder);
    return status;
}

static dv_status link_object(const char *root, const dv_view_options *options, const dv_view_result *result,
                             const dv_view_object *object) {
    const char *const class_name = result->classes[object->class_id].name;
    for (size_t bin = 0; bin < result->n_bins; bin++) {
        const size_t place = object->choices[bin].frame;
        if (place == SIZE_MAX) continue;
        const dv_view_frame *const frame = &object->frames[place];
        char *name;
        dv_status status = dv_view_link_name(object, place, &name);
        if (status == DV_OK) status = link_one(root, class_name, options->bins[bin], "img", name, "", frame->picture);
        if (status == DV_OK && frame->mask)
            status = link_one(root, class_name, options->bins[bin], "mask", name, ".png", frame->mask);
        free(name);
        DV_TRY(status);
    }
    return DV_OK;
}

static dv_status fill(const char *root, const dv_view_options *options, const dv_view_result *result,
                      const char *manifest) {
    size_t n_linked = 0;
    for (size_t i = 0; i < result->n_objects; i++) {
        if (!dv_view_is_linked(options, result, &result->objects[i])) continue;
        DV_TRY(link_object(root, options, result, &result->objects[i]));
        n_linked++;
    }
    if (!n_linked) return dv_fail(DV_E_DATA, "no class is accepted: nothing to link");
    char *path = NULL;
    if (asprintf(&path, "%s/%s", root, DV_FOLDER_MANIFEST) < 0) return no_path();
    const dv_status status = dv_image_file_put(path, (const uint8_t *)manifest, strlen(manifest));
    free(path);
    return status;
}

dv_status dv_viewpoint_link(const dv_view_options *options, const dv_view_result *result, const char *folder,
                            bool force, const char *manifest) {
    if (options->layout != DV_VIEW_MVIMGNET) return dv_fail(DV_E_USAGE, "links: only in the layout mvimgnet");
    dv_atomic_folder *made;
    DV_TRY(dv_atomic_folder_begin(folder, force, &made));
    const dv_status status = fill(dv_atomic_folder_temporary(made), options, result, manifest);
    if (status == DV_OK) return dv_atomic_folder_commit(made);
    dv_atomic_folder_abandon(made);
    return status;
}
