#include "io/jpeg.h"

#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include <jpeglib.h>

#include <jerror.h>

#include "core/check.h"
#include "core/memory.h"
#include "io/jpeg_exif.h"

enum {
    MAX_SCANS = 500,        /* of a progressive file; more only serve to burn time */
    MAX_BLOCKS_PER_BYTE = 8 /* a Huffman code has one bit at least, and every block has one for its mean */
};

/* A decoder with the place where its errors return to. */
typedef struct reader {
    struct jpeg_decompress_struct decoder;
    struct jpeg_error_mgr errors;
    struct jpeg_progress_mgr progress;
    jmp_buf failed;
    dv_status status; /* of the failure that came back through `failed` */
} reader;

static void on_error(j_common_ptr common) {
    reader *r = common->client_data;
    char text[JMSG_LENGTH_MAX];
    common->err->format_message(common, text);
    if (common->err->msg_code == JERR_OUT_OF_MEMORY) {
        r->status = dv_fail(DV_E_NOMEM, "no memory for a JPEG: %s", text);
    } else {
        r->status = dv_fail(DV_E_DATA, "damaged or truncated JPEG: %s", text);
    }
    longjmp(r->failed, 1);
}

/* Negative levels are warnings: data were bad and something was made up in their place. */
static void on_message(j_common_ptr common, int level) {
    if (level < 0) on_error(common);
}

static void on_output(j_common_ptr common) {
    (void)common; /* the library never prints */
}

static void on_progress(j_common_ptr common) {
    reader *r = common->client_data;
    if (r->decoder.input_scan_number <= MAX_SCANS) return;
    r->status = dv_fail(DV_E_DATA, "JPEG with more than %d scans", MAX_SCANS);
    longjmp(r->failed, 1);
}

static const char *colours_name(J_COLOR_SPACE space) {
    switch (space) {
    case JCS_CMYK:
        return "CMYK";
    case JCS_YCCK:
        return "YCCK";
    default:
        return "unknown";
    }
}

/* What the header claims, before anything of the picture's size is allocated. */
static dv_status check_header(const struct jpeg_decompress_struct *decoder, size_t n_bytes) {
    const J_COLOR_SPACE space = decoder->jpeg_color_space;
    if (space != JCS_GRAYSCALE && space != JCS_YCbCr && space != JCS_RGB)
        return dv_fail(DV_E_DATA, "JPEG with %s colours of %d components: must be gray, YCbCr or RGB",
                       colours_name(space), decoder->num_components);
    if (decoder->arith_code) return dv_fail(DV_E_DATA, "JPEG with arithmetic coding: must be Huffman coded");
    size_t n_blocks = 0;
    for (int c = 0; c < decoder->num_components; c++)
        n_blocks += (size_t)decoder->comp_info[c].width_in_blocks * decoder->comp_info[c].height_in_blocks;
    if (n_blocks / MAX_BLOCKS_PER_BYTE > n_bytes)
        return dv_fail(DV_E_DATA, "JPEG of %ux%u pixels in %zu bytes: they cannot hold that many", decoder->image_width,
                       decoder->image_height, n_bytes);
    return DV_OK;
}

static int orientation_of(const struct jpeg_decompress_struct *decoder) {
    for (jpeg_saved_marker_ptr marker = decoder->marker_list; marker; marker = marker->next) {
        const int orientation = dv_exif_orientation(marker->data, marker->data_length);
        if (orientation != 1) return orientation;
    }
    return 1;
}

static dv_status read_header(reader *r, const uint8_t *bytes, size_t n_bytes) {
    if (setjmp(r->failed)) return r->status;
    jpeg_create_decompress(&r->decoder);
    r->progress.progress_monitor = on_progress;
    r->decoder.progress = &r->progress;
    jpeg_mem_src(&r->decoder, bytes, n_bytes);
    jpeg_save_markers(&r->decoder, JPEG_APP0 + 1, 0xffff);
    jpeg_read_header(&r->decoder, TRUE);
    return check_header(&r->decoder, n_bytes);
}

static dv_status read_pixels(reader *r, dv_picture *picture) {
    if (setjmp(r->failed)) return r->status;
    r->decoder.out_color_space = JCS_RGB;
    jpeg_start_decompress(&r->decoder);
    while (r->decoder.output_scanline < r->decoder.output_height) {
        JSAMPROW row = picture->rgb + (size_t)r->decoder.output_scanline * picture->width * 3;
        jpeg_read_scanlines(&r->decoder, &row, 1);
    }
    jpeg_finish_decompress(&r->decoder); /* up to the end marker: a file cut in its last bytes shows only here */
    return DV_OK;
}

static dv_status read_picture(reader *r, const uint8_t *bytes, size_t n_bytes, dv_picture *picture) {
    DV_TRY(read_header(r, bytes, n_bytes));
    picture->width = r->decoder.image_width;
    picture->height = r->decoder.image_height;
    picture->orientation = orientation_of(&r->decoder);
    DV_TRY(dv_alloc(picture->height * picture->width, 3, "the pixels of a JPEG", &picture->rgb));
    return read_pixels(r, picture);
}

bool dv_jpeg_is(const uint8_t *bytes, size_t n_bytes) {
    return n_bytes >= 3 && bytes[0] == 0xff && bytes[1] == 0xd8 && bytes[2] == 0xff;
}

dv_status dv_jpeg_read_picture(const uint8_t *bytes, size_t n_bytes, dv_picture *picture) {
    memset(picture, 0, sizeof *picture);
    if (!dv_jpeg_is(bytes, n_bytes)) return dv_fail(DV_E_DATA, "not a JPEG: its first marker is missing or cut");
    reader r;
    memset(&r, 0, sizeof r);
    r.decoder.err = jpeg_std_error(&r.errors);
    r.decoder.client_data = &r;
    r.errors.error_exit = on_error;
    r.errors.emit_message = on_message;
    r.errors.output_message = on_output;
    const dv_status status = read_picture(&r, bytes, n_bytes, picture);
    jpeg_destroy_decompress(&r.decoder);
    if (status != DV_OK) dv_picture_clear(picture);
    return status;
}
