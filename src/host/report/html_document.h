/* html_document.h: a result in JSON, and the parts of a page that show it. */
#ifndef DV_REPORT_HTML_DOCUMENT_H
#define DV_REPORT_HTML_DOCUMENT_H

#include <stdbool.h>
#include <stdio.h>

#include "denseval/status.h"

enum { DV_HTML_JSON_BYTES = 256 << 20 }; /* of the largest file that is read */

typedef struct dv_html_document {
    const char *file;    /* path below the folder; borrowed */
    struct json_t *root; /* an object of a schema that we write; NULL: another JSON file. Owned */
} dv_html_document;

/* Reads a file of the folder. Fails with DV_E_DATA (no JSON: with line and column; too large), DV_E_MISSING, DV_E_IO,
 * DV_E_NOMEM; the message begins with the path. *out: release with dv_html_document_clear */
DV_MUST_USE dv_status dv_html_document_read(const char *folder, const char *file, dv_html_document *out);
void dv_html_document_clear(dv_html_document *document);

/* Each puts its part of the page for one document, nothing where that has none. They fail with DV_E_DATA where a key
 * has a value of another kind than it must have, and with DV_E_NOMEM; messages begin with the file. */

/* One table, a line a document: file, command, protocol, version, and whether it is partial. */
DV_MUST_USE dv_status dv_html_put_runs(FILE *stream, const dv_html_document *documents, size_t n);
/* "sweep", "jf (davis2017-semi)" of all documents, each once. Not escaped; the caller's until free() */
DV_MUST_USE dv_status dv_html_commands(const dv_html_document *documents, size_t n, char **text);

/* Settings and inputs of documents[place]; those of one before it are not told again. */
DV_MUST_USE dv_status dv_html_put_settings(FILE *stream, const dv_html_document *documents, size_t place);
bool dv_html_has_settings(const dv_html_document *document);
/* All tables of scores. */
DV_MUST_USE dv_status dv_html_put_result(FILE *stream, const dv_html_document *document);
bool dv_html_has_result(const dv_html_document *document);
/* Heat maps of confusion. */
DV_MUST_USE dv_status dv_html_put_confusion(FILE *stream, const dv_html_document *document);
bool dv_html_has_confusion(const dv_html_document *document);

/* What all of them cost: one table, a line a run, part and rank. */
DV_MUST_USE dv_status dv_html_put_resources(FILE *stream, const dv_html_document *documents, size_t n);
bool dv_html_has_resources(const dv_html_document *documents, size_t n);

#endif
