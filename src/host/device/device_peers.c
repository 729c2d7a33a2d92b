#include "denseval/device_peers.h"

#include <stdlib.h>

#include "core/check.h"
#include "core/memory.h"
#include "device/devices.h"
#include "device/peers.h"
#include "search/unit.h"

enum { ROWS_AT_ONCE = 16384 };

static const dv_device_peer *const none[] = {NULL};

const dv_device_peer *const *dv_device_peers(const dv_device *device) {
    return device->ops == &dv_device_cuda ? dv_cuda_peers : none;
}

static dv_status hand_over(const dv_scored_rows *scored, dv_pool *pool, dv_peer_take take, void *user) {
    const size_t n_rows = scored->rows.n_rows, dim = scored->rows.dim;
    const size_t most = n_rows < ROWS_AT_ONCE ? n_rows : ROWS_AT_ONCE;
    size_t n_elements;
    float *unit;
    DV_TRY(dv_mul_size(most, dim, "unit rows", &n_elements));
    DV_TRY(dv_alloc_unset(n_elements, sizeof *unit, "unit rows", &unit));
    dv_status status = DV_OK;
    for (size_t first = 0; status == DV_OK && first < n_rows; first += most) {
        const size_t n = n_rows - first < most ? n_rows - first : most;
        status = dv_unit_rows(scored, first, n, pool, unit);
        if (status == DV_OK) status = take(user, unit, first, n);
    }
    free(unit);
    return status;
}

dv_status dv_peer_unit_rows(const dv_rows *rows, size_t n_threads, dv_peer_take take, void *user) {
    dv_pool *pool;
    dv_scored_rows scored = {0};
    DV_TRY(dv_pool_create(n_threads ? n_threads : 1, &pool));
    dv_status status = dv_scored_rows_create(rows, dv_simd_best(), pool, NULL, &scored);
    if (status == DV_OK) status = hand_over(&scored, pool, take, user);
    dv_scored_rows_free(&scored);
    dv_pool_free(pool);
    return status;
}
