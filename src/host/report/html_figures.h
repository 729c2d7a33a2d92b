/* html_figures.h: what the figures of our own results show. */
#ifndef DV_REPORT_HTML_FIGURES_H
#define DV_REPORT_HTML_FIGURES_H

/* A sentence that needs no escapes, by the name of a figure in docs/FORMATS.md; "" for other files. Static lifetime,
 * the same pointer for figures of one kind */
const char *dv_html_figure_shows(const char *name);

#endif
