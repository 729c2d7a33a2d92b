/* json_html.c: which JSON files are results of ours, and what was run. */
#include "report/json_html.h"

#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "io/name_list.h"
#include "io/text_file.h"
#include "report/analysis_tables.h"
#include "report/html_text.h"

enum { RUN_TEXT_SIZE = 256 };

/* A schema, and what it is shown by; NULL: by dv_html_put_value. */
typedef struct schema {
    const char *name;
    dv_status (*put)(FILE *stream, const dv_html_document *document);
} schema;

/* What it cost is a part of its own. */
static dv_status put_nothing(FILE *stream, const dv_html_document *document) {
    (void)stream;
    (void)document;
    return DV_OK;
}

static const schema schemas[] = {
    {"denseval analysis v1", dv_html_put_analysis},
    {"denseval bank result v1", NULL},
    {"denseval bench v1", NULL},
    {"denseval dining v1", NULL},
    {"denseval eval v1", NULL},
    {"denseval info v1", NULL},
    {"denseval iou v1", NULL},
    {"denseval jf v1", NULL},
    {"denseval knn result v1", NULL},
    {"denseval objects v1", NULL},
    {"denseval overlay v1", NULL},
    {"denseval resources v1", put_nothing},
    {"denseval sweep v1", dv_html_put_sweep},
    {"denseval viewpoint bin v1", NULL},
    {"denseval viewpoint manifest v1", NULL},
};

/* Keys that other parts of the page show. */
static const char *const elsewhere[] = {"schema", "command",  "version",   "settings",        "inputs", "resources",
                                        "job",    "of_parts", "confusion", "confusion_cells", "partial"};

static const schema *schema_of(const json_t *root) {
    const char *const name = json_string_value(json_object_get(root, "schema"));
    for (size_t i = 0; name && i < sizeof schemas / sizeof *schemas; i++)
        if (strcmp(schemas[i].name, name) == 0) return &schemas[i];
    return NULL;
}

static dv_status read_path(const char *path, dv_html_document *out) {
    char *text;
    size_t length;
    json_error_t error;
    DV_TRY(dv_text_file_load_within(path, DV_HTML_JSON_BYTES, &text, &length));
    json_t *const root = json_loadb(text, length, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &error);
    free(text);
    if (!root)
        return dv_fail(DV_E_DATA, "%s: line %d column %d: is no JSON: %s", path, error.line, error.column, error.text);
    if (schema_of(root))
        out->root = root;
    else
        json_decref(root);
    return DV_OK;
}

dv_status dv_html_document_read(const char *folder, const char *file, dv_html_document *out) {
    char *path;
    *out = (dv_html_document){.file = file};
    DV_TRY(dv_path_join(folder, file, &path));
    const dv_status status = read_path(path, out);
    free(path);
    return status;
}

void dv_html_document_clear(dv_html_document *document) {
    json_decref(document->root);
    *document = (dv_html_document){0};
}

dv_status dv_html_list(const dv_html_document *document, const char *name, json_t **list) {
    json_t *const value = json_object_get(document->root, name);
    *list = NULL;
    if (!value) return DV_OK;
    if (!json_is_array(value)) return dv_fail(DV_E_DATA, "%s: %s: must be a list", document->file, name);
    for (size_t i = 0; i < json_array_size(value); i++)
        if (!json_is_object(json_array_get(value, i)))
            return dv_fail(DV_E_DATA, "%s: %s: place %zu: must be an object", document->file, name, i);
    *list = value;
    return DV_OK;
}

static const char *const run_keys[] = {"encoder", "memory", "memory_kind", "difficulty"};

static bool same_from(const json_t *a, const json_t *b, size_t first_key) {
    for (size_t i = first_key; i < sizeof run_keys / sizeof *run_keys; i++) {
        const json_t *const first = json_object_get(a, run_keys[i]), *const second = json_object_get(b, run_keys[i]);
        if (first != second && !json_equal(first, second)) return false;
    }
    return true;
}

