/* Descriptors and fragments of wgmma against the documents, by models of the copy engine, which writes a stage, and of
 * the multiplier, which reads it. Both models are of PTX ISA 9.0: "Swizzling modes" of tensor copies; "Matrix
 * Descriptor Format", "Strides" and "wgmma.mma_async.m64nNk32" with its figure of register fragments. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/sm90a/wgmma_layout.h"

enum { QUERIES = 128, ROWS = 256, STEP = 128, STAGE_BYTES = (QUERIES + ROWS) * STEP, MEMORY = 4 * STAGE_BYTES };

static int8_t draw(uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (int8_t)(*seed >> 24);
}

/* A box of 128 bytes a row, as a table of the documents writes it down: in row r chunk c stands in place c ^ r % 8. */
static void copy_box(const int8_t *rows, int n_rows, int8_t *to) {
    for (int row = 0; row < n_rows; row++)
        for (int chunk = 0; chunk < 8; chunk++)
            memcpy(to + row * 128 + (chunk ^ row % 8) * 16, rows + row * 128 + chunk * 16, 16);
}

static uint32_t field(uint64_t descriptor, int first_bit, int n_bits) {
    return (uint32_t)(descriptor >> first_bit & ((UINT64_C(1) << n_bits) - 1));
}

/* An element of a K-major operand of 32 columns: core matrices of 8 rows of 16 bytes; the swizzle exchanges bits 4 to 6
 * of the address by bits 7 to 9. */
static int8_t element(const int8_t *memory, uint64_t descriptor, int row, int column) {
    const uint32_t start = field(descriptor, 0, 14) << 4, stride = field(descriptor, 32, 14) << 4;
    const uint32_t plain = start + (uint32_t)row / 8 * stride + (uint32_t)row % 8 * 128 + (uint32_t)column;
    const uint32_t address = plain ^ (plain >> 7 & 7) << 4;
    assert_true(address < MEMORY);
    return memory[address];
}

static void fields_stand_where_the_format_has_them(void **state) {
    (void)state;
    const uint64_t descriptor = dv_wgmma_descriptor(0x2c460);
    assert_int_equal(field(descriptor, 0, 14), 0x2c46);
    assert_int_equal(field(descriptor, 32, 14), 1024 / 16);
    assert_int_equal(field(descriptor, 62, 2), 1); /* 128-byte swizzle */
    assert_int_equal(field(descriptor, 49, 3), 0); /* base offset: blocks of 8 rows begin at multiples of 1024 */
    const int unused[4][2] = {{14, 2}, {30, 2}, {46, 3}, {52, 10}};
    for (int i = 0; i < 4; i++) assert_int_equal(field(descriptor, unused[i][0], unused[i][1]), 0);
    assert_int_equal(field(dv_wgmma_descriptor(232448 - 16), 0, 14), (232448 - 16) / 16); /* the most that there is */
}

static void operands_are_found_where_copies_put_them(void **state) {
    (void)state;
    int8_t *const memory = calloc(MEMORY, 1);
    int8_t plain[QUERIES + ROWS][STEP];
    uint32_t seed = 1;
    assert_non_null(memory);
    for (uint32_t stage = 0; stage < 4; stage++) {
        int8_t *const at = memory + stage * STAGE_BYTES;
        for (int row = 0; row < QUERIES + ROWS; row++)
            for (int column = 0; column < STEP; column++) plain[row][column] = draw(&seed);
        copy_box(plain[0], QUERIES, at);
        if (stage % 2 == 0)
            copy_box(plain[QUERIES], ROWS, at + QUERIES * STEP);
        else /* halves, by two blocks */
            for (int half = 0; half < ROWS; half += ROWS / 2)
                copy_box(plain[QUERIES + half], ROWS / 2, at + (QUERIES + half) * STEP);
        for (int first = 0; first < STEP; first += DV_WGMMA_COLUMNS)
            for (int row = 0; row < QUERIES + ROWS; row++) {
                const int operand = row < QUERIES ? row / DV_WGMMA_QUERIES * DV_WGMMA_QUERIES : QUERIES;
                const uint64_t descriptor =
                    dv_wgmma_descriptor((uint32_t)(stage * STAGE_BYTES) + (uint32_t)(operand * STEP + first));
                for (int column = 0; column < DV_WGMMA_COLUMNS; column++)
                    assert_int_equal(element(memory, descriptor, row - operand, column), plain[row][first + column]);
            }
    }
    free(memory);
}

/* The figure's first rows and columns by hand: T0 {d0, d1} has row 0, columns 0 and 1; T1 columns 2 and 3; T4 row 1;
 * {d2, d3} the row 8 after; {d4, d5} the column 8 after; T32 row 16. */
static void sums_belong_to_the_places_of_the_figure(void **state) {
    (void)state;
    const int known[][4] = {{0, 0, 0, 0}, {0, 1, 0, 1},   {1, 0, 0, 2}, {3, 1, 0, 7},   {4, 0, 1, 0},
                            {0, 2, 8, 0}, {31, 3, 15, 7}, {0, 4, 0, 8}, {32, 0, 16, 0}, {127, 127, 63, 255}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        assert_int_equal(dv_wgmma_query(known[i][0], known[i][1]), known[i][2]);
        assert_int_equal(dv_wgmma_row(known[i][0], known[i][1]), known[i][3]);
    }
    static char seen[DV_WGMMA_QUERIES][DV_WGMMA_ROWS];
    for (int thread = 0; thread < DV_WGMMA_THREADS; thread++)
        for (int i = 0; i < DV_WGMMA_SUMS; i++) {
            char *const place = &seen[dv_wgmma_query(thread, i)][dv_wgmma_row(thread, i)];
            assert_int_equal(*place, 0);
            *place = 1;
            assert_int_equal(dv_wgmma_query(thread, i), dv_wgmma_query(thread, i % 4)); /* two queries a thread */
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_stand_where_the_format_has_them),
        cmocka_unit_test(operands_are_found_where_copies_put_them),
        cmocka_unit_test(sums_belong_to_the_places_of_the_figure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
