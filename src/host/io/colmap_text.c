/* images.txt: lines that begin with # are comments; an image is a line "ID QW QX QY QZ TX TY TZ CAMERA NAME", the name
 * being the rest of the line, and a line of points "X Y ID ...", which may be empty. */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "denseval/number.h"
#include "io/colmap_parse.h"

enum { PLACE_SIZE = 64, POSE_FIELDS = 7 };
#define COUNT_COMMENT "# Number of images: "

typedef struct reader {
    FILE *stream;
    char *line; /* without its end; owned by getline */
    size_t line_size;
    uint64_t number; /* of the line, from 1 */
    uint64_t n_promised;
    bool has_promise; /* a comment tells the number of images */
} reader;

static dv_status fail_at(const reader *r, const char *what) {
    return dv_fail(DV_E_DATA, "line %" PRIu64 ": %s", r->number, what);
}

/* The next line, without a byte-order mark and its end; *more is false behind the last one. */
static dv_status next_line(reader *r, bool *more) {
    const ssize_t got = getline(&r->line, &r->line_size, r->stream);
    *more = got >= 0;
    if (got < 0 && ferror(r->stream)) return dv_fail(DV_E_IO, "cannot read: %s", dv_error_text(errno));
    if (got < 0 && !feof(r->stream)) return dv_fail(DV_E_NOMEM, "no memory for a line");
    if (got < 0) return DV_OK;
    r->number++;
    size_t length = (size_t)got;
    if (memchr(r->line, '\0', length)) return fail_at(r, "a byte 0 in a text file");
    if (length && r->line[length - 1] == '\n') length--;
    if (length && r->line[length - 1] == '\r') length--;
    r->line[length] = '\0';
    if (r->number == 1 && strncmp(r->line, "\xef\xbb\xbf", 3) == 0) memmove(r->line, r->line + 3, length - 2);
    return DV_OK;
}

static bool is_blank(const char *line) {
    return line[strspn(line, " \t")] == '\0';
}

/* Cuts the next field off *rest; NULL where there is none. */
static char *next_field(char **rest) {
    char *const field = *rest + strspn(*rest, " \t");
    const size_t length = strcspn(field, " \t");
    if (length == 0) return NULL;
    *rest = field + length + (field[length] != '\0');
    field[length] = '\0';
    return field;
}

static dv_status read_image(reader *r, dv_colmap_model *model) {
    char *rest = r->line, place[PLACE_SIZE];
    uint64_t whole;
    double pose[POSE_FIELDS];
    snprintf(place, sizeof place, "line %" PRIu64, r->number);
    for (int i = 0; i < POSE_FIELDS + 2; i++) {
        const char *const field = next_field(&rest);
        if (!field) return fail_at(r, "an image has ID QW QX QY QZ TX TY TZ CAMERA NAME: fields are missing");
        const bool is_pose = i >= 1 && i <= POSE_FIELDS;
        const dv_status status = is_pose ? dv_parse_double(field, &pose[i - 1]) : dv_parse_u64(field, &whole);
        if (status != DV_OK) return dv_context(dv_fail(DV_E_DATA, "%s", dv_last_error()), "%s", place);
    }
    return dv_colmap_add(model, place, rest + strspn(rest, " \t"), pose);
}

/* Points are not used; a line that holds no triples of numbers is no line of points. */
static dv_status check_points(const reader *r) {
    size_t n_fields = 0;
    const char *at = r->line + strspn(r->line, " \t");
    while (*at) {
        const size_t length = strcspn(at, " \t");
        if (strspn(at, "0123456789+-.eEnaif") < length)
            return fail_at(r,
                           "points must be numbers, X Y ID of each (an image has two lines, the second may be empty)");
        n_fields++;
        at += length + strspn(at + length, " \t");
    }
    return n_fields % 3 == 0 ? DV_OK : fail_at(r, "points must be X Y ID of each: the line was cut");
}

static void read_comment(reader *r) {
    char digits[DV_NUMBER_SIZE];
    if (strncmp(r->line, COUNT_COMMENT, strlen(COUNT_COMMENT)) != 0) return;
    const char *const text = r->line + strlen(COUNT_COMMENT);
    snprintf(digits, sizeof digits, "%.*s", (int)strspn(text, "0123456789"), text);
    r->has_promise = dv_parse_u64(digits, &r->n_promised) == DV_OK;
}

static dv_status read_all(reader *r, dv_colmap_model *model) {
    for (bool more = true;;) {
        DV_TRY(next_line(r, &more));
        if (!more) break;
        if (r->line[0] == '#') read_comment(r);
        if (r->line[0] == '#' || is_blank(r->line)) continue;
        DV_TRY(read_image(r, model));
        DV_TRY(next_line(r, &more));
        if (!more) break; /* an image without points, and the empty line behind it is lost */
        DV_TRY(check_points(r));
    }
    if (r->has_promise && r->n_promised != model->n_images)
        return dv_fail(DV_E_DATA, "%zu images, its comment says %" PRIu64 ": the file was cut", model->n_images,
                       r->n_promised);
    return DV_OK;
}

dv_status dv_colmap_read_text(FILE *stream, dv_colmap_model *model) {
    reader r = {.stream = stream};
    const dv_status status = read_all(&r, model);
    free(r.line);
    return status;
}
