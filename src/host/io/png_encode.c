#include <stdio.h>
#include <stdlib.h>

#include <spng.h>

#include "core/check.h"
#include "io/png.h"

enum { MAX_SIDE = 65535, N_COLOURS = 256, COMPRESSION_LEVEL = 6 };

static size_t bytes_per_pixel(dv_png_format format) {
    switch (format) {
    case DV_PNG_INDEXED8:
        return 1;
    case DV_PNG_GRAY16:
        return 2;
    case DV_PNG_RGB8:
        return 3;
    }
    return 0;
}

static void describe(dv_png_format format, size_t height, size_t width, struct spng_ihdr *header) {
    *header = (struct spng_ihdr){.width = (uint32_t)width, .height = (uint32_t)height, .bit_depth = 8};
    header->color_type = SPNG_COLOR_TYPE_TRUECOLOR;
    if (format == DV_PNG_INDEXED8) header->color_type = SPNG_COLOR_TYPE_INDEXED;
    if (format == DV_PNG_GRAY16) {
        header->color_type = SPNG_COLOR_TYPE_GRAYSCALE;
        header->bit_depth = 16;
    }
}

static int set_palette(spng_ctx *context) {
    struct spng_plte palette = {.n_entries = N_COLOURS};
    for (unsigned label = 0; label < N_COLOURS; label++) {
        uint8_t rgb[3];
        dv_class_colour((uint16_t)label, rgb);
        palette.entries[label] = (struct spng_plte_entry){.red = rgb[0], .green = rgb[1], .blue = rgb[2]};
    }
    return spng_set_plte(context, &palette);
}

/* All that the bytes depend on is set here, so that they do not change with a default of the library. Labels are not
 * filtered: runs of one label compress best as they are. */
static int set_options(spng_ctx *context, dv_png_format format) {
    int code = spng_set_option(context, SPNG_ENCODE_TO_BUFFER, 1);
    if (!code) code = spng_set_option(context, SPNG_IMG_COMPRESSION_LEVEL, COMPRESSION_LEVEL);
    if (!code)
        code = spng_set_option(context, SPNG_FILTER_CHOICE,
                               format == DV_PNG_RGB8 ? SPNG_FILTER_CHOICE_ALL : SPNG_FILTER_CHOICE_NONE);
    return code;
}

static int encode(spng_ctx *context, dv_png_format format, const void *pixels, size_t height, size_t width) {
    struct spng_ihdr header;
    describe(format, height, width, &header);
    int code = set_options(context, format);
    if (!code) code = spng_set_ihdr(context, &header);
    if (!code && format == DV_PNG_INDEXED8) code = set_palette(context);
    const size_t n_bytes = height * width * bytes_per_pixel(format);
    if (!code) code = spng_encode_image(context, pixels, n_bytes, SPNG_FMT_PNG, SPNG_ENCODE_FINALIZE);
    return code;
}

dv_status dv_png_encode(dv_png_format format, const void *pixels, size_t height, size_t width, uint8_t **bytes,
                        size_t *n_bytes) {
    *bytes = NULL;
    *n_bytes = 0;
    if (height < 1 || width < 1 || height > MAX_SIDE || width > MAX_SIDE)
        return dv_fail(DV_E_ARG, "%zux%zu pixels: sides must be 1..%d", width, height, MAX_SIDE);
    spng_ctx *context = spng_ctx_new(SPNG_CTX_ENCODER);
    if (!context) return dv_fail(DV_E_NOMEM, "no memory for a PNG encoder");
    int code = encode(context, format, pixels, height, width);
    if (!code) *bytes = spng_get_png_buffer(context, n_bytes, &code);
    spng_ctx_free(context);
    if (*bytes) return DV_OK;
    return dv_fail(code == SPNG_EMEM ? DV_E_NOMEM : DV_E_INTERNAL, "PNG of %zux%zu pixels: %s", width, height,
                   spng_strerror(code));
}
