/* name_list.h: lists of names that grow; and the folders that lie in a folder. */
#ifndef DV_IO_NAME_LIST_H
#define DV_IO_NAME_LIST_H

#include "denseval/names.h"
#include "denseval/status.h"

/* Appends a copy. A list that grows so has room for the next power of two names. */
DV_MUST_USE dv_status dv_name_list_add(dv_names *list, const char *name);
void dv_name_list_clear(dv_names *list);

/* Appends the names of the folders in a folder, in natural order; links are followed, hidden ones passed over. Fails
 * with DV_E_MISSING (no such folder), DV_E_DATA (not a folder), DV_E_IO, DV_E_NOMEM; the message begins with the path.
 */
DV_MUST_USE dv_status dv_subfolders(const char *path, dv_names *list);

/* FOLDER/NAME, without a second slash; the caller's until free(). */
DV_MUST_USE dv_status dv_path_join(const char *folder, const char *name, char **path);

#endif
