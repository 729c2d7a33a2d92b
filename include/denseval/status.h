/* status.h: how every fallible function of the library reports what went wrong. */
#ifndef DENSEVAL_STATUS_H
#define DENSEVAL_STATUS_H

#ifdef __cplusplus
#define DV_EXTERN_C_BEGIN extern "C" {
#define DV_EXTERN_C_END }
#else
#define DV_EXTERN_C_BEGIN
#define DV_EXTERN_C_END
#endif

/* What stands between these two is exported from the shared library; all else is hidden. */
#define DV_C_BEGIN _Pragma("GCC visibility push(default)") DV_EXTERN_C_BEGIN
#define DV_C_END DV_EXTERN_C_END _Pragma("GCC visibility pop")

/* A status that nobody looks at is a compile-time warning. */
#define DV_MUST_USE __attribute__((warn_unused_result))

DV_C_BEGIN

/* Numbered in decades; the numbers are stable. The command line maps them to its exit codes. */
typedef enum dv_status {
    DV_OK = 0,
    DV_E_ARG = 10,         /* the caller broke a written contract */
    DV_E_USAGE = 11,       /* options that contradict each other, or that these data cannot meet */
    DV_E_DATA = 20,        /* a file holds a wrong value, or two files do not fit together */
    DV_E_MISSING = 21,     /* a file is not there */
    DV_E_IO = 30,          /* reading, writing, flushing, closing or renaming failed */
    DV_E_NOMEM = 40,       /* host memory is exhausted, or a memory limit is too small */
    DV_E_BACKEND = 50,     /* a device or backend is not available, or its memory is too small */
    DV_E_INTERRUPTED = 60, /* stopped on request; the same call again goes on */
    DV_E_INTERNAL = 90     /* a fault of the library itself */
} dv_status;

/* The name of a status as written above, for example "DV_E_DATA"; "unknown" for any other number. Static lifetime. */
const char *dv_status_name(dv_status status);

/* What the last failure of this thread was, in one line without a newline: "FILE: WHERE: WHAT" where a file is at
 * fault. "" when nothing failed yet. Belongs to the thread and stays valid until its next failing call. */
const char *dv_last_error(void);

DV_C_END
#endif
