/* version.h: which library this is. */
#ifndef DENSEVAL_VERSION_H
#define DENSEVAL_VERSION_H

#include <stddef.h>

#include "denseval/status.h"

DV_C_BEGIN

/* "MAJOR.MINOR.PATCH" of the library at run time. Static lifetime. */
const char *dv_version(void);

/* How it was built and what it runs on, one fact a line ("compiler: gcc 12.2.0", "cpu: x86-64 avx2 fma", ...).
 * text  char [size], written in full or cut; always ends with NUL */
void dv_build_info(char *text, size_t size);

DV_C_END
#endif
