/* Figures: what gnuplot makes of them, of names that are no friends of scripts, and what is said when it cannot. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "denseval/image.h"
#include "denseval/plot.h"
#include "denseval/run.h"
#include "report/plot_process.h"
#include "report/plot_script.h"
#include "unit/core/scratch.h"

static char *real_path; /* of PATH */
static bool has_gnuplot;

static int begin(void **state) {
    char text[200];
    real_path = strdup(getenv("PATH"));
    has_gnuplot = dv_plot_usable(text, sizeof text);
    return scratch_open(state);
}

static int end(void **state) {
    free(real_path);
    return scratch_close(state);
}

/* A program called gnuplot that is alone on PATH (so it may use what the shell has inside, and nothing else). */
static void put_program(const char *body) {
    char text[2000];
    snprintf(text, sizeof text, "#!/bin/sh\n%s\n", body);
    assert_int_equal(scratch_write_text("gnuplot", text), 0);
    assert_int_equal(chmod(scratch("gnuplot"), 0755), 0);
    setenv("PATH", scratch("."), 1);
}

static int restore(void **state) {
    (void)state;
    setenv("PATH", real_path, 1);
    unlink(scratch("gnuplot"));
    dv_interrupt_clear();
    return 0;
}

/* ---- A small figure -----------------------------------------------------------------------------------------------
 */

static const double bins[4] = {0, 30, 60, 90}, falling[4] = {0.8, 0.7, NAN, 0.5}, lows[4] = {0.75, 0.65, NAN, 0.4},
                    highs[4] = {0.85, 0.75, NAN, 0.6};
static const unsigned char marks[4] = {DV_MARK_RING, DV_MARK_CROSS, 0, DV_MARK_RING | DV_MARK_CROSS};

static dv_status draw(const char *const *names, size_t n_names, const char *title, const char *path) {
    dv_plot_line lines[3];
    for (size_t i = 0; i < 3; i++) lines[i] = (dv_plot_line){.name = i % n_names, .n = 4, .x = bins, .y = falling};
    lines[0].low = lows;
    lines[0].high = highs;
    lines[0].mark = marks;
    const dv_plot_panel panels[3] = {{title, 2, lines}, {NULL, 3, lines}, {"nothing", 0, NULL}};
    const dv_plot_figure figure = {.title = title,
                                   .x_label = title,
                                   .y_label = title,
                                   .names = names,
                                   .n_names = n_names,
                                   .ring_name = title,
                                   .cross_name = title,
                                   .panels = panels,
                                   .n_panels = 3,
                                   .ticks = bins,
                                   .tick_names = (const char *const[]){title, "30%g", "60", "90"},
                                   .n_ticks = 4,
                                   .guide = NAN};
    return dv_plot_figure_draw(&figure, path, true);
}

static dv_status draw_plain(const char *path) {
    return draw((const char *const[]){"one", "two"}, 2, "title", path);
}

static char *read_file(const char *path, size_t *n) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    *n = (size_t)ftell(file);
    rewind(file);
    char *bytes = calloc(*n + 1, 1);
    assert_int_equal(fread(bytes, 1, *n, file), *n);
    fclose(file);
    return bytes;
}

static char *read_svg(const char *name) {
    size_t n;
    char *text = read_file(scratch(name), &n);
    assert_non_null(strstr(text, "</svg>"));
    return text;
}

#define NEEDS_GNUPLOT                                                                                                  \
    if (!has_gnuplot) skip()

static void a_figure_is_an_svg_and_a_png_of_twice_its_size(void **state) {
    (void)state;
    NEEDS_GNUPLOT;
    assert_int_equal(draw_plain(scratch("figure")), DV_OK);
    char *svg = read_svg("figure.svg");
    int width = 0, height = 0;
    const char *at = strstr(svg, "viewBox=\"0 0 ");
    assert_non_null(at);
    assert_int_equal(sscanf(at, "viewBox=\"0 0 %d %d", &width, &height), 2);
    assert_non_null(strstr(svg, "<text>one</text>"));
    assert_non_null(strstr(svg, "<text>30%g</text>"));
    free(svg);
    size_t n;
    unsigned char *png = (unsigned char *)read_file(scratch("figure.png"), &n);
    assert_memory_equal(png, "\x89PNG\r\n\x1a\n", 8);
    assert_int_equal(png[18] * 256 + png[19], 2 * width);
    assert_int_equal(png[22] * 256 + png[23], 2 * height);
    free(png);
    assert_int_equal(scratch_count("."), 2); /* nothing of the way there is left */
}

