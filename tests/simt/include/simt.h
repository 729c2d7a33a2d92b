/* simt.h: what a test asks of the emulator: the order in which things happen, and what fails. */
#ifndef SIMT_H
#define SIMT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Which thread of a block goes on: all in turn; the lowest warp that can, as far as it can; a random warp, as far as it
 * can. */
enum simt_schedule { SIMT_ROUND, SIMT_LOWEST_AHEAD, SIMT_RANDOM_AHEAD, SIMT_N_SCHEDULES };
/* When a cp.async copy happens: when it is waited for; when it is started; either, by chance. */
enum simt_copy_timing { SIMT_LATE, SIMT_EARLY, SIMT_CHANCE, SIMT_N_COPY_TIMINGS };
/* With what new shared and device memory is filled. */
enum { SIMT_N_PATTERNS = 2, SIMT_N_SETTINGS = SIMT_N_SCHEDULES * SIMT_N_COPY_TIMINGS * SIMT_N_PATTERNS };

/* Draws everything that is left open: SIMT_N_SETTINGS seeds in a row try each setting once, and each seed has its own
 * order of blocks, lanes and streams. At the start it is SIMT_SEED of the environment, else 0. */
void simt_set_seed(uint64_t seed);
/* Seeds 0 to here, exclusive, are what a test should try: each setting once; fewer in the build that looks for races,
 * which is slow and sees them in any order. */
uint64_t simt_n_seeds(void);
/* One setting, for a test of the emulator itself. */
void simt_set_setting(int schedule, int copy_timing, int pattern);

/* The n-th of the following allocations (device or pinned memory, from 1), launches or kernel runs fails; 0: none. A
 * run that fails does nothing, and every later call fails as after an illegal address. */
void simt_fail_allocation(int n);
void simt_fail_launch(int n);
void simt_fail_run(int n);

/* Allocations of more bytes fail, as where free memory lies in pieces; 0: none do. */
void simt_fail_allocation_above(size_t n_bytes);
/* Allocations of device and pinned memory so far, those that failed too. */
size_t simt_n_allocations(void);

/* A machine of `n_devices`, each with `memory_bytes`; forgets every buffer, stream, event and failure there was. At the
 * start: SIMT_DEVICES of the environment, else one, of SIMT_MEMORY bytes, else 1 GiB. n_devices 0: cudaErrorNoDevice.
 * -1: no driver. */
void simt_set_devices(int n_devices, size_t memory_bytes);
/* Until the next simt_set_devices: a driver for CUDA up to `version` (12040 is 12.4; below CUDART_VERSION it is too
 * old: cudaErrorInsufficientDriver), and the compute capability of all devices. At the start: CUDART_VERSION and 8.0.
 */
void simt_set_driver(int version);
void simt_set_capability(int major, int minor);
void simt_set_capability_of(int device, int major, int minor);
/* So that a device has this much memory left beside what is allocated now. */
void simt_set_free_memory(int device, size_t n_bytes);
/* Are peer copies possible? At the start: yes. */
void simt_set_peer_access(int possible);

/* The most memory of a device that was allocated at once since simt_set_devices. */
size_t simt_peak_bytes(int device);

/* Buffers, pinned buffers, streams and events that nobody freed. */
size_t simt_n_alive(void);

#ifdef __cplusplus
}
#endif
#endif
