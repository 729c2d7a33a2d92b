/* path_list.h: file arguments: comma lists and globs become a list of paths. */
#ifndef DENSEVAL_PATH_LIST_H
#define DENSEVAL_PATH_LIST_H

#include <stddef.h>

#include "denseval/status.h"

DV_C_BEGIN

/* Zero-initialised it is empty; release with dv_path_list_clear. */
typedef struct dv_path_list {
    size_t n;
    char **paths; /* [n], owned */
} dv_path_list;

/* Appends what `text` names, in the order given. A text that is a file is that file; else it is split at commas. A part
 * that is a file is that file; one with *, ? or [ is a glob, whose files come in natural order (digit runs compare as
 * numbers); any other part is taken as it is, so that whoever opens it says what is wrong. Fails with DV_E_USAGE (an
 * empty part), DV_E_MISSING (a glob that matches nothing), DV_E_IO, DV_E_NOMEM; the list may then have grown. */
DV_MUST_USE dv_status dv_path_list_add(dv_path_list *list, const char *text);

/* The same for names relative to `folder` (never a glob itself; "": as dv_path_list_add): the paths begin with it,
 * but for those that begin with '/'. */
DV_MUST_USE dv_status dv_path_list_add_in(dv_path_list *list, const char *folder, const char *text);

/* As the library takes lists. Borrowed until the list changes. */
const char *const *dv_path_list_items(const dv_path_list *list);

void dv_path_list_clear(dv_path_list *list);

DV_C_END
#endif