static void the_same_figure_is_the_same_bytes(void **state) {
    (void)state;
    NEEDS_GNUPLOT;
    const char *const kinds[] = {"svg", "png"};
    assert_int_equal(draw_plain(scratch("a")), DV_OK);
    const struct timespec second = {.tv_sec = 1, .tv_nsec = 50000000}; /* so that a time stamp would differ */
    nanosleep(&second, NULL);
    assert_int_equal(draw_plain(scratch("b")), DV_OK);
    for (size_t i = 0; i < 2; i++) {
        char a[8], b[8];
        size_t n_a, n_b;
        snprintf(a, sizeof a, "a.%s", kinds[i]);
        snprintf(b, sizeof b, "b.%s", kinds[i]);
        char *bytes_a = read_file(scratch(a), &n_a), *bytes_b = read_file(scratch(b), &n_b);
        assert_int_equal(n_a, n_b);
        assert_memory_equal(bytes_a, bytes_b, n_a);
        free(bytes_a);
        free(bytes_b);
    }
}

/* Each would do something if a script read it as anything but text. */
static void names_are_text_whatever_is_in_them(void **state) {
    (void)state;
    NEEDS_GNUPLOT;
    char made[300], touch[300];
    snprintf(made, sizeof made, "`touch %s`", scratch("made"));
    snprintf(touch, sizeof touch, "'; system('touch %s'); '", scratch("made"));
    const char *const names[] = {made,         touch,   "it's \"quoted\"", "a_b^c {/Bold=40 d} @e &{f}",
                                 "%g %d %s %", "\\n\\", "two\nlines\rX",   "$L0_0",
                                 "EOD",        ""};
    const char *const shown[] = {NULL,         NULL,    "it's \"quoted\"", "a_b^c {/Bold=40 d} @e &amp;{f}",
                                 "%g %d %s %", "\\n\\", "two lines X",     "$L0_0",
                                 "EOD",        NULL};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *const legend[] = {names[i], "other"};
        if (draw(legend, 2, names[i], scratch("names")) != DV_OK) fail_msg("%s: %s", names[i], dv_last_error());
        assert_false(scratch_exists("made"));
        char *svg = read_svg("names.svg");
        size_t n = 0;
        for (const char *at = svg; shown[i] && (at = strstr(at, shown[i])); at++) n++;
        if (shown[i]) assert_true(n >= 8); /* heading, panel, axes, tick, legend, marks */
        free(svg);
    }
}

static void bytes_that_are_no_utf8_are_replaced_and_long_names_cut(void **state) {
    (void)state;
    NEEDS_GNUPLOT;
    char name[400] = "\xc3\xa9\xff";
    memset(name + 3, 'x', 300);
    assert_int_equal(draw((const char *const[]){name}, 1, "title", scratch("long")), DV_OK);
    char *svg = read_svg("long.svg");
    assert_non_null(strstr(svg, "<text>\xc3\xa9\xef\xbf\xbdxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...</text>"));
    free(svg);
}

static void a_heat_map_shows_its_numbers_and_leaves_out_what_is_missing(void **state) {
    (void)state;
    NEEDS_GNUPLOT;
    const double values[6] = {0.125, 0.25, NAN, 0.5, 7.0, INFINITY};
    const dv_plot_matrix matrix = {.title = "from",
                                   .x_label = "bank",
                                   .y_label = "query",
                                   .value_label = "share",
                                   .n_rows = 2,
                                   .n_columns = 3,
                                   .row_names = (const char *const[]){"r0", "r1%g"},
                                   .column_names = (const char *const[]){"c0", "c1", "a long name"},
                                   .values = values,
                                   .low = 0,
                                   .high = 1};
    if (dv_plot_matrix_draw(&matrix, scratch("map"), true) != DV_OK) fail_msg("%s", dv_last_error());
    char *svg = read_svg("map.svg");
    const char *const texts[] = {"0.125", "0.25", "0.5", "7", "r1%g", "a long name", "share"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char text[40];
        snprintf(text, sizeof text, "<text>%s</text>", texts[i]);
        assert_non_null(strstr(svg, text));
    }
    free(svg);
    dv_plot_matrix none = matrix;
    none.values = (const double[]){NAN, NAN, NAN, NAN, NAN, NAN};
    assert_int_equal(dv_plot_matrix_draw(&none, scratch("map"), true), DV_OK);
}

