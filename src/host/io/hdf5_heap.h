/* hdf5_heap.h: a collection of HDF5's global heap, where texts of variable length lie. libhdf5 trusts the sizes in it:
 * 1.10 crashes, or never comes back, where one is damaged. Source: HDF5 File Format Specification 3.0, III.E. */
#ifndef DV_IO_HDF5_HEAP_H
#define DV_IO_HDF5_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DV_H5_HEAP_INDICES = 1 << 16, DV_H5_MOST_HEAP_BYTES = 1 << 28, DV_H5_MOST_HEAP_HEADER = 16 };

/* The objects of the collection that was walked last. Zeroed before the first walk. */
typedef struct dv_h5_heap {
    uint32_t walk;                      /* counts the walks */
    uint32_t seen[DV_H5_HEAP_INDICES];  /* the last walk that met this index */
    uint32_t sizes[DV_H5_HEAP_INDICES]; /* its bytes */
} dv_h5_heap;

/* A number of n_bytes <= 8, little-endian. */
uint64_t dv_h5_heap_number(const uint8_t *bytes, size_t n_bytes);

/* Bytes of a collection's header, and of an object's, where sizes in the file have length_bytes <= 8. */
size_t dv_h5_heap_header(size_t length_bytes);

/* The size in bytes that a collection's header claims; 0 where it is no such header. header  u8 [dv_h5_heap_header] */
uint64_t dv_h5_heap_size(const uint8_t *header, size_t length_bytes);

/* Notes the size of each object of a collection. bytes u8 [n], n <= DV_H5_MOST_HEAP_BYTES: all of it, its header
 * included. NULL, or in words (static) what is wrong with it. */
const char *dv_h5_heap_walk(dv_h5_heap *heap, const uint8_t *bytes, size_t n, size_t length_bytes);

/* Does the collection hold an object of this index (not 0) and size? */
bool dv_h5_heap_holds(const dv_h5_heap *heap, uint64_t index, uint64_t size);

#endif
