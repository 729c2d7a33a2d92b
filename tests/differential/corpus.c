#include "differential/corpus.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "search/merge.h"

enum { GUARD = 16, GUARD_BYTE = 0x5a, DEFAULT_SEED = 20240607 };

uint64_t corpus_seed(void) {
    const char *text = getenv("DV_TEST_SEED");
    const uint64_t seed = text ? strtoull(text, NULL, 10) : DEFAULT_SEED;
    printf("# seed %llu (DV_TEST_SEED)\n", (unsigned long long)seed);
    return seed;
}

static void assert_ok(dv_status status) {
    if (status != DV_OK) fail_msg("%s: %s", dv_status_name(status), dv_last_error());
}

/* Device memory of n_bytes between guards. */
static unsigned char *guarded(dv_device *device, size_t n_bytes) {
    void *memory;
    assert_ok(device->ops->alloc(device, n_bytes + 2 * GUARD * 4, &memory));
    unsigned char *fill = malloc(n_bytes + 2 * GUARD * 4);
    assert_non_null(fill);
    memset(fill, GUARD_BYTE, n_bytes + 2 * GUARD * 4);
    assert_ok(device->ops->upload(device, memory, fill, n_bytes + 2 * GUARD * 4));
    assert_ok(device->ops->synchronise(device));
    free(fill);
    return memory;
}

/* Takes n_bytes back and looks at the guards. */
static void take(dv_device *device, unsigned char *memory, void *out, size_t n_bytes) {
    unsigned char *all = malloc(n_bytes + 2 * GUARD * 4);
    assert_non_null(all);
    assert_ok(device->ops->download(device, all, memory, n_bytes + 2 * GUARD * 4));
    assert_ok(device->ops->synchronise(device));
    for (size_t i = 0; i < GUARD * 4; i++)
        if (all[i] != GUARD_BYTE || all[GUARD * 4 + n_bytes + i] != GUARD_BYTE)
            fail_msg("guard byte %zu was written", i);
    if (n_bytes > 0) memcpy(out, all + GUARD * 4, n_bytes);
    free(all);
    device->ops->release(device, memory);
}

static void search_part(dv_device *device, const dv_bank_rows *bank, const dv_queries *queries, size_t k, int64_t *ids,
                        double *cosines, dv_search_stats *stats) {
    const dv_device_ops *ops = device->ops;
    const size_t n = queries->rows.n_rows;
    void *index;
    assert_ok(ops->bank_load(device, bank, &index));
    unsigned char *device_ids = guarded(device, n * k * sizeof *ids);
    unsigned char *device_cosines = guarded(device, n * k * sizeof *cosines);
    assert_ok(ops->search(device, index, queries, k, (int64_t *)(void *)(device_ids + GUARD * 4),
                          (double *)(void *)(device_cosines + GUARD * 4)));
    assert_ok(ops->synchronise(device));
    take(device, device_ids, ids, n * k * sizeof *ids);
    take(device, device_cosines, cosines, n * k * sizeof *cosines);
    dv_search_stats part = {0};
    if (ops->search_stats) ops->search_stats(device, index, &part);
    stats->n_queries += part.n_queries;
    stats->n_candidates += part.n_candidates;
    stats->n_uncertified += part.n_uncertified;
    ops->bank_free(device, index);
}

void corpus_search_on(dv_device *device, const dv_bank_rows *bank, const dv_queries *queries, size_t k, size_t n_shards,
                      corpus_answer *out) {
    const size_t n = queries->rows.n_rows, size = dv_dtype_size(bank->rows.dtype);
    int64_t *ids = calloc(n * k + 1, sizeof *ids);
    double *cosines = calloc(n * k + 1, sizeof *cosines);
    *out = (corpus_answer){calloc(n * k + 1, sizeof *out->ids), calloc(n * k + 1, sizeof *out->cosines), {0}};
    dv_merge *merge;
    assert_true(ids && cosines && out->ids && out->cosines);
    assert_ok(dv_merge_create(n, k, &merge));
    for (size_t shard = 0; shard < n_shards; shard++) {
        const size_t first = bank->rows.n_rows * shard / n_shards, end = bank->rows.n_rows * (shard + 1) / n_shards;
        if (first == end) continue;
        dv_bank_rows part = *bank;
        part.rows.data = (const char *)bank->rows.data + first * bank->rows.dim * size;
        part.rows.n_rows = end - first;
        if (bank->group) part.group = bank->group + first;
        const size_t k_part = k < end - first ? k : end - first;
        search_part(device, &part, queries, k_part, ids, cosines, &out->stats);
        dv_merge_add(merge, ids, cosines, k_part, (int64_t)first);
    }
    memcpy(out->ids, dv_merge_ids(merge), n * k * sizeof *ids);
    memcpy(out->cosines, dv_merge_cosines(merge), n * k * sizeof *cosines);
    dv_merge_free(merge);
    free(ids);
    free(cosines);
}

void corpus_search(const char *name, const dv_device_options *options, const dv_bank_rows *bank,
                   const dv_queries *queries, size_t k, size_t n_shards, corpus_answer *out) {
    dv_device *device;
    assert_ok(dv_device_open(name, options, &device));
    corpus_search_on(device, bank, queries, k, n_shards, out);
    device->ops->close(device);
}

void corpus_answer_free(corpus_answer *answer) {
    free(answer->ids);
    free(answer->cosines);
}

void corpus_assert_same(const corpus_answer *wide, size_t k_wide, const corpus_answer *narrow, size_t k, size_t n,
                        const char *what) {
    for (size_t i = 0; i < n * k; i++) {
        const size_t at = i / k * k_wide + i % k;
        const bool same_bits = memcmp(&wide->cosines[at], &narrow->cosines[i], sizeof(double)) == 0;
        if (wide->ids[at] != narrow->ids[i] || !same_bits)
            fail_msg("%s: query %zu place %zu: row %lld cosine %.17g, expected row %lld cosine %.17g", what, i / k,
                     i % k, (long long)narrow->ids[i], narrow->cosines[i], (long long)wide->ids[at], wide->cosines[at]);
    }
}

const char *corpus_device(size_t i) {
    const char *const only = getenv("DV_TEST_DEVICE");
    for (const dv_device_ops *const *ops = dv_devices(); *ops; ops++) {
        char why[256] = "";
        if (only ? strcmp((*ops)->name, only) != 0 : strcmp((*ops)->name, "reference") == 0) continue;
        const bool usable = (*ops)->usable(why, sizeof why);
        if (only && !usable) fail_msg("%s: %s", only, why);
        if (usable && i-- == 0) return (*ops)->name;
    }
    return NULL;
}

size_t corpus_rounds(size_t n) {
    const char *const part = getenv("DV_TEST_PART");
    const size_t divisor = part ? strtoull(part, NULL, 10) : 1;
    return n / divisor > 0 ? n / divisor : 1;
}

const char *corpus_kernel(const char *device, size_t turn) {
    dv_cpu_kernel kernels[16];
    const size_t n = dv_cpu_kernels(kernels, 16);
    size_t n_usable = 0;
    assert_true(n <= 16);
    for (size_t i = 0; i < n; i++)
        if (kernels[i].usable) kernels[n_usable++] = kernels[i];
    assert_true(n_usable > 0);
    return strcmp(device, "cpu") == 0 ? kernels[turn % n_usable].name : NULL;
}
