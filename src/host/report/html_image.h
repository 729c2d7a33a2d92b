/* html_image.h: figures and pictures as data within a page. */
#ifndef DV_REPORT_HTML_IMAGE_H
#define DV_REPORT_HTML_IMAGE_H

#include "report/html_files.h"

#include <stdio.h>

/* Puts a file that was chosen to be shown; shows: what it does, without a need of escapes, "": not known. A figure is
 * put as an image, where no script of it can run and nothing of it is loaded. What is no PNG, or no SVG, is not shown
 * any more, and `why` says so. Fails with DV_E_DATA (the file has grown beyond its limit), DV_E_MISSING, DV_E_IO,
 * DV_E_NOMEM. */
DV_MUST_USE dv_status dv_html_put_image(FILE *stream, const char *folder, const char *shows, dv_html_file *file);

#endif