static void find(const char *from, const char *text) {
    if (!strstr(from, text)) fail_msg("%s: not there", text);
}

/* Two things in two groups: values 1 to 5 and an outlier at 9; nothing; one value; four. */
static const double of_six[] = {1, 2, 3, 4, 5, 9}, of_one[] = {6}, of_four[] = {0, 2, 6, 8};
static const double *const box_values[4] = {of_six, NULL, of_one, of_four};

static const char *const box_groups[] = {"near", "far (%d)"}, *const box_names[] = {"one", "two"};

static dv_plot_boxes two_by_two(dv_box *boxes) {
    static const size_t n[4] = {6, 0, 1, 4};
    double sorted[6];
    for (size_t i = 0; i < 4; i++) assert_int_equal(dv_box_compute(box_values[i], n[i], sorted, &boxes[i]), DV_OK);
    return (dv_plot_boxes){.title = "boxes%g",
                           .y_label = "height",
                           .groups = box_groups,
                           .n_groups = 2,
                           .names = box_names,
                           .n_names = 2,
                           .boxes = boxes,
                           .values = box_values,
                           .low = 0,
                           .high = 10};
}

static void boxes_are_drawn_from_their_numbers(void **state) {
    (void)state;
    NEEDS_GNUPLOT;
    dv_box boxes[4];
    dv_plot_boxes figure = two_by_two(boxes);
    if (dv_plot_boxes_draw(&figure, scratch("boxes"), true) != DV_OK) fail_msg("%s", dv_last_error());
    char *svg = read_svg("boxes.svg");
    const char *const texts[] = {"boxes%g", "height", "near", "far (%d)", "one", "two"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char text[40];
        snprintf(text, sizeof text, "<text>%s</text>", texts[i]);
        find(svg, text);
    }
    free(svg);
    figure.n_names = 1; /* two groups of one thing: no legend */
    assert_int_equal(dv_plot_boxes_draw(&figure, scratch("boxes"), true), DV_OK);
    svg = read_svg("boxes.svg");
    assert_null(strstr(svg, "<text>one</text>"));
    free(svg);
    memset(boxes, 0, sizeof boxes); /* nothing anywhere */
    assert_int_equal(dv_plot_boxes_draw(&figure, scratch("boxes"), true), DV_OK);
}

/* A program that keeps its script: place, q1, whiskers, q3, median of each box, then place and value of outliers. */
static void gnuplot_is_given_the_numbers_of_boxes(void **state) {
    (void)state;
    dv_box boxes[4];
    const dv_plot_boxes figure = two_by_two(boxes);
    put_program("/bin/cat >\"${0%/*}/script\"; exit 1");
    assert_int_equal(dv_plot_boxes_draw(&figure, scratch("boxes"), true), DV_E_BACKEND);
    const char *const script = scratch_text("script");
    find(script, "$B0 << EOD\n-0.2 2.25 1 5 4.75 3.5\n0.8 6 6 6 6 6\nEOD\n$O0 << EOD\n-0.2 9\nEOD\n");
    find(script, "$B1 << EOD\n1.2 1.5 0 8 6.5 4\nEOD\n$O1 << EOD\nEOD\n");
    find(script, "set yrange [0:10]");
    unlink(scratch("script"));
}

static void boxes_without_room_are_refused(void **state) {
    (void)state;
    dv_box boxes[4];
    dv_plot_boxes figure = two_by_two(boxes);
    figure.n_groups = 65;
    assert_int_equal(dv_plot_boxes_draw(&figure, scratch("boxes"), true), DV_E_ARG);
    figure.n_groups = 2;
    figure.high = 0;
    assert_int_equal(dv_plot_boxes_draw(&figure, scratch("boxes"), true), DV_E_ARG);
}

static void curves_without_any_value_and_flat_ones_can_be_drawn(void **state) {
    (void)state;
    NEEDS_GNUPLOT;
    const double cases[][2] = {{NAN, NAN},    {0, 0},      {0.5, 0.5},         {1e300, -1e300},
                               {INFINITY, 1}, {5e-324, 0}, {-1.7e308, 1.7e308}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const dv_plot_line line = {.n = 2, .x = bins, .y = cases[i], .low = cases[i], .high = cases[i], .mark = marks};
        const dv_plot_panel panel = {NULL, 1, &line};
        const dv_plot_figure figure = {.title = "",
                                       .names = (const char *const[]){"a"},
                                       .n_names = 1,
                                       .panels = &panel,
                                       .n_panels = 1,
                                       .ticks = bins,
                                       .n_ticks = 1,
                                       .guide = NAN};
        if (dv_plot_figure_draw(&figure, scratch("flat"), true) != DV_OK) fail_msg("%zu: %s", i, dv_last_error());
    }
}

