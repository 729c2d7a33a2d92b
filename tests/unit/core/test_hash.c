#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/hash.h"
#include "denseval/hash.h"
#include "denseval/run.h"
#include "unit/core/scratch.h"

/* Sanity vectors of xxHash: XXH3-128 of no bytes, and what `xxhsum -H2` prints for "abc". */
static const char of_nothing[] = "xxh3-128:99aa06d3014798d86001c324468d497f";
static const char of_abc[] = "xxh3-128:06b05ab6733a618578af5f94892f3950";

static void bytes_have_their_known_hashes(void **state) {
    (void)state;
    char text[DV_HASH_TEXT_SIZE + 1];
    memset(text, '#', sizeof text);
    dv_hash_bytes("", 0, text);
    assert_string_equal(text, of_nothing);
    assert_int_equal(text[DV_HASH_TEXT_SIZE], '#');
    dv_hash_bytes("abc", 3, text);
    assert_string_equal(text, of_abc);
}

static void short_hash_has_its_known_values(void **state) {
    (void)state;
    assert_true(dv_hash64("", 0) == UINT64_C(0xef46db3751d8e999));
    assert_true(dv_hash64("abc", 3) == UINT64_C(0x44bc2cf5ad770999));
}

static void small_files_have_their_known_hashes(void **state) {
    (void)state;
    char text[DV_HASH_TEXT_SIZE];
    uint64_t size_bytes = 99;
    assert_int_equal(scratch_write("empty", "", 0), 0);
    assert_int_equal(dv_hash_file(scratch("empty"), text, &size_bytes), DV_OK);
    assert_string_equal(text, of_nothing);
    assert_true(size_bytes == 0);
    assert_int_equal(scratch_write("abc", "abc", 3), 0);
    assert_int_equal(dv_hash_file(scratch("abc"), text, &size_bytes), DV_OK);
    assert_string_equal(text, of_abc);
    assert_true(size_bytes == 3);
    assert_int_equal(dv_hash_file(scratch("abc"), text, NULL), DV_OK);
}

/* Sizes around the block in which a file is read. */
static void streamed_hash_equals_the_hash_of_the_bytes(void **state) {
    (void)state;
    enum { BLOCK = 1 << 20, MOST = 2 * BLOCK + 3 };
    const size_t sizes[] = {BLOCK - 1, BLOCK, BLOCK + 1, MOST};
    unsigned char *bytes = malloc(MOST);
    assert_non_null(bytes);
    for (size_t i = 0; i < MOST; i++) bytes[i] = (unsigned char)(i * 31 + (i >> 9));
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char streamed[DV_HASH_TEXT_SIZE], whole[DV_HASH_TEXT_SIZE];
        uint64_t size_bytes;
        assert_int_equal(scratch_write("large", bytes, sizes[i]), 0);
        assert_int_equal(dv_hash_file(scratch("large"), streamed, &size_bytes), DV_OK);
        dv_hash_bytes(bytes, sizes[i], whole);
        assert_string_equal(streamed, whole);
        assert_true(size_bytes == sizes[i]);
    }
    free(bytes);
}

static void check_refused(const char *path, dv_status expected, const char *what) {
    char text[DV_HASH_TEXT_SIZE] = "as it was", message[SCRATCH_PATH * 2];
    uint64_t size_bytes = 7;
    assert_int_equal(dv_hash_file(path, text, &size_bytes), expected);
    snprintf(message, sizeof message, "%s: %s", path, what);
    assert_string_equal(dv_last_error(), message);
    assert_string_equal(text, "as it was");
    assert_true(size_bytes == 7);
}

static void unreadable_files_are_named_and_nothing_is_written(void **state) {
    (void)state;
    assert_int_equal(scratch_write("file", "x", 1), 0);
    check_refused(scratch("nowhere"), DV_E_MISSING, "cannot be opened: No such file or directory");
    check_refused(scratch("file/below"), DV_E_MISSING, "cannot be opened: Not a directory");
    check_refused(scratch("."), DV_E_IO, "cannot be read: Is a directory");
}

/* Is the sample of a file another one where a byte is? */
static bool sample_sees(unsigned char *bytes, size_t n_bytes, size_t at) {
    char before[DV_HASH_TEXT_SIZE], after[DV_HASH_TEXT_SIZE];
    assert_int_equal(scratch_write("sampled", bytes, n_bytes), 0);
    assert_int_equal(dv_hash_sample(scratch("sampled"), before), DV_OK);
    bytes[at] ^= 1;
    assert_int_equal(scratch_write("sampled", bytes, n_bytes), 0);
    bytes[at] ^= 1;
    assert_int_equal(dv_hash_sample(scratch("sampled"), after), DV_OK);
    return strcmp(before, after) != 0;
}

static void samples_have_all_of_a_small_file_and_both_ends_of_a_large_one(void **state) {
    (void)state;
    enum { SMALL = 1 << 20, LARGE = 3 * SMALL + 5 };
    char text[DV_HASH_TEXT_SIZE], more[DV_HASH_TEXT_SIZE];
    unsigned char *bytes = calloc(LARGE, 1);
    assert_non_null(bytes);
    for (size_t at = 0; at < SMALL; at += SMALL / 4 - 1) assert_true(sample_sees(bytes, SMALL, at));
    assert_true(sample_sees(bytes, SMALL, SMALL - 1));
    assert_true(sample_sees(bytes, LARGE, 0));
    assert_true(sample_sees(bytes, LARGE, LARGE - 1));
    assert_false(sample_sees(bytes, LARGE, 16384)); /* between two pieces */
    assert_int_equal(scratch_write("longer", bytes, LARGE - 1), 0);
    assert_int_equal(dv_hash_sample(scratch("sampled"), text), DV_OK);
    assert_int_equal(dv_hash_sample(scratch("longer"), more), DV_OK);
    assert_string_not_equal(text, more);
    assert_int_equal(dv_hash_sample(scratch("nowhere"), text), DV_E_MISSING);
    assert_int_equal(dv_hash_sample(scratch("."), text), DV_E_IO);
    free(bytes);
}

static void interruption_ends_the_hashing(void **state) {
    (void)state;
    assert_int_equal(scratch_write("file", "x", 1), 0);
    dv_interrupt();
    check_refused(scratch("file"), DV_E_INTERRUPTED, "interrupted while hashing");
    dv_interrupt_clear();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_have_their_known_hashes),
        cmocka_unit_test(short_hash_has_its_known_values),
        cmocka_unit_test(small_files_have_their_known_hashes),
        cmocka_unit_test(streamed_hash_equals_the_hash_of_the_bytes),
        cmocka_unit_test(unreadable_files_are_named_and_nothing_is_written),
        cmocka_unit_test(samples_have_all_of_a_small_file_and_both_ends_of_a_large_one),
        cmocka_unit_test(interruption_ends_the_hashing),
    };
    return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
