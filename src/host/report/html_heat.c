/* html_heat.c: heat maps of confusion. */
#include "report/html_chart.h"
#include "report/html_text.h"

enum { LEAST_MARGIN = 40, CELL = 36, SMALL_CELL = 14, NUMBERED_COLUMNS = 20 };

static const double LEAST_SHARE = 0.003;

/* Sides of a cell, and of what stands above and beside all of them. */
typedef struct frame {
    int side, margin;
} frame;

static frame frame_of(const dv_html_heat *heat) {
    frame f = {heat->n_columns <= NUMBERED_COLUMNS ? CELL : SMALL_CELL, LEAST_MARGIN};
    for (size_t i = 0; i < heat->n_rows + heat->n_columns; i++) {
        const int width =
            dv_html_name_width(i < heat->n_rows ? heat->row_names[i] : heat->column_names[i - heat->n_rows]) + 8;
        if (width > f.margin) f.margin = width;
    }
    return f;
}

/* From white to a dark blue, one channel at a time. */
static int channel(double share, int dark) {
    return 255 - (int)(share * (255 - dark) + 0.5);
}

static void put_cell(FILE *stream, const dv_html_heat *heat, size_t row, size_t column, frame f) {
    const uint64_t count = heat->counts[row * heat->n_columns + column];
    if (count == 0) return;
    const double share = (double)count / (double)heat->row_totals[row];
    if (heat->n_columns > NUMBERED_COLUMNS && share < LEAST_SHARE) return; /* as white as none, to the eye */
    const int x = f.margin + (int)column * f.side, y = f.margin + (int)row * f.side;
    fprintf(stream, "<g><title>");
    dv_html_put_text(stream, heat->row_names[row]);
    fputs(" \xe2\x86\x92 ", stream);
    dv_html_put_text(stream, heat->column_names[column]);
    fprintf(stream, ": %llu, %.2f %%</title>", (unsigned long long)count, 100 * share);
    fprintf(stream, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#%02x%02x%02x\"/>", x, y, f.side, f.side,
            channel(share, 8), channel(share, 48), channel(share, 107));
    if (heat->n_columns <= NUMBERED_COLUMNS)
        fprintf(stream, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\" fill=\"%s\">%.0f</text>", x + f.side / 2,
                y + f.side / 2 + 4, share > 0.5 ? "#fff" : "#000", 100 * share);
    fputs("</g>\n", stream);
}

static void put_names(FILE *stream, const dv_html_heat *heat, frame f) {
    for (size_t row = 0; row < heat->n_rows; row++) {
        fprintf(stream, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">", f.margin - 4,
                f.margin + (int)row * f.side + f.side / 2 + 4);
        dv_html_put_start(stream, heat->row_names[row], DV_HTML_NAME_CHARACTERS);
        fputs("</text>\n", stream);
    }
    for (size_t column = 0; column < heat->n_columns; column++) {
        const int x = f.margin + (int)column * f.side + f.side / 2 + 4, y = f.margin - 4;
        fprintf(stream, "<text x=\"%d\" y=\"%d\" transform=\"rotate(-90 %d %d)\">", x, y, x, y);
        dv_html_put_start(stream, heat->column_names[column], DV_HTML_NAME_CHARACTERS);
        fputs("</text>\n", stream);
    }
}

void dv_html_put_heat(FILE *stream, const char *title, const dv_html_heat *heat) {
    const frame f = frame_of(heat);
    const int width = (int)heat->n_columns * f.side, height = (int)heat->n_rows * f.side;
    fprintf(stream, "<figure><svg role=\"img\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" font-size=\"11\">\n",
            f.margin + width + 2, f.margin + height + 2, f.margin + width + 2, f.margin + height + 2);
    fputs("<title>Confusion: ", stream);
    dv_html_put_text(stream, title);
    fputs("</title>\n", stream);
    put_names(stream, heat, f);
    for (size_t row = 0; row < heat->n_rows; row++)
        if (heat->row_totals[row] == 0)
            fprintf(stream, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#ddd\"/>\n", f.margin,
                    f.margin + (int)row * f.side, width, f.side);
    for (size_t row = 0; row < heat->n_rows; row++)
        for (size_t column = 0; column < heat->n_columns; column++) put_cell(stream, heat, row, column, f);
    fprintf(stream, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#888\"/>\n", f.margin,
            f.margin, width, height);
    fputs("</svg>\n<figcaption>", stream);
    dv_html_put_text(stream, title);
    fputs("</figcaption></figure>\n", stream);
}
