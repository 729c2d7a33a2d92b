#include "io/hdf5_heap.h"

#include <string.h>

enum { ALIGNMENT = 8, VERSION = 1, BEFORE_SIZE = 8 /* of either header: what stands before its size */ };

static uint64_t aligned(uint64_t n) {
    return (n + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

uint64_t dv_h5_heap_number(const uint8_t *bytes, size_t n_bytes) {
    uint64_t number = 0;
    for (size_t i = n_bytes; i-- > 0;) number = number << 8 | bytes[i];
    return number;
}

size_t dv_h5_heap_header(size_t length_bytes) {
    return aligned(BEFORE_SIZE + length_bytes);
}

uint64_t dv_h5_heap_size(const uint8_t *header, size_t length_bytes) {
    static const uint8_t begin[] = {'G', 'C', 'O', 'L', VERSION};
    if (memcmp(header, begin, sizeof begin) != 0) return 0;
    return dv_h5_heap_number(header + BEFORE_SIZE, length_bytes);
}

/* Notes the object at `bytes`, of which `left` are left, at least a header. *taken  its bytes with header and padding
 */
static const char *note_object(dv_h5_heap *heap, const uint8_t *bytes, size_t left, size_t length_bytes,
                               size_t *taken) {
    const size_t header = dv_h5_heap_header(length_bytes);
    const uint64_t index = dv_h5_heap_number(bytes, 2), size = dv_h5_heap_number(bytes + BEFORE_SIZE, length_bytes);
    if (heap->seen[index] == heap->walk) return "two objects of one index";
    if (size > left) return "an object reaches beyond its end";
    *taken = index ? header + aligned(size) : size; /* index 0: free space, its header included */
    if (*taken > left) return "an object reaches beyond its end";
    if (*taken < header) return "free space smaller than its header";
    heap->seen[index] = heap->walk;
    heap->sizes[index] = (uint32_t)size;
    return NULL;
}

const char *dv_h5_heap_walk(dv_h5_heap *heap, const uint8_t *bytes, size_t n, size_t length_bytes) {
    const size_t header = dv_h5_heap_header(length_bytes);
    if (++heap->walk == 0) { /* all numbers of walks are used up */
        memset(heap, 0, sizeof *heap);
        heap->walk = 1;
    }
    if (n < header || dv_h5_heap_size(bytes, length_bytes) != n) return "no header of its size";
    for (size_t at = header, taken; n - at >= header; at += taken) {
        const char *wrong = note_object(heap, bytes + at, n - at, length_bytes, &taken);
        if (wrong) return wrong;
    }
    return NULL; /* less than a header may be left: free space too */
}

bool dv_h5_heap_holds(const dv_h5_heap *heap, uint64_t index, uint64_t size) {
    return index > 0 && index < DV_H5_HEAP_INDICES && heap->seen[index] == heap->walk && heap->sizes[index] == size;
}
