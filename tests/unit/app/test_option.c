#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "app/message.h"
#include "app/option.h"

typedef enum colour { RED, GREEN, BLUE } colour;

typedef struct fields {
    bool flag;
    const char *text;
    size_t k, size;
    uint64_t seed;
    double share, beta;
    colour colour;
    dv_number_list bins;
    dv_size_list rows;
    dv_range images;
    dv_path_list features;
} fields;

static const dv_option table[] = {
    {"flag", NULL, "", DV_OPT_FLAG, offsetof(fields, flag), 0, 0},
    {"text", "TEXT", "", DV_OPT_TEXT, offsetof(fields, text), 0, 0},
    {"k", "N", "", DV_OPT_COUNT, offsetof(fields, k), 1, 1024},
    {"size", "N", "", DV_OPT_SIZE, offsetof(fields, size), 1, 0},
    {"seed", "N", "", DV_OPT_U64, offsetof(fields, seed), 0, 0},
    {"share", "X", "", DV_OPT_REAL, offsetof(fields, share), 0, 1},
    {"beta", "X", "", DV_OPT_POSITIVE, offsetof(fields, beta), 0, 0},
    {"colour", "red|green|blue", "", DV_OPT_CHOICE, offsetof(fields, colour), 0, 0},
    {"bins", "LIST", "", DV_OPT_NUMBERS, offsetof(fields, bins), 0, 359},
    {"rows", "LIST", "", DV_OPT_SIZES, offsetof(fields, rows), 1, 0},
    {"images", "A:B", "", DV_OPT_RANGE, offsetof(fields, images), 0, 0},
    {"features", "F", "", DV_OPT_PATHS, offsetof(fields, features), 0, 0},
};
enum { N_OPTIONS = sizeof table / sizeof *table, MAX_ARGUMENTS = 16 };

/* One parse, from a line of words. */
typedef struct parsed {
    fields fields;
    dv_option_slot slots[N_OPTIONS];
    dv_path_list files;
    dv_status status;
    char line[512];
} parsed;

static void parse(parsed *result, const char *line) {
    char *arguments[MAX_ARGUMENTS];
    size_t n = 0;
    memset(result, 0, sizeof *result);
    for (size_t i = 0; i < N_OPTIONS; i++)
        result->slots[i] = (dv_option_slot){&table[i], "", (char *)&result->fields + table[i].offset, false};
    assert_true(strlen(line) < sizeof result->line);
    strcpy(result->line, line);
    for (char *word = strtok(result->line, " "); word; word = strtok(NULL, " ")) {
        assert_true(n < MAX_ARGUMENTS);
        arguments[n++] = word;
    }
    result->status = dv_options_parse(result->slots, N_OPTIONS, n, arguments, &result->files);
}

static void release(parsed *result) {
    dv_options_clear(result->slots, N_OPTIONS);
    dv_path_list_clear(&result->files);
}

static bool given(const parsed *result, const char *name) {
    return dv_options_find(result->slots, N_OPTIONS, name)->given;
}

static void refuse(const char *line, const char *message) {
    parsed result;
    dv_app_message_clear(); /* of the test before */
    parse(&result, line);
    assert_int_equal(result.status, DV_E_USAGE);
    assert_string_equal(dv_app_message(), message);
    release(&result);
}

static void every_type_is_read(void **state) {
    (void)state;
    parsed result;
    parse(&result, "--flag --text word -k 30 --size 320k --seed 18446744073709551615 --share 0.25");
    assert_int_equal(result.status, DV_OK);
    assert_true(result.fields.flag);
    assert_string_equal(result.fields.text, "word");
    assert_int_equal(result.fields.k, 30);
    assert_int_equal(result.fields.size, 320000);
    assert_true(result.fields.seed == UINT64_MAX);
    assert_true(result.fields.share == 0.25);
    release(&result);
    parse(&result, "--beta 0.02 --colour blue --bins 0,30,60,90 --rows 320k,7 --images 3:7 --features a.h5,b.h5");
    assert_int_equal(result.status, DV_OK);
    assert_true(result.fields.beta == 0.02);
    assert_int_equal(result.fields.colour, BLUE);
    const int32_t bins[] = {0, 30, 60, 90};
    assert_int_equal(result.fields.bins.n, 4);
    assert_memory_equal(result.fields.bins.values, bins, sizeof bins);
    assert_int_equal(result.fields.rows.n, 2);
    assert_int_equal(result.fields.rows.values[0], 320000);
    assert_int_equal(result.fields.rows.values[1], 7);
    assert_int_equal(result.fields.images.first, 3);
    assert_int_equal(result.fields.images.end, 7);
    assert_int_equal(result.fields.features.n, 2);
    assert_string_equal(result.fields.features.paths[1], "b.h5");
    release(&result);
}

static void a_value_follows_or_is_joined(void **state) {
    (void)state;
    static const char *const lines[] = {"-k 7 --share 0.5", "-k=7 --share=0.5", "-k7 --share 0.5"};
    for (size_t i = 0; i < 3; i++) {
        parsed result;
        parse(&result, lines[i]);
        assert_int_equal(result.status, DV_OK);
        assert_int_equal(result.fields.k, 7);
        assert_true(result.fields.share == 0.5);
        release(&result);
    }
}

