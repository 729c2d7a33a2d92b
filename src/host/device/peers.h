/* peers.h: the peers that device_peers.c lists, and how rows come to those that take unit rows of floats. */
#ifndef DV_DEVICE_PEERS_H
#define DV_DEVICE_PEERS_H

#include "denseval/device_peers.h"

extern const dv_device_peer *const dv_cuda_peers[]; /* NULL after the last */
extern const dv_device_peer dv_peer_faiss;

/* Takes unit rows first .. first + n - 1: f32 [n, dim], host memory, borrowed for the call. */
typedef dv_status (*dv_peer_take)(void *user, const float *unit, size_t first, size_t n);

/* Hands over all rows, divided by their length, in order and some at a time. Blocking. Fails with DV_E_ARG where a row
 * is not finite, DV_E_NOMEM, and as `take` does. */
DV_MUST_USE dv_status dv_peer_unit_rows(const dv_rows *rows, size_t n_threads, dv_peer_take take, void *user);

#endif
