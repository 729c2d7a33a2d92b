/* Device and pinned memory: guards around it, patterns in it, copies that stay inside. */
#include <stdlib.h>
#include <string.h>

#include "cudart.h"
#include "report.h"
#include "sanitizers.h"
#include "settings.h"

namespace simt {

/* AddressSanitizer has its own, which end at the byte; without it what is written next to a buffer is seen after the
 * kernel. */
#if defined(SIMT_ASAN)
constexpr size_t guard_bytes = 0;
#else
constexpr size_t guard_bytes = 512;
#endif
constexpr unsigned char guard_byte = 0x9e;

static unsigned char *bytes_at(uintptr_t address) {
    return reinterpret_cast<unsigned char *>(address);
}

static void *new_buffer(size_t size, int device) {
    void *memory;
    if (posix_memalign(&memory, 256, size + 2 * guard_bytes) != 0) return nullptr;
    unsigned char *const data = static_cast<unsigned char *>(memory) + guard_bytes;
    memset(data - guard_bytes, guard_byte, guard_bytes);
    memset(data, fill_byte(), size);
    memset(data + size, guard_byte, guard_bytes);
    if (device != pinned) hide(data, size);
    return data;
}

static void check_guards_of(uintptr_t address, const buffer &of, const char *kernel) {
    const unsigned char *const data = bytes_at(address);
    for (size_t i = 0; i < guard_bytes; i++) {
        if (data[-1 - static_cast<ptrdiff_t>(i)] != guard_byte)
            fail("%s wrote at byte -%zu of a buffer of %zu bytes", kernel, i + 1, of.size);
        if (data[of.size + i] != guard_byte)
            fail("%s wrote at byte %zu of a buffer of %zu bytes", kernel, of.size + i, of.size);
    }
}

void check_guards(const char *kernel) {
    for (const auto &entry : host().buffers) check_guards_of(entry.first, entry.second, kernel);
}

void free_buffer(const call &in, uintptr_t address) {
    const buffer old = host().buffers.at(address);
    host().buffers.erase(address);
    show(bytes_at(address), old.size);
    if (old.device != pinned) host().devices[static_cast<size_t>(old.device)].used_bytes -= old.size;
    const call::as_caller caller(in);
    free(bytes_at(address) - guard_bytes);
}

static const std::pair<const uintptr_t, buffer> *entry_of(const void *address) {
    const uintptr_t place = reinterpret_cast<uintptr_t>(address);
    auto next = host().buffers.upper_bound(place);
    if (next == host().buffers.begin()) return nullptr;
    const auto &entry = *std::prev(next);
    return place < entry.first + entry.second.size ? &entry : nullptr;
}

/* What a copy or a fill may touch: bytes of one buffer, or for the host's side also memory that is none. */
static void check_range(const char *what, const void *address, size_t size, bool on_device) {
    const auto *const entry = entry_of(address);
    if (!entry) {
        if (on_device) fail("%s: an address that is in no buffer of a device", what);
        return;
    }
    const bool in_device = entry->second.device != pinned;
    if (in_device && !on_device) fail("%s: memory of a device where memory of the host belongs", what);
    if (!in_device && on_device) fail("%s: memory of the host where memory of a device belongs", what);
    const size_t offset = reinterpret_cast<uintptr_t>(address) - entry->first;
    if (size > entry->second.size - offset)
        fail("%s: bytes %zu to %zu of a buffer of %zu bytes", what, offset, offset + size, entry->second.size);
}

/* What a copy between devices says of whose memory it is. */
static void check_owner(const void *address, int device) {
    const auto *const entry = entry_of(address);
    if (entry && entry->second.device != pinned && entry->second.device != device)
        fail("cudaMemcpyPeer: memory of device %d, said to be of device %d", entry->second.device, device);
}

static bool is_on_device(const void *address) {
    const auto *const entry = entry_of(address);
    return entry && entry->second.device != pinned;
}

static void for_visible_memory(int device, void (*each)(void *, size_t)) {
    const std::set<int> &peers = host().devices[static_cast<size_t>(device)].peers;
    for (const auto &entry : host().buffers)
        if (entry.second.device == device || peers.count(entry.second.device))
            each(bytes_at(entry.first), entry.second.size);
}
void show_memory(int device) {
    for_visible_memory(device, show);
}
void hide_memory(int device) {
    for_visible_memory(device, hide);
}

static void show_if_device(const void *memory, size_t size, void (*each)(void *, size_t)) {
    if (is_on_device(memory)) each(const_cast<void *>(memory), size);
}

static void copy(void *target, const void *source, size_t size) {
    if (host().broken != cudaSuccess) return;
    show_if_device(target, size, show);
    show_if_device(source, size, show);
    memmove(target, source, size);
    show_if_device(target, size, hide);
    show_if_device(source, size, hide);
}

static cudaError_t allocate(const call &in, void **memory, size_t size, int device) {
    if (in.refused() != cudaSuccess) return in.refused();
    host().n_allocations++;
    if (fails_now(host().allocation_to_fail)) return cudaErrorMemoryAllocation;
    if (host().most_bytes > 0 && size > host().most_bytes) return cudaErrorMemoryAllocation;
    *memory = nullptr;
    if (size == 0) return cudaSuccess;
    if (device != pinned) {
        simt::device &on = host().devices[static_cast<size_t>(device)];
        if (size > on.memory_bytes - on.used_bytes) return cudaErrorMemoryAllocation;
        on.used_bytes += size;
        if (on.peak_bytes < on.used_bytes) on.peak_bytes = on.used_bytes;
    }
    {
        const call::as_caller caller(in);
        *memory = new_buffer(size, device);
    }
    if (!*memory) return cudaErrorMemoryAllocation;
    host().buffers[reinterpret_cast<uintptr_t>(*memory)] = buffer{size, device};
    return cudaSuccess;
}

/* Freeing waits for all work, as CUDA does. */
static cudaError_t release_memory(const call &in, void *memory, bool device) {
    if (in.refused() != cudaSuccess) return in.refused();
    if (!memory) return cudaSuccess;
    const auto found = host().buffers.find(reinterpret_cast<uintptr_t>(memory));
    if (found == host().buffers.end() || (found->second.device != pinned) != device) return cudaErrorInvalidValue;
    for (size_t i = 0; i < host().devices.size(); i++) finish_device(in, static_cast<int>(i));
    free_buffer(in, reinterpret_cast<uintptr_t>(memory));
    return host().broken;
}

static cudaError_t queue_copy(const call &in, const char *what, void *target, const void *source, size_t size,
                              cudaMemcpyKind kind, cudaStream_t stream, operation_ref *work) {
    if (in.refused() != cudaSuccess) return in.refused();
    if (size == 0) return cudaSuccess;
    const bool by_address = kind == cudaMemcpyDefault;
    const bool to_device =
        by_address ? is_on_device(target) : kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    const bool from_device =
        by_address ? is_on_device(source) : kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    check_range(what, target, size, to_device);
    check_range(what, source, size, from_device);
    *work = enqueue(in, known_stream(stream), [=] { copy(target, source, size); });
    return cudaSuccess;
}

static void fill(void *target, int value, size_t size) {
    if (host().broken != cudaSuccess) return;
    show_if_device(target, size, show);
    memset(target, value, size);
    show_if_device(target, size, hide);
}

static cudaError_t queue_fill(const call &in, const char *what, void *target, int value, size_t size,
                              cudaStream_t stream) {
    if (in.refused() != cudaSuccess) return in.refused();
    if (size == 0) return cudaSuccess;
    check_range(what, target, size, true);
    enqueue(in, known_stream(stream), [=] { fill(target, value, size); });
    return cudaSuccess;
}

/* Waits for it, where it was queued. */
static cudaError_t waited(const call &in, cudaError_t error, const operation_ref &work) {
    if (error != cudaSuccess) return error;
    finish(in, work);
    return host().broken;
}

} // namespace simt

