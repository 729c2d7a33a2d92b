#include "denseval/plot.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/atomic_file.h"
#include "core/check.h"
#include "core/memory.h"
#include "report/plot_process.h"
#include "report/plot_script.h"

enum { LIMIT_S = 120, ASK_LIMIT_S = 10, SAID_SIZE = 1024, TAIL_SIZE = 16 };

typedef struct kind {
    const char *extension, *end; /* what the last TAIL_SIZE bytes hold */
    size_t n_end;
} kind;
static const kind kinds[DV_PLOT_TERMINALS] = {{".svg", "</svg>", 6}, {".png", "IEND", 4}};

/* ---- Output files -------------------------------------------------------------------------------------------------
 */

static dv_status begin_output(const char *path, const kind *of, bool force, dv_atomic_file **out, FILE **stream) {
    const size_t size = strlen(path) + strlen(of->extension) + 1;
    char *name;
    DV_TRY(dv_alloc(size, 1, "a path", &name));
    snprintf(name, size, "%s%s", path, of->extension);
    dv_status status = dv_atomic_file_begin(name, force, out);
    if (status == DV_OK) status = dv_atomic_file_stream(*out, stream);
    free(name);
    return status;
}

/* gnuplot does not say when a disk was full, so the end of a file must be there. */
static dv_status check_complete(const dv_atomic_file *file, const kind *of, const char *path) {
    char tail[TAIL_SIZE];
    FILE *written = fopen(dv_atomic_file_temporary(file), "rbe");
    if (!written) return dv_fail(DV_E_IO, "%s%s: cannot be read: %s", path, of->extension, dv_error_text(errno));
    const bool found = fseek(written, -(long)sizeof tail, SEEK_END) == 0 &&
                       fread(tail, 1, sizeof tail, written) == sizeof tail &&
                       memmem(tail, sizeof tail, of->end, of->n_end) != NULL;
    fclose(written);
    return found ? DV_OK : dv_fail(DV_E_IO, "%s%s: gnuplot left it incomplete", path, of->extension);
}

/* ---- Drawing ------------------------------------------------------------------------------------------------------
 */

static dv_status run_script(dv_plot_writer write, const void *figure, const int *outputs) {
    FILE *script;
    DV_TRY(dv_plot_memory_file(&script));
    write(script, figure);
    char said[SAID_SIZE];
    dv_status status = DV_OK;
    if (fflush(script) != 0 || ferror(script) || lseek(fileno(script), 0, SEEK_SET) != 0)
        status = dv_fail(DV_E_IO, "gnuplot: the script cannot be written: %s", dv_error_text(errno));
    if (status == DV_OK) status = dv_plot_run(NULL, fileno(script), outputs, LIMIT_S, said, sizeof said);
    fclose(script);
    return status;
}

dv_status dv_plot_draw(dv_plot_writer write, const void *figure, const char *path, bool force) {
    dv_atomic_file *files[DV_PLOT_TERMINALS] = {0};
    FILE *streams[DV_PLOT_TERMINALS];
    int outputs[DV_PLOT_TERMINALS];
    dv_status status = DV_OK;
    for (int i = 0; i < DV_PLOT_TERMINALS && status == DV_OK; i++) {
        status = begin_output(path, &kinds[i], force, &files[i], &streams[i]);
        if (status == DV_OK) outputs[i] = fileno(streams[i]);
    }
    if (status == DV_OK) status = dv_context(run_script(write, figure, outputs), "%s", path);
    for (int i = 0; i < DV_PLOT_TERMINALS && status == DV_OK; i++) status = check_complete(files[i], &kinds[i], path);
    for (int i = 0; i < DV_PLOT_TERMINALS; i++) {
        if (status == DV_OK)
            status = dv_atomic_file_commit(files[i]);
        else
            dv_atomic_file_abandon(files[i]);
    }
    return status;
}

bool dv_plot_usable(char *text, size_t size) {
    char said[SAID_SIZE];
    const dv_status status = dv_plot_run("--version", -1, NULL, ASK_LIMIT_S, said, sizeof said);
    snprintf(text, size, "%s", status == DV_OK ? said : dv_last_error());
    return status == DV_OK;
}
