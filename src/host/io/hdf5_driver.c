#include "io/hdf5_driver.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

/* What an access property list carries. */
typedef struct driver_info {
    int *error;
} driver_info;

typedef struct driver_file {
    H5FD_t base; /* HDF5's part; must come first */
    int descriptor;
    int *error;  /* borrowed */
    haddr_t eoa; /* end of what HDF5 has allocated */
    haddr_t eof; /* end of what was written */
} driver_file;

static void remember(driver_file *file, int error) {
    if (*file->error == 0) *file->error = error ? error : EIO;
}

static H5FD_t *driver_open(const char *name, unsigned flags, hid_t access, haddr_t max_address) {
    (void)max_address;
    const driver_info *info = H5Pget_driver_info(access);
    driver_file *made = info ? calloc(1, sizeof *made) : NULL;
    if (!made) return NULL;
    made->error = info->error;
    const int truncate = flags & H5F_ACC_TRUNC ? O_TRUNC : 0;
    made->descriptor = open(name, O_RDWR | O_CLOEXEC | truncate, 0666);
    if (made->descriptor < 0) {
        remember(made, errno);
        free(made);
        return NULL;
    }
    const off_t size = lseek(made->descriptor, 0, SEEK_END);
    made->eof = size > 0 ? (haddr_t)size : 0;
    return &made->base;
}

static herr_t driver_close(H5FD_t *base) {
    driver_file *file = (driver_file *)base;
    if (close(file->descriptor) != 0) remember(file, errno);
    free(file);
    return 0;
}

/* As the library's own driver, so that files are laid out alike. */
static herr_t driver_query(const H5FD_t *base, unsigned long *flags) {
    (void)base;
    if (flags)
        *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
                 H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
    return 0;
}

static haddr_t driver_get_eoa(const H5FD_t *base, H5FD_mem_t type) {
    (void)type;
    return ((const driver_file *)base)->eoa;
}

static herr_t driver_set_eoa(H5FD_t *base, H5FD_mem_t type, haddr_t address) {
    (void)type;
    ((driver_file *)base)->eoa = address;
    return 0;
}

static haddr_t driver_get_eof(const H5FD_t *base, H5FD_mem_t type) {
    (void)type;
    return ((const driver_file *)base)->eof;
}

/* What lies behind the end of the file reads as zeros. */
static herr_t driver_read(H5FD_t *base, H5FD_mem_t type, hid_t transfer, haddr_t address, size_t size, void *buffer) {
    (void)type;
    (void)transfer;
    driver_file *file = (driver_file *)base;
    char *next = buffer;
    while (size > 0) {
        const ssize_t n = pread(file->descriptor, next, size, (off_t)address);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) remember(file, errno);
        if (n <= 0) break;
        next += n;
        size -= (size_t)n;
        address += (haddr_t)n;
    }
    memset(next, 0, size);
    return 0;
}

static herr_t driver_write(H5FD_t *base, H5FD_mem_t type, hid_t transfer, haddr_t address, size_t size,
                           const void *buffer) {
    (void)type;
    (void)transfer;
    driver_file *file = (driver_file *)base;
    const char *next = buffer;
    if (address + size > file->eof) file->eof = address + size;
    while (size > 0 && *file->error == 0) {
        const ssize_t n = pwrite(file->descriptor, next, size, (off_t)address);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) {
            remember(file, n < 0 ? errno : ENOSPC);
            break;
        }
        next += n;
        size -= (size_t)n;
        address += (haddr_t)n;
    }
    return 0;
}

static herr_t driver_truncate(H5FD_t *base, hid_t transfer, hbool_t closing) {
    (void)transfer;
    (void)closing;
    driver_file *file = (driver_file *)base;
    if (file->eoa == file->eof) return 0;
    if (*file->error == 0 && ftruncate(file->descriptor, (off_t)file->eoa) != 0) remember(file, errno);
    file->eof = file->eoa;
    return 0;
}

static const H5FD_class_t driver_class = {
#if H5_VERSION_GE(1, 13, 0)
    .version = H5FD_CLASS_VERSION,
    .value = 600, /* of the range that is free for private drivers */
#endif
    .name = "denseval",
    .maxaddr = INT64_MAX,
    .fc_degree = H5F_CLOSE_WEAK,
    .fapl_size = sizeof(driver_info),
    .open = driver_open,
    .close = driver_close,
    .query = driver_query,
    .get_eoa = driver_get_eoa,
    .set_eoa = driver_set_eoa,
    .get_eof = driver_get_eof,
    .read = driver_read,
    .write = driver_write,
    .truncate = driver_truncate,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
};

hid_t dv_h5_driver_register(void) {
    return H5FDregister(&driver_class);
}

herr_t dv_h5_driver_set(hid_t access, hid_t driver, int *error) {
    const driver_info info = {error};
    return H5Pset_driver(access, driver, &info);
}
