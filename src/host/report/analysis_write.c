#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/atomic_file.h"
#include "core/check.h"
#include "denseval/analysis_plots.h"
#include "report/analysis_tables.h"

/* A file within the folder, written beside its name. */
static dv_status write_text(const char *folder, const char *name, const char *extension, const char *text,
                            size_t length) {
    char *path;
    dv_atomic_file *file;
    FILE *stream;
    if (asprintf(&path, "%s/%s%s", folder, name, extension) < 0) return dv_fail(DV_E_NOMEM, "no memory for a path");
    dv_status status = dv_atomic_file_begin(path, true, &file);
    if (status == DV_OK) {
        status = dv_atomic_file_stream(file, &stream);
        if (status == DV_OK && fwrite(text, 1, length, stream) != length)
            status = dv_fail(DV_E_IO, "%s: cannot write: %s", path, dv_error_text(errno));
        if (status == DV_OK)
            status = dv_atomic_file_commit(file);
        else
            dv_atomic_file_abandon(file);
    }
    free(path);
    return status;
}

typedef struct table_source {
    const dv_analysis *analysis;
    const dv_analysis_extras *extras;
} table_source;

/* The text of one kind of table; "" where there is nothing to tell. *text: the caller's until free() */
static dv_status print_table(const table_source *source, const dv_analysis_table_kind *kind, dv_table_form form,
                             char **text, size_t *length) {
    *text = NULL;
    FILE *const stream = open_memstream(text, length);
    if (!stream) return dv_fail(DV_E_NOMEM, "no memory for a table");
    dv_status status = kind->print(source->analysis, source->extras, form, stream);
    const bool failed = ferror(stream);
    if ((fclose(stream) != 0 || failed) && status == DV_OK) status = dv_fail(DV_E_NOMEM, "no memory for a table");
    if (status == DV_OK) return DV_OK;
    free(*text);
    *text = NULL;
    return status;
}

static dv_status write_tables(const char *folder, const table_source *source) {
    static const struct {
        dv_table_form form;
        const char *extension;
    } forms[] = {{DV_TABLE_CSV, ".csv"}, {DV_TABLE_MARKDOWN, ".md"}, {DV_TABLE_LATEX, ".tex"}};
    for (size_t i = 0; i < dv_n_analysis_tables; i++)
        for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
            char *text;
            size_t length;
            DV_TRY(print_table(source, &dv_analysis_tables[i], forms[f].form, &text, &length));
            dv_status status = DV_OK;
            if (length) status = write_text(folder, dv_analysis_tables[i].name, forms[f].extension, text, length);
            free(text);
            DV_TRY(status);
        }
    return DV_OK;
}

dv_status dv_analysis_write(const char *folder, const dv_analysis *analysis, const dv_analysis_extras *extras,
                            dv_plots plots, dv_report *report) {
    static const dv_analysis_extras none = {0};
    char *text;
    const table_source source = {analysis, extras ? extras : &none};
    DV_TRY(write_tables(folder, &source));
    if (plots != DV_PLOTS_NONE)
        DV_TRY(dv_plot_analysis(analysis, source.extras->bootstrap, plots == DV_PLOTS_REQUIRED, folder));
    dv_report_analysis(report, analysis, source.extras);
    DV_TRY(dv_report_json(report, &text));
    const dv_status status = write_text(folder, "analysis", ".json", text, strlen(text));
    free(text);
    return status;
}

dv_status dv_analysis_save(const char *path, bool force, const dv_analysis *analysis, const dv_analysis_extras *extras,
                           dv_plots plots, dv_report *report) {
    dv_atomic_folder *folder;
    DV_TRY(dv_atomic_folder_begin(path, force, &folder));
    const dv_status status = dv_analysis_write(dv_atomic_folder_temporary(folder), analysis, extras, plots, report);
    if (status == DV_OK) return dv_atomic_folder_commit(folder);
    dv_atomic_folder_abandon(folder);
    return status;
}

dv_status dv_analysis_table(const dv_analysis *analysis, char **text) {
    static const dv_analysis_extras none = {0};
    size_t size;
    *text = NULL;
    FILE *const stream = open_memstream(text, &size);
    if (!stream) return dv_fail(DV_E_NOMEM, "no memory for a table");
    dv_status status = dv_print_experiment_a(analysis, &none, DV_TABLE_PLAIN, stream);
    if (status == DV_OK) status = dv_print_experiment_b(analysis, &none, DV_TABLE_PLAIN, stream);
    if (status == DV_OK) status = dv_print_experiment_c(analysis, &none, DV_TABLE_PLAIN, stream);
    const bool failed = ferror(stream);
    if ((fclose(stream) != 0 || failed) && status == DV_OK) status = dv_fail(DV_E_NOMEM, "no memory for a table");
    if (status == DV_OK) return DV_OK;
    free(*text);
    *text = NULL;
    return status;
}
