#include "app/version.h"

#include <string.h>

#include "app/context.h"
#include "denseval/device.h"
#include "denseval/plot.h"
#include "denseval/ranks.h"
#include "denseval/version.h"

enum { FACTS_SIZE = 4096, REASON_SIZE = 256 };

/* Standard output gets every line of the facts but the library's version, which stands in front. */
static void print_facts(char *facts) {
    for (char *line = strsep(&facts, "\n"); line; line = strsep(&facts, "\n"))
        if (*line && strncmp(line, "denseval: ", 10) != 0) dv_print("%s\n", line);
}

dv_status dv_version_print(void) {
    char facts[FACTS_SIZE];
    dv_build_info(facts, sizeof facts);
    dv_print("denseval %s\n", dv_version());
    print_facts(facts);
    dv_print("ranks: %s\n", dv_ranks_available() ? "MPI" : "none: this build has no MPI");
    dv_print("blas: %s\n", dv_blas_core());
    for (const dv_device_ops *const *device = dv_devices(); *device; device++) {
        char why[REASON_SIZE] = "";
        const bool usable = (*device)->usable(why, sizeof why);
        dv_print("backend %s: %s%s\n", (*device)->name, usable ? "usable" : "not usable: ", usable ? "" : why);
    }
    char plots[REASON_SIZE];
    const bool drawn = dv_plot_usable(plots, sizeof plots);
    dv_print("plots: %s%s\n", drawn ? "" : "none: ", plots);
    return DV_OK;
}
