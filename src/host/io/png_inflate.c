#include "io/png_inflate.h"

#include <stdlib.h>
#include <string.h>

#include <libdeflate.h>

#include "core/check.h"
#include "core/memory.h"

enum { SIGNATURE_SIZE = 8, CHUNK_OVERHEAD = 12 /* length, type, checksum */, CHUNK_HEAD = 8 };

/* The image data of a PNG. */
typedef struct image_data {
    const uint8_t *bytes;
    size_t n_bytes;
    uint8_t *joined; /* owned; NULL where one chunk holds all */
} image_data;

static uint32_t read_be32(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static bool is_type(const uint8_t *chunk, const char *type) {
    return memcmp(chunk + 4, type, 4) == 0;
}

static size_t size_of(const uint8_t *chunk) {
    return CHUNK_OVERHEAD + (size_t)read_be32(chunk);
}

static bool is_sound(const uint8_t *chunk) {
    const size_t n_data = read_be32(chunk);
    return libdeflate_crc32(0, chunk + 4, 4 + n_data) == read_be32(chunk + CHUNK_HEAD + n_data);
}

/* *data: of the IDAT chunks where they are sound, in a row, and followed by IEND alone; else without bytes. */
static dv_status find_data(const uint8_t *bytes, size_t n_bytes, image_data *data) {
    memset(data, 0, sizeof *data);
    const uint8_t *first = bytes + SIGNATURE_SIZE, *chunk, *end = bytes + n_bytes;
    while (!is_type(first, "IDAT")) {
        if (is_type(first, "IEND")) return DV_OK;
        first += size_of(first);
    }
    size_t n_data = 0, n_chunks = 0;
    for (chunk = first; is_type(chunk, "IDAT"); chunk += size_of(chunk), n_chunks++) {
        if (!is_sound(chunk)) return DV_OK;
        n_data += read_be32(chunk);
    }
    if (!is_type(chunk, "IEND") || chunk + CHUNK_OVERHEAD != end || !is_sound(chunk)) return DV_OK;
    data->bytes = first + CHUNK_HEAD;
    if (n_chunks > 1) {
        DV_TRY(dv_alloc_unset(n_data, 1, "the image data of a PNG", &data->joined));
        size_t at = 0;
        for (chunk = first; is_type(chunk, "IDAT"); chunk += size_of(chunk)) {
            memcpy(data->joined + at, chunk + CHUNK_HEAD, read_be32(chunk));
            at += read_be32(chunk);
        }
        data->bytes = data->joined;
    }
    data->n_bytes = n_data;
    return DV_OK;
}

static dv_status inflate_data(const image_data *data, uint8_t *rows, size_t n_rows_bytes, bool *whole) {
    struct libdeflate_decompressor *inflater = libdeflate_alloc_decompressor();
    if (!inflater) return dv_fail(DV_E_NOMEM, "no memory for a PNG decoder");
    size_t n_read = 0, n_written = 0;
    const enum libdeflate_result result =
        libdeflate_zlib_decompress_ex(inflater, data->bytes, data->n_bytes, rows, n_rows_bytes, &n_read, &n_written);
    libdeflate_free_decompressor(inflater);
    *whole = result == LIBDEFLATE_SUCCESS && n_read == data->n_bytes && n_written == n_rows_bytes;
    return DV_OK;
}

static uint8_t paeth(int left, int above, int corner) {
    const int to_left = abs(above - corner), to_above = abs(left - corner), to_corner = abs(left + above - 2 * corner);
    if (to_left <= to_above && to_left <= to_corner) return (uint8_t)left;
    return (uint8_t)(to_above <= to_corner ? above : corner);
}

/* Filters of the PNG specification, section 9, for one row and the one above it; `step` bytes to the pixel on the left.
 * Beyond the edges there are zeros, so that the first pixel has no left and the first row a row of zeros above. */
static void unfilter_average(uint8_t *restrict row, const uint8_t *restrict above, size_t n_bytes, size_t step) {
    for (size_t i = 0; i < step; i++) row[i] = (uint8_t)(row[i] + above[i] / 2);
    for (size_t i = step; i < n_bytes; i++) row[i] = (uint8_t)(row[i] + (row[i - step] + above[i]) / 2);
}

static void unfilter_paeth(uint8_t *restrict row, const uint8_t *restrict above, size_t n_bytes, size_t step) {
    for (size_t i = 0; i < step; i++) row[i] = (uint8_t)(row[i] + above[i]);
    for (size_t i = step; i < n_bytes; i++)
        row[i] = (uint8_t)(row[i] + paeth(row[i - step], above[i], above[i - step]));
}

/* False: there is no such filter. */
static bool unfilter(unsigned filter, uint8_t *restrict row, const uint8_t *restrict above, size_t n_bytes,
                     size_t step) {
    switch (filter) {
    case 0:
        return true;
    case 1:
        for (size_t i = step; i < n_bytes; i++) row[i] = (uint8_t)(row[i] + row[i - step]);
        return true;
    case 2:
        for (size_t i = 0; i < n_bytes; i++) row[i] = (uint8_t)(row[i] + above[i]);
        return true;
    case 3:
        unfilter_average(row, above, n_bytes, step);
        return true;
    case 4:
        unfilter_paeth(row, above, n_bytes, step);
        return true;
    default:
        return false;
    }
}

static dv_status unfilter_all(uint8_t *rows, const dv_png_shape *shape, bool *good) {
    uint8_t *zeros;
    DV_TRY(dv_alloc(shape->n_row_bytes, 1, "a row of a PNG", &zeros));
    const uint8_t *above = zeros;
    for (size_t y = 0; y < shape->height && *good; y++) {
        uint8_t *row = rows + y * (1 + shape->n_row_bytes) + 1;
        *good = unfilter(row[-1], row, above, shape->n_row_bytes, shape->n_pixel_bytes);
        above = row;
    }
    free(zeros);
    return DV_OK;
}

static dv_status read_rows(const image_data *data, const dv_png_shape *shape, uint8_t **rows) {
    uint8_t *made;
    DV_TRY(dv_alloc_unset(shape->height, 1 + shape->n_row_bytes, "the rows of a PNG", &made));
    bool good = false;
    dv_status status = inflate_data(data, made, shape->height * (1 + shape->n_row_bytes), &good);
    if (status == DV_OK && good) status = unfilter_all(made, shape, &good);
    if (status == DV_OK && good)
        *rows = made;
    else
        free(made);
    return status;
}

dv_status dv_png_inflate(const uint8_t *bytes, size_t n_bytes, const dv_png_shape *shape, uint8_t **rows) {
    *rows = NULL;
    image_data data;
    DV_TRY(find_data(bytes, n_bytes, &data));
    const dv_status status = data.n_bytes ? read_rows(&data, shape, rows) : DV_OK;
    free(data.joined);
    return status;
}
