#include "denseval/image.h"

#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "io/image_file.h"
#include "io/image_put.h"
#include "io/jpeg.h"
#include "io/png.h"

/* A JPEG is refused by name: its pixels look like labels but are not those that were saved. */
dv_status dv_label_map_decode(const uint8_t *bytes, size_t n_bytes, const dv_png_colours *colours, dv_label_map *map) {
    if (dv_png_is(bytes, n_bytes)) return dv_png_read_coloured(bytes, n_bytes, colours, map);
    dv_label_map_clear(map);
    const char *kind = dv_image_file_kind(bytes, n_bytes);
    if (strcmp(kind, "JPEG") == 0)
        return dv_fail(DV_E_DATA, "a JPEG: label maps must be PNG, since JPEG does not keep labels exactly");
    if (strcmp(kind, "PNG") == 0) return dv_fail(DV_E_DATA, "a damaged PNG: its signature is wrong or cut");
    return dv_fail(DV_E_DATA, "content %s: label maps must be PNG", kind);
}

dv_status dv_label_map_read(const char *path, dv_label_map *map) {
    memset(map, 0, sizeof *map);
    uint8_t *bytes;
    size_t n_bytes;
    DV_TRY(dv_image_file_load(path, &bytes, &n_bytes));
    const dv_status status = dv_label_map_decode(bytes, n_bytes, NULL, map);
    free(bytes);
    return dv_context(status, "%s", path);
}

void dv_label_map_clear(dv_label_map *map) {
    if (!map) return;
    free(map->labels);
    memset(map, 0, sizeof *map);
}

static dv_status encode_labels(const uint16_t *labels, size_t height, size_t width, uint8_t **bytes, size_t *n_bytes) {
    const size_t n_pixels = height * width;
    uint16_t largest = 0;
    for (size_t i = 0; i < n_pixels; i++)
        if (labels[i] > largest) largest = labels[i];
    if (largest > UINT8_MAX) return dv_png_encode(DV_PNG_GRAY16, labels, height, width, bytes, n_bytes);
    uint8_t *narrow;
    DV_TRY(dv_alloc(n_pixels, 1, "the indices of a label map", &narrow));
    for (size_t i = 0; i < n_pixels; i++) narrow[i] = (uint8_t)labels[i];
    const dv_status status = dv_png_encode(DV_PNG_INDEXED8, narrow, height, width, bytes, n_bytes);
    free(narrow);
    return status;
}

/* Sizes come first: the product of what passes fits, and is not 0. */
static dv_status check_size(size_t height, size_t width) {
    if (height >= 1 && width >= 1 && height <= UINT16_MAX && width <= UINT16_MAX) return DV_OK;
    return dv_fail(DV_E_ARG, "%zux%zu pixels: sides must be 1..65535", width, height);
}

typedef dv_status (*store_bytes)(const char *path, const uint8_t *bytes, size_t n_bytes);

static dv_status write_labels(const char *path, const uint16_t *labels, size_t height, size_t width,
                              store_bytes store) {
    DV_TRY(dv_context(check_size(height, width), "%s", path));
    uint8_t *bytes = NULL;
    size_t n_bytes = 0;
    DV_TRY(dv_context(encode_labels(labels, height, width, &bytes, &n_bytes), "%s", path));
    const dv_status status = store(path, bytes, n_bytes);
    free(bytes);
    return status;
}

dv_status dv_label_map_write(const char *path, const uint16_t *labels, size_t height, size_t width) {
    return write_labels(path, labels, height, width, dv_image_file_store);
}

dv_status dv_label_map_put(const char *path, const uint16_t *labels, size_t height, size_t width) {
    return write_labels(path, labels, height, width, dv_image_file_put);
}

static dv_status picture_from_bytes(const uint8_t *bytes, size_t n_bytes, dv_picture *picture) {
    if (dv_png_is(bytes, n_bytes)) return dv_png_read_picture(bytes, n_bytes, picture);
    if (dv_jpeg_is(bytes, n_bytes)) return dv_jpeg_read_picture(bytes, n_bytes, picture);
    return dv_fail(DV_E_DATA, "content %s: pictures must be JPEG or PNG", dv_image_file_kind(bytes, n_bytes));
}

dv_status dv_picture_read(const char *path, dv_picture *picture) {
    memset(picture, 0, sizeof *picture);
    uint8_t *bytes;
    size_t n_bytes;
    DV_TRY(dv_image_file_load(path, &bytes, &n_bytes));
    const dv_status status = picture_from_bytes(bytes, n_bytes, picture);
    free(bytes);
    return dv_context(status, "%s", path);
}

void dv_picture_clear(dv_picture *picture) {
    if (!picture) return;
    free(picture->rgb);
    memset(picture, 0, sizeof *picture);
}

static dv_status write_picture(const char *path, const dv_picture *picture, store_bytes store) {
    uint8_t *bytes = NULL;
    size_t n_bytes = 0;
    DV_TRY(dv_context(dv_png_encode(DV_PNG_RGB8, picture->rgb, picture->height, picture->width, &bytes, &n_bytes), "%s",
                      path));
    const dv_status status = store(path, bytes, n_bytes);
    free(bytes);
    return status;
}

dv_status dv_picture_write(const char *path, const dv_picture *picture) {
    return write_picture(path, picture, dv_image_file_store);
}

dv_status dv_picture_put(const char *path, const dv_picture *picture) {
    return write_picture(path, picture, dv_image_file_put);
}
