/* no_value.h: the NaN that stands for "no value", with the same bits wherever it is made: what arithmetic makes of two
 * numbers differs in sign and payload from one processor to the next. */
#ifndef DV_CORE_NO_VALUE_H
#define DV_CORE_NO_VALUE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "core/host_device.h"

static inline DV_HOST_DEVICE double dv_no_value(void) {
    const uint64_t bits = UINT64_C(0x7ff8000000000000); /* (double)NAN of the C library */
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline DV_HOST_DEVICE bool dv_has_value(double value) {
    return value == value; /* isnan() is a function of its own on each side */
}

#endif
