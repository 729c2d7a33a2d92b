/* scan_amx.c: TDPBSSD multiplies 16 queries x 64 codes by 64 codes x 16 rows at once. Two by two such tiles are summed
 * in four tile registers. What was summed before is compared with the thresholds while the next products run. Queries
 * are used again at once and stay in the first cache; rows pass it by. */
#include "device/cpu/kernels/cpu_features.h"
#include "device/cpu/kernels/emit_avx512.h"
#include "device/cpu/kernels/kernels.h"

#if defined(__x86_64__) && defined(__linux__)
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
    TILE_BYTES = TILE_ROWS * ROW_BYTES,
    SQUARE_ROWS = 2 * TILE_ROWS,
    MOST_FETCHED_LINES = 4, /* a step */
    RUN_SQUARES = 8         /* squares of sums between two looks at what passed */
};
_Static_assert((int)DV_CODE_STEP == ROW_BYTES && (int)DV_GROUP_ROWS == TILE_ROWS,
               "codes lie as tile registers take them");
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

/* Squares of the same queries with rows `at` and on. What passed is reported after several squares: a branch a square
 * would go the wrong way too often, and stall the products. */
typedef struct run {
    _Alignas(64) square squares[RUN_SQUARES];
    _Alignas(64) uint32_t passed[RUN_SQUARES][DV_BLOCK_QUERIES];
    size_t q, at;
    const char *ahead; /* what is to be fetched next, `fetch` bytes a step */
    size_t fetch;
    int32_t *peaks; /* NULL: sums are compared with the thresholds; else taken into the peaks */
} run;

/* passed[i]: bits of the 32 rows whose sums with query i reach its threshold. */
INLINE void compare(const square *from, const int32_t *thresholds, size_t i, uint32_t *passed) {
    const __m512i threshold = _mm512_set1_epi32(thresholds[i]);
    const __mmask16 low = _mm512_cmpge_epi32_mask(_mm512_load_si512(from->sums[i / 16][0][i % 16]), threshold);
    const __mmask16 high = _mm512_cmpge_epi32_mask(_mm512_load_si512(from->sums[i / 16][1][i % 16]), threshold);
    passed[i] = (uint32_t)_mm512_kunpackw(high, low);
}

/* Reports what passed. The queries of each square with any such row are listed first, so that one loop runs over all.
 */
INLINE void emit(const dv_scan_block *block, const dv_code_tile *tile, const run *r, size_t n_squares) {
    uint32_t list[RUN_SQUARES * DV_BLOCK_QUERIES + 16];
    size_t n = 0;
    __m512i places = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    for (size_t i = 0; i < n_squares * DV_BLOCK_QUERIES; i += 16) {
        const __mmask16 any = _mm512_test_epi32_mask(_mm512_load_si512(&r->passed[0][0] + i), _mm512_set1_epi32(-1));
        _mm512_storeu_si512(list + n, _mm512_maskz_compress_epi32(any, places));
        places = _mm512_add_epi32(places, _mm512_set1_epi32(16));
        n += (size_t)__builtin_popcount(any);
    }
    for (size_t j = 0; j < n; j++) {
        const size_t s = list[j] / DV_BLOCK_QUERIES, i = list[j] % DV_BLOCK_QUERIES;
        uint32_t passed = r->passed[s][i];
        do { /* hardly ever more than one */
            const size_t x = (size_t)__builtin_ctz(passed);
            const int32_t sum = r->squares[s].sums[i / TILE_ROWS][x / TILE_ROWS][i % TILE_ROWS][x % TILE_ROWS];
            dv_report(block, tile, r->q + i, r->at + s * SQUARE_ROWS + x, sum);
            passed &= passed - 1;
        } while (passed);
    }
}

