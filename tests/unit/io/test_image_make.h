/* test_image_make.h: images for tests, made by the encoders themselves, and a scratch folder to put them in. */
#ifndef TEST_IMAGE_MAKE_H
#define TEST_IMAGE_MAKE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <spng.h>

/* Bytes of a file; free(data). */
typedef struct made_file {
    uint8_t *data;
    size_t size;
} made_file;

/* A PNG of any kind. pixels: as SPNG_FMT_PNG has them: rows of whole bytes, small depths packed, 16 bit in host order.
 * Indexed ones get a palette of 256 (or as many as the depth allows) colours that are unlike their indices. */
made_file make_png(const struct spng_ihdr *header, const void *pixels, size_t n_bytes);

/* make_png for the usual: not interlaced. */
made_file make_plain_png(int colour_type, int depth, size_t width, size_t height, const void *pixels, size_t n_bytes);

/* What a chunk of a PNG is made with: a number in its byte order, the checksum of type and data. */
void put_be32(uint8_t *bytes, uint32_t value);
uint32_t crc32_of(const uint8_t *bytes, size_t n);

/* Sets width and height in the header of a PNG and corrects its checksum. */
void patch_png_size(made_file *png, uint32_t width, uint32_t height);

typedef struct jpeg_kind {
    int n_components; /* 1 gray, 3 RGB, 4 CMYK; as the pixels have */
    int orientation;  /* 0: no EXIF */
    int progressive;
    int ycck; /* of 4 components */
    int arithmetic;
} jpeg_kind;

/* A JPEG of quality 100 without chroma subsampling. pixels u8 [height, width, n_components] */
made_file make_jpeg(const jpeg_kind *kind, size_t width, size_t height, const uint8_t *pixels);

/* The data of an APP1 marker with the orientation as its only entry. bytes u8 [32]; returns how many were written. */
size_t make_exif(uint8_t *bytes, int big_endian, int orientation);

/* A fresh folder; free() the name. */
char *make_scratch_folder(void);
/* Removes it with all that is in it. */
void remove_scratch_folder(char *path);
/* folder/name in a buffer of the caller; the folders above it are made. */
const char *scratch_path(const char *folder, const char *name, char *buffer, size_t size);
void write_file(const char *path, const void *data, size_t size);
made_file read_whole_file(const char *path);

#endif
