#include "io/png_decode.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "io/png.h"
#include "io/png_inflate.h"

enum {
    SIGNATURE_SIZE = 8,
    CHUNK_OVERHEAD = 12, /* length, type, checksum */
    HEADER_SIZE = 13,    /* the data of IHDR */
    MAX_SIDE = 65535,
    MAX_INFLATION = 1032, /* deflate: 258 bytes from 2 bits at best */
    MAX_CHUNK_BYTES = 16 << 20,
    MAX_CHUNK_CACHE_BYTES = 64 << 20
};

static const uint8_t signature[SIGNATURE_SIZE] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

bool dv_png_is(const uint8_t *bytes, size_t n_bytes) {
    return n_bytes >= SIGNATURE_SIZE && memcmp(bytes, signature, SIGNATURE_SIZE) == 0;
}

static uint32_t read_be32(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* Walks the chunks up to IEND; all must lie within the file. Pixels and checksums are the decoder's matter. */
static dv_status check_chunks(const uint8_t *bytes, size_t n_bytes, size_t *n_image_bytes) {
    size_t at = SIGNATURE_SIZE;
    *n_image_bytes = 0;
    for (;;) {
        const size_t left = n_bytes - at;
        if (left < CHUNK_OVERHEAD)
            return dv_fail(DV_E_DATA, "byte %zu: truncated PNG: %zu bytes left of a file of %zu, IEND is missing", at,
                           left, n_bytes);
        const size_t length = read_be32(bytes + at);
        const uint8_t *type = bytes + at + 4;
        if (length > left - CHUNK_OVERHEAD)
            return dv_fail(DV_E_DATA, "byte %zu: damaged or truncated PNG: a chunk claims %zu bytes, %zu are left", at,
                           length, left - CHUNK_OVERHEAD);
        if (at == SIGNATURE_SIZE && (length != HEADER_SIZE || memcmp(type, "IHDR", 4) != 0))
            return dv_fail(DV_E_DATA, "byte %zu: damaged PNG: the first chunk must be an IHDR of 13 bytes", at);
        if (memcmp(type, "IDAT", 4) == 0) *n_image_bytes += length;
        at += CHUNK_OVERHEAD + length;
        if (memcmp(type, "IEND", 4) == 0) break;
    }
    if (at != n_bytes)
        return dv_fail(DV_E_DATA, "byte %zu: %zu bytes follow the end of the PNG: there must be none", at,
                       n_bytes - at);
    return DV_OK;
}

static size_t channels_of(uint8_t colour_type) {
    switch (colour_type) {
    case SPNG_COLOR_TYPE_TRUECOLOR:
        return 3;
    case SPNG_COLOR_TYPE_GRAYSCALE_ALPHA:
        return 2;
    case SPNG_COLOR_TYPE_TRUECOLOR_ALPHA:
        return 4;
    default:
        return 1;
    }
}

/* The header's sizes against the compressed bytes: nothing of its size is allocated before. */
static dv_status check_sizes(const uint8_t *bytes, size_t n_image_bytes) {
    const uint8_t *header = bytes + SIGNATURE_SIZE + 8;
    const uint32_t width = read_be32(header), height = read_be32(header + 4);
    if (width < 1 || height < 1 || width > MAX_SIDE || height > MAX_SIDE)
        return dv_fail(DV_E_DATA, "IHDR: %ux%u pixels: sides must be 1..%d", width, height, MAX_SIDE);
    const size_t bits = (size_t)width * channels_of(header[9]) * header[8]; /* below 2^16 * 2^2 * 2^8 */
    const size_t n_raw = (size_t)height * (bits / 8);
    if (n_raw / MAX_INFLATION > n_image_bytes)
        return dv_fail(DV_E_DATA, "IHDR: %ux%u pixels, %zu bytes of image data: they cannot hold that many", width,
                       height, n_image_bytes);
    return DV_OK;
}

static dv_status spng_failure(int code) {
    const dv_status status = code == SPNG_EMEM ? DV_E_NOMEM : DV_E_DATA;
    return dv_fail(status, "%s PNG: %s", status == DV_E_NOMEM ? "no memory for a" : "damaged or truncated",
                   spng_strerror(code));
}

/* Strict about the checksums of optional chunks too: a file with a wrong one was damaged somewhere. */
static int prepare(spng_ctx *context, const uint8_t *bytes, size_t n_bytes) {
    int code = spng_set_crc_action(context, SPNG_CRC_ERROR, SPNG_CRC_ERROR);
    if (!code) code = spng_set_image_limits(context, MAX_SIDE, MAX_SIDE);
    if (!code) code = spng_set_chunk_limits(context, MAX_CHUNK_BYTES, MAX_CHUNK_CACHE_BYTES);
    if (!code) code = spng_set_png_buffer(context, bytes, n_bytes);
    return code;
}

dv_status dv_png_decoder_open(const uint8_t *bytes, size_t n_bytes, dv_png_decoder *decoder) {
    *decoder = (dv_png_decoder){.bytes = bytes, .n_bytes = n_bytes};
    if (!dv_png_is(bytes, n_bytes)) return dv_fail(DV_E_DATA, "not a PNG: its signature is missing or cut");
    size_t n_image_bytes;
    DV_TRY(check_chunks(bytes, n_bytes, &n_image_bytes));
    DV_TRY(check_sizes(bytes, n_image_bytes));
    decoder->context = spng_ctx_new(0);
    if (!decoder->context) return dv_fail(DV_E_NOMEM, "no memory for a PNG decoder");
    int code = prepare(decoder->context, bytes, n_bytes);
    if (!code) code = spng_get_ihdr(decoder->context, &decoder->header);
    if (!code) return DV_OK;
    dv_png_decoder_clear(decoder);
    return spng_failure(code);
}

dv_status dv_png_decoder_run(dv_png_decoder *decoder, int format, uint8_t **pixels, size_t *n_bytes) {
    *pixels = NULL;
    int code = spng_decoded_image_size(decoder->context, format, n_bytes);
    if (code) return spng_failure(code);
    uint8_t *made;
    DV_TRY(dv_alloc(*n_bytes, 1, "the pixels of a PNG", &made)); /* interlaced small depths are added to zeros */
    code = spng_decode_image(decoder->context, made, *n_bytes, format, 0);
    if (!code) code = spng_decode_chunks(decoder->context); /* the last IDAT's checksum is looked at only here */
    if (code) {
        free(made);
        return spng_failure(code);
    }
    *pixels = made;
    return DV_OK;
}

/* Leaves rows->owned NULL where the file is not plain. libspng has looked at all chunks before the image data then. */
static dv_status inflate_rows(dv_png_decoder *decoder, size_t n_row_bytes, dv_png_rows *rows) {
    const struct spng_ihdr *header = &decoder->header;
    if (header->interlace_method != SPNG_INTERLACE_NONE || header->bit_depth > 8) return DV_OK;
    const int code = spng_decode_chunks(decoder->context);
    if (code) return spng_failure(code);
    const dv_png_shape shape = {header->height, n_row_bytes,
                                header->bit_depth == 8 ? channels_of(header->color_type) : 1};
    DV_TRY(dv_png_inflate(decoder->bytes, decoder->n_bytes, &shape, &rows->owned));
    rows->stride = 1 + n_row_bytes;
    rows->first = rows->owned ? rows->owned + 1 : NULL;
    return DV_OK;
}

dv_status dv_png_decoder_rows(dv_png_decoder *decoder, size_t n_row_bytes, dv_png_rows *rows) {
    memset(rows, 0, sizeof *rows);
    DV_TRY(inflate_rows(decoder, n_row_bytes, rows));
    if (rows->owned) return DV_OK;
    size_t n_bytes;
    DV_TRY(dv_png_decoder_run(decoder, SPNG_FMT_PNG, &rows->owned, &n_bytes));
    rows->first = rows->owned;
    rows->stride = n_row_bytes;
    if (n_bytes == decoder->header.height * n_row_bytes) return DV_OK;
    free(rows->owned);
    memset(rows, 0, sizeof *rows);
    return dv_fail(DV_E_INTERNAL, "a decoded PNG has %zu bytes, expected %zu", n_bytes,
                   decoder->header.height * n_row_bytes);
}

void dv_png_decoder_clear(dv_png_decoder *decoder) {
    spng_ctx_free(decoder->context);
    decoder->context = NULL;
}
