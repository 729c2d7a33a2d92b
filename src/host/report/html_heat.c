/* html_heat.c: heat maps of confusion. */
#include <string.h>

#include "core/utf8.h"
#include "report/html_chart.h"
#include "report/html_text.h"

enum { MARGIN = 150, CELL = 36, SMALL_CELL = 14, NUMBERED_COLUMNS = 20, NAME_CHARACTERS = 20, NAME_SIZE = 4 * 20 + 4 };

/* The first characters of a name. cut: char [NAME_SIZE] */
static const char *cut_name(const char *name, char *cut) {
    const char *end = name;
    for (size_t i = 0; i < NAME_CHARACTERS && *end; i++) {
        const size_t length = dv_utf8_bytes(end);
        end += length ? length : 1;
    }
    const size_t length = (size_t)(end - name);
    memcpy(cut, name, length);
    memcpy(cut + length, *end ? "\xe2\x80\xa6" : "", *end ? 4 : 1); /* an ellipsis, and the NUL */
    return cut;
}

/* From white to a dark blue, one channel at a time. */
static int channel(double share, int dark) {
    return 255 - (int)(share * (255 - dark) + 0.5);
}

static void put_cell(FILE *stream, const dv_html_heat *heat, size_t row, size_t column, int side) {
    const uint64_t count = heat->counts[row * heat->n_columns + column];
    if (count == 0) return;
    const double share = (double)count / (double)heat->row_totals[row];
    const int x = MARGIN + (int)column * side, y = MARGIN + (int)row * side;
    fprintf(stream, "<g><title>");
    dv_html_put_text(stream, heat->row_names[row]);
    fputs(" \xe2\x86\x92 ", stream);
    dv_html_put_text(stream, heat->column_names[column]);
    fprintf(stream, ": %llu, %.2f %%</title>", (unsigned long long)count, 100 * share);
    fprintf(stream, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#%02x%02x%02x\"/>", x, y, side, side,
            channel(share, 8), channel(share, 48), channel(share, 107));
    if (heat->n_columns <= NUMBERED_COLUMNS)
        fprintf(stream, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\" fill=\"%s\">%.0f</text>", x + side / 2,
                y + side / 2 + 4, share > 0.5 ? "#fff" : "#000", 100 * share);
    fputs("</g>\n", stream);
}

static void put_names(FILE *stream, const dv_html_heat *heat, int side) {
    char cut[NAME_SIZE];
    for (size_t row = 0; row < heat->n_rows; row++) {
        fprintf(stream, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">", MARGIN - 4,
                MARGIN + (int)row * side + side / 2 + 4);
        dv_html_put_text(stream, cut_name(heat->row_names[row], cut));
        fputs("</text>\n", stream);
    }
    for (size_t column = 0; column < heat->n_columns; column++) {
        const int x = MARGIN + (int)column * side + side / 2 + 4, y = MARGIN - 4;
        fprintf(stream, "<text x=\"%d\" y=\"%d\" transform=\"rotate(-90 %d %d)\">", x, y, x, y);
        dv_html_put_text(stream, cut_name(heat->column_names[column], cut));
        fputs("</text>\n", stream);
    }
}

void dv_html_put_heat(FILE *stream, const char *title, const dv_html_heat *heat) {
    const int side = heat->n_columns <= NUMBERED_COLUMNS ? CELL : SMALL_CELL;
    const int width = (int)heat->n_columns * side, height = (int)heat->n_rows * side;
    fprintf(stream, "<figure><svg role=\"img\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" font-size=\"11\">\n",
            MARGIN + width + 2, MARGIN + height + 2, MARGIN + width + 2, MARGIN + height + 2);
    fputs("<title>", stream);
    dv_html_put_text(stream, title);
    fputs("</title>\n", stream);
    put_names(stream, heat, side);
    for (size_t row = 0; row < heat->n_rows; row++)
        for (size_t column = 0; column < heat->n_columns; column++) put_cell(stream, heat, row, column, side);
    fprintf(stream, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#888\"/>\n", MARGIN,
            MARGIN, width, height);
    fputs("</svg>\n<figcaption>", stream);
    dv_html_put_text(stream, title);
    fputs("</figcaption></figure>\n", stream);
}
