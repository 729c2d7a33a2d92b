#include "report/html_image.h"

#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "io/folder.h"
#include "io/name_list.h"
#include "io/text_file.h"
#include "report/html_text.h"

enum { HEADER_BYTES = 24, SVG_START_BYTES = 4096 };

static uint32_t big_endian(const char *bytes) {
    const unsigned char *const b = (const unsigned char *)bytes;
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

/* Signature and first chunk of a PNG, with its sides. */
static bool read_png_sides(const char *data, size_t size, uint32_t *width, uint32_t *height) {
    if (size < HEADER_BYTES || memcmp(data, "\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16) != 0) return false;
    *width = big_endian(data + 16);
    *height = big_endian(data + 20);
    return *width >= 1 && *width <= INT32_MAX && *height >= 1 && *height <= INT32_MAX;
}

static bool is_svg(const char *data, size_t size) {
    return memmem(data, size < SVG_START_BYTES ? size : SVG_START_BYTES, "<svg", 4) != NULL;
}

static void put_figure(FILE *stream, const dv_html_file *file, const char *shows, const char *type, const char *sides,
                       const char *data, size_t size) {
    fprintf(stream, "<figure><img alt=\"%s%s", shows, *shows ? ": " : "");
    dv_html_put_text(stream, file->name);
    fprintf(stream, "\"%s src=\"", sides);
    dv_html_put_data(stream, type, (const uint8_t *)data, size);
    fputs("\"><figcaption>", stream);
    dv_html_put_text(stream, file->name);
    fputs("</figcaption></figure>\n", stream);
}

dv_status dv_html_put_image(FILE *stream, const char *folder, const char *shows, dv_html_file *file) {
    char *path, *data = NULL, sides[64] = "";
    size_t size;
    uint32_t width, height;
    DV_TRY(dv_path_join(folder, file->name, &path));
    const dv_status status = dv_text_file_load_within(path, DV_HTML_IMAGE_BYTES, &data, &size);
    free(path);
    DV_TRY(status);
    const bool svg = dv_has_extension(file->name, ".svg");
    file->shown = svg ? is_svg(data, size) : read_png_sides(data, size, &width, &height);
    if (!file->shown)
        file->why = svg ? "is no SVG" : "is no PNG";
    else if (!svg)
        snprintf(sides, sizeof sides, " width=\"%u\" height=\"%u\"", (unsigned)width, (unsigned)height);
    if (file->shown) put_figure(stream, file, shows, svg ? "image/svg+xml" : "image/png", sides, data, size);
    free(data);
    return DV_OK;
}
