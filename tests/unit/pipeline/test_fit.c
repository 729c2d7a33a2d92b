/* What must agree between a bank and its queries. Edge cases HB-07, KNN-05. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "pipeline/fit.h"

static const char *const names[] = {"sky", "road"};
static const char *const paths[] = {"query.h5"};

static dv_bank_info a_bank(void) {
    return (dv_bank_info){
        .n_rows = 3000,
        .dim = 8,
        .n_classes = 2,
        .class_names = names,
        .preprocessing = {.encoder = "e", .patch_size = 16, .input_h = 32, .input_w = 32, .n_std = 1, .std = {0.225}},
    };
}

static dv_feature_info some_queries(void) {
    return (dv_feature_info){
        .n_images = 1,
        .dim = 8,
        .n_classes = 2,
        .class_names = names,
        .has_labels = true,
        .n_files = 1,
        .paths = paths,
        .preprocessing = {.encoder = "e", .patch_size = 16, .input_h = 32, .input_w = 32, .n_std = 1, .std = {0.225}},
    };
}

static void equal_sides_fit(void **state) {
    (void)state;
    const dv_bank_info bank = a_bank();
    const dv_feature_info queries = some_queries();
    assert_int_equal(dv_fit_search(&bank, &queries, &(dv_search_options){.k = 3000}), DV_OK);
    assert_int_equal(dv_fit_classes(&bank, &queries), DV_OK);
}

static void k_must_be_within_the_rows(void **state) { /* KNN-05 */
    (void)state;
    const dv_bank_info bank = a_bank();
    const dv_feature_info queries = some_queries();
    assert_int_equal(dv_fit_search(&bank, &queries, &(dv_search_options){.k = 0}), DV_E_USAGE);
    assert_int_equal(dv_fit_search(&bank, &queries, &(dv_search_options){.k = 3001}), DV_E_DATA);
    assert_string_equal(dv_last_error(), "k 3001: the bank has 3000 rows");
}

static void another_dim_is_refused_whatever_is_forced(void **state) {
    (void)state;
    const dv_bank_info bank = a_bank();
    dv_feature_info queries = some_queries();
    queries.dim = 9;
    assert_int_equal(dv_fit_search(&bank, &queries, &(dv_search_options){.k = 1, .force_mixed = true}), DV_E_DATA);
    assert_string_equal(dv_last_error(), "dim 8 of the bank, 9 of the queries: must be the same");
}

static void another_deviation_names_both_values_and_can_be_forced(void **state) { /* HB-07 */
    (void)state;
    const dv_bank_info bank = a_bank();
    dv_feature_info queries = some_queries();
    queries.preprocessing.std[0] = 0.5;
    assert_int_equal(dv_fit_search(&bank, &queries, &(dv_search_options){.k = 1}), DV_E_DATA);
    assert_non_null(strstr(dv_last_error(), "std[0]"));
    assert_non_null(strstr(dv_last_error(), "0.225"));
    assert_non_null(strstr(dv_last_error(), "0.5 of the queries"));
    assert_int_equal(dv_fit_search(&bank, &queries, &(dv_search_options){.k = 1, .force_mixed = true}), DV_OK);
}

static void each_part_of_the_preprocessing_counts(void **state) { /* HB-07 */
    (void)state;
    const dv_bank_info bank = a_bank();
    const dv_search_options options = {.k = 1};
    dv_feature_info queries = some_queries();
    queries.preprocessing.encoder = "f";
    assert_int_equal(dv_fit_search(&bank, &queries, &options), DV_E_DATA);
    assert_string_equal(dv_last_error(), "encoder \"e\" of the bank, \"f\" of the queries: must be the same");
    queries = some_queries();
    queries.preprocessing.patch_size = 8;
    assert_int_equal(dv_fit_search(&bank, &queries, &options), DV_E_DATA);
    assert_string_equal(dv_last_error(), "patch_size 16 of the bank, 8 of the queries: must be the same");
    queries = some_queries();
    queries.preprocessing.input_w = 48;
    assert_int_equal(dv_fit_search(&bank, &queries, &options), DV_E_DATA);
    assert_string_equal(dv_last_error(), "input_w 32 of the bank, 48 of the queries: must be the same");
    queries = some_queries();
    queries.preprocessing.n_std = 3;
    assert_int_equal(dv_fit_search(&bank, &queries, &options), DV_E_DATA);
    queries = some_queries();
    queries.preprocessing.n_std = 0; /* not stated: nothing to compare */
    queries.preprocessing.encoder = "";
    assert_int_equal(dv_fit_search(&bank, &queries, &options), DV_OK);
}

static void classes_must_be_the_same(void **state) {
    (void)state;
    static const char *const others[] = {"sky", "tree", "car"};
    const dv_bank_info bank = a_bank();
    dv_feature_info queries = some_queries();
    queries.class_names = others;
    assert_int_equal(dv_fit_classes(&bank, &queries), DV_E_DATA);
    assert_string_equal(dv_last_error(), "class 1 is \"road\" in the bank, \"tree\" in the queries: must be the same");
    queries.n_classes = 3;
    assert_int_equal(dv_fit_classes(&bank, &queries), DV_E_DATA);
    assert_string_equal(dv_last_error(), "2 classes in the bank, 3 in the queries: must be the same");
    queries.n_classes = 0; /* no names: the bank's classes hold */
    assert_int_equal(dv_fit_classes(&bank, &queries), DV_OK);
    queries.has_labels = false;
    assert_int_equal(dv_fit_classes(&bank, &queries), DV_E_DATA);
    assert_string_equal(dv_last_error(), "/labels: missing, queries need them");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_sides_fit),
        cmocka_unit_test(k_must_be_within_the_rows),
        cmocka_unit_test(another_dim_is_refused_whatever_is_forced),
        cmocka_unit_test(another_deviation_names_both_values_and_can_be_forced),
        cmocka_unit_test(each_part_of_the_preprocessing_counts),
        cmocka_unit_test(classes_must_be_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
