/* report.h: what the emulator finds ends the program with one report on stderr and exit status 99. */
#ifndef SIMT_REPORT_H
#define SIMT_REPORT_H

#include "block.h"

namespace simt {

enum { report_status = 99 };

/* "simt: KERNEL, block (x, y, z), thread n: WHAT"; block and thread where one runs. */
[[noreturn]] __attribute__((format(printf, 1, 2))) void fail(const char *format, ...);

/* The same of a whole block: why, where each thread waits, and which have ended. */
[[noreturn]] void fail_stuck(const block &of, const char *why);

} // namespace simt

#endif
