/* fuzz.h: what every program of tests/fuzz defines. */
#ifndef DV_TESTS_FUZZ_H
#define DV_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* Gives the parser these bytes as a file. Returns 0; a fault shows itself by a crash or a sanitizer's report.
 * data  [size], borrowed for the call */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
