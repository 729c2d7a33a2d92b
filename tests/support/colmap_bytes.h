/* colmap_bytes.h: models of a few images for tests, as bytes of images.bin and as text of images.txt. */
#ifndef DV_TESTS_SUPPORT_COLMAP_BYTES_H
#define DV_TESTS_SUPPORT_COLMAP_BYTES_H

#include <endian.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct colmap_bytes {
    size_t n;
    uint8_t bytes[8192];
} colmap_bytes;

static inline void colmap_put(colmap_bytes *file, const void *bytes, size_t n) {
    memcpy(file->bytes + file->n, bytes, n);
    file->n += n;
}

static inline void colmap_put_u64(colmap_bytes *file, uint64_t value) {
    value = htole64(value);
    colmap_put(file, &value, sizeof value);
}

static inline void colmap_put_u32(colmap_bytes *file, uint32_t value) {
    value = htole32(value);
    colmap_put(file, &value, sizeof value);
}

static inline void colmap_put_f64(colmap_bytes *file, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    colmap_put_u64(file, bits);
}

/* q f64 [4], t f64 [3]; n_points points of zeros follow */
static inline void colmap_put_image(colmap_bytes *file, const char *name, const double *q, const double *t,
                                    size_t n_points) {
    static const uint8_t zeros[24] = {0};
    colmap_put_u32(file, 7); /* image id */
    for (int i = 0; i < 4; i++) colmap_put_f64(file, q[i]);
    for (int i = 0; i < 3; i++) colmap_put_f64(file, t[i]);
    colmap_put_u32(file, 1); /* camera id */
    colmap_put(file, name, strlen(name) + 1);
    colmap_put_u64(file, n_points);
    for (size_t i = 0; i < n_points; i++) colmap_put(file, zeros, sizeof zeros);
}

#endif