/* One step of the products: 64 codes. */
INLINE void multiply_step(const int8_t *queries, const int8_t *more_queries, const int8_t *rows,
                          const int8_t *more_rows) {
    _tile_loadd(4, queries, ROW_BYTES);
    _tile_stream_loadd(6, rows, ROW_BYTES);
    _tile_dpbssd(0, 4, 6);
    _tile_stream_loadd(7, more_rows, ROW_BYTES);
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

INLINE void take_peaks(const dv_scan_block *block, const dv_code_tile *tile, const run *r, size_t s, size_t i) {
    const size_t at = r->at + s * SQUARE_ROWS;
    const int32_t(*sums)[TILE_ROWS][DV_GROUP_ROWS] = r->squares[s].sums[i / TILE_ROWS];
    int32_t *peaks = r->peaks + (r->q + i) * DV_GROUP_ROWS;
    dv_take_peaks_avx512(block, tile, r->q + i, at, _mm512_load_si512(sums[0][i % TILE_ROWS]), peaks);
    dv_take_peaks_avx512(block, tile, r->q + i, at + TILE_ROWS, _mm512_load_si512(sums[1][i % TILE_ROWS]), peaks);
}

/* Looks at query i of square `s`. */
INLINE void look(const dv_scan_block *block, const dv_code_tile *tile, run *r, size_t s, size_t i, bool seeding) {
    if (seeding)
        take_peaks(block, tile, r, s, i);
    else
        compare(&r->squares[s], block->thresholds + r->q, i, r->passed[s]);
}

/* Multiplies square `s` of a run, and looks at the one before meanwhile. */
INLINE void multiply(const dv_scan_block *block, const dv_code_tile *tile, run *r, size_t s, bool seeding) {
    const size_t dim_padded = block->dim_padded, n_steps = dim_padded / DV_CODE_STEP, half = TILE_ROWS * dim_padded;
    const size_t n_looks = s > 0 ? DV_BLOCK_QUERIES : 0, share = (n_looks + n_steps - 1) / n_steps;
    const int8_t *queries = block->codes + r->q * dim_padded;
    const int8_t *rows = tile->codes + (r->at + s * SQUARE_ROWS) * dim_padded;
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
    size_t looked = 0;
    for (size_t step = 0; step < n_steps; step++) {
        multiply_step(queries, queries + half, rows, rows + half);
        queries += TILE_BYTES;
        rows += TILE_BYTES;
        for (size_t i = 0; i < r->fetch; i += ROW_BYTES) _mm_prefetch(r->ahead + i, _MM_HINT_T1);
        r->ahead += r->fetch;
        for (size_t i = 0; i < share && looked < n_looks; i++, looked++) look(block, tile, r, s - 1, looked, seeding);
    }
    store(&r->squares[s]);
}

INLINE void scan_run(const dv_scan_block *block, const dv_code_tile *tile, run *r, size_t n_squares, bool seeding) {
    for (size_t s = 0; s < n_squares; s++) multiply(block, tile, r, s, seeding);
    for (size_t i = 0; i < DV_BLOCK_QUERIES; i++) look(block, tile, r, n_squares - 1, i, seeding);
    if (!seeding) emit(block, tile, r, n_squares);
}

INLINE void configure(void) {
    tile_config config = {.palette = 1};
    for (size_t i = 0; i < N_TILE_REGISTERS; i++) {
        config.row_bytes[i] = ROW_BYTES;
        config.rows[i] = TILE_ROWS;
    }
    _tile_loadconfig(&config);
}

/* The next tile is fetched into the second cache in equal steps over this one: all of it, unless there are few queries.
 */
INLINE void plan_fetch(const dv_scan_block *block, const dv_code_tile *tile, run *r) {
    const size_t n_lines = tile->n_groups * DV_GROUP_ROWS * block->dim_padded / ROW_BYTES;
    const size_t n_steps = (block->n / DV_BLOCK_QUERIES) * (tile->n_groups / 2) * (block->dim_padded / DV_CODE_STEP);
    const size_t wanted = (n_lines + n_steps - 1) / n_steps;
    r->ahead = (const char *)tile->ahead;
    r->fetch = !tile->ahead ? 0 : (wanted < MOST_FETCHED_LINES ? wanted : MOST_FETCHED_LINES) * ROW_BYTES;
}

INLINE void scan_all(const dv_scan_block *block, const dv_code_tile *tile, int32_t *peaks, bool seeding) {
    const size_t n_squares = tile->n_groups * DV_GROUP_ROWS / SQUARE_ROWS;
    run r;
    r.peaks = peaks;
    plan_fetch(block, tile, &r);
    configure();
    for (r.q = 0; r.q < block->n; r.q += DV_BLOCK_QUERIES)
        for (size_t s = 0; s < n_squares; s += RUN_SQUARES) {
            r.at = s * SQUARE_ROWS;
            scan_run(block, tile, &r, n_squares - s < RUN_SQUARES ? n_squares - s : RUN_SQUARES, seeding);
        }
    _tile_release();
}

TARGET static void scan(const dv_scan_block *block, const dv_code_tile *tile) {
    dv_find_thresholds(block, tile);
    scan_all(block, tile, NULL, false);
}

TARGET static void find_peaks(const dv_scan_block *block, const dv_code_tile *tile, int32_t *peaks) {
    scan_all(block, tile, peaks, true);
}

const dv_scan_kernel dv_scan_amx = {.name = "amx", .rate = 1300, .usable = usable, .scan = scan, .peaks = find_peaks};
#elif defined(__x86_64__)
static bool usable(void) {
    return false;
}

const dv_scan_kernel dv_scan_amx = {.name = "amx", .usable = usable};
#endif
