/* Does each text of variable length lie in the file as its reference says? HDF5 follows references without a look: it
 * copies as many bytes as the heap's object has into room for as many as the reference claims. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/check.h"
#include "core/memory.h"
#include "io/hdf5_heap.h"
#include "io/hdf5_private.h"

enum { NUMBER_BYTES = 4, MOST_ADDRESS = 8 }; /* of a text's length, and of its index; of an address or size */

/* What the references of one list of texts are checked against. */
typedef struct checker {
    const dv_h5 *file;
    const char *name;                   /* of the dataset or attribute */
    uint64_t base;                      /* of the addresses in the file */
    size_t address_bytes, length_bytes; /* of the numbers in the file */
    uint64_t address;                   /* of the collection that was walked last; 0: none yet */
    dv_h5_heap *heap;
} checker;

/* A conversion from the reference to a text to its bytes: none. */
static herr_t keep_bytes(hid_t from, hid_t to, H5T_cdata_t *state, size_t n, size_t stride, size_t stride_background,
                         void *values, void *background, hid_t transfer) {
    (void)n;
    (void)stride;
    (void)stride_background;
    (void)values;
    (void)background;
    (void)transfer;
    if (state->command == H5T_CONV_FREE) return 0;
    state->need_bkg = H5T_BKG_NO;
    return H5Tis_variable_str(from) > 0 && (state->command == H5T_CONV_INIT || H5Tget_size(from) == H5Tget_size(to))
               ? 0
               : -1;
}

/* Reads the references of a dataset or attribute as they are stored. raw  u8 [n, size of the opaque type] */
static bool read_references(hid_t id, hid_t opaque, void *raw) {
    const hid_t text = dv_h5_make_text_type();
    if (text < 0) return false;
    bool good = H5Tregister(H5T_PERS_SOFT, "reference", text, opaque, keep_bytes) >= 0;
    if (good) {
        good = H5Iget_type(id) == H5I_ATTR ? H5Aread(id, opaque, raw) >= 0
                                           : H5Dread(id, opaque, H5S_ALL, H5S_ALL, H5P_DEFAULT, raw) >= 0;
        H5E_BEGIN_TRY {
            H5Tunregister(H5T_PERS_SOFT, "reference", text, opaque, keep_bytes);
        }
        H5E_END_TRY;
    }
    H5Tclose(text);
    return good;
}

/* Reads n bytes at `address`, which lie in the file. */
static dv_status read_at(const checker *c, uint64_t address, size_t n, uint8_t *bytes) {
    while (n > 0) {
        const ssize_t got = pread(c->file->descriptor, bytes, n, (off_t)address);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return dv_fail(DV_E_IO, "%s: cannot be read: %s", c->file->path, strerror(errno));
        if (got == 0) return dv_fail(DV_E_DATA, "%s: became shorter while it was read", c->file->path);
        bytes += got;
        n -= (size_t)got;
        address += (uint64_t)got;
    }
    return DV_OK;
}

static dv_status damaged(const checker *c, uint64_t address, const char *what) {
    return dv_fail(DV_E_DATA, "%s: %s: damaged: the global heap at byte %llu: %s", c->file->path, c->name,
                   (unsigned long long)address, what);
}

/* Walks the collection at byte `address` of the file. */
static dv_status walk_collection(checker *c, uint64_t address) {
    const uint64_t n_file = c->file->size_bytes;
    const size_t n_header = dv_h5_heap_header(c->length_bytes);
    uint8_t header[DV_H5_MOST_HEAP_HEADER];
    if (address > n_file || n_file - address < n_header) return damaged(c, address, "lies beyond the file's end");
    DV_TRY(read_at(c, address, n_header, header));
    const uint64_t size = dv_h5_heap_size(header, c->length_bytes);
    if (size < n_header) return damaged(c, address, "has no header");
    if (size > n_file - address || size > DV_H5_MOST_HEAP_BYTES) return damaged(c, address, "claims too many bytes");
    uint8_t *bytes = NULL;
    DV_TRY(dv_alloc_unset(size, 1, "heap of texts", &bytes));
    dv_status status = read_at(c, address, size, bytes);
    const char *wrong = status == DV_OK ? dv_h5_heap_walk(c->heap, bytes, size, c->length_bytes) : NULL;
    if (wrong) status = damaged(c, address, wrong);
    free(bytes);
    return status;
}

/* Checks reference i: the text's length, its collection's address, and its index there. An address of 0: no text. */
static dv_status check_reference(checker *c, const uint8_t *raw, size_t i) {
    const uint64_t length = dv_h5_heap_number(raw, NUMBER_BYTES);
    const uint64_t address = dv_h5_heap_number(raw + NUMBER_BYTES, c->address_bytes);
    const uint64_t index = dv_h5_heap_number(raw + NUMBER_BYTES + c->address_bytes, NUMBER_BYTES);
    if (address == 0) return DV_OK;
    uint64_t at;
    if (__builtin_add_overflow(address, c->base, &at)) at = UINT64_MAX;
    if (address != c->address) DV_TRY(walk_collection(c, at));
    c->address = address;
    if (dv_h5_heap_holds(c->heap, index, length)) return DV_OK;
    return dv_fail(DV_E_DATA, "%s: %s: damaged: text %zu: the global heap at byte %llu holds no such text",
                   c->file->path, c->name, i, (unsigned long long)at);
}

static dv_status check_references(checker *c, hid_t id, size_t n) {
    const size_t size = NUMBER_BYTES + c->address_bytes + NUMBER_BYTES;
    uint8_t *raw = NULL;
    DV_TRY(dv_alloc(n, size, c->name, &raw));
    const hid_t opaque = H5Tcreate(H5T_OPAQUE, size);
    dv_status status = DV_OK;
    if (opaque < 0 || !read_references(id, opaque, raw))
        status = dv_h5_failed(c->file->path, c->name, "its texts cannot be read");
    for (size_t i = 0; i < n && status == DV_OK; i++) status = check_reference(c, raw + i * size, i);
    if (opaque >= 0) H5Tclose(opaque);
    free(raw);
    return status;
}

/* Finds how numbers and addresses are written in the file. */
static dv_status ask_sizes(checker *c) {
    hsize_t base = 0;
    const hid_t plist = H5Fget_create_plist(c->file->id);
    const bool good = plist >= 0 && H5Pget_sizes(plist, &c->address_bytes, &c->length_bytes) >= 0 &&
                      H5Pget_userblock(plist, &base) >= 0 && c->address_bytes <= MOST_ADDRESS &&
                      c->length_bytes <= MOST_ADDRESS;
    c->base = base;
    if (plist >= 0) H5Pclose(plist);
    return good ? DV_OK : dv_h5_failed(c->file->path, c->name, "its texts cannot be read");
}

dv_status dv_h5_check_texts(const dv_h5 *file, const char *name, hid_t id, size_t n) {
    checker c = {.file = file, .name = name};
    dv_status status = dv_alloc(1, sizeof *c.heap, name, &c.heap);
    if (status == DV_OK) status = ask_sizes(&c);
    if (status == DV_OK) status = check_references(&c, id, n);
    free(c.heap);
    return status;
}
