#include "device/host_device.h"

#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"

bool dv_host_usable(char *why, size_t why_size) {
    (void)why;
    (void)why_size;
    return true;
}

dv_status dv_host_open(const dv_device_ops *ops, const dv_device_options *options, dv_device **out) {
    *out = NULL;
    dv_host_device *made;
    DV_TRY(dv_alloc(1, sizeof *made, "device", &made));
    made->base.ops = ops;
    if (options) made->options = *options;
    made->options.kernel = NULL;
    const dv_status status = dv_pool_create(made->options.n_threads, &made->pool);
    if (status != DV_OK) {
        free(made);
        return status;
    }
    *out = &made->base;
    return DV_OK;
}

void dv_host_close(dv_device *device) {
    if (!device) return;
    dv_host_device *host = (dv_host_device *)device;
    dv_pool_free(host->pool);
    free(host);
}

dv_status dv_host_alloc(dv_device *device, size_t n_bytes, void **out) {
    (void)device;
    return dv_alloc(n_bytes, 1, "device buffer", out);
}

void dv_host_release(dv_device *device, void *memory) {
    (void)device;
    free(memory);
}

dv_status dv_host_upload(dv_device *device, void *device_memory, const void *host, size_t n_bytes) {
    (void)device;
    if (n_bytes > 0) memcpy(device_memory, host, n_bytes);
    return DV_OK;
}

dv_status dv_host_download(dv_device *device, void *host, const void *device_memory, size_t n_bytes) {
    return dv_host_upload(device, host, device_memory, n_bytes);
}

dv_status dv_host_synchronise(dv_device *device) {
    (void)device;
    return DV_OK;
}
