/* environment.h: all that is read from the environment, and what main sets in it. The library never looks. */
#ifndef DV_APP_ENVIRONMENT_H
#define DV_APP_ENVIRONMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "denseval/job.h"
#include "denseval/status.h"
#include "denseval/threads.h"

/* Before the first call of HDF5, so that read-only inputs on file systems without locks open, of FAISS, whose sums on a
 * GPU must not be shortened to TF32, and of CUDA: with DENSEVAL_CUDA_SYNC (not 0) each launch waits for its kernel, so
 * that the message of one that fails names it. */
void dv_environment_prepare(void);

/* Starts this program again with one thread asked of the BLAS library and, where it knows this processor not and took
 * its generic kernels, with a family named that the processor can run: both are read when the library loads, so they
 * cannot be set from inside. Comes back where nothing is to be done, and where starting again failed. Must run before
 * anything else has an effect. arguments  of main, program name first, NULL last */
void dv_environment_choose_blas(char *const *arguments);

/* The scan kernel that DENSEVAL_CPU names; NULL where it is not set. */
const char *dv_environment_kernel(void);

/* The Slurm job that this process is part of; zeros: none. Texts are borrowed from the environment. */
void dv_environment_job(dv_job *job);

/* How this process was started. */
typedef struct dv_launch {
    bool has_ranks;  /* by mpirun, or by srun with PMIx, and as one of several where that can be told */
    size_t n;        /* processes that were started together, as ranks or not; 0: not told */
    size_t index;    /* its place among them */
    bool has_others; /* surely, and not by variables that it was handed down: what all would say is told by the first */
} dv_launch;

dv_launch dv_environment_launch(void);

/* The threads this process may use (option 0: not given), with a warning where a Slurm step was given fewer CPUs than
 * its job has. Fails as dv_thread_limits_get. */
DV_MUST_USE dv_status dv_environment_threads(size_t option, dv_thread_limits *limits);

#endif
