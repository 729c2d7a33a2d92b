#include "app/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/context.h"
#include "app/message.h"

void dv_output_open(void) {
    for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; descriptor++) {
        if (fcntl(descriptor, F_GETFD) != -1 || errno != EBADF) continue;
        /* The lowest free descriptor is this one. Standard output gets the wrong direction, so that it fails. */
        const int opened = open("/dev/null", descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY);
        if (opened == -1) return; /* no /dev/null: nothing better to offer */
    }
}

void dv_output_silence(void) {
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere == -1) return;
    dup2(nowhere, STDOUT_FILENO);
    close(nowhere);
}

static dv_status output_failed(int error) {
    return dv_app_fail(DV_E_IO, "standard output: %s", error ? strerror(error) : "writing failed");
}

/* A text longer than the buffer fails here, and later nobody knows why. */
dv_status dv_output_report(dv_report *report) {
    char *text;
    dv_status status = dv_report_json(report, &text);
    errno = 0;
    if (status == DV_OK) dv_print("%s", text);
    if (status == DV_OK && ferror(stdout)) status = output_failed(errno);
    free(text);
    return status;
}

dv_status dv_output_close(void) {
    const int failed_before = ferror(stdout);
    errno = 0;
    const int flushed = fflush(stdout), flush_error = errno;
    errno = 0;
    const int closed = fclose(stdout), close_error = errno;
    if (!failed_before && flushed == 0 && closed == 0) return DV_OK;
    return output_failed(flush_error ? flush_error : close_error);
}
