/* The emulated runtime: what it refuses, what it orders, and what several devices and host threads see. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <string.h>

#include "cuda_runtime_api.h"
#include "runtime_kernels.h"
#include "simt.h"

enum { N = 100, N_BYTES = N * sizeof(int) };

static int one_device(void **state) {
    (void)state;
    simt_set_devices(1, 1 << 20);
    return 0;
}

static void intrinsics_have_the_documented_results(void **state) {
    (void)state;
    assert_string_equal(wrong_intrinsic(), "");
}

static void memory_is_counted_and_limited(void **state) {
    (void)state;
    void *memory[2];
    size_t free_bytes, total_bytes;
    assert_int_equal(cudaMalloc(&memory[0], 1000000), cudaSuccess);
    assert_int_equal(cudaMalloc(&memory[1], 100000), cudaErrorMemoryAllocation);
    assert_int_equal(cudaPeekAtLastError(), cudaErrorMemoryAllocation);
    assert_int_equal(cudaGetLastError(), cudaErrorMemoryAllocation);
    assert_int_equal(cudaGetLastError(), cudaSuccess);
    assert_int_equal(cudaMemGetInfo(&free_bytes, &total_bytes), cudaSuccess);
    assert_int_equal(total_bytes, 1 << 20);
    assert_int_equal(free_bytes, (1 << 20) - 1000000);
    assert_int_equal(simt_n_alive(), 1);
    assert_int_equal(cudaFree(memory[0]), cudaSuccess);
    assert_int_equal(cudaFree(NULL), cudaSuccess);
    assert_int_equal(simt_n_alive(), 0);
}

static void the_third_allocation_fails_on_request(void **state) {
    (void)state;
    void *memory[4] = {NULL, NULL, NULL, NULL};
    simt_fail_allocation(3);
    assert_int_equal(cudaMalloc(&memory[0], 8), cudaSuccess);
    assert_int_equal(cudaHostAlloc(&memory[1], 8, cudaHostAllocDefault), cudaSuccess);
    assert_int_equal(cudaMalloc(&memory[2], 8), cudaErrorMemoryAllocation);
    assert_int_equal(cudaMalloc(&memory[3], 8), cudaSuccess);
    assert_int_equal(cudaFree(memory[0]), cudaSuccess);
    assert_int_equal(cudaFreeHost(memory[1]), cudaSuccess);
    assert_int_equal(cudaFree(memory[3]), cudaSuccess);
    assert_int_equal(cudaGetLastError(), cudaErrorMemoryAllocation);
}

static void a_run_that_fails_breaks_all_later_calls(void **state) {
    (void)state;
    void *memory;
    assert_int_equal(cudaMalloc(&memory, N_BYTES), cudaSuccess);
    simt_fail_run(2);
    assert_int_equal(launch_add_one(memory, N, NULL), cudaSuccess);
    assert_int_equal(cudaDeviceSynchronize(), cudaSuccess);
    simt_set_setting(SIMT_ROUND, SIMT_LATE, 0);
    (void)launch_add_one(memory, N, NULL);
    assert_int_equal(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    assert_int_equal(cudaMalloc(&memory, 8), cudaErrorIllegalAddress);
    assert_int_equal(launch_add_one(memory, N, NULL), cudaErrorIllegalAddress);
}

static void an_error_that_nobody_looked_at_shows_at_the_next_launch(void **state) {
    (void)state;
    void *memory;
    assert_int_equal(cudaMalloc(&memory, (size_t)1 << 40), cudaErrorMemoryAllocation);
    assert_int_equal(launch_shape(1, 1, 32, 0, NULL), cudaErrorMemoryAllocation);
    assert_int_equal(launch_shape(1, 1, 32, 0, NULL), cudaSuccess);
}

static void impossible_launches_are_refused(void **state) {
    (void)state;
    assert_int_equal(launch_shape(0, 1, 32, 0, NULL), cudaErrorInvalidConfiguration);
    assert_int_equal(launch_shape(1, 65536, 32, 0, NULL), cudaErrorInvalidConfiguration);
    assert_int_equal(launch_shape(1, 1, 1025, 0, NULL), cudaErrorInvalidConfiguration);
    assert_int_equal(launch_shape(1, 1, 32, 48 * 1024 + 1, NULL), cudaErrorInvalidValue);
    assert_int_equal(allow_shared(164 * 1024), cudaErrorInvalidValue);
    assert_int_equal(cudaGetLastError(), cudaErrorInvalidValue);
    assert_int_equal(allow_shared(100 * 1024), cudaSuccess);
    assert_int_equal(launch_shape(1, 1, 32, 100 * 1024, NULL), cudaSuccess);
    assert_int_equal(launch_shape(2, 1, 1024, 0, NULL), cudaSuccess);
    assert_int_equal(cudaDeviceSynchronize(), cudaSuccess);
}

static void machines_without_a_device_or_driver_say_so(void **state) {
    (void)state;
    int count = 7, version;
    simt_set_devices(0, 0);
    assert_int_equal(cudaGetDeviceCount(&count), cudaErrorNoDevice);
    assert_int_equal(count, 0);
    count = 7;
    simt_set_devices(-1, 0);
    assert_int_equal(cudaGetDeviceCount(&count), cudaErrorInsufficientDriver);
    assert_int_equal(count, 7);
    assert_int_equal(cudaDriverGetVersion(&version), cudaSuccess);
    assert_int_equal(version, 0);
    assert_string_equal(cudaGetErrorName(cudaErrorInsufficientDriver), "cudaErrorInsufficientDriver");
}

static void old_drivers_and_devices_say_what_they_are(void **state) {
    (void)state;
    int count = 7, version, major, minor;
    void *memory;
    simt_set_driver(12040);
    assert_int_equal(cudaGetDeviceCount(&count), cudaErrorInsufficientDriver);
    assert_int_equal(cudaMalloc(&memory, 1), cudaErrorInsufficientDriver);
    assert_int_equal(cudaDriverGetVersion(&version), cudaSuccess);
    assert_int_equal(version, 12040);
    simt_set_driver(CUDART_VERSION + 10);
    simt_set_capability(7, 5);
    assert_int_equal(cudaGetDeviceCount(&count), cudaSuccess);
    assert_int_equal(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0), cudaSuccess);
    assert_int_equal(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0), cudaSuccess);
    struct cudaDeviceProp properties;
    assert_int_equal(cudaGetDeviceProperties(&properties, 0), cudaSuccess);
    assert_int_equal(major, 7);
    assert_int_equal(minor, 5);
    assert_int_equal(properties.major, 7);
    assert_int_equal(properties.minor, 5);
}

/* Nothing runs before it must with some seeds, and some event is not over yet. */
static void queued_work_is_late_with_some_seeds_and_early_with_others(void **state) {
    (void)state;
    int n_early = 0, n_late = 0;
    for (uint64_t seed = 0; seed < 20; seed++) {
        simt_set_seed(seed);
        cudaStream_t stream;
        cudaEvent_t start, stop;
        assert_int_equal(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
        assert_int_equal(cudaEventCreate(&start), cudaSuccess);
        assert_int_equal(cudaEventCreate(&stop), cudaSuccess);
        assert_int_equal(cudaEventQuery(stop), cudaSuccess); /* never recorded */
        assert_int_equal(cudaEventRecord(start, stream), cudaSuccess);
        assert_int_equal(launch_shape(1, 1, 32, 0, stream), cudaSuccess);
        assert_int_equal(cudaEventRecord(stop, stream), cudaSuccess);
        const cudaError_t found = cudaEventQuery(stop);
        assert_true(found == cudaSuccess || found == cudaErrorNotReady);
        *(found == cudaSuccess ? &n_early : &n_late) += 1;
        float time_ms = -1.0f;
        assert_int_equal(cudaEventSynchronize(stop), cudaSuccess);
        assert_int_equal(cudaStreamQuery(stream), cudaSuccess);
        assert_int_equal(cudaEventElapsedTime(&time_ms, start, stop), cudaSuccess);
        assert_true(time_ms >= 0.0f);
        assert_int_equal(cudaEventDestroy(start), cudaSuccess);
        assert_int_equal(cudaEventDestroy(stop), cudaSuccess);
        assert_int_equal(cudaStreamDestroy(stream), cudaSuccess);
    }
    assert_true(n_early > 0 && n_late > 0);
    assert_int_equal(simt_n_alive(), 0);
}

/* The default stream waits for blocking streams, and they for it. */
static void the_default_stream_takes_turns(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < simt_n_seeds(); seed++) {
        simt_set_seed(seed);
        cudaStream_t blocking;
        void *memory;
        int values[N], expected[N];
        assert_int_equal(cudaStreamCreate(&blocking), cudaSuccess);
        assert_int_equal(cudaMalloc(&memory, N_BYTES), cudaSuccess);
        assert_int_equal(cudaMemsetAsync(memory, 1, N_BYTES, blocking), cudaSuccess);
        assert_int_equal(launch_add_one(memory, N, NULL), cudaSuccess);
        assert_int_equal(launch_add_one(memory, N, blocking), cudaSuccess);
        assert_int_equal(cudaMemcpy(values, memory, N_BYTES, cudaMemcpyDeviceToHost), cudaSuccess);
        for (int i = 0; i < N; i++) expected[i] = 0x01010103;
        assert_memory_equal(values, expected, N_BYTES);
        assert_int_equal(cudaFree(memory), cudaSuccess);
        assert_int_equal(cudaStreamDestroy(blocking), cudaSuccess);
    }
}

