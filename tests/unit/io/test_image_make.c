#include "unit/io/test_image_make.h"

#include <ftw.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <jpeglib.h>

/* A fixture that cannot be made ends the program: no test of it would mean anything. */
static void require(bool good, const char *what) {
    if (good) return;
    fprintf(stderr, "test fixture: %s failed\n", what);
    exit(1);
}

made_file make_png(const struct spng_ihdr *header, const void *pixels, size_t n_bytes) {
    spng_ctx *context = spng_ctx_new(SPNG_CTX_ENCODER);
    require(context != NULL, "spng_ctx_new");
    spng_set_option(context, SPNG_ENCODE_TO_BUFFER, 1);
    struct spng_ihdr copy = *header;
    require(spng_set_ihdr(context, &copy) == 0, "spng_set_ihdr");
    if (header->color_type == SPNG_COLOR_TYPE_INDEXED) {
        struct spng_plte palette = {.n_entries = 1U << header->bit_depth};
        for (unsigned i = 0; i < palette.n_entries; i++)
            palette.entries[i] = (struct spng_plte_entry){
                .red = (uint8_t)(i * 73 + 9), .green = (uint8_t)(i * 151 + 80), .blue = (uint8_t)(i * 29 + 200)};
        require(spng_set_plte(context, &palette) == 0, "spng_set_plte");
    }
    require(spng_encode_image(context, pixels, n_bytes, SPNG_FMT_PNG, SPNG_ENCODE_FINALIZE) == 0, "spng_encode_image");
    made_file made = {0};
    int code = 0;
    made.data = spng_get_png_buffer(context, &made.size, &code);
    require(made.data != NULL, "spng_get_png_buffer");
    spng_ctx_free(context);
    return made;
}

made_file make_plain_png(int colour_type, int depth, size_t width, size_t height, const void *pixels, size_t n_bytes) {
    const struct spng_ihdr header = {.width = (uint32_t)width,
                                     .height = (uint32_t)height,
                                     .bit_depth = (uint8_t)depth,
                                     .color_type = (uint8_t)colour_type};
    return make_png(&header, pixels, n_bytes);
}

void put_be32(uint8_t *bytes, uint32_t value) {
    for (int i = 0; i < 4; i++) bytes[i] = (uint8_t)(value >> (24 - 8 * i));
}

uint32_t crc32_of(const uint8_t *bytes, size_t n) {
    uint32_t crc = 0xffffffffU;
    for (size_t i = 0; i < n; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320U : 0);
    }
    return ~crc;
}

void patch_png_size(made_file *png, uint32_t width, uint32_t height) {
    put_be32(png->data + 16, width);
    put_be32(png->data + 20, height);
    put_be32(png->data + 29, crc32_of(png->data + 12, 17));
}

size_t make_exif(uint8_t *bytes, int big_endian, int orientation) {
    static const uint8_t big[] = "Exif\0\0MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\0\0\0\0\0\0";
    static const uint8_t little[] = "Exif\0\0II\x2a\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\0\0\0\0\0\0\0";
    _Static_assert(sizeof big == 32 && sizeof little == 32, "their last byte is the NUL of the text");
    memcpy(bytes, big_endian ? big : little, 32);
    bytes[big_endian ? 25 : 24] = (uint8_t)orientation;
    return 32;
}

static J_COLOR_SPACE colours_of(int n_components) {
    if (n_components == 1) return JCS_GRAYSCALE;
    return n_components == 3 ? JCS_RGB : JCS_CMYK;
}

static void set_up(struct jpeg_compress_struct *encoder, const jpeg_kind *kind) {
    encoder->input_components = kind->n_components;
    encoder->in_color_space = colours_of(kind->n_components);
    jpeg_set_defaults(encoder);
    jpeg_set_quality(encoder, 100, TRUE);
    if (kind->ycck) jpeg_set_colorspace(encoder, JCS_YCCK);
    encoder->arith_code = kind->arithmetic ? TRUE : FALSE;
    for (int c = 0; c < encoder->num_components; c++)
        encoder->comp_info[c].h_samp_factor = encoder->comp_info[c].v_samp_factor = 1;
    if (kind->progressive) jpeg_simple_progression(encoder);
}

made_file make_jpeg(const jpeg_kind *kind, size_t width, size_t height, const uint8_t *pixels) {
    struct jpeg_compress_struct encoder;
    struct jpeg_error_mgr errors;
    encoder.err = jpeg_std_error(&errors);
    jpeg_create_compress(&encoder);
    unsigned char *data = NULL;
    unsigned long size = 0;
    jpeg_mem_dest(&encoder, &data, &size);
    encoder.image_width = (JDIMENSION)width;
    encoder.image_height = (JDIMENSION)height;
    set_up(&encoder, kind);
    jpeg_start_compress(&encoder, TRUE);
    if (kind->orientation) {
        uint8_t exif[32];
        const size_t n = make_exif(exif, 1, kind->orientation);
        jpeg_write_marker(&encoder, JPEG_APP0 + 1, exif, (unsigned)n);
    }
    for (size_t y = 0; y < height; y++) {
        uint8_t *copy = malloc(width * (size_t)kind->n_components);
        require(copy != NULL, "malloc");
        memcpy(copy, pixels + y * width * (size_t)kind->n_components, width * (size_t)kind->n_components);
        JSAMPROW row = copy;
        jpeg_write_scanlines(&encoder, &row, 1);
        free(copy);
    }
    jpeg_finish_compress(&encoder);
    jpeg_destroy_compress(&encoder);
    return (made_file){.data = data, .size = size};
}

char *make_scratch_folder(void) {
    const char *root = getenv("TMPDIR");
    char *path = NULL;
    require(asprintf(&path, "%s/denseval-test-XXXXXX", root && *root ? root : "/tmp") > 0, "asprintf");
    require(mkdtemp(path) != NULL, "mkdtemp");
    return path;
}

static int remove_one(const char *path, const struct stat *facts, int kind, struct FTW *where) {
    (void)facts, (void)kind, (void)where;
    return remove(path);
}

void remove_scratch_folder(char *path) {
    require(nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS) == 0, "nftw");
    free(path);
}

const char *scratch_path(const char *folder, const char *name, char *buffer, size_t size) {
    require((size_t)snprintf(buffer, size, "%s/%s", folder, name) < size, "snprintf");
    for (char *slash = buffer + strlen(folder) + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        mkdir(buffer, 0777); /* it may be there; if it cannot be made, the write fails */
        *slash = '/';
    }
    return buffer;
}

void write_file(const char *path, const void *data, size_t size) {
    FILE *stream = fopen(path, "wb");
    require(stream != NULL, path);
    require(fwrite(data, 1, size, stream) == size, "fwrite");
    require(fclose(stream) == 0, "fclose");
}

made_file read_whole_file(const char *path) {
    FILE *stream = fopen(path, "rb");
    require(stream != NULL, path);
    made_file made = {0};
    require(fseek(stream, 0, SEEK_END) == 0, "fseek");
    made.size = (size_t)ftell(stream);
    rewind(stream);
    made.data = malloc(made.size + 1);
    require(made.data && fread(made.data, 1, made.size, stream) == made.size, "fread");
    fclose(stream);
    return made;
}
