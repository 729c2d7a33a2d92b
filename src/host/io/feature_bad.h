/* feature_bad.h: the bad images that a reader found, for whoever reads one set by several readers. */
#ifndef DV_IO_FEATURE_BAD_H
#define DV_IO_FEATURE_BAD_H

#include "core/fault_list.h"
#include "denseval/features.h"

/* With keep_bad, what the reader did not log, by image of the set. Borrowed until it is closed. */
const dv_kept_faults *dv_feature_reader_bad(const dv_feature_reader *reader);

#endif