static void given_tells_what_was_among_the_arguments(void **state) {
    (void)state;
    parsed result;
    parse(&result, "--colour=red --flag");
    assert_int_equal(result.status, DV_OK);
    assert_true(given(&result, "colour"));
    assert_true(given(&result, "flag"));
    assert_false(given(&result, "k"));
    assert_null(dv_options_find(result.slots, N_OPTIONS, "kk"));
    release(&result);
}

static void files_stand_anywhere_and_two_dashes_end_the_options(void **state) {
    (void)state;
    parsed result;
    parse(&result, "a --flag b -- --flag - -k");
    assert_int_equal(result.status, DV_OK);
    static const char *const files[] = {"a", "b", "--flag", "-", "-k"};
    assert_int_equal(result.files.n, 5);
    for (size_t i = 0; i < 5; i++) assert_string_equal(result.files.paths[i], files[i]);
    release(&result);
}

static void a_flag_may_be_repeated_and_nothing_else(void **state) {
    (void)state;
    parsed result;
    parse(&result, "--flag --flag");
    assert_int_equal(result.status, DV_OK);
    release(&result);
    refuse("-k 3 -k 4", "-k: given more than once");
    refuse("--bins 1 --bins=2", "--bins: given more than once");
}

static void a_name_that_is_unknown_or_cut_names_the_nearest(void **state) {
    (void)state;
    refuse("--bin 0", "--bin: unknown option; the nearest known one is --bins");
    refuse("--featrues=x", "--featrues: unknown option; the nearest known one is --features");
    refuse("--k 3", "--k: unknown option; the nearest known one is -k");
    refuse("-x", "-x: unknown option; the nearest known one is -k");
    refuse("--= 3", "--: unknown option; the nearest known one is -k");
}

static void a_missing_value_is_named(void **state) {
    (void)state;
    refuse("--text", "--text: needs a value, TEXT");
    refuse("--text --flag", "--text: needs a value, TEXT");
    refuse("--text=", "--text: needs a value, TEXT");
    refuse("-k", "-k: needs a value, N");
    refuse("--flag=yes", "--flag: takes no value, but has 'yes'");
}

static void a_number_is_read_whole(void **state) {
    (void)state;
    refuse("-k 3x", "-k 3x: must be a whole number, 0 to 18446744073709551615");
    refuse("-k 3k", "-k 3k: must be a whole number, 0 to 18446744073709551615");
    refuse("-k=3.0", "-k 3.0: must be a whole number, 0 to 18446744073709551615");
    refuse("-k 0x1f", "-k 0x1f: must be a whole number, 0 to 18446744073709551615");
    refuse("--seed +1", "--seed +1: must be a whole number, 0 to 18446744073709551615");
    refuse("--size 320q", "--size 320q: must be a size such as 4096, 320k, 1m or 2GiB");
    refuse("--share nan", "--share nan: must be a decimal number");
    refuse("--share 0x1p-2", "--share 0x1p-2: must be a decimal number");
    refuse("--rows 320k,x", "--rows 320k,x: must be sizes such as 320k with commas between them");
    refuse("--rows 5,0", "--rows 0: must be 1 or more");
    refuse("--bins 0,x", "--bins 0,x: must be whole numbers with commas between them");
    refuse("--bins 0,,1", "--bins 0,,1: must be whole numbers with commas between them");
    refuse("--images 3", "--images 3: must be A:B with whole numbers, A not above B");
    refuse("--images 7:3", "--images 7:3: must be A:B with whole numbers, A not above B");
}

static void a_number_out_of_range_names_the_range(void **state) {
    (void)state;
    refuse("-k 0", "-k 0: must be 1 to 1024");
    refuse("-k -3", "-k -3: must be 1 to 1024");
    refuse("-k 99999999999999999999", "-k 99999999999999999999: must be 1 to 1024");
    refuse("--size 0", "--size 0: must be 1 or more");
    refuse("--share 1.5", "--share 1.5: must be 0 to 1");
    refuse("--beta 0", "--beta 0: must be above 0");
    refuse("--beta -1", "--beta -1: must be above 0");
    refuse("--bins 0,360", "--bins 360: must be 0 to 359");
}

static void a_word_that_is_no_choice_names_them(void **state) {
    (void)state;
    refuse("--colour gre", "--colour gre: must be one of red|green|blue");
    refuse("--colour red|green", "--colour red|green: must be one of red|green|blue");
}

static void a_refused_number_changes_nothing(void **state) {
    (void)state;
    parsed result;
    parse(&result, "-k 5000");
    assert_int_equal(result.status, DV_E_USAGE);
    assert_int_equal(result.fields.k, 0);
    release(&result);
}

static void an_empty_file_name_in_a_list_is_refused(void **state) {
    (void)state;
    refuse("--features a,,b", "--features: 'a,,b': a file name is empty");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type_is_read),
        cmocka_unit_test(a_value_follows_or_is_joined),
        cmocka_unit_test(given_tells_what_was_among_the_arguments),
        cmocka_unit_test(files_stand_anywhere_and_two_dashes_end_the_options),
        cmocka_unit_test(a_flag_may_be_repeated_and_nothing_else),
        cmocka_unit_test(a_name_that_is_unknown_or_cut_names_the_nearest),
        cmocka_unit_test(a_missing_value_is_named),
        cmocka_unit_test(a_number_is_read_whole),
        cmocka_unit_test(a_number_out_of_range_names_the_range),
        cmocka_unit_test(a_word_that_is_no_choice_names_them),
        cmocka_unit_test(a_refused_number_changes_nothing),
        cmocka_unit_test(an_empty_file_name_in_a_list_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
