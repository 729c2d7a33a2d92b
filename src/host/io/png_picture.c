#include <string.h>

#include "core/check.h"
#include "io/png.h"
#include "io/png_decode.h"

static dv_status read_picture(dv_png_decoder *decoder, dv_picture *picture) {
    if (decoder->header.bit_depth == 16)
        return dv_fail(DV_E_DATA, "IHDR: 16 bits a channel: a picture must have 8 or fewer");
    size_t n_bytes;
    DV_TRY(dv_png_decoder_run(decoder, SPNG_FMT_RGB8, &picture->rgb, &n_bytes));
    picture->height = decoder->header.height;
    picture->width = decoder->header.width;
    picture->orientation = 1;
    if (n_bytes != picture->height * picture->width * 3)
        return dv_fail(DV_E_INTERNAL, "a decoded PNG has %zu bytes, expected %zu", n_bytes,
                       picture->height * picture->width * 3);
    return DV_OK;
}

dv_status dv_png_read_picture(const uint8_t *bytes, size_t n_bytes, dv_picture *picture) {
    memset(picture, 0, sizeof *picture);
    dv_png_decoder decoder;
    DV_TRY(dv_png_decoder_open(bytes, n_bytes, &decoder));
    const dv_status status = read_picture(&decoder, picture);
    dv_png_decoder_clear(&decoder);
    if (status != DV_OK) dv_picture_clear(picture);
    return status;
}
