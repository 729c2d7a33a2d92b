/* view_statistics.h: errors and images a bin of a class, and of all objects. */
#ifndef DV_PROTOCOL_VIEW_STATISTICS_H
#define DV_PROTOCOL_VIEW_STATISTICS_H

#include "denseval/viewpoint_bin.h"

/* Fills the statistics of each class and of all objects, and what is accepted. */
DV_MUST_USE dv_status dv_view_statistics_fill(const dv_view_options *options, dv_view_result *result);

#endif
