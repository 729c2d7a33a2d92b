/* Shared memory: each declaration and each part is a piece of the heap of its own, new for every block. */
#include <stdlib.h>
#include <string.h>

#include "block.h"
#include "report.h"
#include "sanitizers.h"
#include "settings.h"

namespace simt {

/* Without AddressSanitizer, which has its own, each piece has guards around it. */
#if defined(SIMT_ASAN)
constexpr size_t guard_bytes = 0;
#else
constexpr size_t guard_bytes = 128;
#endif
constexpr unsigned char guard_byte = 0xb7;
constexpr size_t static_limit = 48 * 1024;

static unsigned char *new_piece(size_t size) {
    void *memory;
    if (posix_memalign(&memory, 128, size + 2 * guard_bytes) != 0) fail("no memory for shared memory");
    unsigned char *const data = static_cast<unsigned char *>(memory) + guard_bytes;
    memset(data - guard_bytes, guard_byte, guard_bytes);
    memset(data, fill_byte(), size);
    memset(data + size, guard_byte, guard_bytes);
    return data;
}

static void check_guards(const shared_part &part) {
    for (size_t i = 0; i < guard_bytes; i++) {
        if (part.data[-1 - static_cast<ptrdiff_t>(i)] != guard_byte)
            fail("shared memory '%s' of %zu bytes was written at byte -%zu", part.name, part.size, i + 1);
        if (part.data[part.size + i] != guard_byte)
            fail("shared memory '%s' of %zu bytes was written at byte %zu", part.name, part.size, part.size + i);
    }
}

void release_shared(block &of) {
    for (size_t i = 0; i < of.n_shared; i++) {
        check_guards(of.shared[i]);
        free(of.shared[i].data - guard_bytes);
    }
    of.n_shared = 0;
}

bool in_shared(const void *address, size_t size) {
    const unsigned char *const first = static_cast<const unsigned char *>(address);
    const block &of = *running_block;
    for (size_t i = 0; i < of.n_shared; i++)
        if (first >= of.shared[i].data && first + size <= of.shared[i].data + of.shared[i].size) return true;
    return false;
}

/* The first thread that comes by allocates; to the race detector it was there when the block began. */
static size_t add_part(const shared_part &like) {
    block &of = *running_block;
    if (of.n_shared == block::most_shared_parts) fail("more than %d pieces of shared memory", block::most_shared_parts);
    const size_t number = of.n_shared++;
    line_switch(of.scheduler.line);
    of.shared[number] = like;
    of.shared[number].data = new_piece(like.size);
    release(&of.order->shared[number]);
    line_switch(running->own.line);
    return number;
}

static void *use_part(size_t number) {
    acquire(&running_block->order->shared[number]);
    return running_block->shared[number].data;
}

} // namespace simt

using namespace simt;

void *simt_shared(const simt_shared_site *site) {
    block &of = *running_block;
    size_t sum = site->size;
    for (size_t i = 0; i < of.n_shared; i++) {
        if (of.shared[i].site == site) return use_part(i);
        if (of.shared[i].site) sum += of.shared[i].size;
    }
    if (sum > static_limit)
        fail("static shared memory of %zu bytes with '%s' at %s:%d: at most %zu", sum, site->name, site->file,
             site->line, static_limit);
    return use_part(add_part(shared_part{site, 0, site->size, site->name, nullptr}));
}

void *simt_shared_part(const char *name, size_t offset, size_t size, const char *file, int line) {
    block &of = *running_block;
    const size_t whole = of.of->shape.shared_bytes;
    if (offset % 16 != 0)
        fail("shared part '%s' at %s:%d begins at byte %zu: not a multiple of 16", name, file, line, offset);
    if (offset > whole || size > whole - offset)
        fail("shared part '%s' at %s:%d is bytes %zu to %zu of the %zu that the launch asked for", name, file, line,
             offset, offset + size, whole);
    for (size_t i = 0; i < of.n_shared; i++) {
        const shared_part &other = of.shared[i];
        if (other.site || offset >= other.offset + other.size || other.offset >= offset + size) continue;
        if (other.offset == offset && other.size == size) return use_part(i);
        fail("shared part '%s' at %s:%d, bytes %zu to %zu, overlaps '%s', bytes %zu to %zu", name, file, line, offset,
             offset + size, other.name, other.offset, other.offset + other.size);
    }
    return use_part(add_part(shared_part{nullptr, offset, size, name, nullptr}));
}