using namespace simt;

cudaError_t cudaMalloc(void **memory, size_t size) {
    const call in;
    return noted(allocate(in, memory, size, current_device));
}
cudaError_t cudaFree(void *memory) {
    const call in;
    return noted(release_memory(in, memory, true));
}
cudaError_t cudaHostAlloc(void **memory, size_t size, unsigned) {
    const call in;
    return noted(allocate(in, memory, size, pinned));
}
cudaError_t cudaMallocHost(void **memory, size_t size) {
    return cudaHostAlloc(memory, size, cudaHostAllocDefault);
}
cudaError_t cudaFreeHost(void *memory) {
    const call in;
    return noted(release_memory(in, memory, false));
}

cudaError_t cudaMemcpyAsync(void *target, const void *source, size_t size, cudaMemcpyKind kind, cudaStream_t stream) {
    const call in;
    operation_ref work;
    return noted(queue_copy(in, "cudaMemcpyAsync", target, source, size, kind, stream, &work));
}
cudaError_t cudaMemcpy(void *target, const void *source, size_t size, cudaMemcpyKind kind) {
    const call in;
    operation_ref work;
    const cudaError_t error = queue_copy(in, "cudaMemcpy", target, source, size, kind, nullptr, &work);
    return noted(waited(in, error, work));
}
cudaError_t cudaMemcpyPeerAsync(void *target, int target_device, const void *source, int source_device, size_t size,
                                cudaStream_t stream) {
    const call in;
    operation_ref work;
    check_owner(target, target_device);
    check_owner(source, source_device);
    return noted(queue_copy(in, "cudaMemcpyPeerAsync", target, source, size, cudaMemcpyDeviceToDevice, stream, &work));
}
cudaError_t cudaMemcpyPeer(void *target, int target_device, const void *source, int source_device, size_t size) {
    const call in;
    operation_ref work;
    check_owner(target, target_device);
    check_owner(source, source_device);
    const cudaError_t error =
        queue_copy(in, "cudaMemcpyPeer", target, source, size, cudaMemcpyDeviceToDevice, nullptr, &work);
    return noted(waited(in, error, work));
}
cudaError_t cudaMemsetAsync(void *target, int value, size_t size, cudaStream_t stream) {
    const call in;
    return noted(queue_fill(in, "cudaMemsetAsync", target, value, size, stream));
}
/* Returns before it is done, as CUDA's does. */
cudaError_t cudaMemset(void *target, int value, size_t size) {
    const call in;
    return noted(queue_fill(in, "cudaMemset", target, value, size, nullptr));
}
