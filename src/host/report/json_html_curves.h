/* json_html_curves.h: mIoU in every viewpoint bin, drawn from an analysis. */
#ifndef DV_REPORT_JSON_HTML_CURVES_H
#define DV_REPORT_JSON_HTML_CURVES_H

#include "report/html_document.h"

/* Draws `curves`: a panel a difficulty and memory, a curve an encoder, up to 24 panels of up to 21 curves. Fails with
 * DV_E_DATA where they are no list of objects, with DV_E_NOMEM. */
DV_MUST_USE dv_status dv_html_put_json_curves(FILE *stream, const dv_html_document *document);

#endif
