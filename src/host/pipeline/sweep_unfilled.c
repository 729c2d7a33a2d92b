#include "pipeline/sweep_unfilled.h"

#include <stdio.h>

#include "core/log.h"

/* "432 of 2000, 1432 of 3000": the banks of a difficulty that are not full; "" where all are. What does not fit is left
 * out. text: char [size] */
static void list_unfilled(const dv_sweep_plan *plan, const dv_grid *grid, size_t difficulty, char *text, size_t size) {
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = 0; i < grid->n_configs && length < size; i++) {
        const dv_grid_config *const config = &grid->configs[i];
        if (plan->choices[i].difficulty != difficulty || config->n_unfilled == 0) continue;
        length += (size_t)snprintf(text + length, size - length, "%s%zu of %zu", length ? ", " : "", config->n_unfilled,
                                   config->n_rows);
    }
}

void dv_sweep_tell_unfilled(const dv_sweep_plan *plan, const dv_grid *grid) {
    const char *const path = plan->config_path;
    char text[256];
    for (size_t i = 0; i < plan->config->n_difficulties; i++) {
        list_unfilled(plan, grid, i, text, sizeof text);
        if (*text)
            dv_log(DV_LOG_WARNING,
                   "%s%sencoder \"%s\", difficulty \"%s\": rows of the memory that are unfilled, zeros without a "
                   "label: %s",
                   path ? path : "", path ? ": " : "", plan->encoder->name, plan->config->difficulties[i].name, text);
    }
}
