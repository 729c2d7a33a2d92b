#include "protocol/dining_field.h"

#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "denseval/nearest.h"
#include "io/json_lines.h"
#include "io/json_scan.h"

typedef struct field_match {
    char name[DV_FIELD_NAME_SIZE]; /* empty: none yet */
    size_t distance;
} field_match;

typedef struct field_part {
    field_match best;
    dv_json_text scratch;
} field_part;

typedef struct field_reader {
    const char *name;
    field_match best;
} field_reader;

static void take_better(field_match *best, const field_match *other) {
    if (other->name[0] && (!best->name[0] || other->distance < best->distance)) *best = *other;
}

static dv_status read_line(void *context, void *out, const dv_json_line *line) {
    const field_reader *const reader = context;
    field_part *const part = out;
    dv_json_value object, key, value;
    const char *at = NULL, *text;
    size_t n;
    if (!dv_json_scan(line->text, line->n, DV_JSON_RFC, &object) || object.kind != DV_JSON_OBJECT) return DV_OK;
    while (dv_json_next(&object, &at, &key, &value)) {
        field_match match = {0};
        DV_TRY(dv_json_string(&key, &part->scratch, &text, &n));
        if (n >= sizeof match.name) continue;
        memcpy(match.name, text, n);
        match.distance = dv_text_distance(reader->name, match.name);
        take_better(&part->best, &match);
    }
    return DV_OK;
}

static dv_status take_part(void *context, void *from, uint64_t n_before, bool *done) {
    field_reader *const reader = context;
    field_part *const part = from;
    (void)n_before;
    (void)done;
    take_better(&reader->best, &part->best);
    part->best = (field_match){0};
    return DV_OK;
}

static void clear_part(void *out) {
    field_part *const part = out;
    free(part->scratch.text);
}

dv_status dv_dining_field_nearest(const char *path, dv_pool *pool, const char *name, char *nearest) {
    static const dv_json_work work = {sizeof(field_part), false, read_line, take_part, clear_part};
    field_reader reader = {.name = name};
    dv_file_hash hash;
    DV_TRY(dv_json_lines_read(path, DV_JSON_BLOCK_BYTES, pool, &work, &reader, &hash));
    memcpy(nearest, reader.best.name, sizeof reader.best.name);
    return DV_OK;
}
