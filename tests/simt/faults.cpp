/* usage: faults NAME: runs a kernel once under each setting (simt_n_seeds). Exit 0: always right. 1: a wrong result.
 * Other: a report.
 */
#include "faults.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simt.h"

void must(int error) {
    if (error == 0) return;
    fprintf(stderr, "faults: %s\n", cudaGetErrorString(static_cast<cudaError_t>(error)));
    exit(2);
}

static const fault *find(const char *name) {
    for (const fault *list : {product_faults, small_faults, stream_faults})
        for (const fault *each = list; each->name; each++)
            if (strcmp(each->name, name) == 0) return each;
    return nullptr;
}

int main(int argc, char **argv) {
    const fault *const chosen = argc == 2 ? find(argv[1]) : nullptr;
    if (!chosen) {
        fprintf(stderr, "usage: faults NAME, of those in *_faults.cu\n");
        return 2;
    }
    for (uint64_t seed = 0; seed < simt_n_seeds(); seed++) {
        simt_set_seed(seed);
        if (chosen->run()) continue;
        fprintf(stderr, "faults: %s is wrong with seed %d\n", chosen->name, static_cast<int>(seed));
        return 1;
    }
    return 0;
}
