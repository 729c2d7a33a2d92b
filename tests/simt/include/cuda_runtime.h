/* cuda_runtime.h of the emulator: what a kernel file sees. */
#ifndef SIMT_CUDA_RUNTIME_H
#define SIMT_CUDA_RUNTIME_H

#include "cuda_runtime_api.h"
#include "simt_types.h"

#include "simt_atomics.h"
#include "simt_numbers.h"
#include "simt_warp.h"

#endif
