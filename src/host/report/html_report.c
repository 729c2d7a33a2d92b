/* html_report.c: the page of a result folder, part by part. */
#include "denseval/html_report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/atomic_file.h"
#include "core/check.h"
#include "core/memory.h"
#include "denseval/version.h"
#include "report/html_document.h"
#include "report/html_figures.h"
#include "report/html_files.h"
#include "report/html_image.h"
#include "report/html_style.h"
#include "report/html_text.h"

enum { MOST_NAMED = 1000, MOST_UNFOLDED = 8, MOST_TITLE = 120 };

typedef struct page {
    FILE *stream;
    const char *folder;
    dv_html_files files;
    dv_html_document *documents; /* [n_documents] */
    size_t n_documents;
} page;

/* A part of the page: is it there, and what it holds. */
typedef struct part {
    const char *id, *title;
    bool (*has)(const page *p);
    dv_status (*put)(page *p);
} part;

/* ---- Reading ------------------------------------------------------------------------------------------------------
 */

static dv_status read_documents(page *p) {
    DV_TRY(dv_alloc(p->files.n, sizeof *p->documents, "results of a folder", &p->documents));
    for (size_t i = 0; i < p->files.n; i++) {
        dv_html_file *const file = &p->files.files[i];
        if (file->kind != DV_HTML_JSON) continue;
        DV_TRY(dv_check_interrupted());
        DV_TRY(dv_html_document_read(p->folder, file->name, &p->documents[p->n_documents]));
        file->shown = p->documents[p->n_documents].root != NULL;
        p->n_documents += file->shown;
        if (!file->shown) file->why = "JSON of no schema that is known";
    }
    return DV_OK;
}

static bool has_image(const page *p, dv_html_kind kind) {
    for (size_t i = 0; i < p->files.n; i++)
        if (p->files.files[i].kind == kind) return true;
    return false;
}

/* Pictures alone are a result where the folder says so: any folder may hold some. */
static dv_status check_known(const page *p) {
    if (p->n_documents) return DV_OK;
    if (p->files.marked && (has_image(p, DV_HTML_PICTURE) || has_image(p, DV_HTML_FIGURE))) return DV_OK;
    return dv_fail(DV_E_DATA, "%s: holds no result of this program", p->folder);
}

/* ---- Parts --------------------------------------------------------------------------------------------------------
 */

/* "results.json: jf (davis2017-semi)" */
static dv_status put_file_heading(const page *p, const dv_html_document *document) {
    char *command;
    DV_TRY(dv_html_commands(document, 1, &command));
    fputs("<h3>", p->stream);
    dv_html_put_text(p->stream, document->file);
    if (*command) fputs(": ", p->stream);
    dv_html_put_start(p->stream, command, MOST_TITLE);
    fputs("</h3>\n", p->stream);
    free(command);
    return DV_OK;
}

/* One part of each document that has it. */
static dv_status put_documents(const page *p, bool (*has)(const dv_html_document *),
                               dv_status (*put)(FILE *, const dv_html_document *)) {
    for (size_t i = 0; i < p->n_documents; i++) {
        DV_TRY(dv_check_interrupted());
        if (!has(&p->documents[i])) continue;
        DV_TRY(put_file_heading(p, &p->documents[i]));
        DV_TRY(dv_context(put(p->stream, &p->documents[i]), "%s", p->folder));
    }
    return DV_OK;
}

static bool has_runs(const page *p) {
    return p->n_documents > 0;
}

static dv_status put_runs(page *p) {
    fputs("<p class=\"soft\">Scores are shares of 1 where no unit is given. Numbers are rounded here; the files hold "
          "them "
          "in full. \"-\" is no value.</p>\n",
          p->stream);
    return dv_html_put_runs(p->stream, p->documents, p->n_documents);
}

static bool any_document(const page *p, bool (*has)(const dv_html_document *document)) {
    for (size_t i = 0; i < p->n_documents; i++)
        if (has(&p->documents[i])) return true;
    return false;
}

static bool has_settings(const page *p) {
    return any_document(p, dv_html_has_settings);
}

static dv_status put_settings(page *p) {
    for (size_t i = 0; i < p->n_documents; i++) {
        DV_TRY(dv_check_interrupted());
        if (!dv_html_has_settings(&p->documents[i])) continue;
        DV_TRY(put_file_heading(p, &p->documents[i]));
        DV_TRY(dv_context(dv_html_put_settings(p->stream, p->documents, i), "%s", p->folder));
    }
    return DV_OK;
}

static bool has_results(const page *p) {
    return any_document(p, dv_html_has_result);
}

static dv_status put_results(page *p) {
    return put_documents(p, dv_html_has_result, dv_html_put_result);
}

static bool has_confusions(const page *p) {
    return any_document(p, dv_html_has_confusion);
}

