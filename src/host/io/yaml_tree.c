#include "io/yaml_tree.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "core/check.h"
#include "core/memory.h"
#include "io/text_file.h"

typedef struct reading {
    yaml_parser_t parser;
    const char *text;
    size_t n_bytes;
    size_t n_nodes, depth;
} reading;

static dv_status fail_at(size_t line, const char *format, ...) __attribute__((format(printf, 2, 3)));
static dv_status fail_at(size_t line, const char *format, ...) {
    char what[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return dv_fail(DV_E_DATA, "line %zu: %s", line, what);
}

static size_t line_of(const reading *r, size_t offset) {
    size_t line = 1;
    for (size_t i = 0; i < offset && i < r->n_bytes; i++) line += r->text[i] == '\n';
    return line;
}

static dv_status parser_failure(const reading *r) {
    const yaml_parser_t *const parser = &r->parser;
    if (parser->error == YAML_MEMORY_ERROR) return dv_fail(DV_E_NOMEM, "no memory for a YAML file");
    const char *const problem = parser->problem ? parser->problem : "unknown problem";
    if (parser->error == YAML_READER_ERROR) /* bytes that are no text; the parser's mark is far behind them */
        return fail_at(line_of(r, parser->problem_offset), "no YAML: %s (byte %zu)", problem, parser->problem_offset);
    if (!parser->context) return fail_at(parser->problem_mark.line + 1, "no YAML: %s", problem);
    return fail_at(parser->problem_mark.line + 1, "no YAML: %s, %s", parser->context, problem);
}

/* yaml_event_delete belongs to each event that was got. */
static dv_status next_event(reading *r, yaml_event_t *event) {
    if (!yaml_parser_parse(&r->parser, event)) return parser_failure(r);
    return DV_OK;
}

static void clear_node(dv_yaml_node *node) {
    for (size_t i = 0; i < node->n_items; i++) clear_node(&node->items[i]);
    free(node->items);
    free(node->key);
    free(node->text);
}

void dv_yaml_free(dv_yaml_node *root) {
    if (!root) return;
    clear_node(root);
    free(root);
}

static dv_status copy_text(const yaml_event_t *event, char **text) {
    const char *const value = (const char *)event->data.scalar.value;
    if (strlen(value) != event->data.scalar.length)
        return fail_at(event->start_mark.line + 1, "a text holds a NUL character");
    return dv_strdup(value, text);
}

/* Fills a node from the event that begins it. */
static dv_status build_node(reading *r, const yaml_event_t *event, dv_yaml_node *node);

/* A new item at the end; it belongs to the node at once. */
static dv_status add_item(reading *r, size_t line, dv_yaml_node *node, dv_yaml_node **item) {
    if (++r->n_nodes > DV_YAML_MAX_NODES) return fail_at(line, "more than %d values", DV_YAML_MAX_NODES);
    const size_t n = node->n_items;
    if ((n & (n - 1)) == 0) { /* full at every power of two */
        dv_yaml_node *const grown = realloc(node->items, (n ? 2 * n : 1) * sizeof *grown);
        if (!grown) return dv_fail(DV_E_NOMEM, "no memory for a YAML file");
        node->items = grown;
    }
    node->items[n] = (dv_yaml_node){0};
    node->n_items++;
    *item = &node->items[n];
    return DV_OK;
}

static dv_status set_key(const yaml_event_t *event, const dv_yaml_node *map, dv_yaml_node *item) {
    const size_t line = event->start_mark.line + 1;
    if (event->type == YAML_ALIAS_EVENT || (event->type == YAML_SCALAR_EVENT && event->data.scalar.anchor))
        return fail_at(line, "anchors and aliases are not taken: write the value out");
    if (event->type != YAML_SCALAR_EVENT) return fail_at(line, "a key must be a text");
    DV_TRY(copy_text(event, &item->key));
    if (map->n_items > DV_YAML_MAX_KEYS) return fail_at(line, "a map of more than %d keys", DV_YAML_MAX_KEYS);
    for (const dv_yaml_node *other = map->items; other < item; other++)
        if (strcmp(other->key, item->key) == 0)
            return fail_at(line, "%.100s: is there twice, first in line %zu", item->key, other->line);
    return DV_OK;
}

/* From the key in *event to its value, whose event then stands there. */
static dv_status take_key(reading *r, yaml_event_t *event, const dv_yaml_node *map, dv_yaml_node *item) {
    item->line = event->start_mark.line + 1;
    const dv_status status = set_key(event, map, item);
    yaml_event_delete(event);
    return status == DV_OK ? next_event(r, event) : status;
}

/* Takes an item of `node`, or its end. */
static dv_status build_item(reading *r, yaml_event_type_t end, dv_yaml_node *node, bool *ended) {
    yaml_event_t event;
    dv_yaml_node *item = NULL;
    DV_TRY(next_event(r, &event));
    *ended = event.type == end;
    dv_status status = *ended ? DV_OK : add_item(r, event.start_mark.line + 1, node, &item);
    if (status == DV_OK && item && node->kind == DV_YAML_MAP) status = take_key(r, &event, node, item);
    if (status == DV_OK && item) status = build_node(r, &event, item);
    yaml_event_delete(&event); /* one that was deleted is empty */
    return status;
}

static dv_status build_items(reading *r, yaml_event_type_t end, dv_yaml_node *node) {
    if (++r->depth > DV_YAML_MAX_DEPTH)
        return fail_at(node->line, "lists and maps nested deeper than %d", DV_YAML_MAX_DEPTH);
    for (bool ended = false; !ended;) DV_TRY(build_item(r, end, node, &ended));
    r->depth--;
    return DV_OK;
}

/* Tags and anchors stand in a place of their own in each kind of event. */
static dv_status check_plain(const yaml_event_t *event) {
    const yaml_char_t *anchor = NULL, *tag = NULL;
    if (event->type == YAML_SCALAR_EVENT) {
        anchor = event->data.scalar.anchor;
        tag = event->data.scalar.tag;
    } else if (event->type == YAML_SEQUENCE_START_EVENT) {
        anchor = event->data.sequence_start.anchor;
        tag = event->data.sequence_start.tag;
    } else if (event->type == YAML_MAPPING_START_EVENT) {
        anchor = event->data.mapping_start.anchor;
        tag = event->data.mapping_start.tag;
    }
    const size_t line = event->start_mark.line + 1;
    if (anchor || event->type == YAML_ALIAS_EVENT)
        return fail_at(line, "anchors and aliases are not taken: write the value out");
    return tag ? fail_at(line, "tags are not taken: %.100s", (const char *)tag) : DV_OK;
}

static dv_status build_node(reading *r, const yaml_event_t *event, dv_yaml_node *node) {
    node->line = event->start_mark.line + 1;
    DV_TRY(check_plain(event));
    switch (event->type) {
    case YAML_SCALAR_EVENT:
        node->kind = DV_YAML_TEXT;
        node->plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
        return copy_text(event, &node->text);
    case YAML_SEQUENCE_START_EVENT:
        node->kind = DV_YAML_LIST;
        return build_items(r, YAML_SEQUENCE_END_EVENT, node);
    case YAML_MAPPING_START_EVENT:
        node->kind = DV_YAML_MAP;
        return build_items(r, YAML_MAPPING_END_EVENT, node);
    default:
        return dv_fail(DV_E_INTERNAL, "event %d of a YAML file where a value must begin", (int)event->type);
    }
}

/* Expects an event of this type, or says `what` at its line. */
static dv_status expect(reading *r, yaml_event_type_t type, const char *what) {
    yaml_event_t event;
    DV_TRY(next_event(r, &event));
    const dv_status status = event.type == type ? DV_OK : fail_at(event.start_mark.line + 1, "%s", what);
    yaml_event_delete(&event);
    return status;
}

static dv_status build_document(reading *r, dv_yaml_node *root) {
    yaml_event_t event;
    DV_TRY(expect(r, YAML_STREAM_START_EVENT, "no YAML"));
    DV_TRY(expect(r, YAML_DOCUMENT_START_EVENT, "the file is empty"));
    DV_TRY(next_event(r, &event));
    const dv_status status = build_node(r, &event, root);
    yaml_event_delete(&event);
    DV_TRY(status);
    DV_TRY(expect(r, YAML_DOCUMENT_END_EVENT, "no YAML"));
    return expect(r, YAML_STREAM_END_EVENT, "a second document begins: there must be one");
}

dv_status dv_yaml_parse(const char *text, size_t n_bytes, dv_yaml_node **root) {
    reading r = {.text = text, .n_bytes = n_bytes};
    *root = NULL;
    if (n_bytes > DV_YAML_MAX_BYTES)
        return dv_fail(DV_E_DATA, "larger than the %d bytes of a configuration", DV_YAML_MAX_BYTES);
    if (!yaml_parser_initialize(&r.parser)) return dv_fail(DV_E_NOMEM, "no memory for a YAML file");
    yaml_parser_set_input_string(&r.parser, (const unsigned char *)text, n_bytes);
    dv_status status = dv_alloc(1, sizeof **root, "a YAML file", root);
    if (status == DV_OK) status = build_document(&r, *root);
    yaml_parser_delete(&r.parser);
    if (status == DV_OK) return DV_OK;
    dv_yaml_free(*root);
    *root = NULL;
    return status;
}

dv_status dv_yaml_read(const char *path, dv_yaml_node **root) {
    char *text;
    size_t n_bytes;
    *root = NULL;
    DV_TRY(dv_text_file_load_within(path, DV_YAML_MAX_BYTES, &text, &n_bytes));
    const dv_status status = dv_yaml_parse(text, n_bytes, root);
    free(text);
    return dv_context(status, "%s", path);
}
