#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "io/png.h"
#include "io/png_decode.h"

/* How the samples of one decoded row lie. */
typedef struct layout {
    size_t width, channels, n_row_bytes;
    unsigned depth; /* bits a sample */
    bool colour, alpha;
} layout;

static layout layout_of(const struct spng_ihdr *header) {
    layout made = {.width = header->width, .depth = header->bit_depth};
    made.colour =
        header->color_type == SPNG_COLOR_TYPE_TRUECOLOR || header->color_type == SPNG_COLOR_TYPE_TRUECOLOR_ALPHA;
    made.alpha =
        header->color_type == SPNG_COLOR_TYPE_GRAYSCALE_ALPHA || header->color_type == SPNG_COLOR_TYPE_TRUECOLOR_ALPHA;
    made.channels = (made.colour ? 3U : 1U) + (made.alpha ? 1U : 0U);
    made.n_row_bytes = (made.width * made.channels * made.depth + 7) / 8;
    return made;
}

/* Takes n samples out of a row as they are: small depths are unpacked from the high bits down, never scaled. */
static void widen_samples(const uint8_t *restrict row, unsigned depth, size_t n, uint16_t *restrict samples) {
    if (depth == 16) {
        memcpy(samples, row, n * sizeof *samples); /* the decoder gives host order */
    } else if (depth == 8) {
        for (size_t i = 0; i < n; i++) samples[i] = row[i];
    } else {
        const unsigned mask = (1U << depth) - 1;
        for (size_t i = 0; i < n; i++) {
            const size_t bit = i * depth;
            samples[i] = (uint16_t)(row[bit / 8] >> (8 - depth - bit % 8) & mask);
        }
    }
}

int32_t dv_png_gray_label(const uint16_t *rgb, unsigned depth) {
    (void)depth;
    return rgb[0] == rgb[1] && rgb[0] == rgb[2] ? rgb[0] : -1;
}

/* One label a pixel from several channels: colours must have labels and alpha be opaque, so that nothing is lost. */
static dv_status join_channels(const layout *lay, const dv_png_colours *colours, const uint16_t *samples, size_t y,
                               uint16_t *labels) {
    const unsigned opaque = lay->depth == 16 ? 65535 : 255;
    for (size_t x = 0; x < lay->width; x++) {
        const uint16_t *pixel = samples + x * lay->channels;
        const int32_t label = lay->colour ? colours->label_of(pixel, lay->depth) : pixel[0];
        if (label < 0)
            return dv_fail(DV_E_DATA, "pixel (%zu, %zu), colour (%d, %d, %d): %s", x, y, pixel[0], pixel[1], pixel[2],
                           colours->refusal);
        if (lay->alpha && pixel[lay->channels - 1] != opaque)
            return dv_fail(DV_E_DATA, "pixel (%zu, %zu), alpha %d: a label map must not be transparent, expected %u", x,
                           y, pixel[lay->channels - 1], opaque);
        labels[x] = (uint16_t)label;
    }
    return DV_OK;
}

static dv_status fill_labels(const layout *lay, const dv_png_colours *colours, const dv_png_rows *rows,
                             dv_label_map *map) {
    if (lay->channels == 1) {
        for (size_t y = 0; y < map->height; y++)
            widen_samples(rows->first + y * rows->stride, lay->depth, lay->width, map->labels + y * lay->width);
        return DV_OK;
    }
    uint16_t *samples;
    DV_TRY(dv_alloc(lay->width * lay->channels, sizeof *samples, "a row of a PNG", &samples));
    dv_status status = DV_OK;
    for (size_t y = 0; y < map->height && status == DV_OK; y++) {
        widen_samples(rows->first + y * rows->stride, lay->depth, lay->width * lay->channels, samples);
        status = join_channels(lay, colours, samples, y, map->labels + y * lay->width);
    }
    free(samples);
    return status;
}

static dv_status reserve(dv_label_map *map, size_t height, size_t width) {
    if (!map->labels || map->height != height || map->width != width) {
        dv_label_map_clear(map);
        DV_TRY(dv_alloc_unset(height * width, sizeof *map->labels, "a label map", &map->labels));
    }
    map->height = height;
    map->width = width;
    return DV_OK;
}

static dv_status read_labels(dv_png_decoder *decoder, const dv_png_colours *colours, dv_label_map *map) {
    const layout lay = layout_of(&decoder->header);
    dv_png_rows rows;
    DV_TRY(dv_png_decoder_rows(decoder, lay.n_row_bytes, &rows));
    dv_status status = reserve(map, decoder->header.height, decoder->header.width);
    if (status == DV_OK) status = fill_labels(&lay, colours, &rows, map);
    free(rows.owned);
    return status;
}

dv_status dv_png_read_coloured(const uint8_t *bytes, size_t n_bytes, const dv_png_colours *colours, dv_label_map *map) {
    static const dv_png_colours refused = {.label_of = dv_png_gray_label,
                                           .refusal = "a label map must be indexed or gray, colours are no labels"};
    dv_png_decoder decoder;
    dv_status status = dv_png_decoder_open(bytes, n_bytes, &decoder);
    if (status == DV_OK) status = read_labels(&decoder, colours ? colours : &refused, map);
    dv_png_decoder_clear(&decoder);
    if (status != DV_OK) dv_label_map_clear(map);
    return status;
}

dv_status dv_png_read_labels(const uint8_t *bytes, size_t n_bytes, dv_label_map *map) {
    memset(map, 0, sizeof *map);
    return dv_png_read_coloured(bytes, n_bytes, NULL, map);
}
