/* html_text.h: untrusted bytes as text and data of an HTML page. */
#ifndef DV_REPORT_HTML_TEXT_H
#define DV_REPORT_HTML_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Text for the content of an element or an attribute in double quotes: nothing in it can open or close either. Bytes
 * that are not UTF-8, control characters and code points that HTML does not allow become U+FFFD; a carriage return
 * becomes a space. The stream is the caller's to check, here and below. */
void dv_html_put_text(FILE *stream, const char *text);

/* The first characters of a text, with an ellipsis where there are more. */
void dv_html_put_start(FILE *stream, const char *text, size_t n_characters);

/* A file as a data URI, for the value of an attribute. data: u8 [size]; type: "image/png" */
void dv_html_put_data(FILE *stream, const char *type, const uint8_t *data, size_t size);

/* "1.5 GiB", "812 bytes". text: char [DV_HTML_BYTES_SIZE]; returned for convenience */
enum { DV_HTML_BYTES_SIZE = 40 };
const char *dv_html_bytes_text(uint64_t size, char *text);

#endif
