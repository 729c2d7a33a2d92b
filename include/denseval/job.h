/* job.h: the batch job that a run is part of: who it is, and what it was given. */
#ifndef DENSEVAL_JOB_H
#define DENSEVAL_JOB_H

#include <stddef.h>

#include "denseval/status.h"

DV_C_BEGIN

/* What the batch system tells; texts are borrowed, NULL: not told. Numbers are of this node, 0: not told. */
typedef struct dv_job {
    const char *id;                    /* of this job, or of this task of an array: "1234" */
    const char *array_id, *array_task; /* "1230", "3" */
    const char *node;                  /* the node's name in the batch system */
    size_t n_restarts;                 /* how often the system has started this job again */
    size_t n_cpus, memory_bytes, n_gpus;
} dv_job;

enum { DV_JOB_TEXT_SIZE = 256 };

/* "Slurm job 1230_3 (1234) on node n1, restart 2", as far as it is told; "" without an id. */
void dv_job_text(const dv_job *job, char text[DV_JOB_TEXT_SIZE]);

DV_C_END
#endif
