/* fuzz_json_targets.c: files of 3D targets from arbitrary bytes. What is accepted has targets whose names can be those
 * of folders and files, and views to score. */
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz.h"
#include "fuzz/memory_file.h"
#include "io/json_targets.h"

static void check_name(const char *name) {
    if (!*name || strchr(name, '/') || strcmp(name, "..") == 0) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char path[MEMORY_FILE_PATH_SIZE];
    dv_targets targets;
    const int file = memory_file_open(data, size, path);
    if (dv_targets_read(path, &targets) == DV_OK) {
        if (targets.n == 0 || (targets.height == 0) != (targets.width == 0)) abort();
        for (size_t t = 0; t < targets.n; t++) {
            check_name(targets.targets[t].id);
            check_name(targets.targets[t].reference_view);
            if (targets.targets[t].views.n == 0) abort();
            for (size_t view = 0; view < targets.targets[t].views.n; view++)
                check_name(targets.targets[t].views.names[view]);
        }
    } else if (targets.n || targets.targets) {
        abort();
    }
    dv_targets_clear(&targets);
    memory_file_close(file);
    return 0;
}
