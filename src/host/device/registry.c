#include <stdio.h>
#include <string.h>

#include "core/check.h"
#include "device/devices.h"

static const dv_device_ops *const devices[] = {&dv_device_cpu, &dv_device_reference, &dv_device_faiss, &dv_device_cuda,
                                               NULL};
/* `auto` takes the first usable one; the others are there for comparison. */
static const dv_device_ops *const best_first[] = {&dv_device_cuda, &dv_device_cpu, NULL};

const dv_device_ops *const *dv_devices(void) {
    return devices;
}

static dv_status open_device(const dv_device_ops *ops, const dv_device_options *options, dv_device **out) {
    char why[256] = "";
    if (!ops->usable(why, sizeof why)) return dv_fail(DV_E_BACKEND, "%s: %s", ops->name, why);
    return dv_context(ops->open(options, out), "%s", ops->name);
}

static dv_status open_best(const dv_device_options *options, dv_device **out) {
    char why[256];
    for (size_t i = 0; best_first[i]; i++)
        if (best_first[i]->usable(why, sizeof why)) return open_device(best_first[i], options, out);
    return dv_fail(DV_E_BACKEND, "no device of this build is usable here");
}

bool dv_device_gpus(const char *name, dv_gpu_set *out) {
    const bool best = !name || strcmp(name, "auto") == 0;
    const dv_device_ops *const *const among = best ? best_first : devices;
    *out = (dv_gpu_set){0};
    for (size_t i = 0; among[i]; i++) {
        if (!among[i]->gpus || (!best && strcmp(name, among[i]->name) != 0)) continue;
        among[i]->gpus(out);
        return true;
    }
    return false;
}

static dv_status unknown(const char *name) {
    char known[256] = "auto";
    for (size_t i = 0; devices[i]; i++) {
        const size_t length = strlen(known);
        snprintf(known + length, sizeof known - length, ", %s", devices[i]->name);
    }
    return dv_fail(DV_E_USAGE, "backend '%s': must be one of %s", name, known);
}

dv_status dv_device_open(const char *name, const dv_device_options *options, dv_device **out) {
    *out = NULL;
    if (!name || strcmp(name, "auto") == 0) return open_best(options, out);
    for (size_t i = 0; devices[i]; i++)
        if (strcmp(name, devices[i]->name) == 0) return open_device(devices[i], options, out);
    return unknown(name);
}
