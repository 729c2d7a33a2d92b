#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "denseval/random.h"

typedef struct known_answer {
    uint32_t counter[4], key[2], out[4];
} known_answer;

/* The vectors for philox4x32 with 10 rounds in the file kat_vectors of Random123. */
static const known_answer known_answers[] = {
    {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
    {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
     {0xffffffff, 0xffffffff},
     {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
    {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
     {0xa4093822, 0x299f31d0},
     {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
};

static void philox_gives_the_known_answers(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof known_answers / sizeof *known_answers; i++) {
        uint32_t out[4];
        dv_philox4x32(known_answers[i].counter, known_answers[i].key, out);
        assert_memory_equal(out, known_answers[i].out, sizeof out);
    }
}

static void output_may_be_the_counter(void **state) {
    (void)state;
    uint32_t block[4];
    memcpy(block, known_answers[2].counter, sizeof block);
    dv_philox4x32(block, known_answers[2].key, block);
    assert_memory_equal(block, known_answers[2].out, sizeof block);
}

/* The image key's halves, the patch and the pass are the counter; the upper 53 bits of the first two words the result.
 */
static void uniform_number_is_made_of_the_known_words(void **state) {
    (void)state;
    const uint64_t seed = UINT64_C(0x299f31d0a4093822), key = UINT64_C(0x85a308d3243f6a88);
    const double expected = (double)(UINT64_C(0xd16cfe0994fdcceb) >> 11) / 9007199254740992.0;
    assert_true(dv_random_uniform(seed, key, 0x13198a2e, 0x03707344) == expected);
    assert_true(dv_random_uniform(0, 0, 0, 0) == (double)(UINT64_C(0x6627e8d5e169c58d) >> 11) / 9007199254740992.0);
}

/* The largest number is 1 - 2^-53: below 1 and exact. Mean and spread as of a uniform law, within 6 standard errors. */
static void uniform_numbers_fill_zero_to_one(void **state) {
    (void)state;
    enum { N = 200000, N_BINS = 16 };
    size_t bins[N_BINS] = {0};
    double sum = 0;
    for (uint32_t i = 0; i < N; i++) {
        const double u = dv_random_uniform(42, 7, i, 0);
        assert_true(u >= 0 && u < 1);
        assert_true(u * 9007199254740992.0 == (double)(uint64_t)(u * 9007199254740992.0));
        sum += u;
        bins[(size_t)(u * N_BINS)]++;
    }
    assert_true(sum / N > 0.5 - 0.004 && sum / N < 0.5 + 0.004); /* sqrt(1 / 12 / N) = 0.00065 */
    for (size_t b = 0; b < N_BINS; b++) assert_in_range(bins[b], 12500 - 650, 12500 + 650); /* sd 108 */
}

static void number_depends_on_each_part_of_its_key(void **state) {
    (void)state;
    const double u = dv_random_uniform(1, 2, 3, 4);
    assert_true(dv_random_uniform(1, 2, 3, 4) == u);
    assert_true(dv_random_uniform(9, 2, 3, 4) != u);
    assert_true(dv_random_uniform(1 + (UINT64_C(1) << 32), 2, 3, 4) != u);
    assert_true(dv_random_uniform(1, 9, 3, 4) != u);
    assert_true(dv_random_uniform(1, 2 + (UINT64_C(1) << 32), 3, 4) != u);
    assert_true(dv_random_uniform(1, 2, 9, 4) != u);
    assert_true(dv_random_uniform(1, 2, 3, 9) != u);
}

static void numbers_do_not_depend_on_the_order_of_drawing(void **state) {
    (void)state;
    double up[100];
    uint64_t below_up[100];
    for (uint32_t i = 0; i < 100; i++) {
        up[i] = dv_random_uniform(42, 5, i, 1);
        below_up[i] = dv_random_below(42, 5, i, 1000);
    }
    for (uint32_t i = 100; i-- > 0;) {
        assert_true(dv_random_below(42, 5, i, 1000) == below_up[i]);
        assert_true(dv_random_uniform(42, 5, i, 1) == up[i]);
    }
}

static void below_covers_its_range_evenly(void **state) {
    (void)state;
    enum { N = 120000 };
    size_t counts[6] = {0};
    for (uint64_t draw = 0; draw < N; draw++) {
        const uint64_t value = dv_random_below(1, 2, draw, 6);
        assert_true(value < 6);
        counts[value]++;
    }
    for (size_t i = 0; i < 6; i++) assert_in_range(counts[i], 20000 - 800, 20000 + 800); /* sd 129 */
}

/* With n = 3 * 2^62, 2^64 mod n is 2^62: plain remainders would fall in the lower third half of the time. */
static void below_is_unbiased_where_a_remainder_is_not(void **state) {
    (void)state;
    enum { N = 60000 };
    const uint64_t third = UINT64_C(1) << 62, n = 3 * third;
    size_t counts[3] = {0};
    for (uint64_t draw = 0; draw < N; draw++) {
        const uint64_t value = dv_random_below(3, 1, draw, n);
        assert_true(value < n);
        counts[value / third]++;
    }
    for (size_t i = 0; i < 3; i++) assert_in_range(counts[i], 20000 - 700, 20000 + 700); /* sd 115 */
}

/* Zero key and counter 0: with seed = all ones the inverted key is 0, so the first known answer decides. */
static void below_is_the_remainder_of_the_documented_words(void **state) {
    (void)state;
    const uint64_t bits = UINT64_C(0x6627e8d5e169c58d);
    assert_true(dv_random_below(UINT64_MAX, 0, 0, 1000) == bits % 1000);
    assert_true(dv_random_below(UINT64_MAX, 0, 0, UINT64_MAX) == bits);
    /* n = bits: accepted are the numbers below 2 * bits, so this one is, and its remainder is 0. */
    assert_true(dv_random_below(UINT64_MAX, 0, 0, bits) == 0);
    /* n = 2^63 + 1 accepts below n alone; 0x6627... is below it. */
    assert_true(dv_random_below(UINT64_MAX, 0, 0, (UINT64_C(1) << 63) + 1) == bits);
}

/* Counter and key of the third vector: its bits, 0xd16c..., are refused by n = 2^63 + 1, and the next block decides. */
static void refused_number_is_followed_by_the_block_of_its_own_words(void **state) {
    (void)state;
    const known_answer *third = &known_answers[2];
    uint32_t next[4];
    dv_philox4x32(third->out, third->key, next);
    const uint64_t seed = ~UINT64_C(0x299f31d0a4093822), n = (UINT64_C(1) << 63) + 1;
    const uint64_t draw = UINT64_C(0x85a308d3243f6a88), stream = UINT64_C(0x0370734413198a2e);
    while (next[0] > 0x80000000u) dv_philox4x32(next, third->key, next); /* 2^63 itself does not occur here */
    assert_true(dv_random_below(seed, stream, draw, n) == ((uint64_t)next[0] << 32 | next[1]));
}

static void below_depends_on_each_part_of_its_key(void **state) {
    (void)state;
    const uint64_t n = UINT64_MAX, value = dv_random_below(1, 2, 3, n);
    assert_true(dv_random_below(9, 2, 3, n) != value);
    assert_true(dv_random_below(1, 9, 3, n) != value);
    assert_true(dv_random_below(1, 2, 9, n) != value);
    assert_true(dv_random_below(1, 2, 3 + (UINT64_C(1) << 32), n) != value);
}

static void below_one_is_always_zero(void **state) {
    (void)state;
    for (uint64_t draw = 0; draw < 10; draw++) assert_true(dv_random_below(1, 2, draw, 1) == 0);
    assert_true(dv_random_below(1, 2, 3, 0) == 0);
}

/* XXH64 of "" and of "abc" with seed 0, as xxhsum -H1 prints them. */
static void image_key_is_xxh64_of_the_id(void **state) {
    (void)state;
    assert_true(dv_random_image_key("") == UINT64_C(0xef46db3751d8e999));
    assert_true(dv_random_image_key("abc") == UINT64_C(0x44bc2cf5ad770999));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(philox_gives_the_known_answers),
        cmocka_unit_test(output_may_be_the_counter),
        cmocka_unit_test(uniform_number_is_made_of_the_known_words),
        cmocka_unit_test(uniform_numbers_fill_zero_to_one),
        cmocka_unit_test(number_depends_on_each_part_of_its_key),
        cmocka_unit_test(numbers_do_not_depend_on_the_order_of_drawing),
        cmocka_unit_test(below_covers_its_range_evenly),
        cmocka_unit_test(below_is_unbiased_where_a_remainder_is_not),
        cmocka_unit_test(below_is_the_remainder_of_the_documented_words),
        cmocka_unit_test(refused_number_is_followed_by_the_block_of_its_own_words),
        cmocka_unit_test(below_depends_on_each_part_of_its_key),
        cmocka_unit_test(below_one_is_always_zero),
        cmocka_unit_test(image_key_is_xxh64_of_the_id),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
