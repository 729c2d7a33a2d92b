#include <stdio.h>
#include <string.h>

#include "core/check.h"
#include "device/devices.h"

/* One line a device; `auto` takes the first usable one. */
static const dv_device_ops *const devices[] = {&dv_device_cpu, &dv_device_reference, &dv_device_faiss, &dv_device_cuda,
                                               NULL};

const dv_device_ops *const *dv_devices(void) {
    return devices;
}

static dv_status open_device(const dv_device_ops *ops, const dv_device_options *options, dv_device **out) {
    char why[256] = "";
    if (!ops->usable(why, sizeof why)) return dv_fail(DV_E_BACKEND, "%s: %s", ops->name, why);
    return dv_context(ops->open(options, out), "%s", ops->name);
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
    const bool automatic = !name || strcmp(name, "auto") == 0;
    for (size_t i = 0; devices[i]; i++) {
        char why[256];
        const bool wanted = automatic ? devices[i]->usable(why, sizeof why) : strcmp(name, devices[i]->name) == 0;
        if (wanted) return open_device(devices[i], options, out);
    }
    return automatic ? dv_fail(DV_E_BACKEND, "no device of this build is usable here") : unknown(name);
}
