/* json_html_value.c: any JSON value as tables. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "report/analysis_tables.h"
#include "report/html_text.h"
#include "report/json_html.h"

enum { MOST_COLUMNS = 64, MOST_LISTED = 16, MOST_LEVELS = 6, MOST_UNFOLDED = 24 };

/* A line of a table: an object, and what it is called after. */
typedef struct row {
    char *label; /* "" where it has none; owned */
    json_t *object;
} row;

typedef struct rows {
    size_t n, capacity;
    row *rows;      /* [n] */
    bool truncated; /* there are more than DV_HTML_MOST_ROWS */
} rows;

/* Keys of a table, in the order in which they first stand. */
typedef struct keys {
    size_t n;
    const char *keys[MOST_COLUMNS];
    bool truncated;
} keys;

/* ---- One field ----------------------------------------------------------------------------------------------------
 */

static bool is_scalar(const json_t *value) {
    return !json_is_array(value) && !json_is_object(value);
}

/* An object of nothing but `low`, `high` and the number of `resamples`. */
static bool is_interval(const json_t *value) {
    const size_t n = json_object_get(value, "resamples") ? 3 : 2;
    return json_object_get(value, "low") && json_object_get(value, "high") && json_object_size(value) == n;
}

/* Numbers, texts, intervals, and lists of nothing else. */
static bool is_field(const json_t *value) {
    for (size_t i = 0; i < json_array_size(value); i++)
        if (!is_scalar(json_array_get(value, i))) return false;
    return !json_is_object(value) || is_interval(value);
}

static bool counts_bytes(const char *key) {
    return key && strstr(key, "bytes");
}

static bool is_share(const char *key) {
    const size_t length = key ? strlen(key) : 0, end = sizeof "efficiency" - 1;
    return length >= end && strcmp(key + length - end, "efficiency") == 0;
}

static void put_real(FILE *stream, const char *key, double value) {
    const double size = fabs(value);
    if (is_share(key))
        fprintf(stream, "%.1f %%", 100 * value);
    else if (size >= 1e4 && size < 1e9)
        fprintf(stream, "%.1f", value);
    else
        fprintf(stream, value == 0 || (size >= 1e-3 && size < 1e4) ? "%.4f" : "%.3g", value == 0 ? 0 : value);
}

static void put_scalar(FILE *stream, const char *key, const json_t *value) {
    char bytes[DV_HTML_BYTES_SIZE];
    if (json_is_string(value)) {
        fputs(json_string_value(value), stream);
    } else if (json_is_integer(value)) {
        const json_int_t number = json_integer_value(value);
        if (counts_bytes(key) && number >= 0)
            fputs(dv_html_bytes_text((uint64_t)number, bytes), stream);
        else if (is_share(key))
            put_real(stream, key, (double)number);
        else
            fprintf(stream, "%lld", (long long)number);
    } else if (json_is_real(value)) {
        put_real(stream, key, json_real_value(value));
    } else if (json_is_boolean(value)) {
        fputs(json_is_true(value) ? "yes" : "no", stream);
    }
}

static void put_list(FILE *stream, const char *key, const json_t *list) {
    const size_t n = json_array_size(list);
    if (n == 0) fputs("none", stream);
    if (n > MOST_LISTED) fprintf(stream, "%zu values", n);
    if (n == 0 || n > MOST_LISTED) return;
    for (size_t i = 0; i < n; i++) {
        fputs(i ? ", " : "[", stream);
        put_scalar(stream, key, json_array_get(list, i));
    }
    fputc(']', stream);
}

static void put_field(FILE *stream, const char *key, const json_t *value) {
    const json_t *const low = json_object_get(value, "low"), *const high = json_object_get(value, "high");
    if (json_is_array(value))
        put_list(stream, key, value);
    else if (json_is_number(low) && json_is_number(high))
        fprintf(stream, "[%.4f, %.4f]", json_number_value(low), json_number_value(high));
    else
        put_scalar(stream, key, value);
}

void dv_html_add_value(dv_text_table *table, const char *key, const json_t *value) {
    char *text = NULL;
    size_t size;
    FILE *const stream = open_memstream(&text, &size);
    if (stream) put_field(stream, key, value);
    if (stream && fclose(stream) == 0)
        dv_text_table_add(table, "%s", text);
    else if (table->status == DV_OK)
        table->status = DV_E_NOMEM;
    free(text);
}

