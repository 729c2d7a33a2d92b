/* device_peers.h: what others search with on the same device, for its time beside a device's own search. */
#ifndef DENSEVAL_DEVICE_PEERS_H
#define DENSEVAL_DEVICE_PEERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "denseval/device.h"
#include "denseval/dtype.h"
#include "denseval/status.h"

DV_C_BEGIN

/* One search, asked as often as its time is to be taken. */
typedef struct dv_peer_task {
    dv_device *device;     /* borrowed until close */
    dv_rows bank, queries; /* host memory, finite, of one dim; borrowed until close */
    size_t k;              /* 1..1024, at most the bank's rows */
    size_t n_threads;      /* of the host, for bringing rows to the peer; 0 means 1 */
} dv_peer_task;

typedef struct dv_device_peer {
    const char *name;    /* unique; static lifetime */
    const char *summary; /* one line for people */
    bool is_exact;       /* its ids are those of slot search; else it takes floats for what they are */

    /* Brings bank and queries to the peer, in whatever form suits it best. Blocking. *peer: the caller's until close;
     * NULL on failure. Fails with DV_E_BACKEND where a library or memory of the device is missing, DV_E_NOMEM,
     * DV_E_ARG.
     */
    DV_MUST_USE dv_status (*open)(const dv_peer_task *task, void **peer);
    void (*close)(void *peer); /* NULL is allowed */
    /* The k nearest rows of every query. Blocking. */
    DV_MUST_USE dv_status (*search)(void *peer);
    /* What the last search found. ids  i64 [queries, k], host memory, written in full; -1 where nothing was found */
    DV_MUST_USE dv_status (*ids)(void *peer, int64_t *ids);
} dv_device_peer;

/* Peers that this build knows for a device, which may use fewer GPUs than it does, NULL after the last; those that
 * cannot be opened here too. Static lifetime.
 */
const dv_device_peer *const *dv_device_peers(const dv_device *device);

DV_C_END
#endif
