#include "pipeline/sweep_done.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/check.h"
#include "core/folder_content.h"
#include "io/text_file.h"

/* *there: is there something of `length` bytes of `name` in a folder? */
static dv_status look_for(const char *folder, const char *name, size_t length, bool *there) {
    char *path;
    struct stat found;
    *there = false;
    if (asprintf(&path, "%s/%.*s", folder, (int)length, name) < 0) return dv_fail(DV_E_NOMEM, "no memory for a path");
    *there = lstat(path, &found) == 0;
    free(path);
    return DV_OK;
}

static dv_status look_for_all(const char *folder, const char *names, bool *there) {
    *there = true;
    while (*there && *names) {
        const size_t length = strcspn(names, "\n");
        if (length > 0) DV_TRY(look_for(folder, names, length, there));
        names += length + (names[length] == '\n');
    }
    return DV_OK;
}

/* Is there no journal, a mark that lists results.json, and all that the mark lists? */
static dv_status look_for_whole(const char *folder, bool *whole) {
    char *names;
    bool unfinished;
    *whole = false;
    DV_TRY(look_for(folder, DV_FOLDER_JOURNAL, strlen(DV_FOLDER_JOURNAL), &unfinished));
    if (unfinished) return DV_OK;
    DV_TRY(dv_folder_read_mark(folder, &names));
    const dv_status status = dv_names_have(names, DV_SWEEP_RESULTS) ? look_for_all(folder, names, whole) : DV_OK;
    free(names);
    return status;
}

static dv_status load_results(const char *folder, char **text) {
    char *path;
    size_t length;
    if (asprintf(&path, "%s/" DV_SWEEP_RESULTS, folder) < 0) return dv_fail(DV_E_NOMEM, "no memory for a path");
    const dv_status status = dv_text_file_load(path, text, &length);
    free(path);
    return status == DV_E_DATA || status == DV_E_MISSING ? DV_OK : status; /* no file */
}

dv_status dv_sweep_done_text(const char *out, char **text) {
    bool whole;
    *text = NULL;
    DV_TRY(look_for_whole(out, &whole));
    return whole ? load_results(out, text) : DV_OK;
}

static dv_status compare(const dv_sweep_source *source, dv_sweep_done *done) {
    dv_report *report;
    DV_TRY(dv_sweep_report_head(source, &report));
    const dv_status status = dv_report_begins_as(report, done->text, &done->whole, done->differs);
    dv_report_free(report);
    return status;
}

dv_status dv_sweep_done_find(const dv_sweep_source *source, const char *out, dv_sweep_done *done) {
    *done = (dv_sweep_done){0};
    DV_TRY(dv_sweep_done_text(out, &done->text));
    return done->text ? compare(source, done) : DV_OK;
}

void dv_sweep_done_clear(dv_sweep_done *done) {
    free(done->text);
    *done = (dv_sweep_done){0};
}