/* ---- Lines --------------------------------------------------------------------------------------------------------
 */

static void clear_rows(rows *r) {
    for (size_t i = 0; i < r->n; i++) free(r->rows[i].label);
    free(r->rows);
    *r = (rows){0};
}

static dv_status add_row(rows *r, const char *label, json_t *object) {
    r->truncated |= r->n == DV_HTML_MOST_ROWS;
    if (r->truncated) return DV_OK;
    DV_TRY(dv_grow(&r->rows, sizeof *r->rows, r->n, 1, "a table", &r->capacity));
    char *copy;
    DV_TRY(dv_strdup(label, &copy));
    r->rows[r->n++] = (row){copy, object};
    return DV_OK;
}

static bool has_objects_alone(json_t *object) {
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value) if (!json_is_object(value)) return false;
    return json_object_size(object) > 0;
}

/* The lines that a value makes: objects of a list, of an object of objects, or the object itself. */
static dv_status add_rows(rows *r, const char *label, json_t *value) {
    const char *key;
    json_t *member;
    for (size_t i = 0; i < json_array_size(value); i++)
        if (json_is_object(json_array_get(value, i))) DV_TRY(add_row(r, label, json_array_get(value, i)));
    if (!json_is_object(value)) return DV_OK;
    if (!has_objects_alone(value)) return add_row(r, label, value);
    json_object_foreach(value, key, member) {
        char *below;
        if (asprintf(&below, "%s%s%s", label, *label ? " / " : "", key) < 0)
            return dv_fail(DV_E_NOMEM, "no memory for a table");
        const dv_status status = add_rows(r, below, member);
        free(below);
        DV_TRY(status);
    }
    return DV_OK;
}

/* Keys whose values are fields, or those whose values are not. Of several lines long lists are passed over. */
static void collect_keys(const rows *r, bool fields, keys *k) {
    const char *key;
    json_t *value;
    *k = (keys){0};
    for (size_t i = 0; i < r->n; i++) json_object_foreach(r->rows[i].object, key, value) {
            size_t at = 0;
            while (at < k->n && strcmp(k->keys[at], key) != 0) at++;
            if (at < k->n || is_field(value) != fields) continue;
            if (r->n > 1 && fields && json_array_size(value) > MOST_LISTED) continue;
            k->truncated |= k->n == MOST_COLUMNS;
            if (k->n < MOST_COLUMNS) k->keys[k->n++] = key;
        }
}

/* The interval of a score stands behind it. */
static void order_intervals(keys *k) {
    for (size_t i = 0; i < k->n; i++)
        for (size_t j = i + 2; j < k->n; j++) {
            const char *const interval = k->keys[j];
            const size_t length = strlen(k->keys[i]);
            if (strncmp(interval, k->keys[i], length) != 0 || strcmp(interval + length, "_interval_95") != 0) continue;
            memmove(&k->keys[i + 2], &k->keys[i + 1], (j - i - 1) * sizeof *k->keys);
            k->keys[i + 1] = interval;
        }
}

static bool has_label(const rows *r) {
    for (size_t i = 0; i < r->n; i++)
        if (*r->rows[i].label) return true;
    return false;
}

static void fill_upright(dv_text_table *table, const json_t *object, const keys *k) {
    dv_text_table_add(table, "key");
    dv_text_table_add(table, "value");
    dv_text_table_end_names(table);
    for (size_t i = 0; i < k->n; i++) {
        dv_html_add_label(table, k->keys[i]);
        dv_html_add_value(table, k->keys[i], json_object_get(object, k->keys[i]));
    }
}

static void fill_lines(dv_text_table *table, const rows *r, const keys *k) {
    const bool labelled = has_label(r);
    if (labelled) dv_text_table_add(table, "of");
    for (size_t i = 0; i < k->n; i++) dv_html_add_label(table, k->keys[i]);
    dv_text_table_end_names(table);
    for (size_t i = 0; i < r->n; i++) {
        if (labelled) dv_text_table_add(table, "%s", r->rows[i].label);
        for (size_t j = 0; j < k->n; j++) {
            const json_t *const value = json_object_get(r->rows[i].object, k->keys[j]);
            dv_html_add_value(table, k->keys[j], is_field(value) ? value : NULL);
        }
    }
}