bool dv_html_same_run(const json_t *a, const json_t *b) {
    return same_from(a, b, 0);
}

bool dv_html_same_panel(const json_t *a, const json_t *b) {
    return same_from(a, b, 1);
}

void dv_html_run_text(const json_t *run, char *text, size_t size) {
    const char *const encoder = json_string_value(json_object_get(run, "encoder"));
    const char *const difficulty = json_string_value(json_object_get(run, "difficulty"));
    const json_int_t memory = json_integer_value(json_object_get(run, "memory"));
    char number[DV_MEMORY_TEXT_SIZE] = "";
    if (memory > 0) dv_memory_text((uint64_t)memory, json_object_get(run, "memory_kind") != NULL, number);
    snprintf(text, size, "%s%s%s%s%s", encoder ? encoder : "", *number ? ", memory " : "", number,
             difficulty && *difficulty ? ", " : "", difficulty ? difficulty : "");
}

dv_status dv_html_finish_folded(dv_text_table *table, const char *what, const json_t *run, const char *title,
                                FILE *stream) {
    char text[RUN_TEXT_SIZE];
    dv_html_run_text(run, text, sizeof text);
    fprintf(stream, "<details><summary>%s: ", what);
    dv_html_put_text(stream, text);
    fputs("</summary>\n", stream);
    DV_TRY(dv_finish_table(table, DV_TABLE_HTML, title, stream));
    fputs("</details>\n", stream);
    return DV_OK;
}

/* ---- What was run -------------------------------------------------------------------------------------------------
 */

/* The rules by which a run scored: a protocol, the tool that it agrees with, or how answers were read. "": none */
static const char *protocol_of(const json_t *root) {
    static const char *const keys[] = {"protocol", "compat", "scoring"};
    const json_t *const settings = json_object_get(root, "settings");
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const char *const name = json_string_value(json_object_get(settings, keys[i]));
        if (name && strcmp(name, "none") != 0) return name;
    }
    return "";
}

dv_status dv_html_put_runs(FILE *stream, const dv_html_document *documents, size_t n) {
    static const char *const names[] = {"file", "command", "protocol", "version", "partial"};
    dv_text_table table = {0};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) dv_text_table_add(&table, "%s", names[i]);
    dv_text_table_end_names(&table);
    for (size_t i = 0; i < n; i++) {
        const json_t *const root = documents[i].root;
        dv_text_table_add(&table, "%s", documents[i].file);
        dv_html_add_value(&table, NULL, json_object_get(root, "command"));
        dv_text_table_add(&table, "%s", protocol_of(root));
        dv_html_add_value(&table, NULL, json_object_get(root, "version"));
        dv_text_table_add(&table, "%s",
                          json_is_true(json_object_get(root, "partial")) ? "yes: some is left out" : "no");
    }
    return dv_finish_table(&table, DV_TABLE_HTML, NULL, stream);
}

static bool same_command(const json_t *a, const json_t *b) {
    const json_t *const first = json_object_get(a, "command"), *const second = json_object_get(b, "command");
    return json_equal(first, second) && strcmp(protocol_of(a), protocol_of(b)) == 0;
}

static void put_commands(FILE *stream, const dv_html_document *documents, size_t n) {
    bool any = false;
    for (size_t i = 0; i < n; i++) {
        const char *const command = json_string_value(json_object_get(documents[i].root, "command"));
        const char *const protocol = protocol_of(documents[i].root);
        bool first = command && dv_html_has_result(&documents[i]);
        for (size_t j = 0; first && j < i; j++)
            first = !same_command(documents[i].root, documents[j].root) || !dv_html_has_result(&documents[j]);
        if (!first) continue;
        fprintf(stream, "%s%s%s%s%s", any ? ", " : "", command, *protocol ? " (" : "", protocol, *protocol ? ")" : "");
        any = true;
    }
}

