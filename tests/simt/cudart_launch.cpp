/* Launches: what the hardware would refuse is refused. */
#include <stdlib.h>
#include <string.h>

#include "block.h"
#include "cudart.h"
#include "report.h"

using namespace simt;

namespace {

cudaError_t check_shape(const simt_shape &shape) {
    const dim3 grid = shape.grid, block = shape.block;
    const uint64_t n_threads = uint64_t{block.x} * block.y * block.z;
    const bool fits = n_threads >= 1 && n_threads <= 1024 && block.z <= 64 && grid.x >= 1 && grid.x <= 0x7fffffffu &&
                      grid.y >= 1 && grid.y <= 65535 && grid.z >= 1 && grid.z <= 65535;
    return fits ? cudaSuccess : cudaErrorInvalidConfiguration;
}

constexpr size_t usual_shared_limit = 48 * 1024;

size_t shared_limit(const void *kernel) {
    const device &here = host().devices[static_cast<size_t>(current_device)];
    const auto set = here.shared_limit.find(kernel);
    return set == here.shared_limit.end() ? usual_shared_limit : static_cast<size_t>(set->second);
}

void run_on_device(const launch &work, int device) {
    if (host().broken != cudaSuccess) return;
    if (fails_now(host().run_to_fail)) {
        host().broken = cudaErrorIllegalAddress;
        return;
    }
    show_memory(device);
    run_launch(work);
    hide_memory(device);
    check_guards(work.name);
}

/* As the driver of a GPU reads it, if not so early. */
bool waits_for_each() {
    const char *const blocking = getenv("CUDA_LAUNCH_BLOCKING");
    return blocking && strcmp(blocking, "1") == 0;
}

cudaError_t queue_launch(const call &in, launch work, const void *kernel, cudaStream_t stream) {
    if (in.refused() != cudaSuccess) return in.refused();
    if (fails_now(host().launch_to_fail)) return cudaErrorLaunchOutOfResources;
    if (check_shape(work.shape) != cudaSuccess) return check_shape(work.shape);
    if (work.shape.shared_bytes > shared_limit(kernel)) return cudaErrorInvalidValue;
    const cudaStream_t known = known_stream(stream);
    if (known->device != current_device) return cudaErrorInvalidResourceHandle;
    if (!known->lines) known->lines = std::make_shared<line_pool>();
    work.lines = known->lines;
    const operation_ref queued =
        enqueue(in, known, [work = std::move(work), device = known->device] { run_on_device(work, device); });
    if (!waits_for_each()) return cudaSuccess;
    finish(in, queued);
    return host().broken;
}

} // namespace

/* As <<<>>> and cudaGetLastError after it: what failed before and was not looked at shows here. */
int simt_launch(const char *name, const void *kernel, const simt_shape &shape, cudaStream_t stream,
                const simt_body *body) {
    const call in;
    const cudaError_t error =
        queue_launch(in, launch{name, shape, std::shared_ptr<const simt_body>(body), nullptr}, kernel, stream);
    const cudaError_t shown = error != cudaSuccess ? error : last_error;
    last_error = cudaSuccess;
    return shown;
}
