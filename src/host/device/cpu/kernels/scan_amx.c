/* scan_amx.c: TDPBSSD multiplies 16 queries x 64 codes by 64 codes x 16 rows at once. Two by two such tiles are summed in
 * four tile registers. What was summed before is compared with the thresholds while the next products run. */
#include "device/cpu/kernels/cpu_features.h"
#include "device/cpu/kernels/emit_avx512.h"
#include "device/cpu/kernels/kernels.h"

#if defined(__x86_64__) && defined(__linux__)
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define TARGET __attribute__((target("amx-tile,amx-int8,avx512f,avx512bw,avx512vl,avx512dq")))
#define INLINE                                                                                                         \
    static inline __attribute__((always_inline, target("amx-tile,amx-int8,avx512f,avx512bw,avx512vl,avx512dq")))

enum {
    REQUEST_PERMISSION = 0x1023, /* ARCH_REQ_XCOMP_PERM */
    TILE_DATA = 18,              /* XFEATURE_XTILEDATA */
    N_TILE_REGISTERS = 8,
    TILE_ROWS = 16,
    ROW_BYTES = 64,
    TILE_BYTES = TILE_ROWS * ROW_BYTES
};
_Static_assert((int)DV_CODE_STEP == ROW_BYTES && (int)DV_GROUP_ROWS == TILE_ROWS, "codes lie as tile registers take them");
_Static_assert((int)DV_BLOCK_QUERIES == 2 * TILE_ROWS, "a block of queries fills two tile registers");

/* What LDTILECFG reads. */
typedef struct tile_config {
    uint8_t palette, start_row, reserved[14];
    uint16_t row_bytes[16];
    uint8_t rows[16];
} tile_config;
_Static_assert(sizeof(tile_config) == 64, "as the instruction has it");

/* The permission holds for the whole process and is asked for once more at no harm. */
static bool usable(void) {
    return dv_cpu_has_amx_int8() && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512dq") && syscall(SYS_arch_prctl, REQUEST_PERMISSION, TILE_DATA) == 0;
}

/* Sums of 32 queries by 32 rows: [2 halves of the queries, 2 halves of the rows, 16 queries, 16 rows]. */
typedef struct square {
    int32_t sums[2][2][TILE_ROWS][DV_GROUP_ROWS];
} square;

/* A square that waits to be compared. */
typedef struct waiting {
    _Alignas(64) square squares[2]; /* one is compared while the other one is written */
    uint32_t passed[DV_BLOCK_QUERIES];
    size_t q, at; /* first query and first row of the square that waits */
} waiting;

/* passed[i]: bits of the 32 rows whose sums with query i reach its threshold. */
INLINE void compare(const square *from, const int32_t *thresholds, size_t i, uint32_t *passed) {
    const __m512i threshold = _mm512_set1_epi32(thresholds[i]);
    const __mmask16 low = _mm512_cmpge_epi32_mask(_mm512_load_si512(from->sums[i / 16][0][i % 16]), threshold);
    const __mmask16 high = _mm512_cmpge_epi32_mask(_mm512_load_si512(from->sums[i / 16][1][i % 16]), threshold);
    passed[i] = (uint32_t)_mm512_kunpackw(high, low);
}

INLINE void emit(const dv_scan_block *block, const dv_code_tile *tile, const waiting *w, const square *from) {
    const __mmask16 any[2] = {_mm512_test_epi32_mask(_mm512_loadu_si512(w->passed), _mm512_set1_epi32(-1)),
                              _mm512_test_epi32_mask(_mm512_loadu_si512(w->passed + 16), _mm512_set1_epi32(-1))};
    for (uint32_t left = (uint32_t)any[0] | (uint32_t)any[1] << 16; left; left &= left - 1) {
        const size_t i = (size_t)__builtin_ctz(left);
        const __mmask16 low = (__mmask16)w->passed[i], high = (__mmask16)(w->passed[i] >> 16);
        if (low)
            dv_emit_avx512(block, tile, w->q + i, w->at, low, _mm512_load_si512(from->sums[i / 16][0][i % 16]));
        if (high)
            dv_emit_avx512(block, tile, w->q + i, w->at + DV_GROUP_ROWS, high,
                           _mm512_load_si512(from->sums[i / 16][1][i % 16]));
    }
}

