/* Streams and events. */
#include <time.h>

#include "cudart.h"
#include "report.h"

using namespace simt;

namespace {

cudaEvent_t known_event(cudaEvent_t event) {
    if (!host().events.count(event)) fail("an event that does not exist, or not any more");
    return event;
}

double now_ms() {
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

cudaError_t state_of(const operation_ref &work) {
    if (host().broken != cudaSuccess) return host().broken;
    return !work || work->done ? cudaSuccess : cudaErrorNotReady;
}

} // namespace

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
    const call in;
    if (in.refused() != cudaSuccess) return noted(in.refused());
    *stream = new CUstream_st{current_device, (flags & cudaStreamNonBlocking) == 0, nullptr, nullptr};
    host().streams.insert(*stream);
    return cudaSuccess;
}
cudaError_t cudaStreamCreate(cudaStream_t *stream) {
    return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}

/* What is queued in it still runs. */
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    const call in;
    if (!stream) return noted(cudaErrorInvalidResourceHandle);
    host().streams.erase(known_stream(stream));
    delete stream;
    return noted(in.refused());
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
    const call in;
    if (in.refused() != cudaSuccess) return noted(in.refused());
    const operation_ref last = known_stream(stream)->last;
    if (state_of(last) == cudaSuccess) finish(in, last);
    return state_of(last);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    const call in;
    if (in.refused() != cudaSuccess) return noted(in.refused());
    finish(in, known_stream(stream)->last);
    return noted(host().broken);
}

cudaError_t cudaDeviceSynchronize(void) {
    const call in;
    if (in.refused() != cudaSuccess) return noted(in.refused());
    finish_device(in, current_device);
    return noted(host().broken);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
    const call in;
    if (in.refused() != cudaSuccess) return noted(in.refused());
    const operation_ref awaited = known_event(event)->recorded;
    if (awaited) enqueue(in, known_stream(stream), nullptr, awaited);
    return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) {
    const call in;
    if (in.refused() != cudaSuccess) return noted(in.refused());
    *event = new CUevent_st{current_device, (flags & cudaEventDisableTiming) == 0, nullptr, nullptr};
    host().events.insert(*event);
    return cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t *event) {
    return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
    const call in;
    host().events.erase(known_event(event));
    delete event;
    return noted(in.refused());
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    const call in;
    if (in.refused() != cudaSuccess) return noted(in.refused());
    const cudaStream_t known = known_stream(stream);
    if (known->device != known_event(event)->device) return noted(cudaErrorInvalidResourceHandle);
    std::function<void()> take_time;
    if (event->timed) {
        event->time_ms = std::make_shared<double>(0.0);
        take_time = [time_ms = event->time_ms] { *time_ms = now_ms(); };
    }
    event->recorded = enqueue(in, known, take_time);
    return cudaSuccess;
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
    const call in;
    if (in.refused() != cudaSuccess) return noted(in.refused());
    const operation_ref recorded = known_event(event)->recorded;
    if (state_of(recorded) == cudaSuccess) finish(in, recorded);
    return state_of(recorded);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    const call in;
    if (in.refused() != cudaSuccess) return noted(in.refused());
    finish(in, known_event(event)->recorded);
    return noted(host().broken);
}

cudaError_t cudaEventElapsedTime(float *time_ms, cudaEvent_t start, cudaEvent_t stop) {
    const call in;
    if (in.refused() != cudaSuccess) return noted(in.refused());
    const operation_ref first = known_event(start)->recorded, last = known_event(stop)->recorded;
    if (!first || !last || !start->timed || !stop->timed) return noted(cudaErrorInvalidResourceHandle);
    if (!first->done || !last->done) return cudaErrorNotReady;
    *time_ms = static_cast<float>(*stop->time_ms - *start->time_ms);
    return cudaSuccess;
}