static dv_status put_confusions(page *p) {
    fputs(
        "<p>Rows are the truth, columns the prediction before relabelling; a cell is its share of the row, from white "
        "(none) to dark blue (all), in percent where there is a number. A gray row is a class that the truth "
        "lacks.</p>\n",
        p->stream);
    return put_documents(p, dv_html_has_confusion, dv_html_put_confusion);
}

static size_t count_left_out(const page *p, dv_html_kind kind) {
    size_t n = 0;
    for (size_t i = 0; i < p->files.n; i++) n += p->files.files[i].kind == kind && !p->files.files[i].shown;
    return n;
}

static size_t count_shown(const page *p, dv_html_kind kind) {
    size_t n = 0;
    for (size_t i = 0; i < p->files.n; i++) n += p->files.files[i].kind == kind && p->files.files[i].shown;
    return n;
}

/* Says how many images are left out, and names them with the reason. */
static void put_left_out(const page *p, dv_html_kind kind, const char *what) {
    const size_t n = count_left_out(p, kind);
    size_t n_named = 0;
    if (n == 0) return;
    fprintf(p->stream, "<details><summary>%zu of %zu %s left out</summary>\n<ul>\n", n, n + count_shown(p, kind), what);
    for (size_t i = 0; i < p->files.n && n_named < MOST_NAMED; i++) {
        const dv_html_file *const file = &p->files.files[i];
        if (file->kind != kind || file->shown) continue;
        fputs("<li>", p->stream);
        dv_html_put_text(p->stream, file->name);
        fprintf(p->stream, ": %s</li>\n", file->why ? file->why : "");
        n_named++;
    }
    fputs("</ul>\n", p->stream);
    if (n > n_named) fprintf(p->stream, "<p>and %zu more</p>\n", n - n_named);
    fputs("</details>\n", p->stream);
}

static bool is_shown(const dv_html_file *file, dv_html_kind kind) {
    return file->kind == kind && file->shown;
}

/* The end of the images from files[first] on that show the same; *n: how many they are. An image of no known kind
 * stands alone. */
static size_t end_of_group(const page *p, size_t first, size_t *n) {
    const dv_html_file *const files = p->files.files;
    const char *const shows = dv_html_figure_shows(files[first].name);
    size_t end = first + 1;
    *n = 1;
    for (size_t i = end; *shows && i < p->files.n; i++) {
        if (!is_shown(&files[i], files[first].kind)) continue;
        if (dv_html_figure_shows(files[i].name) != shows) break;
        end = i + 1;
        ++*n;
    }
    return end;
}

/* What they show stands above them; many are folded. */
static dv_status put_group(page *p, size_t first, size_t end, size_t n) {
    const dv_html_kind kind = p->files.files[first].kind;
    const char *const shows = dv_html_figure_shows(p->files.files[first].name);
    if (n > MOST_UNFOLDED) fprintf(p->stream, "<details><summary>%s: %zu figures</summary>\n", shows, n);
    if (n <= MOST_UNFOLDED && *shows) fprintf(p->stream, "<p>%s</p>\n", shows);
    for (size_t i = first; i < end; i++) {
        DV_TRY(dv_check_interrupted());
        if (is_shown(&p->files.files[i], kind))
            DV_TRY(dv_html_put_image(p->stream, p->folder, shows, &p->files.files[i]));
    }
    if (n > MOST_UNFOLDED) fputs("</details>\n", p->stream);
    return DV_OK;
}

static dv_status put_images(page *p, dv_html_kind kind, const char *what) {
    for (size_t first = 0, end, n; first < p->files.n; first = end) {
        end = first + 1;
        if (!is_shown(&p->files.files[first], kind)) continue;
        end = end_of_group(p, first, &n);
        DV_TRY(put_group(p, first, end, n));
    }
    put_left_out(p, kind, what);
    return DV_OK;
}

static bool has_figures(const page *p) {
    return has_image(p, DV_HTML_FIGURE);
}

static dv_status put_figures(page *p) {
    return put_images(p, DV_HTML_FIGURE, "figures");
}

static bool has_pictures(const page *p) {
    return has_image(p, DV_HTML_PICTURE);
}

static dv_status put_pictures(page *p) {
    return put_images(p, DV_HTML_PICTURE, "pictures");
}

static bool has_resources(const page *p) {
    return dv_html_has_resources(p->documents, p->n_documents);
}

static dv_status put_resources(page *p) {
    return dv_html_put_resources(p->stream, p->documents, p->n_documents);
}

/* Files that no part shows. */
static bool is_passed_over(const dv_html_file *file) {
    return file->kind == DV_HTML_OTHER || (file->kind == DV_HTML_JSON && !file->shown);
}

static size_t count_passed_over(const page *p) {
    size_t n = 0;
    for (size_t i = 0; i < p->files.n; i++) n += is_passed_over(&p->files.files[i]);
    return n;
}

static bool has_passed_over(const page *p) {
    return count_passed_over(p) > 0;
}

