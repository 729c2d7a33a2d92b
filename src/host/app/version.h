/* version.h: --version. */
#ifndef DV_APP_VERSION_H
#define DV_APP_VERSION_H

#include "denseval/status.h"

/* Prints version, build, processor and backends to standard output. */
DV_MUST_USE dv_status dv_version_print(void);

#endif
