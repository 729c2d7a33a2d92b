/* fake_gpus.h: FAISS's C API for GPUs, played by FAISS's CPU code, and what it was asked. */
#ifndef DV_TESTS_FAKE_GPUS_H
#define DV_TESTS_FAKE_GPUS_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct fake_gpus {
    int n_gpus;        /* that FAISS sees */
    int call_to_fail;  /* counts down; 1: the next call, 0: none */
    float error;       /* added to every product */
    int n_alive;       /* resources, options and indexes of GPUs */
    int n_devices;     /* of the last index */
    int shard, half;   /* options of the last index; -1: not set */
    int most_asked;    /* neighbours, in one search */
    bool had_to_share; /* two searches ran at once, or an index outlived its resources */
} fake_gpus;

/* As it is zeroed but for n_gpus, until a test changes it: DV_TEST_GPUS, else 2. */
extern fake_gpus fake;

#ifdef __cplusplus
}
#endif

#endif
