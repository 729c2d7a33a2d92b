#include "report/plot_script.h"

#include <math.h>
#include <string.h>

#include "core/utf8.h"
#include "denseval/number.h"
#include "report/plot_process.h"

/* What no rule of gnuplot's looks at, not even before a string is parsed (as for ` and @). */
static bool is_harmless(unsigned char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c >= 0x80 ||
           (c && strchr(" .,:;-+=/()", c));
}

/* Between double quotes any other byte can stand as its octal number. */
static void put_character(FILE *script, const char *text, size_t n_bytes, bool tick) {
    const unsigned char c = (unsigned char)*text;
    if (n_bytes == 0)
        fputs(DV_UTF8_REPLACEMENT, script);
    else if (c < ' ' || c == 0x7f)
        fputc(' ', script);
    else if (is_harmless(c))
        fwrite(text, 1, n_bytes, script);
    else
        fprintf(script, tick && c == '%' ? "\\045\\045" : "\\%03o", c);
}

static void put_text(FILE *script, const char *text, size_t most, bool tick) {
    const bool cut = dv_utf8_count(text) > most;
    fputc('"', script);
    for (size_t n = 0; *text && n + (cut ? 3 : 0) < most; n++) {
        const size_t bytes = dv_utf8_bytes(text);
        put_character(script, text, bytes, tick);
        text += bytes ? bytes : 1;
    }
    fputs(cut ? "...\"" : "\"", script);
}

void dv_plot_text(FILE *script, const char *text, size_t most) {
    put_text(script, text, most, false);
}

void dv_plot_tick_text(FILE *script, const char *text, size_t most) {
    put_text(script, text, most, true);
}

void dv_plot_number(FILE *script, double value) {
    char number[DV_NUMBER_SIZE];
    fputs(isfinite(value) ? dv_format_double(value, number) : "NaN", script);
}

/* Source: Okabe, Ito, Color Universal Design, 2008; without its yellow, which paper does not show. */
const char *dv_plot_colour(size_t name) {
    static const char *const colours[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                          "#E69F00", "#56B4E9", "#000000", "#7F7F7F"};
    return colours[name % (sizeof colours / sizeof *colours)];
}

void dv_plot_begin(FILE *script, int terminal, dv_plot_size size) {
    static const char look[] = "noenhanced font 'DejaVu Sans,11' background '#FFFFFF'";
    fputs("reset\nset encoding utf8\nset decimalsign '.'\n", script);
    if (terminal == 0)
        fprintf(script, "set terminal svg size %.0f,%.0f %s\nset output '" DV_PLOT_SVG "'\n", size.width, size.height,
                look);
    else
        fprintf(script,
                "set terminal pngcairo size %.0f,%.0f %s fontscale 1.5 linewidth 2 pointscale 2\n"
                "set output '" DV_PLOT_PNG "'\n",
                2.0 * size.width, 2.0 * size.height, look);
    fputs("set multiplot\nunset key\nset border 3 lc rgb '#444444'\n"
          "set tics nomirror out scale 0.5 textcolor rgb '#000000'\n"
          "set style line 100 lc rgb '#DDDDDD' lw 0.7 dt solid\nset grid xtics ytics back ls 100\n",
          script);
}

void dv_plot_end(FILE *script) {
    fputs("unset multiplot\nset output\n", script);
}

static void put_fraction(FILE *script, const char *what, double fraction) {
    fprintf(script, "set %s at screen ", what);
    dv_plot_number(script, fraction);
    fputc('\n', script);
}

void dv_plot_place(FILE *script, dv_plot_size size, dv_plot_area area) {
    put_fraction(script, "lmargin", area.left / size.width);
    put_fraction(script, "rmargin", area.right / size.width);
    put_fraction(script, "tmargin", 1.0 - area.top / size.height);
    put_fraction(script, "bmargin", 1.0 - area.bottom / size.height);
}

void dv_plot_label(FILE *script, dv_plot_size size, double x, double y, const char *text, size_t most,
                   const char *look) {
    fputs("set label ", script);
    dv_plot_text(script, text, most);
    fputs(" at screen ", script);
    dv_plot_number(script, x / size.width);
    fputs(", screen ", script);
    dv_plot_number(script, 1.0 - y / size.height);
    fprintf(script, " %s noenhanced\n", look);
}