/* One step of the products: 64 codes. */
INLINE void multiply_step(const int8_t *queries, const int8_t *more_queries, const int8_t *rows,
                          const int8_t *more_rows) {
    _tile_loadd(4, queries, ROW_BYTES);
    _tile_loadd(6, rows, ROW_BYTES);
    _tile_dpbssd(0, 4, 6);
    _tile_loadd(7, more_rows, ROW_BYTES);
    _tile_dpbssd(1, 4, 7);
    _tile_loadd(5, more_queries, ROW_BYTES);
    _tile_dpbssd(2, 5, 6);
    _tile_dpbssd(3, 5, 7);
}

INLINE void store(square *to) {
    _tile_stored(0, to->sums[0][0], ROW_BYTES);
    _tile_stored(1, to->sums[0][1], ROW_BYTES);
    _tile_stored(2, to->sums[1][0], ROW_BYTES);
    _tile_stored(3, to->sums[1][1], ROW_BYTES);
}

/* Multiplies 32 queries by 32 rows into *to, and compares the square that waits meanwhile. */
INLINE void multiply(const dv_scan_block *block, const dv_code_tile *tile, size_t q, size_t at, waiting *w,
                     const square *from, square *to) {
    const size_t dim_padded = block->dim_padded, n_steps = dim_padded / DV_CODE_STEP;
    const size_t share = (DV_BLOCK_QUERIES + n_steps - 1) / n_steps; /* of the comparisons, a step */
    const int8_t *queries = block->codes + q * dim_padded, *rows = tile->codes + at * dim_padded;
    const int32_t *thresholds = block->thresholds + w->q;
    const size_t half = TILE_ROWS * dim_padded;
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
    size_t compared = 0;
    for (size_t step = 0; step < n_steps; step++) {
        multiply_step(queries, queries + half, rows, rows + half);
        queries += TILE_BYTES;
        rows += TILE_BYTES;
        for (size_t i = 0; i < share && compared < DV_BLOCK_QUERIES; i++, compared++)
            compare(from, thresholds, compared, w->passed);
    }
    store(to);
}

TARGET static void scan(const dv_scan_block *block, const dv_code_tile *tile) {
    tile_config config = {.palette = 1};
    for (size_t i = 0; i < N_TILE_REGISTERS; i++) {
        config.row_bytes[i] = ROW_BYTES;
        config.rows[i] = TILE_ROWS;
    }
    _tile_loadconfig(&config);
    dv_find_thresholds(block, tile);
    waiting w;
    size_t turn = 0;
    bool any = false;
    for (size_t q = 0; q < block->n; q += DV_BLOCK_QUERIES)
        for (size_t at = 0; at < tile->n_groups * DV_GROUP_ROWS; at += 2 * DV_GROUP_ROWS, turn ^= 1) {
            if (!any) {
                memset(&w, 0, sizeof w);
                w.q = q;
            }
            multiply(block, tile, q, at, &w, &w.squares[turn ^ 1], &w.squares[turn]);
            if (any) emit(block, tile, &w, &w.squares[turn ^ 1]);
            w.q = q;
            w.at = at;
            any = true;
        }
    for (size_t i = 0; i < DV_BLOCK_QUERIES; i++)
        compare(&w.squares[turn ^ 1], block->thresholds + w.q, i, w.passed);
    emit(block, tile, &w, &w.squares[turn ^ 1]);
    _tile_release();
}

const dv_scan_kernel dv_scan_amx = {.name = "amx", .usable = usable, .scan = scan};
#elif defined(__x86_64__)
static bool usable(void) {
    return false;
}

const dv_scan_kernel dv_scan_amx = {.name = "amx", .usable = usable};
#endif
