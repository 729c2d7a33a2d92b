#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "io/hdf5_private.h"

/* Length of the valid UTF-8 sequence at `s` (n bytes are left), 0 where there is none. Source: RFC 3629. */
static size_t sequence_length(const unsigned char *s, size_t n) {
    static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
    const size_t length = s[0] < 0x80 ? 1 : s[0] < 0xc0 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : s[0] < 0xf8 ? 4 : 0;
    if (length <= 1) return length;
    if (length > n) return 0;
    unsigned code = s[0] & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((s[i] & 0xc0) != 0x80) return 0;
        code = code << 6 | (s[i] & 0x3fu);
    }
    if (code < least[length] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return 0;
    return length;
}

static bool valid_utf8(const char *text, size_t n) {
    for (size_t i = 0; i < n;) {
        const size_t length = sequence_length((const unsigned char *)text + i, n - i);
        if (!length) return false;
        i += length;
    }
    return true;
}

static size_t text_length(const char *text, size_t max_bytes) {
    if (!text) return 0; /* HDF5 gives NULL for an empty string */
    return max_bytes == SIZE_MAX ? strlen(text) : strnlen(text, max_bytes);
}

dv_status dv_h5_copy_texts(const char *path, const char *name, const char *const *sources, size_t n, size_t max_bytes,
                           char ***texts) {
    *texts = NULL;
    size_t n_bytes;
    DV_TRY(dv_mul_size(n, sizeof(char *) + 1, name, &n_bytes)); /* a pointer and a NUL each */
    for (size_t i = 0; i < n; i++) {
        const size_t length = text_length(sources[i], max_bytes);
        if (sources[i] && !valid_utf8(sources[i], length))
            return dv_fail(DV_E_DATA, "%s: %s, text %zu: not valid UTF-8", path, name, i);
        DV_TRY(dv_add_size(n_bytes, length, name, &n_bytes));
    }
    char **made = NULL;
    DV_TRY(dv_alloc(n_bytes, 1, name, &made)); /* zeroed, so each text ends with its NUL */
    char *next = (char *)(made + n);
    for (size_t i = 0; i < n; i++) {
        const size_t length = text_length(sources[i], max_bytes);
        if (length) memcpy(next, sources[i], length);
        made[i] = next;
        next += length + 1;
    }
    *texts = made;
    return DV_OK;
}

/* Strings of variable length: HDF5 allocates them, and frees them again. */
static dv_status read_variable(const dv_h5_data *data, char ***texts) {
    const size_t n = data->shape.dims[0];
    const char **sources = NULL;
    DV_TRY(dv_alloc(n, sizeof *sources, data->name, &sources));
    const hid_t space = H5Dget_space(data->id);
    dv_status status = DV_OK;
    if (space < 0 || H5Dread(data->id, data->type, H5S_ALL, H5S_ALL, H5P_DEFAULT, sources) < 0)
        status = dv_h5_failed(data->file->path, data->name, "its texts cannot be read");
    else
        status = dv_h5_copy_texts(data->file->path, data->name, sources, n, SIZE_MAX, texts);
    if (space >= 0) {
        H5Dvlen_reclaim(data->type, space, H5P_DEFAULT, sources);
        H5Sclose(space);
    }
    free(sources);
    return status;
}

/* Strings of fixed length: padded with NULs, or with spaces as Fortran does. */
static dv_status read_fixed(const dv_h5_data *data, char ***texts) {
    const size_t n = data->shape.dims[0], size = data->shape.element_bytes;
    const bool spaces = H5Tget_strpad(data->type) == H5T_STR_SPACEPAD;
    char *raw = NULL;
    const char **sources = NULL;
    dv_status status = dv_alloc(n, size, data->name, &raw);
    if (status == DV_OK) status = dv_alloc(n, sizeof *sources, data->name, &sources);
    if (status == DV_OK && H5Dread(data->id, data->type, H5S_ALL, H5S_ALL, H5P_DEFAULT, raw) < 0)
        status = dv_h5_failed(data->file->path, data->name, "its texts cannot be read");
    for (size_t i = 0; i < n && status == DV_OK; i++) {
        sources[i] = raw + i * size;
        for (size_t end = size; spaces && end > 0 && raw[i * size + end - 1] == ' '; end--)
            raw[i * size + end - 1] = '\0';
    }
    if (status == DV_OK) status = dv_h5_copy_texts(data->file->path, data->name, sources, n, size, texts);
    free(sources);
    free(raw);
    return status;
}

dv_status dv_h5_read_texts(dv_h5_data *data, char ***texts) {
    *texts = NULL;
    if (data->shape.type != DV_H5_TEXT)
        return dv_fail(DV_E_DATA, "%s: %s: type %s, expected text", data->file->path, data->name,
                       data->shape.type_name);
    DV_TRY(dv_h5_expect(data, 1, (const size_t[]){SIZE_MAX}));
    DV_H5_SESSION;
    if (data->shape.n_elements == 0) return dv_alloc(1, sizeof(char *), data->name, texts);
    return H5Tis_variable_str(data->type) > 0 ? read_variable(data, texts) : read_fixed(data, texts);
}
