/* Virtual datasets: pieces of other files under one name. HDF5 reads a missing piece as fill values, so each is
 * checked. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/check.h"
#include "core/memory.h"
#include "io/hdf5_private.h"

enum { MOST_NESTED = 4, MOST_SOURCES = 65536, NAME_SIZE = 4096 };

/* Where HDF5 looks for a source: beside the file that names it, then as it is named. path char [NAME_SIZE] */
static dv_status find_source(const char *owner, const char *source, char *path) {
    const char *slash = strrchr(owner, '/');
    const char *base = source;
    int n = 0;
    if (source[0] == '/') {
        if (access(source, F_OK) != 0)
            base = strrchr(source, '/') + 1;
        else
            slash = NULL;
    }
    if (slash)
        n = snprintf(path, NAME_SIZE, "%.*s/%s", (int)(slash - owner), owner, base);
    else
        n = snprintf(path, NAME_SIZE, "%s", base);
    if (n >= NAME_SIZE) return dv_fail(DV_E_DATA, "a source with a name of %d bytes", n);
    if (access(path, F_OK) != 0 && slash) snprintf(path, NAME_SIZE, "%s", source);
    return DV_OK;
}

/* Does what mapping i takes lie inside the source's real extent? Of a mapping of all of it only the count is known. */
static dv_status check_extent(const dv_h5_data *source, hid_t plist, size_t i) {
    hsize_t low[DV_H5_MAX_RANK], high[DV_H5_MAX_RANK];
    const hid_t taken = H5Pget_virtual_srcspace(plist, i), filled = H5Pget_virtual_vspace(plist, i);
    bool good = taken >= 0 && filled >= 0;
    if (good && H5Sget_select_type(taken) == H5S_SEL_ALL) {
        good = (hsize_t)H5Sget_select_npoints(filled) == source->shape.n_elements;
    } else if (good) {
        good =
            H5Sget_simple_extent_ndims(taken) == (int)source->shape.rank && H5Sget_select_bounds(taken, low, high) >= 0;
        for (size_t d = 0; good && d < source->shape.rank; d++) good = high[d] < source->shape.dims[d];
    }
    if (filled >= 0) H5Sclose(filled);
    if (taken >= 0) H5Sclose(taken);
    return good ? DV_OK : dv_fail(DV_E_DATA, "%s is not of the size that is mapped", source->name);
}

/* Opens the source, which checks that all of it is there. */
static dv_status check_dataset(dv_h5 *file, const char *name, hid_t plist, size_t i, int depth) {
    dv_h5_data *source = NULL;
    DV_TRY(dv_h5_data_open_nested(file, name, depth + 1, &source));
    const dv_status status = check_extent(source, plist, i);
    dv_h5_data_close(source);
    return status;
}

static dv_status check_source(const dv_h5_data *data, hid_t plist, size_t i, int depth) {
    char name[NAME_SIZE], dataset[NAME_SIZE], path[NAME_SIZE];
    if (H5Pget_virtual_filename(plist, i, name, sizeof name) < 0 ||
        H5Pget_virtual_dsetname(plist, i, dataset, sizeof dataset) < 0)
        return dv_fail(DV_E_DATA, "the mapping of source %zu is damaged", i);
    name[NAME_SIZE - 1] = dataset[NAME_SIZE - 1] = '\0';
    if (strchr(name, '%') || strchr(dataset, '%'))
        return dv_fail(DV_E_DATA, "source %s, %s: names with %% are not supported", name, dataset);
    if (strcmp(name, ".") == 0)
        snprintf(path, sizeof path, "%s", data->file->path);
    else
        DV_TRY(find_source(data->file->path, name, path));
    dv_h5 *file = NULL;
    dv_status status = dv_h5_open(path, &file);
    if (status == DV_OK) status = check_dataset(file, dataset, plist, i, depth);
    dv_h5_close(file);
    if (status == DV_E_MISSING) status = DV_E_DATA; /* the file that was asked for is there; it is not whole */
    return dv_context(status, "source %s, %s", name, dataset);
}

/* Adds the number of elements that mapping i fills to *n. */
static dv_status count_mapped(hid_t plist, size_t i, size_t *n) {
    const hid_t space = H5Pget_virtual_vspace(plist, i);
    const hssize_t found = space >= 0 ? H5Sget_select_npoints(space) : -1;
    if (space >= 0) H5Sclose(space);
    if (found < 0 || (hsize_t)found == H5S_UNLIMITED)
        return dv_fail(DV_E_DATA, "source %zu: mappings without a fixed size are not supported", i);
    return __builtin_add_overflow(*n, (size_t)found, n) ? dv_fail(DV_E_DATA, "the mappings overlap") : DV_OK;
}

static dv_status check_mappings(const dv_h5_data *data, hid_t plist, int depth) {
    size_t n_sources = 0, n_mapped = 0;
    if (depth >= MOST_NESTED) return dv_fail(DV_E_DATA, "virtual sets more than %d deep", MOST_NESTED);
    if (H5Pget_virtual_count(plist, &n_sources) < 0 || n_sources > MOST_SOURCES)
        return dv_fail(DV_E_DATA, "its sources cannot be read, or are more than %d", MOST_SOURCES);
    for (size_t i = 0; i < n_sources; i++) {
        DV_TRY(count_mapped(plist, i, &n_mapped));
        DV_TRY(check_source(data, plist, i, depth));
    }
    if (n_mapped != data->shape.n_elements)
        return dv_fail(DV_E_DATA, "%zu of %zu values come from a source; the rest was never written", n_mapped,
                       data->shape.n_elements);
    return DV_OK;
}

dv_status dv_h5_check_virtual(const dv_h5_data *data, hid_t plist, int depth) {
    return dv_context(check_mappings(data, plist, depth), "%s: %s", data->file->path, data->name);
}