/* ---- What is refused ----------------------------------------------------------------------------------------------
 */

static void figures_that_cannot_be_are_refused(void **state) {
    (void)state;
    const dv_plot_line line = {.name = 1, .n = 0};
    const dv_plot_panel panel = {NULL, 1, &line};
    dv_plot_figure figure = {.title = "", .names = (const char *const[]){"a"}, .n_names = 1, .panels = &panel};
    assert_int_equal(dv_plot_figure_draw(&figure, "f", true), DV_E_ARG);
    assert_string_equal(dv_last_error(), "f: a figure without panels");
    figure.n_panels = 1;
    assert_int_equal(dv_plot_figure_draw(&figure, "f", true), DV_E_ARG);
    assert_string_equal(dv_last_error(), "f: panel 0, curve 0, name 1: must be below 1");
    dv_plot_matrix matrix = {.n_rows = 257, .n_columns = 1, .high = 1};
    assert_int_equal(dv_plot_matrix_draw(&matrix, "m", true), DV_E_ARG);
    assert_string_equal(dv_last_error(), "m: a heat map of 257 x 1 cells: must be 1 to 256 each way");
    matrix = (dv_plot_matrix){.n_rows = 1, .n_columns = 1, .low = 1, .high = 1};
    assert_int_equal(dv_plot_matrix_draw(&matrix, "m", true), DV_E_ARG);
    assert_string_equal(dv_last_error(), "m: a colour scale from 1 to 1: must rise");
}

static void an_existing_file_is_kept_without_force(void **state) {
    (void)state;
    assert_int_equal(scratch_write_text("kept.png", "old"), 0);
    const dv_plot_panel panel = {0};
    const dv_plot_figure figure = {.title = "", .panels = &panel, .n_panels = 1, .guide = NAN};
    assert_int_equal(dv_plot_figure_draw(&figure, scratch("kept"), false), DV_E_USAGE);
    assert_string_equal(scratch_text("kept.png"), "old");
    assert_false(scratch_exists("kept.svg"));
    unlink(scratch("kept.png"));
}

/* Asserts that drawing fails so, and that no file is there, not even a temporary one. */
static void expect_failure(dv_status status, const char *message) {
    const size_t before = scratch_count(".");
    assert_int_equal(draw_plain(scratch("failed")), status);
    if (!strstr(dv_last_error(), message)) fail_msg("\"%s\" is not in \"%s\"", message, dv_last_error());
    assert_int_equal(scratch_count("."), before);
}

static void without_gnuplot_the_backend_is_missing(void **state) {
    (void)state;
    setenv("PATH", scratch("."), 1);
    expect_failure(DV_E_BACKEND, "/failed: gnuplot: there is no such program on PATH");
    char text[100] = "";
    assert_false(dv_plot_usable(text, sizeof text));
    assert_non_null(strstr(text, "no such program"));
}

static void what_gnuplot_says_when_it_fails_is_in_the_message(void **state) {
    (void)state;
    put_program("echo 'line 3:  unknown or\nambiguous' >&2; exit 3");
    expect_failure(DV_E_BACKEND, "/failed: gnuplot: failed with status 3: line 3: unknown or ambiguous");
    put_program("kill -9 $$");
    expect_failure(DV_E_BACKEND, "gnuplot: ended by signal 9");
}

static void an_output_that_is_cut_off_is_no_figure(void **state) {
    (void)state;
    put_program("exit 0");
    expect_failure(DV_E_IO, "failed.svg: gnuplot left it incomplete");
    put_program("echo '<svg> ... </svg>' >/dev/fd/3; echo 'cut off, without an end' >/dev/fd/4");
    expect_failure(DV_E_IO, "failed.png: gnuplot left it incomplete");
}

/* A child that hangs, with a child of its own. */
static const char *const hanging = "/bin/sleep 50 & echo $! >&2; wait";

