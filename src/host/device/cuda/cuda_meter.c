#include "device/cuda/cuda_meter.h"

#include "core/clock.h"

void dv_cuda_meter_start(dv_cuda_meter *meter) {
    if (!meter) return;
    pthread_mutex_lock(&meter->ledger->lock);
    if (meter->n_at_work++ == 0) meter->since_s = dv_steady_s();
    pthread_mutex_unlock(&meter->ledger->lock);
}

void dv_cuda_meter_stop(dv_cuda_meter *meter) {
    if (!meter) return;
    pthread_mutex_lock(&meter->ledger->lock);
    if (--meter->n_at_work == 0 && meter->ledger->account)
        meter->ledger->account->gpu_s += dv_steady_s() - meter->since_s;
    pthread_mutex_unlock(&meter->ledger->lock);
}

void dv_cuda_meter_take(dv_cuda_meter *meter, size_t n_bytes) {
    if (!meter) return;
    dv_cuda_ledger *const ledger = meter->ledger;
    pthread_mutex_lock(&ledger->lock);
    meter->n_bytes += n_bytes;
    if (meter->n_bytes > meter->most_bytes) {
        ledger->most_bytes += meter->n_bytes - meter->most_bytes;
        meter->most_bytes = meter->n_bytes;
    }
    if (ledger->account && ledger->account->memory_bytes < ledger->most_bytes)
        ledger->account->memory_bytes = ledger->most_bytes;
    pthread_mutex_unlock(&ledger->lock);
}

void dv_cuda_meter_give_back(dv_cuda_meter *meter, size_t n_bytes) {
    if (!meter) return;
    pthread_mutex_lock(&meter->ledger->lock);
    meter->n_bytes -= n_bytes;
    pthread_mutex_unlock(&meter->ledger->lock);
}
