/* cp.async: copies that happen some time between their start and the wait for their group. */
#include <string.h>

#include "block.h"
#include "report.h"
#include "sanitizers.h"
#include "settings.h"

namespace simt {

/* A race is one at any time at which the copy could happen, so the detector hears of its start and of its end. */
static void announce(const async_copy &copy) {
    announce_read(copy.source, 16);
    announce_write(copy.target, 16);
}

static bool happens_at_once() {
    const int timing = chosen().copy_timing;
    return timing == SIMT_EARLY || (timing == SIMT_CHANCE && random_below(2) == 0);
}

static void perform(async_copy &copy) {
    if (!copy.done) memcpy(copy.target, copy.source, 16);
    copy.done = true;
}

/* Its memory is taken by one line of the race detector, whichever thread of whichever block uses it. */
static void make_room(std::vector<async_copy> &copies) {
    if (copies.size() < copies.capacity()) return;
    line_switch(running_block->scheduler.line);
    copies.reserve(2 * copies.size() + 16);
    line_switch(running->own.line);
}

static void finish_groups(thread &own, size_t n_groups) {
    size_t n_left = 0;
    for (async_copy &copy : own.copies) {
        if (copy.group < n_groups) {
            perform(copy);
            announce(copy);
        } else {
            own.copies[n_left++] = copy;
        }
    }
    own.copies.resize(n_left);
}

void check_copies(const thread &own) {
    if (!own.copies.empty()) fail("ends with %zu copies (cp.async) that it never waited for", own.copies.size());
}

} // namespace simt

using namespace simt;

void simt_copy16(void *shared, const void *global, const char *file, int line) {
    thread &own = *running;
    if (reinterpret_cast<uintptr_t>(shared) % 16 != 0 || reinterpret_cast<uintptr_t>(global) % 16 != 0)
        fail("cp.async with an address that is not a multiple of 16, at %s:%d", file, line);
    if (!in_shared(shared, 16)) fail("cp.async to outside of shared memory, at %s:%d", file, line);
    async_copy copy = {shared, global, own.n_groups, false};
    announce(copy);
    if (happens_at_once()) perform(copy);
    make_room(own.copies);
    own.copies.push_back(copy);
}

void simt_copy_commit() {
    running->n_groups++;
}

void simt_copy_wait(int n_left) {
    thread &own = *running;
    const size_t n = static_cast<size_t>(n_left);
    if (own.n_groups > n) finish_groups(own, own.n_groups - n);
}
