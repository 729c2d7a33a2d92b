/* device_memory.h: what tests of kernels do with memory. Include it after cmocka. */
#ifndef SIMT_DEVICE_MEMORY_H
#define SIMT_DEVICE_MEMORY_H

#include <stdint.h>
#include <stdlib.h>

#include "cuda_runtime_api.h"

static inline uint32_t draw(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static inline void *checked(void *memory) {
    assert_non_null(memory);
    return memory;
}

/* A copy of `size` bytes on the device; host NULL: memory as it comes. */
static inline void *on_device(const void *host, size_t size) {
    void *memory;
    assert_int_equal(cudaMalloc(&memory, size), cudaSuccess);
    if (host) assert_int_equal(cudaMemcpy(memory, host, size, cudaMemcpyHostToDevice), cudaSuccess);
    return memory;
}

static inline void expect_on_device(const void *device, const void *expected, size_t size) {
    void *const found = checked(malloc(size));
    assert_int_equal(cudaMemcpy(found, device, size, cudaMemcpyDeviceToHost), cudaSuccess);
    assert_memory_equal(found, expected, size);
    free(found);
}

#define free_on_device(...)                                                                                            \
    do {                                                                                                               \
        void *const memory_of_device[] = {__VA_ARGS__};                                                                \
        for (size_t i_memory = 0; i_memory < sizeof memory_of_device / sizeof *memory_of_device; i_memory++)           \
            assert_int_equal(cudaFree(memory_of_device[i_memory]), cudaSuccess);                                       \
    } while (0)

#endif