/* Prints a table, and clears it; many lines are folded, and the title unfolds them. */
static dv_status finish_table(dv_text_table *table, size_t n_lines, const char *title, FILE *stream) {
    const bool folded = n_lines > MOST_UNFOLDED;
    const dv_table_form form = n_lines ? DV_TABLE_HTML : DV_TABLE_HTML_PAIRS;
    if (folded) {
        fputs("<details><summary>", stream);
        dv_html_put_text(stream, title);
        fprintf(stream, ": %zu lines</summary>\n", n_lines);
    }
    const dv_status status = dv_finish_table(table, form, folded ? NULL : title, stream);
    if (folded) fputs("</details>\n", stream);
    return status;
}

static dv_status put_table(FILE *stream, const char *title, const rows *r, const keys *k, bool upright) {
    char *caption;
    dv_text_table table = {0};
    if (k->n == 0) return DV_OK;
    if (asprintf(&caption, "%s%s%s", title, r->truncated ? " (the first 5000 lines)" : "",
                 k->truncated ? " (the first 64 columns)" : "") < 0)
        return dv_fail(DV_E_NOMEM, "no memory for a table");
    if (upright)
        fill_upright(&table, r->rows[0].object, k);
    else
        fill_lines(&table, r, k);
    const dv_status status = finish_table(&table, upright ? 0 : r->n, caption, stream);
    free(caption);
    return status;
}

static dv_status put_rows(FILE *stream, const char *title, const rows *r, bool upright, size_t level);

/* The key that names an object; NULL: it has none. */
static const json_t *own_name(const json_t *object) {
    static const char *const names[] = {"name", "id", "bin", "view", "file"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const json_t *const value = json_object_get(object, names[i]);
        if (json_is_string(value) || json_is_integer(value)) return value;
    }
    return NULL;
}

/* The lines of a value within a line are called after its label and its own name. */
static dv_status add_inner(rows *inner, const row *outer, json_t *value) {
    const json_t *const own = own_name(outer->object);
    char number[32] = "", *label;
    if (json_is_integer(own)) snprintf(number, sizeof number, "%lld", (long long)json_integer_value(own));
    const char *const name = json_is_string(own) ? json_string_value(own) : number;
    if (asprintf(&label, "%s%s%s", outer->label, *outer->label && *name ? " / " : "", name) < 0)
        return dv_fail(DV_E_NOMEM, "no memory for a table");
    const dv_status status = add_rows(inner, label, value);
    free(label);
    return status;
}

static dv_status put_inner(FILE *stream, const char *title, const rows *r, const char *key, size_t level) {
    char *below, *const label = dv_html_label(key);
    rows inner = {0};
    dv_status status = label ? DV_OK : dv_fail(DV_E_NOMEM, "no memory for a table");
    for (size_t i = 0; status == DV_OK && i < r->n; i++)
        status = add_inner(&inner, &r->rows[i], json_object_get(r->rows[i].object, key));
    if (status == DV_OK && asprintf(&below, "%s%s%s", title, *title ? ", " : "", label) < 0)
        status = dv_fail(DV_E_NOMEM, "no memory for a table");
    if (status == DV_OK) {
        const bool upright = inner.n == 1 && json_is_object(json_object_get(r->rows[0].object, key));
        status = put_rows(stream, below, &inner, upright && !has_label(&inner), level + 1);
        free(below);
    }
    free(label);
    clear_rows(&inner);
    return status;
}

/* upright: one object, a line a key */
static dv_status put_rows(FILE *stream, const char *title, const rows *r, bool upright, size_t level) {
    keys k;
    if (r->n == 0 || level == MOST_LEVELS) return DV_OK;
    collect_keys(r, true, &k);
    order_intervals(&k);
    DV_TRY(put_table(stream, title, r, &k, upright));
    collect_keys(r, false, &k);
    for (size_t i = 0; i < k.n; i++) DV_TRY(put_inner(stream, title, r, k.keys[i], level));
    return DV_OK;
}

dv_status dv_html_put_value(FILE *stream, const char *title, json_t *value) {
    rows r = {0};
    const bool upright = json_is_object(value);
    dv_status status = upright ? add_row(&r, "", value) : add_rows(&r, "", value);
    if (status == DV_OK) status = put_rows(stream, title, &r, upright, 0);
    clear_rows(&r);
    return status;
}
