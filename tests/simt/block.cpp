#include "block.h"

#include <algorithm>
#include <numeric>

#include "report.h"
#include "sanitizers.h"
#include "settings.h"

namespace simt {

thread *running = nullptr;
block *running_block = nullptr;

static void thread_main() {
    block &of = *running_block;
    thread &own = *running;
    fiber_begin(of.scheduler);
    acquire(&of.order->begin);
    of.of->body->run_thread();
    check_copies(own);
    own.copies.clear();
    own.now = state::exited;
    of.n_exited++;
    release(&of.order->end);
    fiber_end(own.own, of.scheduler);
}

void give_way(state now, site where) {
    thread &own = *running;
    own.now = now;
    own.where = where;
    fiber_switch(own.own, running_block->scheduler);
}

static void resume(block &of, thread &next) {
    running = &next;
    fiber_switch(of.scheduler, next.own);
    running = nullptr;
}

/* Each thread in turn. */
static bool run_round(block &of) {
    bool moved = false;
    for (thread &next : of.threads) {
        if (next.now != state::ready) continue;
        resume(of, next);
        moved = true;
    }
    return moved;
}

static size_t warps_of(const block &of) {
    return (of.threads.size() + warp_size - 1) / warp_size;
}

static bool can_run(const block &of, size_t warp) {
    const size_t end = std::min(of.threads.size(), (warp + 1) * warp_size);
    for (size_t i = warp * warp_size; i < end; i++)
        if (of.threads[i].now == state::ready) return true;
    return false;
}

/* A warp from `first` on, as far as it can; another one may be chosen after a lap in which a lane made way for others.
 */
static bool run_warp(block &of, size_t first) {
    const size_t n_warps = warps_of(of);
    for (size_t i = 0; i < n_warps; i++) {
        const size_t warp = (first + i) % n_warps;
        if (!can_run(of, warp)) continue;
        const size_t begin = warp * warp_size, n = std::min(of.threads.size() - begin, size_t{warp_size});
        const size_t start = chosen().schedule == SIMT_RANDOM_AHEAD ? random_below(n) : 0;
        for (size_t lane = 0; lane < n; lane++) {
            thread &next = of.threads[begin + (start + lane) % n];
            if (next.now == state::ready) resume(of, next);
        }
        return true;
    }
    return false;
}

static void run_threads(block &of) {
    size_t ahead = 0;
    while (of.n_exited < of.threads.size()) {
        bool moved;
        if (chosen().schedule == SIMT_ROUND) {
            moved = run_round(of);
        } else {
            if (chosen().schedule == SIMT_RANDOM_AHEAD && (!can_run(of, ahead) || random_below(16) == 0))
                ahead = random_below(warps_of(of));
            moved = run_warp(of, ahead);
        }
        if (!moved) fail_stuck(of, "threads wait for others that never come");
    }
}

line_pool::~line_pool() {
    for (void *line : lines) line_destroy(line);
}

/* Each block has lines of its own, so that nothing orders it after another one. Lines are dear: past so many, a block
 * takes those of one of the first blocks (a race with that block is not seen then). */
static void *const *lines_of_block(block &of) {
    if (!watches_races) return nullptr;
    std::vector<void *> &pool = of.of->lines->lines;
    const size_t n = of.threads.size(), n_used = of.n_lines;
    if (n_used + n > std::max<size_t>(2 * n, 512)) return &pool[random_below(n_used / n) * n];
    of.n_lines += n;
    while (pool.size() < of.n_lines) pool.push_back(line_create());
    return &pool[n_used];
}

static void begin_block(block &of) {
    of.n_exited = of.n_at_barrier = of.barrier_phase = 0;
    of.n_shared = 0;
    of.order = new order_points;
    of.warp_phase.assign(of.threads.size(), 0);
    char *stacks = fiber_stacks(of.threads.size());
    void *const *const lines = lines_of_block(of);
    const dim3 size = of.of->shape.block;
    for (unsigned i = 0; i < of.threads.size(); i++) {
        thread &own = of.threads[i];
        own.number = i;
        own.lane = i % warp_size;
        own.index = uint3{i % size.x, i / size.x % size.y, i / size.x / size.y};
        own.now = state::ready;
        own.n_groups = 0;
        fiber_prepare(own.own, stacks + i * stack_bytes, stack_bytes, thread_main);
        own.own.line = lines ? lines[i] : nullptr;
    }
    release(&of.order->begin);
}

/* `reaper` learns what the threads did and frees what they shared; the next block must not learn it. */
static void end_block(block &of, void *reaper) {
    line_switch(reaper);
    acquire(&of.order->begin);
    acquire(&of.order->end);
    release_shared(of);
    line_switch(of.scheduler.line);
    delete of.order;
}

void run_launch(const launch &work) {
    const dim3 grid = work.shape.grid, size = work.shape.block;
    block of;
    of.of = &work;
    of.n_lines = 0;
    of.threads.resize(size_t{size.x} * size.y * size.z);
    of.scheduler.line = line_current();
    void *const reaper = line_create();
    std::vector<size_t> order(size_t{grid.x} * grid.y * grid.z);
    std::iota(order.begin(), order.end(), size_t{0});
    for (size_t i = order.size(); i > 1; i--) std::swap(order[i - 1], order[random_below(i)]);

    running_block = &of;
    for (size_t number : order) {
        of.index = uint3{static_cast<unsigned>(number % grid.x), static_cast<unsigned>(number / grid.x % grid.y),
                         static_cast<unsigned>(number / grid.x / grid.y)};
        begin_block(of);
        run_threads(of);
        end_block(of, reaper);
    }
    running_block = nullptr;
    uint64_t launch_end;
    line_switch(reaper);
    release(&launch_end);
    line_switch(of.scheduler.line);
    acquire(&launch_end);
    line_destroy(reaper);
}

} // namespace simt

uint3 simt_thread_index() {
    return simt::running->index;
}
uint3 simt_block_index() {
    return simt::running_block->index;
}
dim3 simt_block_size() {
    return simt::running_block->of->shape.block;
}
dim3 simt_grid_size() {
    return simt::running_block->of->shape.grid;
}
unsigned simt_lane() {
    return simt::running->lane;
}

void simt_block_barrier(const char *file, int line) {
    using namespace simt;
    block &of = *running_block;
    const site where = {file, line};
    void *const point = &of.order->barrier[of.barrier_phase % 2];
    release(point);
    if (++of.n_at_barrier == of.threads.size()) {
        running->where = where;
        running->now = state::at_block_barrier;
        for (thread &other : of.threads)
            if (!(other.where == where)) fail_stuck(of, "__syncthreads on different lines");
        for (thread &other : of.threads) other.now = state::ready;
        of.n_at_barrier = 0;
        of.barrier_phase++;
    } else {
        give_way(state::at_block_barrier, where);
    }
    acquire(point);
}

void simt_atomic_point() {
    using namespace simt;
    if (chosen().schedule == SIMT_RANDOM_AHEAD && random_below(4) == 0) give_way(state::ready, site{nullptr, 0});
}
