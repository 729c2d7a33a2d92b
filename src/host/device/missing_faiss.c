/* missing_faiss.c: the faiss device of builds that have none. Asking for it says so. */
#include <stdio.h>

#include "core/check.h"
#include "device/devices.h"
#include "device/peers.h"

static const char no_faiss[] = "this build has no FAISS";

static bool faiss_usable(char *why, size_t why_size) {
    snprintf(why, why_size, "%s", no_faiss);
    return false;
}

static dv_status faiss_open(const dv_device_options *options, dv_device **out) {
    (void)options;
    *out = NULL;
    return dv_fail(DV_E_BACKEND, "%s", no_faiss);
}

const dv_device_ops dv_device_faiss = {
    .name = "faiss", .summary = "FAISS IndexFlatIP (not in this build)", .usable = faiss_usable, .open = faiss_open};

static dv_status peer_open(const dv_peer_task *task, void **peer) {
    (void)task;
    *peer = NULL;
    return dv_fail(DV_E_BACKEND, "%s", no_faiss);
}

const dv_device_peer dv_peer_faiss = {.name = "faiss-gpu", .summary = "FAISS (not in this build)", .open = peer_open};
