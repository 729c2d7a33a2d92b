/* slurm_job.h: what Slurm's variables say about the job that this process is part of. */
#ifndef DV_APP_SLURM_JOB_H
#define DV_APP_SLURM_JOB_H

#include "denseval/job.h"

/* Gives a variable's text; NULL: not set, or empty. */
typedef const char *(*dv_variable_reader)(const char *name);

typedef struct dv_slurm_job {
    dv_job job;
    size_t n_processes; /* of the step, or of mpirun, on this node; at least 1 */
    size_t step_cpus;   /* of this step on this node: SLURM_CPUS_ON_NODE; 0: not told */
} dv_slurm_job;

/* Zeros and n_processes 1 outside of a job. A text that is no number, or a number that no machine has, is one that is
 * not told: other programs than Slurm set such variables too. Texts are borrowed from the variables. */
void dv_slurm_job_read(dv_variable_reader read, dv_slurm_job *out);

/* CPUs, processes or nodes; more than these were never told by Slurm. */
enum { DV_LAUNCH_MOST = 1 << 20 };

/* A number that a launcher set; 0: NULL, a text that is none, or a number above `most`. */
size_t dv_launch_number(const char *text, size_t most);

/* A list as Slurm writes it, a number a node: "4(x2),2" is 4, 4, 2. 0: no such list, no such node, or a number above
 * DV_LAUNCH_MOST. */
size_t dv_slurm_list_at(const char *list, size_t node);

#endif
