/* one_stream.h: a stream for all tests of a program: the race detector keeps the threads of each that there was.
 * Include it after cmocka. */
#ifndef SIMT_ONE_STREAM_H
#define SIMT_ONE_STREAM_H

#include "cuda_runtime_api.h"
#include "simt.h"

static cudaStream_t stream;

static int open_stream(void **state) {
    (void)state;
    return cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess ? 0 : -1;
}

/* A failure, too, where anything else is left. */
static int close_stream(void **state) {
    (void)state;
    return cudaStreamDestroy(stream) == cudaSuccess && simt_n_alive() == 0 ? 0 : -1;
}

#endif