static void peers_are_copied_between(void **state) {
    (void)state;
    simt_set_devices(2, 1 << 20);
    int can, values[N], expected[N];
    void *memory[2];
    cudaStream_t stream;
    assert_int_equal(cudaMalloc(&memory[0], N_BYTES), cudaSuccess);
    assert_int_equal(cudaMemset(memory[0], 0, N_BYTES), cudaSuccess);
    assert_int_equal(cudaStreamCreate(&stream), cudaSuccess);
    assert_int_equal(cudaDeviceSynchronize(), cudaSuccess);
    assert_int_equal(cudaSetDevice(1), cudaSuccess);
    assert_int_equal(cudaMalloc(&memory[1], N_BYTES), cudaSuccess);
    assert_int_equal(cudaMemcpyPeerAsync(memory[1], 1, memory[0], 0, N_BYTES, NULL), cudaSuccess);
    assert_int_equal(launch_add_one(memory[1], N, NULL), cudaSuccess);
    assert_int_equal(launch_add_one(memory[1], N, stream), cudaErrorInvalidResourceHandle); /* of device 0 */
    assert_int_equal(cudaMemcpy(values, memory[1], N_BYTES, cudaMemcpyDefault), cudaSuccess);
    for (int i = 0; i < N; i++) expected[i] = 1;
    assert_memory_equal(values, expected, N_BYTES);

    assert_int_equal(cudaDeviceCanAccessPeer(&can, 1, 0), cudaSuccess);
    assert_int_equal(can, 1);
    assert_int_equal(cudaDeviceEnablePeerAccess(0, 0), cudaSuccess);
    assert_int_equal(cudaDeviceEnablePeerAccess(0, 0), cudaErrorPeerAccessAlreadyEnabled);
    assert_int_equal(cudaGetLastError(), cudaErrorPeerAccessAlreadyEnabled);
    assert_int_equal(launch_add_one(memory[0], N, NULL), cudaSuccess);
    assert_int_equal(cudaDeviceSynchronize(), cudaSuccess);
    simt_set_peer_access(0);
    assert_int_equal(cudaDeviceCanAccessPeer(&can, 1, 0), cudaSuccess);
    assert_int_equal(can, 0);
    assert_int_equal(cudaSetDevice(2), cudaErrorInvalidDevice);
}

