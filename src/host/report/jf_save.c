#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/atomic_file.h"
#include "core/check.h"
#include "denseval/report.h"
#include "report/csv_write.h"
#include "report/jf_figures.h"
#include "report/jf_files.h"

/* Names and columns of the first two tables are those of davis2017-evaluation. */

void dv_csv_put_reals(FILE *stream, const double *values, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (i) fputc(',', stream);
        dv_csv_put_real(stream, values[i], false);
    }
    fputc('\n', stream);
}

static void put_global(const void *of, FILE *stream) {
    const dv_jf_result *const result = of;
    const dv_curve_statistics *const j = &result->j_statistics, *const f = &result->f_statistics[0];
    const double values[] = {result->per_object[0].jf, j->mean, j->recall, j->decay, f->mean, f->recall, f->decay};
    fputs("J&F-Mean,J-Mean,J-Recall,J-Decay,F-Mean,F-Recall,F-Decay\n", stream);
    dv_csv_put_reals(stream, values, sizeof values / sizeof *values);
}

/* SEQUENCE_ID, in quotes where the name needs them. */
static void put_object_name(FILE *stream, const dv_jf_sequence *sequence, const dv_jf_object *object) {
    char *name;
    if (asprintf(&name, "%s_%d", sequence->name, object->id) < 0) return; /* what follows fails too */
    dv_csv_put_text(stream, name);
    free(name);
}

static void put_objects(const void *of, FILE *stream) {
    const dv_jf_result *const result = of;
    fputs("Sequence,J-Mean,F-Mean\n", stream);
    for (size_t i = 0; i < result->n_sequences; i++) {
        const dv_jf_sequence *const sequence = &result->sequences[i];
        for (size_t o = 0; o < sequence->n_objects; o++) {
            const dv_jf_object *const object = &sequence->objects[o];
            const double values[] = {object->j_statistics.mean, object->f_statistics[0].mean};
            put_object_name(stream, sequence, object);
            fputc(',', stream);
            dv_csv_put_reals(stream, values, 2);
        }
    }
}

static void put_object_frames(FILE *stream, const dv_jf_sequence *sequence, const dv_jf_object *object) {
    for (size_t i = 0; i < object->n_frames; i++) {
        const double values[] = {object->j[i], object->f[i]};
        dv_csv_put_text(stream, sequence->name);
        fprintf(stream, ",%d,", object->id);
        dv_csv_put_text(stream, sequence->frames[object->frames[i]]);
        fputc(',', stream);
        dv_csv_put_reals(stream, values, 2);
    }
}

void dv_jf_put_frames(const void *of, FILE *stream) {
    const dv_jf_result *const result = of;
    fputs("sequence,object,frame,j,f\n", stream);
    for (size_t i = 0; i < result->n_sequences; i++)
        for (size_t o = 0; o < result->sequences[i].n_objects; o++)
            put_object_frames(stream, &result->sequences[i], &result->sequences[i].objects[o]);
}

static dv_status begin_file(const char *folder, const char *name, dv_atomic_file **file, FILE **stream) {
    char *path;
    if (asprintf(&path, "%s/%s", folder, name) < 0) return dv_fail(DV_E_NOMEM, "no memory for a path");
    dv_status status = dv_atomic_file_begin(path, true, file);
    free(path);
    DV_TRY(status);
    status = dv_atomic_file_stream(*file, stream);
    if (status != DV_OK) dv_atomic_file_abandon(*file);
    return status;
}

dv_status dv_write_table(const char *folder, const char *name, void (*put)(const void *of, FILE *stream),
                         const void *of) {
    dv_atomic_file *file = NULL;
    FILE *stream = NULL;
    DV_TRY(begin_file(folder, name, &file, &stream));
    put(of, stream);
    return dv_atomic_file_commit(file); /* which looks at the stream's state */
}

dv_status dv_write_report(const char *folder, const char *name, dv_report *report) {
    dv_atomic_file *file = NULL;
    FILE *stream = NULL;
    char *text;
    DV_TRY(dv_report_json(report, &text));
    dv_status status = begin_file(folder, name, &file, &stream);
    if (status == DV_OK) {
        fputs(text, stream);
        status = dv_atomic_file_commit(file);
    }
    free(text);
    return status;
}

dv_status dv_jf_write(const char *folder, const dv_jf_result *result, const dv_jf_figures *figures, dv_report *results,
                      dv_report *resources) {
    DV_TRY(dv_write_table(folder, "global_results.csv", put_global, result));
    DV_TRY(dv_write_table(folder, "per-sequence_results.csv", put_objects, result));
    DV_TRY(dv_write_table(folder, "per-frame.csv", dv_jf_put_frames, result));
    if (figures && figures->n_worst) DV_TRY(dv_jf_draw_worst(folder, result, figures));
    if (figures && figures->curves) DV_TRY(dv_jf_draw_curves(folder, result));
    DV_TRY(dv_write_report(folder, "resources.json", resources));
    return dv_write_report(folder, "results.json", results);
}

dv_status dv_jf_save(const char *path, bool force, const dv_jf_result *result, const dv_jf_figures *figures,
                     dv_report *results, dv_report *resources) {
    dv_atomic_folder *folder;
    DV_TRY(dv_atomic_folder_begin(path, force, &folder));
    const dv_status status = dv_jf_write(dv_atomic_folder_temporary(folder), result, figures, results, resources);
    if (status == DV_OK) return dv_atomic_folder_commit(folder);
    dv_atomic_folder_abandon(folder);
    return status;
}
