#include "pipeline/run_owner.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/check.h"

enum { HOST_SIZE = 256, TIME_SIZE = 32, LINE_SIZE = 512 };

dv_status dv_run_owner_write(const char *path, const char *job) {
    char host[HOST_SIZE] = "", start[TIME_SIZE] = "", text[LINE_SIZE];
    const time_t now = time(NULL);
    struct tm utc;
    if (gethostname(host, sizeof host) != 0) memcpy(host, "?", 2);
    host[sizeof host - 1] = '\0';
    if (gmtime_r(&now, &utc)) strftime(start, sizeof start, "%Y-%m-%dT%H:%M:%SZ", &utc);
    snprintf(text, sizeof text, "process %ld on %s%s%.100s since %s", (long)getpid(), host, job ? ", " : "",
             job ? job : "", start);
    dv_fold_lines(text);
    FILE *const out = fopen(path, "wbe");
    const bool failed = !out || fprintf(out, "%s\n", text) < 0;
    if (out && fclose(out) == 0 && !failed) return DV_OK;
    return dv_fail(DV_E_IO, "%s: cannot be written: %s", path, dv_error_text(errno));
}

dv_status dv_run_owner_refuse(const char *path) {
    char text[LINE_SIZE] = "";
    FILE *const in = fopen(path, "rbe");
    if (in && !fgets(text, sizeof text, in)) text[0] = '\0';
    if (in) fclose(in);
    text[strcspn(text, "\n")] = '\0';
    return dv_fail(DV_E_INTERRUPTED, "in use by %s; run the same command again when it has ended",
                   *text ? text : "another process");
}
