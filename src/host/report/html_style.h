/* html_style.h: how a page looks: light or dark as its reader likes it, on narrow screens and in print. */
#ifndef DV_REPORT_HTML_STYLE_H
#define DV_REPORT_HTML_STYLE_H

extern const char dv_html_head[];  /* from the document type on, into <head> */
extern const char dv_html_style[]; /* the <style> element */

#endif
