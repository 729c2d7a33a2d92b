#include "io/yaml_value.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/utf8.h"
#include "denseval/nearest.h"
#include "denseval/number.h"

enum { WHAT_SIZE = 512, NEAR = 3 /* edits up to which a name is proposed */ };

dv_status dv_yaml_fail(const dv_yaml_node *node, const char *key, const char *format, ...) {
    char what[WHAT_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return dv_fail(DV_E_DATA, "line %zu: %s: %s", node->line, key, what);
}

/* What stands there, for a message. */
static const char *shown(const dv_yaml_node *node) {
    if (node->kind == DV_YAML_LIST) return "a list";
    if (node->kind == DV_YAML_MAP) return "a map";
    return *node->text ? node->text : "nothing";
}

static dv_status refuse(const dv_yaml_node *node, const char *key, const char *expected) {
    const char *const quote = node->kind == DV_YAML_TEXT && !node->plain ? "\"" : "";
    return dv_yaml_fail(node, key, "%s%.100s%s: must be %s", quote, shown(node), quote, expected);
}

static bool is_null(const dv_yaml_node *node) {
    static const char *const words[] = {"", "~", "null", "Null", "NULL"};
    for (size_t i = 0; node->plain && i < sizeof words / sizeof *words; i++)
        if (strcmp(node->text, words[i]) == 0) return true;
    return false;
}

dv_status dv_yaml_text(const dv_yaml_node *node, const char *key, const char **text) {
    if (node->kind != DV_YAML_TEXT || is_null(node) || !*node->text) return refuse(node, key, "a text");
    if (dv_utf8_has_control(node->text)) return refuse(node, key, "a text of one line without control characters");
    *text = node->text;
    return DV_OK;
}

static bool is_plain_text(const dv_yaml_node *node) {
    return node->kind == DV_YAML_TEXT && node->plain;
}

dv_status dv_yaml_count(const dv_yaml_node *node, const char *key, uint64_t min, uint64_t max, uint64_t *value) {
    uint64_t parsed;
    char expected[WHAT_SIZE / 4];
    snprintf(expected, sizeof expected, "a whole number, %" PRIu64 "..%" PRIu64, min, max);
    if (!is_plain_text(node) || dv_parse_u64(node->text, &parsed) != DV_OK || parsed < min || parsed > max)
        return refuse(node, key, expected);
    *value = parsed;
    return DV_OK;
}

dv_status dv_yaml_size(const dv_yaml_node *node, const char *key, uint64_t *value) {
    size_t parsed;
    if (!is_plain_text(node) || dv_parse_size(node->text, &parsed) != DV_OK || parsed == 0)
        return refuse(node, key, "a whole number from 1, alone or with k (thousands) or m (millions)");
    *value = parsed;
    return DV_OK;
}

dv_status dv_yaml_positive(const dv_yaml_node *node, const char *key, double *value) {
    double parsed;
    if (!is_plain_text(node) || dv_parse_double(node->text, &parsed) != DV_OK || parsed <= 0)
        return refuse(node, key, "a decimal number above 0");
    *value = parsed;
    return DV_OK;
}

dv_status dv_yaml_choice(const dv_yaml_node *node, const char *key, const char *const *words, size_t n, int *index) {
    char expected[WHAT_SIZE / 2] = "one of";
    for (size_t i = 0; i < n; i++) {
        if (node->kind == DV_YAML_TEXT && strcmp(node->text, words[i]) == 0) {
            *index = (int)i;
            return DV_OK;
        }
        const size_t length = strlen(expected);
        snprintf(expected + length, sizeof expected - length, "%s %s", i ? "," : "", words[i]);
    }
    return refuse(node, key, expected);
}

dv_status dv_yaml_list(const dv_yaml_node *node, const char *key) {
    if (node->kind != DV_YAML_LIST) return refuse(node, key, "a list in brackets");
    return node->n_items ? DV_OK : dv_yaml_fail(node, key, "the list is empty");
}

static dv_status unknown_key(const dv_yaml_node *entry, const dv_yaml_key *keys, size_t n_keys) {
    const char *nearest = NULL;
    size_t least = NEAR + 1;
    for (size_t i = 0; i < n_keys; i++) {
        const size_t distance = dv_text_distance(entry->key, keys[i].name);
        if (distance >= least) continue;
        least = distance;
        nearest = keys[i].name;
    }
    char name[100];
    snprintf(name, sizeof name, "%s", entry->key);
    if (nearest) return dv_yaml_fail(entry, name, "unknown key; %s?", nearest);
    char known[WHAT_SIZE - 50] = "";
    for (size_t i = 0; i < n_keys; i++) {
        const size_t length = strlen(known);
        snprintf(known + length, sizeof known - length, "%s%s", i ? ", " : "", keys[i].name);
    }
    return dv_yaml_fail(entry, name, "unknown key; known are %s", known);
}

static const dv_yaml_node *find(const dv_yaml_node *map, const char *key) {
    for (size_t i = 0; i < map->n_items; i++)
        if (strcmp(map->items[i].key, key) == 0) return &map->items[i];
    return NULL;
}

dv_status dv_yaml_map(const dv_yaml_node *node, const char *key, const dv_yaml_key *keys, size_t n_keys, void *target) {
    if (node->kind != DV_YAML_MAP) return refuse(node, key, "a map of keys and values");
    for (size_t i = 0; i < node->n_items; i++) {
        bool known = false;
        for (size_t j = 0; j < n_keys && !known; j++) known = strcmp(node->items[i].key, keys[j].name) == 0;
        if (!known) return unknown_key(&node->items[i], keys, n_keys);
    }
    for (size_t j = 0; j < n_keys; j++) {
        const dv_yaml_node *const value = find(node, keys[j].name);
        if (!value && keys[j].required) return dv_yaml_fail(node, keys[j].name, "is missing");
        if (value) DV_TRY(keys[j].set(target, value));
    }
    return DV_OK;
}
