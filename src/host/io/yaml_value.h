/* yaml_value.h: typed values of a YAML tree. Every failure is DV_E_DATA "line N: KEY: WHAT" (or DV_E_NOMEM), with the
 * value found and the one expected; the target then stays as it was. */
#ifndef DV_IO_YAML_VALUE_H
#define DV_IO_YAML_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/yaml_tree.h"

/* "line N: KEY: ..." */
dv_status dv_yaml_fail(const dv_yaml_node *node, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A text of printable characters, not empty, borrowed from the tree. Numbers are texts too, null is none. */
DV_MUST_USE dv_status dv_yaml_text(const dv_yaml_node *node, const char *key, const char **text);

/* A whole number without quotes, min..max. */
DV_MUST_USE dv_status dv_yaml_count(const dv_yaml_node *node, const char *key, uint64_t min, uint64_t max,
                                    uint64_t *value);
/* The same with the suffixes of dv_parse_size; min is 1. */
DV_MUST_USE dv_status dv_yaml_size(const dv_yaml_node *node, const char *key, uint64_t *value);
/* A finite number above 0. */
DV_MUST_USE dv_status dv_yaml_positive(const dv_yaml_node *node, const char *key, double *value);

/* One of `words` ([n]); *index is its place. */
DV_MUST_USE dv_status dv_yaml_choice(const dv_yaml_node *node, const char *key, const char *const *words, size_t n,
                                     int *index);

/* A list that is not empty. */
DV_MUST_USE dv_status dv_yaml_list(const dv_yaml_node *node, const char *key);

/* A key that a map may have, and what takes its value. */
typedef struct dv_yaml_key {
    const char *name;
    dv_status (*set)(void *target, const dv_yaml_node *value); /* value->key is the name */
    bool required;
} dv_yaml_key;

/* Hands each entry of a map to its key, in the order of `keys` ([n_keys]). An unknown key is refused with the nearest
 * known one. `key` names the map itself in messages. */
DV_MUST_USE dv_status dv_yaml_map(const dv_yaml_node *node, const char *key, const dv_yaml_key *keys, size_t n_keys,
                                  void *target);

#endif
