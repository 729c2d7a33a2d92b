#include "io/jpeg_exif.h"

#include <stdbool.h>
#include <string.h>

enum {
    PREFIX_SIZE = 6, /* "Exif", 0, 0 */
    TIFF_HEADER_SIZE = 8,
    ENTRY_SIZE = 12, /* tag u16, type u16, count u32, value */
    TAG_ORIENTATION = 0x0112,
    TYPE_SHORT = 3,
    TIFF_MAGIC = 42
};

/* The TIFF block behind the prefix; offsets count from its start. */
typedef struct block {
    const uint8_t *bytes;
    size_t n_bytes;
    bool big_endian;
} block;

/* Both callers have checked that the bytes are there. */
static uint32_t read_u16(const block *tiff, size_t at) {
    const uint8_t *p = tiff->bytes + at;
    return tiff->big_endian ? (uint32_t)p[0] << 8 | p[1] : (uint32_t)p[1] << 8 | p[0];
}

static uint32_t read_u32(const block *tiff, size_t at) {
    const uint32_t first = read_u16(tiff, at), second = read_u16(tiff, at + 2);
    return tiff->big_endian ? first << 16 | second : second << 16 | first;
}

/* Looks through the first directory. An entry that lies outside the block ends the search. */
static int find_orientation(const block *tiff, size_t directory) {
    if (directory > tiff->n_bytes || tiff->n_bytes - directory < 2) return 1;
    const size_t n_entries = read_u16(tiff, directory);
    for (size_t i = 0; i < n_entries; i++) {
        const size_t at = directory + 2 + i * ENTRY_SIZE; /* below 2^32 + 2^16 * 12 */
        if (at > tiff->n_bytes || tiff->n_bytes - at < ENTRY_SIZE) return 1;
        if (read_u16(tiff, at) != TAG_ORIENTATION) continue;
        if (read_u16(tiff, at + 2) != TYPE_SHORT || read_u32(tiff, at + 4) != 1) return 1;
        const uint32_t value = read_u16(tiff, at + 8);
        return value >= 1 && value <= 8 ? (int)value : 1;
    }
    return 1;
}

int dv_exif_orientation(const uint8_t *bytes, size_t n_bytes) {
    if (n_bytes < PREFIX_SIZE + TIFF_HEADER_SIZE || memcmp(bytes, "Exif\0\0", PREFIX_SIZE) != 0) return 1;
    block tiff = {.bytes = bytes + PREFIX_SIZE, .n_bytes = n_bytes - PREFIX_SIZE};
    if (memcmp(tiff.bytes, "MM", 2) == 0) {
        tiff.big_endian = true;
    } else if (memcmp(tiff.bytes, "II", 2) != 0) {
        return 1;
    }
    if (read_u16(&tiff, 2) != TIFF_MAGIC) return 1;
    return find_orientation(&tiff, read_u32(&tiff, 4));
}
