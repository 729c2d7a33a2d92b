/* Work in several streams, on several devices, with and without the events that order it. */
#include "faults.h"
#include "kernels/launch.cuh"

#include "simt.h"

namespace {

constexpr int n = 64;

__global__ void add_one(int *values) {
    values[threadIdx.x] += 1;
}

struct stream {
    cudaStream_t handle;
    stream() { must(cudaStreamCreateWithFlags(&handle, cudaStreamNonBlocking)); }
    ~stream() { must(cudaStreamDestroy(handle)); }
};
struct event {
    cudaEvent_t handle;
    event() { must(cudaEventCreateWithFlags(&handle, cudaEventDisableTiming)); }
    ~event() { must(cudaEventDestroy(handle)); }
};
struct pinned_values {
    int *values;
    explicit pinned_values(int value) {
        must(cudaHostAlloc(reinterpret_cast<void **>(&values), n * sizeof(int), cudaHostAllocDefault));
        for (int i = 0; i < n; i++) values[i] = value;
    }
    ~pinned_values() { must(cudaFreeHost(values)); }
};

enum stream_fault { NO_FAULT, NO_EVENT, EVENT_TOO_EARLY, NO_WAIT, REUSED_EARLY };

/* Up in one stream, one more in another, down in the first. */
template <stream_fault FAULT> bool round_trip() {
    const on_device<int> there(std::vector<int>(n, 100));
    pinned_values from(7), to(0);
    const stream copies, compute;
    const event uploaded, computed;
    const size_t size = n * sizeof(int);
    if (FAULT == EVENT_TOO_EARLY) must(cudaEventRecord(uploaded.handle, copies.handle));
    must(cudaMemcpyAsync(there.get(), from.values, size, cudaMemcpyHostToDevice, copies.handle));
    if (FAULT != EVENT_TOO_EARLY) must(cudaEventRecord(uploaded.handle, copies.handle));
    if (FAULT == REUSED_EARLY) from.values[3] = 9;
    if (FAULT != NO_EVENT) must(cudaStreamWaitEvent(compute.handle, uploaded.handle, 0));
    must(DV_LAUNCH(add_one, 1, n, 0, compute.handle, there.get()));
    must(cudaEventRecord(computed.handle, compute.handle));
    must(cudaStreamWaitEvent(copies.handle, computed.handle, 0));
    must(cudaMemcpyAsync(to.values, there.get(), size, cudaMemcpyDeviceToHost, copies.handle));
    if (FAULT != NO_WAIT) must(cudaStreamSynchronize(copies.handle));
    bool right = true;
    for (int i = 0; i < n; i++) right &= to.values[i] == 8;
    return right;
}

bool copy_past_end() {
    const on_device<int> there(std::vector<int>(n, 1));
    std::vector<int> here(n + 1);
    must(cudaMemcpy(here.data(), there.get(), (n + 1) * sizeof(int), cudaMemcpyDeviceToHost));
    return true;
}

/* A kernel of device 1 that is given memory of device 0. */
bool other_device() {
    simt_set_devices(2, 1 << 20);
    const on_device<int> there(std::vector<int>(n, 1));
    must(cudaSetDevice(1));
    must(DV_LAUNCH(add_one, 1, n, 0, nullptr, there.get()));
    must(cudaDeviceSynchronize());
    must(cudaSetDevice(0));
    return true;
}

/* From device 1 to device 0, and the same by a caller that mistakes whose memory it has. */
template <bool IS_FAULTY> bool peer_copy() {
    simt_set_devices(2, 1 << 20);
    const on_device<int> to(std::vector<int>(n, 0));
    must(cudaSetDevice(1));
    bool right = true;
    {
        const on_device<int> from(std::vector<int>(n, 7));
        const stream copies;
        const int source = IS_FAULTY ? 0 : 1;
        must(cudaMemcpyPeerAsync(to.get(), 0, from.get(), source, n * sizeof(int), copies.handle));
        must(cudaStreamSynchronize(copies.handle));
    }
    must(cudaSetDevice(0));
    for (int value : to.content()) right &= value == 7;
    return right;
}

} // namespace

const fault stream_faults[] = {
    {"round_trip", round_trip<NO_FAULT>},
    {"missing_event", round_trip<NO_EVENT>},
    {"event_too_early", round_trip<EVENT_TOO_EARLY>},
    {"missing_wait", round_trip<NO_WAIT>},
    {"source_reused_early", round_trip<REUSED_EARLY>},
    {"copy_past_end", copy_past_end},
    {"other_device", other_device},
    {"peer_copy", peer_copy<false>},
    {"wrong_peer", peer_copy<true>},
    {nullptr, nullptr},
};