/* Or a zombie that init has not yet met. */
static bool is_gone(pid_t process) {
    char stat_path[64], line[200] = "";
    snprintf(stat_path, sizeof stat_path, "/proc/%d/stat", (int)process);
    FILE *file = fopen(stat_path, "r");
    if (!file) return true;
    const bool read = fgets(line, sizeof line, file) != NULL;
    fclose(file);
    return !read || strstr(line, ") Z") || strstr(line, ") X");
}

static void one_that_takes_too_long_is_killed_with_its_children(void **state) {
    (void)state;
    char said[100];
    put_program("/bin/sleep 50 & echo $! >\"${0%/*}/pid\"; wait");
    assert_int_equal(dv_plot_run(NULL, -1, NULL, 3.0, said, sizeof said), DV_E_BACKEND);
    assert_string_equal(dv_last_error(), "gnuplot: took longer than 3 s");
    const pid_t grandchild = (pid_t)strtol(scratch_text("pid"), NULL, 10);
    assert_true(grandchild > 1);
    bool gone = false; /* a signal takes its time on a busy machine */
    for (int i = 0; i < 1000 && !gone; i++) {
        gone = is_gone(grandchild);
        if (!gone) usleep(10000);
    }
    assert_true(gone);
    unlink(scratch("pid"));
}

static void an_interruption_ends_it(void **state) {
    (void)state;
    put_program(hanging);
    dv_interrupt();
    expect_failure(DV_E_INTERRUPTED, "interrupted");
}

/* Whatever their numbers here were; and no signal is blocked or ignored there. */
static void the_child_has_its_files_and_all_signals(void **state) {
    (void)state;
    put_program(
        "echo a >&3; echo b >&4; while read name value; do case $name in Sig[BI]*) echo $name $value >&2;; esac; "
        "done </proc/self/status; exit 7");
    sigset_t blocked, before;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGTERM);
    sigprocmask(SIG_BLOCK, &blocked, &before);
    signal(SIGPIPE, SIG_IGN);
    const int b = open(scratch("b"), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    const int a = open(scratch("a"), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    char said[400];
    assert_int_equal(dv_plot_run(NULL, -1, (const int[]){a, b}, 20, said, sizeof said), DV_E_BACKEND);
    close(a);
    close(b);
    signal(SIGPIPE, SIG_DFL);
    sigprocmask(SIG_SETMASK, &before, NULL);
    assert_string_equal(scratch_text("a"), "a\n");
    assert_string_equal(scratch_text("b"), "b\n");
    unsigned long long n_blocked = 1, n_ignored = 1;
    assert_int_equal(sscanf(said, "SigBlk: %llx SigIgn: %llx", &n_blocked, &n_ignored), 2);
    assert_int_equal(n_blocked, 0);
    assert_int_equal(n_ignored & 0x7fffffff, 0); /* those above 31 are libc's own */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_figure_is_an_svg_and_a_png_of_twice_its_size),
        cmocka_unit_test(the_same_figure_is_the_same_bytes),
        cmocka_unit_test(names_are_text_whatever_is_in_them),
        cmocka_unit_test(bytes_that_are_no_utf8_are_replaced_and_long_names_cut),
        cmocka_unit_test(a_heat_map_shows_its_numbers_and_leaves_out_what_is_missing),
        cmocka_unit_test(boxes_are_drawn_from_their_numbers),
        cmocka_unit_test_teardown(gnuplot_is_given_the_numbers_of_boxes, restore),
        cmocka_unit_test(boxes_without_room_are_refused),
        cmocka_unit_test(curves_without_any_value_and_flat_ones_can_be_drawn),
        cmocka_unit_test(figures_that_cannot_be_are_refused),
        cmocka_unit_test(an_existing_file_is_kept_without_force),
        cmocka_unit_test_teardown(without_gnuplot_the_backend_is_missing, restore),
        cmocka_unit_test_teardown(what_gnuplot_says_when_it_fails_is_in_the_message, restore),
        cmocka_unit_test_teardown(an_output_that_is_cut_off_is_no_figure, restore),
        cmocka_unit_test_teardown(one_that_takes_too_long_is_killed_with_its_children, restore),
        cmocka_unit_test_teardown(an_interruption_ends_it, restore),
        cmocka_unit_test_teardown(the_child_has_its_files_and_all_signals, restore),
    };
    const int n_failed = cmocka_run_group_tests(tests, begin, end);
    return n_failed ? n_failed : has_gnuplot ? 0 : 77;
}
