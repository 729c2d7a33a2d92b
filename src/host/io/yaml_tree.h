/* yaml_tree.h: a YAML file as a tree of nodes that know their lines. Of YAML only what a configuration needs: one
 * document, no anchors, aliases or tags, texts as keys. */
#ifndef DV_IO_YAML_TREE_H
#define DV_IO_YAML_TREE_H

#include <stdbool.h>
#include <stddef.h>

#include "denseval/status.h"

enum {
    DV_YAML_MAX_BYTES = 1 << 20,
    DV_YAML_MAX_NODES = 1 << 16,
    DV_YAML_MAX_DEPTH = 8,
    DV_YAML_MAX_KEYS = 256 /* of one map */
};

typedef enum dv_yaml_kind { DV_YAML_TEXT, DV_YAML_LIST, DV_YAML_MAP } dv_yaml_kind;

typedef struct dv_yaml_node {
    dv_yaml_kind kind;
    size_t line; /* from 1 */
    char *key;   /* of an entry of a map; else NULL */
    char *text;  /* DV_YAML_TEXT; without NUL characters inside */
    bool plain;  /* DV_YAML_TEXT: written without quotes */
    size_t n_items;
    struct dv_yaml_node *items; /* [n_items]: of a list; of a map, no key twice */
} dv_yaml_node;

/* Reads a regular file. Fails as dv_text_file_load, or with DV_E_DATA "PATH: line N: WHAT". *root: release with
 * dv_yaml_free; NULL on failure */
DV_MUST_USE dv_status dv_yaml_read(const char *path, dv_yaml_node **root);

/* The same of a text in memory; messages begin with "line N: ". */
DV_MUST_USE dv_status dv_yaml_parse(const char *text, size_t n_bytes, dv_yaml_node **root);

void dv_yaml_free(dv_yaml_node *root); /* NULL is allowed */

#endif
