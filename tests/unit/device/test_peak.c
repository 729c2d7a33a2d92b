#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "denseval/peak.h"
#include "denseval/run.h"
#include "device/cpu/peak_loops.h"

static void every_peak_is_measured_and_named(void **state) {
    (void)state;
    dv_peaks peaks;
    assert_int_equal(dv_peaks_measure(2, 1 << 20, &peaks), DV_OK);
    assert_true(peaks.int8_ops_per_s > 0);
    assert_true(peaks.fp32_ops_per_s > 0);
    assert_true(peaks.read_bytes_per_s > 0);
    assert_non_null(peaks.int8_kernel);
    assert_non_null(peaks.fp32_kernel);
    assert_int_equal(peaks.n_threads, 2);
}

static void memory_is_left_alone_when_nobody_asks(void **state) {
    (void)state;
    dv_peaks peaks;
    assert_int_equal(dv_peaks_measure(0, 0, &peaks), DV_OK);
    assert_true(peaks.read_bytes_per_s == 0);
    assert_int_equal(peaks.n_threads, 1);
}

static void an_interrupt_ends_it_and_leaves_zeros(void **state) {
    (void)state;
    dv_peaks peaks;
    dv_interrupt();
    assert_int_equal(dv_peaks_measure(1, 0, &peaks), DV_E_INTERRUPTED);
    dv_interrupt_clear();
    assert_non_null(strstr(dv_last_error(), "interrupted"));
    assert_true(peaks.int8_ops_per_s == 0);
    assert_null(peaks.int8_kernel);
}

static void the_memory_to_read_is_256_mib_to_1_gib(void **state) {
    (void)state;
    assert_in_range(dv_peaks_read_bytes(), 256 << 20, 1 << 30);
}

/* Every loop is run, also those that lose: a wrong instruction would end the program here. */
static void every_usable_loop_runs(void **state) {
    (void)state;
    const dv_peak_kernel *const tables[] = {dv_peak_int8, dv_peak_fp32};
    for (size_t t = 0; t < 2; t++)
        for (const dv_peak_kernel *kernel = tables[t];; kernel++) {
            assert_true(kernel->ops_per_round > 0);
            if (kernel->usable()) (void)kernel->loop(3);
            if (kernel->usable == dv_peak_always) break;
        }
}

/* Words 1 to 64: the sum of each of the eight columns, by hand, and what is left of them under exclusive or. */
static void a_reader_reads_everything(void **state) {
    (void)state;
    _Alignas(64) static uint64_t words[64];
    for (uint64_t i = 0; i < 64; i++) words[i] = i + 1;
    uint64_t expected = 0;
    for (uint64_t column = 1; column <= 8; column++) expected ^= 8 * column + 8 * (0 + 1 + 2 + 3 + 4 + 5 + 6 + 7);
    assert_int_equal(dv_peak_read_portable(words, sizeof words), expected);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_peak_is_measured_and_named),
        cmocka_unit_test(memory_is_left_alone_when_nobody_asks),
        cmocka_unit_test(an_interrupt_ends_it_and_leaves_zeros),
        cmocka_unit_test(the_memory_to_read_is_256_mib_to_1_gib),
        cmocka_unit_test(every_usable_loop_runs),
        cmocka_unit_test(a_reader_reads_everything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
