/* json_read.h: values of a JSON file that somebody wrote by hand. Every failure is DV_E_DATA and says where: messages
 * begin with `where`, to which readers put the name of the file. */
#ifndef DV_IO_JSON_READ_H
#define DV_IO_JSON_READ_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

#include "denseval/names.h"
#include "denseval/status.h"

/* Reads a file whose `schema` is the one given. A key that stands twice in an object is refused. Fails with
 * DV_E_MISSING, DV_E_DATA (no JSON: line and column; another schema), DV_E_IO, DV_E_NOMEM; the message begins with the
 * path. *root: the caller's until json_decref */
DV_MUST_USE dv_status dv_json_load(const char *path, const char *schema, json_t **root);

/* The member `name`, borrowed: an object that is not empty, a text that is not empty and has no control characters, a
 * whole number least..most. */
DV_MUST_USE dv_status dv_json_member(const json_t *object, const char *where, const char *name, json_t **member);
DV_MUST_USE dv_status dv_json_text_member(const json_t *object, const char *where, const char *name, const char **text);
DV_MUST_USE dv_status dv_json_count_member(const json_t *object, const char *where, const char *name, uint64_t least,
                                           uint64_t most, size_t *count);

/* A list of such texts, none twice, none empty. *names: release with dv_name_list_clear, on failure too */
DV_MUST_USE dv_status dv_json_names_member(const json_t *object, const char *where, const char *name, dv_names *names);

/* Fails where `text` cannot be the name of a file or folder: empty, "." or "..", a '/', control characters. */
DV_MUST_USE dv_status dv_json_check_name(const char *where, const char *text);

/* Where a text stands in the list; SIZE_MAX: nowhere. */
size_t dv_names_find(const dv_names *names, const char *text);

#endif
