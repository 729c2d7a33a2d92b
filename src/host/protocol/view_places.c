#include "protocol/view_places.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/check.h"
#include "core/log.h"
#include "core/memory.h"
#include "io/folder.h"
#include "io/name_list.h"

static dv_status add(dv_view_places *list, dv_view_place **added) {
    *added = NULL;
    if ((list->n & (list->n - 1)) == 0) { /* full: the room is the next power of two */
        dv_view_place *const grown = reallocarray(list->places, list->n ? list->n * 2 : 1, sizeof *grown);
        if (!grown) return dv_fail(DV_E_NOMEM, "no memory for %zu captures", list->n + 1);
        list->places = grown;
    }
    *added = &list->places[list->n++];
    **added = (dv_view_place){0};
    return DV_OK;
}

static void clear_place(dv_view_place *place) {
    free(place->name);
    free(place->folder);
    free(place->class_name);
    free(place->instance);
    free(place->masks);
}

static bool has(const char *folder, const char *name) {
    char *path = NULL;
    if (asprintf(&path, "%s/%s", folder, name) < 0) return false;
    const bool found = access(path, F_OK) == 0;
    free(path);
    return found;
}

static dv_status add_capture(const dv_view_options *options, const char *class_folder, const char *class_name,
                             const char *instance, dv_view_places *list) {
    dv_view_place *place;
    DV_TRY(add(list, &place));
    DV_TRY(dv_strdup(class_name, &place->class_name));
    DV_TRY(dv_strdup(instance, &place->instance));
    DV_TRY(dv_path_join(class_name, instance, &place->name));
    DV_TRY(dv_path_join(class_folder, instance, &place->folder));
    return options->masks ? dv_path_join(options->masks, place->name, &place->masks) : DV_OK;
}

static dv_status add_class(const dv_view_options *options, const char *folder, const char *class_name,
                           const dv_names *instances, dv_view_places *list) {
    const size_t first = list->n;
    bool is_class = false;
    for (size_t i = 0; i < instances->n; i++) {
        DV_TRY(add_capture(options, folder, class_name, instances->names[i], list));
        const char *const capture = list->places[list->n - 1].folder;
        is_class = is_class || has(capture, "images") || has(capture, "sparse");
    }
    if (is_class) return DV_OK;
    dv_log(DV_LOG_INFO, "%s: passed over: no folder in it has images or sparse", folder);
    while (list->n > first) clear_place(&list->places[--list->n]);
    return DV_OK;
}

static bool is_same(const char *a, const char *b) {
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static dv_status look_into(const dv_view_options *options, const char *root, const char *class_name,
                           dv_view_places *list) {
    char *folder;
    dv_names instances = {0};
    DV_TRY(dv_path_join(root, class_name, &folder));
    dv_status status = DV_OK;
    if (!options->masks || !is_same(folder, options->masks)) {
        status = dv_subfolders(folder, &instances);
        if (status == DV_OK) status = add_class(options, folder, class_name, &instances, list);
    }
    dv_name_list_clear(&instances);
    free(folder);
    return status;
}

static dv_status list_root(const dv_view_options *options, const char *root, dv_view_places *list) {
    const size_t before = list->n;
    dv_names classes = {0};
    dv_status status = dv_subfolders(root, &classes);
    for (size_t i = 0; i < classes.n && status == DV_OK; i++) status = look_into(options, root, classes.names[i], list);
    dv_name_list_clear(&classes);
    if (status == DV_OK && list->n == before)
        status = dv_fail(DV_E_DATA, "%s: no CLASS/INSTANCE/{images,sparse} in it", root);
    return status;
}

static dv_status add_model(const char *folder, dv_view_places *list) {
    dv_view_place *place;
    DV_TRY(add(list, &place));
    DV_TRY(dv_strdup(folder, &place->name));
    return dv_strdup(folder, &place->folder);
}

static int compare_places(const void *a, const void *b) {
    return dv_natural_compare(((const dv_view_place *)a)->name, ((const dv_view_place *)b)->name);
}

/* Sorted lists have equal names beside each other; of the folders as given there are few. */
static dv_status check_unique(const dv_view_options *options, const dv_view_places *list) {
    const bool sorted = options->layout == DV_VIEW_MVIMGNET;
    for (size_t i = 1; i < list->n; i++)
        for (size_t j = sorted ? i - 1 : 0; j < i; j++)
            if (strcmp(list->places[i].name, list->places[j].name) == 0)
                return dv_fail(sorted ? DV_E_DATA : DV_E_USAGE, "%s: given twice: %s and %s", list->places[i].name,
                               list->places[j].folder, list->places[i].folder);
    return DV_OK;
}

dv_status dv_view_places_find(const dv_view_options *options, dv_view_places *places) {
    *places = (dv_view_places){0};
    const bool is_mvimgnet = options->layout == DV_VIEW_MVIMGNET;
    for (size_t i = 0; i < options->n_folders; i++)
        DV_TRY(is_mvimgnet ? list_root(options, options->folders[i], places) : add_model(options->folders[i], places));
    if (is_mvimgnet && places->n > 1) qsort(places->places, places->n, sizeof *places->places, compare_places);
    return check_unique(options, places);
}

void dv_view_places_clear(dv_view_places *places) {
    for (size_t i = 0; i < places->n; i++) clear_place(&places->places[i]);
    free(places->places);
    *places = (dv_view_places){0};
}
