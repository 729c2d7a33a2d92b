#include "denseval/job.h"

#include <stdarg.h>
#include <stdio.h>

/* Appends to a text what fits. */
static void add(char *text, size_t *length, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void add(char *text, size_t *length, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int n = vsnprintf(text + *length, DV_JOB_TEXT_SIZE - *length, format, arguments);
    va_end(arguments);
    if (n > 0) *length += (size_t)n;
    if (*length >= DV_JOB_TEXT_SIZE) *length = DV_JOB_TEXT_SIZE - 1;
}

void dv_job_text(const dv_job *job, char text[DV_JOB_TEXT_SIZE]) {
    size_t length = 0;
    text[0] = '\0';
    if (!job->id) return;
    if (job->array_id && job->array_task)
        add(text, &length, "Slurm job %.40s_%.40s (%.40s)", job->array_id, job->array_task, job->id);
    else
        add(text, &length, "Slurm job %.40s", job->id);
    if (job->node) add(text, &length, " on node %.60s", job->node);
    if (job->n_restarts) add(text, &length, ", restart %zu", job->n_restarts);
}
