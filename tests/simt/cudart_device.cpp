/* Devices and their properties, errors and their names. */
#include <stdio.h>
#include <string.h>

#include "cudart.h"

using namespace simt;

namespace {

/* The limits of a part of compute capability 8.0, with few multiprocessors. */
constexpr int n_multiprocessors = 4, shared_opt_in = 163 * 1024;

bool exists(int device) {
    return device >= 0 && static_cast<size_t>(device) < host().devices.size();
}

struct error_name {
    cudaError_t error;
    const char *name, *text;
};
const error_name error_names[] = {
    {cudaSuccess, "cudaSuccess", "no error"},
    {cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument"},
    {cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory"},
    {cudaErrorInitializationError, "cudaErrorInitializationError", "initialization error"},
    {cudaErrorInvalidConfiguration, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
    {cudaErrorInsufficientDriver, "cudaErrorInsufficientDriver",
     "CUDA driver version is insufficient for CUDA runtime version"},
    {cudaErrorNoDevice, "cudaErrorNoDevice", "no CUDA-capable device is detected"},
    {cudaErrorInvalidDevice, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {cudaErrorPeerAccessUnsupported, "cudaErrorPeerAccessUnsupported",
     "peer access is not supported between these two devices"},
    {cudaErrorInvalidResourceHandle, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {cudaErrorNotReady, "cudaErrorNotReady", "device not ready"},
    {cudaErrorIllegalAddress, "cudaErrorIllegalAddress", "an illegal memory access was encountered"},
    {cudaErrorLaunchOutOfResources, "cudaErrorLaunchOutOfResources", "too many resources requested for launch"},
    {cudaErrorPeerAccessAlreadyEnabled, "cudaErrorPeerAccessAlreadyEnabled", "peer access is already enabled"},
    {cudaErrorLaunchFailure, "cudaErrorLaunchFailure", "unspecified launch failure"},
};

const error_name *find_error(cudaError_t error) {
    for (const error_name &each : error_names)
        if (each.error == error) return &each;
    return nullptr;
}

int value_of(cudaDeviceAttr attribute, const device &of) {
    switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock:
        return 1024;
    case cudaDevAttrMaxSharedMemoryPerBlock:
        return 48 * 1024;
    case cudaDevAttrWarpSize:
        return 32;
    case cudaDevAttrClockRate:
    case cudaDevAttrMemoryClockRate:
        return 1000000;
    case cudaDevAttrMultiProcessorCount:
        return n_multiprocessors;
    case cudaDevAttrGlobalMemoryBusWidth:
        return 5120;
    case cudaDevAttrL2CacheSize:
        return 40 << 20;
    case cudaDevAttrComputeCapabilityMajor:
        return of.capability_major;
    case cudaDevAttrComputeCapabilityMinor:
        return of.capability_minor;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
        return shared_opt_in;
    }
    return -1;
}

} // namespace

const char *cudaGetErrorName(cudaError_t error) {
    const error_name *const found = find_error(error);
    return found ? found->name : "unrecognized error code";
}
const char *cudaGetErrorString(cudaError_t error) {
    const error_name *const found = find_error(error);
    return found ? found->text : "unrecognized error code";
}

/* What breaks everything is not forgotten by looking at it. */
cudaError_t cudaGetLastError(void) {
    const call in;
    const cudaError_t error = last_error;
    last_error = host().broken;
    return error;
}
cudaError_t cudaPeekAtLastError(void) {
    return last_error;
}

cudaError_t cudaDriverGetVersion(int *version) {
    const call in;
    *version = host().driver;
    return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int *version) {
    *version = CUDART_VERSION;
    return cudaSuccess;
}

/* Without a driver that will do the count stays as it was. */
cudaError_t cudaGetDeviceCount(int *count) {
    const call in;
    if (host().driver < CUDART_VERSION) return noted(cudaErrorInsufficientDriver);
    *count = static_cast<int>(host().devices.size());
    return noted(in.refused());
}
cudaError_t cudaGetDevice(int *device) {
    const call in;
    *device = current_device;
    return noted(in.refused());
}
cudaError_t cudaSetDevice(int device) {
    const call in;
    if (in.refused() != cudaSuccess) return noted(in.refused());
    if (!exists(device)) return noted(cudaErrorInvalidDevice);
    current_device = device;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device) {
    const call in;
    if (in.refused() != cudaSuccess) return noted(in.refused());
    if (!exists(device)) return noted(cudaErrorInvalidDevice);
    const simt::device &of = host().devices[static_cast<size_t>(device)];
    const call::as_caller caller(in); /* whose memory is written, by routines that the race detector looks into */
    memset(properties, 0, sizeof *properties);
    snprintf(properties->name, sizeof properties->name, "emulated device %d", device);
    properties->uuid.bytes[0] = static_cast<char>(device);
    properties->totalGlobalMem = of.memory_bytes;
    properties->sharedMemPerBlock = 48 * 1024;
    properties->regsPerBlock = 65536;
    properties->warpSize = 32;
    properties->maxThreadsPerBlock = 1024;
    const int threads[] = {1024, 1024, 64}, grid[] = {0x7fffffff, 65535, 65535};
    memcpy(properties->maxThreadsDim, threads, sizeof threads);
    memcpy(properties->maxGridSize, grid, sizeof grid);
    properties->major = of.capability_major;
    properties->minor = of.capability_minor;
    properties->multiProcessorCount = n_multiprocessors;
    properties->pciBusID = device;
    properties->l2CacheSize = 40 << 20;
    properties->sharedMemPerMultiprocessor = 164 * 1024;
    properties->sharedMemPerBlockOptin = shared_opt_in;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device) {
    const call in;
    if (in.refused() != cudaSuccess) return noted(in.refused());
    if (!exists(device)) return noted(cudaErrorInvalidDevice);
    const int found = value_of(attribute, host().devices[static_cast<size_t>(device)]);
    if (found < 0) return noted(cudaErrorInvalidValue);
    *value = found;
    return cudaSuccess;
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer) {
    const call in;
    if (in.refused() != cudaSuccess) return noted(in.refused());
    if (!exists(device) || !exists(peer)) return noted(cudaErrorInvalidDevice);
    *can = device != peer && host().has_peer_access;
    return cudaSuccess;
}
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned) {
    const call in;
    if (in.refused() != cudaSuccess) return noted(in.refused());
    if (!exists(peer) || peer == current_device) return noted(cudaErrorInvalidDevice);
    if (!host().has_peer_access) return noted(cudaErrorPeerAccessUnsupported);
    const bool is_new = host().devices[static_cast<size_t>(current_device)].peers.insert(peer).second;
    return is_new ? cudaSuccess : noted(cudaErrorPeerAccessAlreadyEnabled);
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes) {
    const call in;
    if (in.refused() != cudaSuccess) return noted(in.refused());
    const device &here = host().devices[static_cast<size_t>(current_device)];
    *free_bytes = here.memory_bytes - here.used_bytes;
    *total_bytes = here.memory_bytes;
    return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void *kernel, cudaFuncAttribute attribute, int value) {
    const call in;
    if (in.refused() != cudaSuccess) return noted(in.refused());
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaSuccess;
    if (value < 0 || value > shared_opt_in) return noted(cudaErrorInvalidValue);
    host().devices[static_cast<size_t>(current_device)].shared_limit[kernel] = value;
    return cudaSuccess;
}
