#include "core/regular_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static int check_kind(int file) {
    struct stat facts;
    if (fstat(file, &facts) != 0) return errno;
    if (S_ISREG(facts.st_mode)) return 0;
    return S_ISDIR(facts.st_mode) ? EISDIR : EINVAL;
}

int dv_regular_file_open(const char *path, FILE **stream) {
    *stream = NULL;
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) return errno == ENXIO ? EINVAL : errno; /* a socket */
    int error = check_kind(file);
    if (error == 0 && !(*stream = fdopen(file, "rb"))) error = errno;
    if (error) close(file);
    return error;
}