dv_status dv_html_commands(const dv_html_document *documents, size_t n, char **text) {
    size_t size;
    FILE *const stream = open_memstream(text, &size);
    if (!stream) return dv_fail(DV_E_NOMEM, "no memory for a title");
    put_commands(stream, documents, n);
    if (fclose(stream) == 0) return DV_OK;
    free(*text);
    *text = NULL;
    return dv_fail(DV_E_NOMEM, "no memory for a title");
}

/* ---- Settings and inputs ------------------------------------------------------------------------------------------
 */

bool dv_html_has_settings(const dv_html_document *document) {
    return json_object_size(json_object_get(document->root, "settings")) ||
           json_array_size(json_object_get(document->root, "inputs"));
}

static bool same_settings(const json_t *a, const json_t *b) {
    return json_equal(json_object_get(a, "settings"), json_object_get(b, "settings")) &&
           json_equal(json_object_get(a, "inputs"), json_object_get(b, "inputs"));
}

/* The sizes of inputs are told as bytes. */
static dv_status put_inputs(FILE *stream, json_t *inputs) {
    dv_text_table table = {0};
    if (json_array_size(inputs) == 0) return DV_OK;
    dv_text_table_add(&table, "path");
    dv_text_table_add(&table, "size");
    dv_text_table_add(&table, "hash");
    dv_text_table_end_names(&table);
    for (size_t i = 0; i < json_array_size(inputs); i++) {
        const json_t *const input = json_array_get(inputs, i);
        dv_html_add_value(&table, NULL, json_object_get(input, "path"));
        dv_html_add_value(&table, "bytes", json_object_get(input, "size"));
        dv_html_add_value(&table, NULL, json_object_get(input, "hash"));
    }
    return dv_finish_table(&table, DV_TABLE_HTML, "inputs", stream);
}

dv_status dv_html_put_settings(FILE *stream, const dv_html_document *documents, size_t place) {
    json_t *const root = documents[place].root;
    for (size_t i = 0; i < place; i++) {
        if (!same_settings(documents[i].root, root)) continue;
        fputs("<p>As of ", stream);
        dv_html_put_text(stream, documents[i].file);
        fputs(".</p>\n", stream);
        return DV_OK;
    }
    DV_TRY(dv_html_put_value(stream, "settings", json_object_get(root, "settings")));
    return put_inputs(stream, json_object_get(root, "inputs"));
}

/* ---- Results ------------------------------------------------------------------------------------------------------
 */

/* Of several methods the first one stands at the top, too. */
static void drop_first_method(json_t *own) {
    const char *key;
    json_t *value, *const first = json_array_get(json_object_get(own, "methods"), 0);
    json_object_foreach(first, key, value) if (json_equal(json_object_get(own, key), value)) json_object_del(own, key);
}

/* A copy without what stands elsewhere, how it was made behind what it scored; NULL: no memory. */
static json_t *own_keys(json_t *root) {
    static const char *const last[] = {"bank", "search"};
    json_t *const own = json_copy(root);
    for (size_t i = 0; own && i < sizeof elsewhere / sizeof *elsewhere; i++) json_object_del(own, elsewhere[i]);
    for (size_t i = 0; own && i < sizeof last / sizeof *last; i++) {
        json_t *const value = json_object_get(root, last[i]);
        json_object_del(own, last[i]);
        if (value && json_object_set(own, last[i], value) != 0) {
            json_decref(own);
            return NULL;
        }
    }
    drop_first_method(own);
    return own;
}

bool dv_html_has_result(const dv_html_document *document) {
    const schema *const known = schema_of(document->root);
    if (known && known->put == put_nothing) return false;
    json_t *const own = own_keys(document->root);
    const bool has = json_object_size(own) > 0;
    json_decref(own);
    return has;
}

dv_status dv_html_put_result(FILE *stream, const dv_html_document *document) {
    const schema *const known = schema_of(document->root);
    if (known && known->put) return known->put(stream, document);
    json_t *const own = own_keys(document->root);
    if (!own) return dv_fail(DV_E_NOMEM, "%s: no memory for its tables", document->file);
    const dv_status status = dv_html_put_value(stream, "", own);
    json_decref(own);
    return status;
}
