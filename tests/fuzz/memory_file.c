#include "fuzz/memory_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int memory_file_open(const uint8_t *data, size_t size, char *path) {
    const int descriptor = memfd_create("fuzz", MFD_CLOEXEC);
    if (descriptor < 0) abort();
    for (size_t done = 0; done < size;) {
        const ssize_t written = write(descriptor, data + done, size - done);
        if (written <= 0) abort();
        done += (size_t)written;
    }
    snprintf(path, MEMORY_FILE_PATH_SIZE, "/proc/self/fd/%d", descriptor);
    return descriptor;
}

void memory_file_close(int descriptor) {
    close(descriptor);
}
