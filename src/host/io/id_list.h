/* id_list.h: the ids of a split, from a text file. */
#ifndef DV_IO_ID_LIST_H
#define DV_IO_ID_LIST_H

#include <stddef.h>

#include "denseval/names.h"
#include "denseval/status.h"

/* Reads an id a line: blanks around it and an ending .png, .jpg or .jpeg (in either case) are left out, as are empty
 * lines. Fails with DV_E_MISSING, DV_E_DATA (no id at all, a NUL byte), DV_E_IO, DV_E_NOMEM; the message begins with
 * the path. *ids: each once, in natural order; the caller's until dv_name_list_clear; zeroed on failure. *n_repeated:
 * lines left out because their id was there */
DV_MUST_USE dv_status dv_id_list_read(const char *path, dv_names *ids, size_t *n_repeated);

#endif
