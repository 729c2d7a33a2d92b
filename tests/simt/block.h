/* block.h: a block of threads while it runs. All of it belongs to whoever holds the lock of the runtime. */
#ifndef SIMT_BLOCK_H
#define SIMT_BLOCK_H

#include <memory>
#include <stddef.h>
#include <stdint.h>
#include <vector>

#include "fiber.h"
#include "simt_launch.h"

namespace simt {

constexpr unsigned warp_size = 32;

struct site {
    const char *file;
    int line;
};
inline bool operator==(const site &x, const site &y) {
    return x.file == y.file && x.line == y.line;
}

enum class state : uint8_t { ready, at_block_barrier, at_warp_meeting, exited };
enum class meeting : uint8_t { barrier, shuffle, ballot, match, ldmatrix, mma };

struct async_copy {
    void *target;
    const void *source;
    size_t group;
    bool done;
};

struct thread {
    fiber own;
    uint3 index;
    unsigned number; /* in the block: lane + 32 * warp */
    unsigned lane;
    state now;
    site where; /* it waits */

    /* What it brings to a meeting of its warp, and takes from it. */
    meeting what;
    unsigned mask, source_lane;
    uint64_t value, result;
    uint32_t row[4];       /* ldmatrix: 16 bytes */
    uint32_t *registers;   /* ldmatrix */
    const uint32_t *a, *b; /* mma */
    int32_t *c;

    std::vector<async_copy> copies; /* that it has not waited for */
    size_t n_groups;                /* it committed */
};

struct shared_part {
    const void *site; /* of a declaration; nullptr: of the shared memory of the launch */
    size_t offset, size;
    const char *name;
    unsigned char *data;
};

/* Addresses that stand for an order between threads, for the race detector; new ones for each block. */
struct order_points {
    uint64_t barrier[2];
    uint64_t shared[64]; /* by part */
    uint64_t begin, end;
    uint64_t warp_barrier[1024][2]; /* by the lowest thread of the mask */
};

/* Lines of execution (sanitizers.h) for the threads of one launch after the other in a stream: what a line knows of
 * earlier launches is in order anyway. */
struct line_pool {
    std::vector<void *> lines;
    line_pool() = default;
    ~line_pool();
    line_pool(const line_pool &) = delete;
    line_pool &operator=(const line_pool &) = delete;
};

struct launch {
    const char *name;
    simt_shape shape;
    std::shared_ptr<const simt_body> body;
    std::shared_ptr<line_pool> lines;
};

struct block {
    const launch *of;
    uint3 index;
    std::vector<thread> threads;
    fiber scheduler;
    unsigned n_exited, n_at_barrier;
    unsigned barrier_phase;
    std::vector<uint8_t> warp_phase; /* of warp_barrier */
    enum { most_shared_parts = 64 };
    shared_part shared[most_shared_parts];
    size_t n_shared;
    order_points *order;
    size_t n_lines; /* of the pool, that the first blocks took */
};

/* The thread that runs, else NULL. */
extern thread *running;
extern block *running_block;

/* Runs all blocks, in random order. */
void run_launch(const launch &work);

/* Lets others run until this thread is ready again. */
void give_way(state now, site where);

void release_shared(block &of);
/* Are these bytes in one piece of the block's shared memory? */
bool in_shared(const void *address, size_t size);

/* At the end of a thread: it has waited for all of its copies. */
void check_copies(const thread &own);

} // namespace simt

#endif