enum { N_THREADS = 3, N_ROUNDS = 5 };

/* A thread of the host with a device of its own. Returns NULL where all went well. */
static void *work_on_own_device(void *argument) {
    const int device = *(const int *)argument;
    void *memory, *host;
    cudaStream_t stream;
    if (cudaSetDevice(device) || cudaMalloc(&memory, N_BYTES) || cudaHostAlloc(&host, N_BYTES, 0)) return argument;
    if (cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking)) return argument;
    int *const values = host;
    for (int i = 0; i < N; i++) values[i] = device;
    for (int round = 0; round < N_ROUNDS; round++) {
        if (cudaMemcpyAsync(memory, host, N_BYTES, cudaMemcpyHostToDevice, stream)) return argument;
        if (launch_add_one(memory, N, stream)) return argument;
        if (cudaMemcpyAsync(host, memory, N_BYTES, cudaMemcpyDeviceToHost, stream)) return argument;
        if (cudaStreamSynchronize(stream)) return argument;
    }
    for (int i = 0; i < N; i++)
        if (values[i] != device + N_ROUNDS) return argument;
    return cudaFree(memory) || cudaFreeHost(host) || cudaStreamDestroy(stream) ? argument : NULL;
}

static void host_threads_have_devices_of_their_own(void **state) {
    (void)state;
    simt_set_devices(N_THREADS, 1 << 20);
    pthread_t threads[N_THREADS];
    int devices[N_THREADS];
    for (int i = 0; i < N_THREADS; i++) {
        devices[i] = i;
        assert_int_equal(pthread_create(&threads[i], NULL, work_on_own_device, &devices[i]), 0);
    }
    for (int i = 0; i < N_THREADS; i++) {
        void *failed;
        assert_int_equal(pthread_join(threads[i], &failed), 0);
        assert_null(failed);
    }
    assert_int_equal(simt_n_alive(), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(intrinsics_have_the_documented_results, one_device),
        cmocka_unit_test_setup(memory_is_counted_and_limited, one_device),
        cmocka_unit_test_setup(the_third_allocation_fails_on_request, one_device),
        cmocka_unit_test_setup(a_run_that_fails_breaks_all_later_calls, one_device),
        cmocka_unit_test_setup(an_error_that_nobody_looked_at_shows_at_the_next_launch, one_device),
        cmocka_unit_test_setup(impossible_launches_are_refused, one_device),
        cmocka_unit_test_setup(machines_without_a_device_or_driver_say_so, one_device),
        cmocka_unit_test_setup(old_drivers_and_devices_say_what_they_are, one_device),
        cmocka_unit_test_setup(queued_work_is_late_with_some_seeds_and_early_with_others, one_device),
        cmocka_unit_test_setup(the_default_stream_takes_turns, one_device),
        cmocka_unit_test_setup(peers_are_copied_between, one_device),
        cmocka_unit_test_setup(host_threads_have_devices_of_their_own, one_device),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
