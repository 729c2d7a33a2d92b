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
#include "report/html_files.h"
#include "report/html_image.h"
#include "report/html_text.h"

enum { MOST_NAMED = 1000 };

/* No script, no address: a browser that obeys the policy loads nothing, whatever a figure or a name may hold. */
static const char page_head[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src "
    "'unsafe-inline'\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";

static const char page_style[] =
    "<style>\n"
    "body{font:15px/1.45 system-ui,sans-serif;margin:0 auto;max-width:1200px;padding:0 1.2em 3em;color:#1a1a1a}\n"
    "h1{font-size:1.6em}h2{margin-top:2em;border-bottom:1px solid #ccc}h3{margin:1.4em 0 .4em}\n"
    "nav a{margin-right:1.2em}a{color:#0050a0}\n"
    ".wide{overflow-x:auto;margin:.6em 0 1.2em}table{border-collapse:collapse;font-size:.9em}\n"
    "caption{text-align:left;font-weight:600;padding:.3em 0}\n"
    "th,td{border:1px solid #ddd;padding:.2em .6em;text-align:left;vertical-align:top;unicode-bidi:isolate;"
    "overflow-wrap:anywhere}\n"
    "th{background:#f3f3f3;overflow-wrap:normal}.n{text-align:right;font-variant-numeric:tabular-nums;"
    "white-space:nowrap}\n"
    "figure{margin:1em 0;display:inline-block;max-width:100%}img,svg{max-width:100%;height:auto;background:#fff}\n"
    "figcaption{font-size:.9em;color:#444;unicode-bidi:isolate}summary{cursor:pointer;margin:.3em 0}\n"
    "footer{margin-top:3em;font-size:.85em;color:#555}\n"
    "</style>\n";

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

static void put_file_heading(const page *p, const char *name) {
    fputs("<h3>", p->stream);
    dv_html_put_text(p->stream, name);
    fputs("</h3>\n", p->stream);
}

/* One part of each document that has it. */
static dv_status put_documents(const page *p, bool (*has)(const dv_html_document *),
                               dv_status (*put)(FILE *, const dv_html_document *)) {
    for (size_t i = 0; i < p->n_documents; i++) {
        DV_TRY(dv_check_interrupted());
        if (has && !has(&p->documents[i])) continue;
        put_file_heading(p, p->documents[i].file);
        DV_TRY(dv_context(put(p->stream, &p->documents[i]), "%s", p->folder));
    }
    return DV_OK;
}

static bool has_runs(const page *p) {
    return p->n_documents > 0;
}

static dv_status put_runs(page *p) {
    return put_documents(p, NULL, dv_html_put_run);
}

static bool has_results(const page *p) {
    for (size_t i = 0; i < p->n_documents; i++)
        if (dv_html_has_result(&p->documents[i])) return true;
    return false;
}

static dv_status put_results(page *p) {
    return put_documents(p, dv_html_has_result, dv_html_put_result);
}

static bool has_confusions(const page *p) {
    for (size_t i = 0; i < p->n_documents; i++)
        if (dv_html_has_confusion(&p->documents[i])) return true;
    return false;
}

static dv_status put_confusions(page *p) {
    fputs("<p>Rows are the truth, columns the prediction before relabelling; a cell is its share of the row.</p>\n",
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

static dv_status put_images(page *p, dv_html_kind kind, const char *what) {
    for (size_t i = 0; i < p->files.n; i++) {
        dv_html_file *const file = &p->files.files[i];
        if (file->kind != kind || !file->shown) continue;
        DV_TRY(dv_check_interrupted());
        DV_TRY(dv_html_put_image(p->stream, p->folder, file));
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
    fputs("<p>Files that this page shows nothing of:</p>\n<ul>\n", p->stream);
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
    return DV_OK;
}

static const part parts[] = {
    {"run", "What was run", has_runs, put_runs},
    {"results", "Results", has_results, put_results},
    {"confusion", "Confusion", has_confusions, put_confusions},
    {"figures", "Figures", has_figures, put_figures},
    {"pictures", "Pictures", has_pictures, put_pictures},
    {"resources", "Resources", has_resources, put_resources},
    {"passed-over", "Passed over", has_passed_over, put_passed_over},
};

/* ---- The page -----------------------------------------------------------------------------------------------------
 */

/* The name of the folder itself, however it was given. */
static dv_status put_name(page *p) {
    char *const whole = realpath(p->folder, NULL);
    if (!whole) return dv_fail(DV_E_IO, "%s: cannot find its name: %s", p->folder, dv_error_text(errno));
    const char *const slash = strrchr(whole, '/');
    dv_html_put_text(p->stream, slash && slash[1] ? slash + 1 : whole);
    free(whole);
    return DV_OK;
}

static dv_status put_page(page *p) {
    fputs(page_head, p->stream);
    fputs("<title>denseval: ", p->stream);
    DV_TRY(put_name(p));
    fprintf(p->stream, "</title>\n%s</head>\n<body>\n<header><h1>Results: ", page_style);
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
