/* html_files.h: what lies in a result folder, and what of it a page shows. */
#ifndef DV_REPORT_HTML_FILES_H
#define DV_REPORT_HTML_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "denseval/status.h"

typedef enum dv_html_kind {
    DV_HTML_OTHER = 0,
    DV_HTML_JSON = 1,    /* by name alone */
    DV_HTML_FIGURE = 2,  /* SVG, or its PNG where the SVG is too large */
    DV_HTML_PICTURE = 3, /* PNG without an SVG of its name */
    DV_HTML_TWIN = 4     /* PNG beside the SVG that is shown */
} dv_html_kind;

typedef struct dv_html_file {
    char *name; /* path below the folder; owned */
    uint64_t size_bytes;
    dv_html_kind kind;
    bool shown;
    const char *why; /* it is not shown; NULL: nothing to say. Static lifetime */
} dv_html_file;

typedef struct dv_html_files {
    size_t n, capacity;
    dv_html_file *files; /* [n], in natural order of their names */
    bool marked;         /* the folder says that it is a result */
} dv_html_files;

enum {
    DV_HTML_IMAGE_BYTES = 16 << 20,  /* of the largest picture or figure that is shown */
    DV_HTML_IMAGES_BYTES = 64 << 20, /* of all that are shown */
    DV_HTML_PICTURES = 24            /* pictures that are shown at most */
};

/* Lists all files below a folder; links are not followed, and are files that are not shown. Fails with DV_E_MISSING (no
 * such folder), DV_E_DATA (a file; a run that is not finished; too many files, folders that lie too deep), DV_E_IO,
 * DV_E_NOMEM. *out: release with dv_html_files_clear, on failure too */
DV_MUST_USE dv_status dv_html_files_list(const char *folder, dv_html_files *out);
void dv_html_files_clear(dv_html_files *files);

/* Decides which images are shown: all figures, then of the pictures the contact sheet of each folder in place of all
 * others below that, else the first ones; within the limits above. */
void dv_html_files_choose(dv_html_files *files);

#endif
