/* fuzz_sweep_config.c: configurations of a sweep from arbitrary bytes. What is accepted has a canonical text, which
 * reads back as the same number of cells. */
#include <stdlib.h>
#include <string.h>

#include "denseval/sweep_config.h"
#include "fuzz/fuzz.h"
#include "io/yaml_tree.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    dv_sweep_config config;
    dv_yaml_node *root;
    const char *const text = (const char *)data;
    if (memchr(data, '*', size) || memchr(data, '?', size)) { /* globs would look through the file system */
        if (dv_yaml_parse(text, size, &root) == DV_OK) dv_yaml_free(root);
        return 0;
    }
    if (dv_sweep_config_parse(text, size, "nowhere", &config) == DV_OK) {
        char *canonical;
        if (dv_sweep_config_canonical(&config, &canonical) != DV_OK || dv_sweep_config_cells(&config) == 0) abort();
        if (!strstr(canonical, "schema: " DV_SWEEP_SCHEMA "\n")) abort();
        free(canonical);
        dv_sweep_config_clear(&config);
    }
    return 0;
}