static dv_status put_passed_over(page *p) {
    const size_t n = count_passed_over(p);
    size_t n_named = 0;
    fprintf(p->stream, "<details><summary>Files that this page shows nothing of: %zu</summary>\n<ul>\n", n);
    for (size_t i = 0; i < p->files.n && n_named < MOST_NAMED; i++) {
        const dv_html_file *const file = &p->files.files[i];
        char size[DV_HTML_BYTES_SIZE];
        if (!is_passed_over(file)) continue;
        fputs("<li>", p->stream);
        dv_html_put_text(p->stream, file->name);
        fprintf(p->stream, ": %s</li>\n", file->why ? file->why : dv_html_bytes_text(file->size_bytes, size));
        n_named++;
    }
    fputs("</ul>\n", p->stream);
    if (n > n_named) fprintf(p->stream, "<p>and %zu more</p>\n", n - n_named);
    fputs("</details>\n", p->stream);
    return DV_OK;
}

static const part parts[] = {
    {"run", "What was run", has_runs, put_runs},
    {"results", "Results", has_results, put_results},
    {"confusion", "Confusion", has_confusions, put_confusions},
    {"figures", "Figures", has_figures, put_figures},
    {"pictures", "Pictures", has_pictures, put_pictures},
    {"resources", "Resources", has_resources, put_resources},
    {"settings", "Settings and inputs", has_settings, put_settings},
    {"passed-over", "Other files", has_passed_over, put_passed_over},
};

/* ---- The page -----------------------------------------------------------------------------------------------------
 */

/* What was run, and the name of the folder itself, however it was given. */
static dv_status put_name(page *p) {
    char *commands;
    DV_TRY(dv_html_commands(p->documents, p->n_documents, &commands));
    fputs(*commands ? "denseval " : "denseval", p->stream);
    dv_html_put_start(p->stream, commands, MOST_TITLE);
    free(commands);
    char *const whole = realpath(p->folder, NULL);
    if (!whole) return dv_fail(DV_E_IO, "%s: cannot find its name: %s", p->folder, dv_error_text(errno));
    const char *const slash = strrchr(whole, '/');
    fputs(": ", p->stream);
    dv_html_put_text(p->stream, slash && slash[1] ? slash + 1 : whole);
    free(whole);
    return DV_OK;
}

static dv_status put_page(page *p) {
    fputs(dv_html_head, p->stream);
    fputs("<title>", p->stream);
    DV_TRY(put_name(p));
    fprintf(p->stream, "</title>\n%s</head>\n<body>\n<header><h1>", dv_html_style);
    DV_TRY(put_name(p));
    fputs("</h1>\n<nav>", p->stream);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].has(p)) fprintf(p->stream, "<a href=\"#%s\">%s</a>\n", parts[i].id, parts[i].title);
    fputs("</nav></header>\n<main>\n", p->stream);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (!parts[i].has(p)) continue;
        fprintf(p->stream, "<section id=\"%s\"><h2>%s</h2>\n", parts[i].id, parts[i].title);
        DV_TRY(parts[i].put(p));
        fputs("</section>\n", p->stream);
    }
    fprintf(p->stream, "</main>\n<footer>denseval %s</footer>\n</body>\n</html>\n", dv_version());
    return DV_OK;
}

static dv_status write_page(page *p, const char *path, bool force) {
    dv_atomic_file *file;
    DV_TRY(dv_atomic_file_begin(path, force, &file));
    dv_status status = dv_atomic_file_stream(file, &p->stream);
    if (status == DV_OK) status = put_page(p);
    if (status == DV_OK && ferror(p->stream)) status = dv_fail(DV_E_IO, "%s: cannot write", path);
    if (status == DV_OK) return dv_atomic_file_commit(file);
    dv_atomic_file_abandon(file);
    return status;
}

static void count_all(const page *p, dv_html_report *out) {
    out->n_results = p->n_documents;
    out->n_figures = count_shown(p, DV_HTML_FIGURE);
    out->n_pictures = count_shown(p, DV_HTML_PICTURE);
    out->n_left_out = count_left_out(p, DV_HTML_FIGURE) + count_left_out(p, DV_HTML_PICTURE);
    out->n_passed_over = count_passed_over(p);
}

dv_status dv_html_report_save(const char *folder, const char *path, bool force, dv_html_report *out) {
    page p = {.folder = folder};
    *out = (dv_html_report){0};
    dv_status status = dv_html_files_list(folder, &p.files);
    if (status == DV_OK) status = read_documents(&p);
    if (status == DV_OK) status = check_known(&p);
    if (status == DV_OK) {
        dv_html_files_choose(&p.files);
        status = write_page(&p, path, force);
    }
    if (status == DV_OK) count_all(&p, out);
    for (size_t i = 0; i < p.n_documents; i++) dv_html_document_clear(&p.documents[i]);
    free(p.documents);
    dv_html_files_clear(&p.files);
    return status;
}
