#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

#include <cuda_runtime.h>
#include <simt_wgmma.h>

thread_local hopper_index threadIdx, blockIdx, gridDim;

namespace {

enum { SHARED_BEGIN = 1024, WARP = 32, WARPS = 12, SECONDS_TO_WAIT = 60 };

[[noreturn]] void report(const char *what) {
    fprintf(stderr, "hopper: block %u thread %u: %s\n", blockIdx.x, threadIdx.x, what);
    abort();
}

/* Where n threads wait for one another. */
class meeting {
  public:
    void join(int n) {
        std::unique_lock<std::mutex> hold(lock_);
        const int round = round_;
        if (++n_here_ == n) {
            n_here_ = 0;
            round_++;
            all_.notify_all();
        } else if (!all_.wait_for(hold, std::chrono::seconds(SECONDS_TO_WAIT), [&] { return round_ != round; }))
            report("waits for threads that do not come");
    }

  private:
    std::mutex lock_;
    std::condition_variable all_;
    int n_here_ = 0, round_ = 0;
};

/* mbarrier. */
struct barrier {
    uint32_t n_arrivals, n_missing, phase;
    int64_t bytes_missing;
    bool end_phase() {
        if (n_missing > 0 || bytes_missing != 0) return false;
        n_missing = n_arrivals;
        phase++;
        return true;
    }
};

struct cluster;

struct block {
    cluster *of;
    uint32_t rank;
    std::vector<unsigned char> shared;
    meeting threads, warps[WARPS];
    std::mutex lock; /* of the barriers */
    std::condition_variable phase_over;
    std::map<uint32_t, barrier> barriers;

    barrier &at(uint32_t address) {
        const auto found = barriers.find(address);
        if (found == barriers.end()) report("there is no barrier");
        return found->second;
    }
    void arrive(uint32_t address, int64_t expected_bytes) {
        const std::lock_guard<std::mutex> hold(lock);
        barrier &arrived = at(address);
        if (arrived.n_missing == 0) report("one arrival too many");
        arrived.n_missing--;
        arrived.bytes_missing += expected_bytes;
        if (arrived.end_phase()) phase_over.notify_all();
    }
    void land(uint32_t address, int64_t n_bytes) {
        const std::lock_guard<std::mutex> hold(lock);
        at(address).bytes_missing -= n_bytes;
        if (at(address).end_phase()) phase_over.notify_all();
    }
};

struct cluster {
    std::vector<std::unique_ptr<block>> blocks;
    int threads;
    meeting all;
    std::mutex lock; /* of the copies */
    std::condition_variable changed;
    std::vector<std::function<void()>> copies;
    bool is_over = false;

    void copy_in_any_order(unsigned seed) {
        std::mt19937 random(seed);
        std::unique_lock<std::mutex> hold(lock);
        for (;;) {
            changed.wait(hold, [&] { return is_over || !copies.empty(); });
            if (copies.empty()) return;
            const size_t chosen = random() % copies.size();
            const std::function<void()> copy = copies[chosen];
            copies.erase(copies.begin() + static_cast<std::ptrdiff_t>(chosen));
            hold.unlock();
            copy();
            hold.lock();
        }
    }
};

struct product {
    int32_t *sums;
    uint64_t queries, rows;
    bool add;
};

thread_local block *own;
thread_local std::vector<product> open_group;
thread_local std::deque<std::vector<product>> groups;
thread_local bool is_late;

/* Rows past the last are zeros. Chunk c of row r goes to place c ^ r % 8. */
void copy_box(block *to_block, uint32_t to, const dv_box_map &map, int column, int row, uint32_t barrier) {
    for (int i = 0; i < map.box_rows; i++)
        for (int chunk = 0; chunk < 8; chunk++) {
            unsigned char *const place = &to_block->shared[to - SHARED_BEGIN + static_cast<uint32_t>(i) * 128 +
                                                           static_cast<uint32_t>(chunk ^ i % 8) * 16];
            if (row + i < map.n_rows)
                memcpy(place, map.codes + (row + int64_t{i}) * map.width + column + chunk * 16, 16);
            else
                memset(place, 0, 16);
        }
    to_block->land(barrier, int64_t{map.box_rows} * 128);
}

/* As element() of test_wgmma_layout.c. */
int8_t element(uint64_t descriptor, int row, int column) {
    const uint32_t start = (descriptor & 0x3fff) << 4, stride = (descriptor >> 32 & 0x3fff) << 4;
    const uint32_t plain =
        start + static_cast<uint32_t>(row / 8) * stride + static_cast<uint32_t>(row % 8 * 128 + column);
    return static_cast<int8_t>(own->shared[(plain ^ (plain >> 7 & 7) << 4) - SHARED_BEGIN]);
}

void multiply(const product &of) {
    const int thread = static_cast<int>(threadIdx.x) % DV_WGMMA_THREADS;
    for (int i = 0; i < DV_WGMMA_SUMS; i++) {
        int32_t sum = of.add ? of.sums[i] : 0;
        for (int column = 0; column < DV_WGMMA_COLUMNS; column++)
            sum += element(of.queries, dv_wgmma_query(thread, i), column) *
                   element(of.rows, dv_wgmma_row(thread, i), column);
        of.sums[i] = sum;
    }
}

/* Instructions that are `.aligned`. */
void join_warp() {
    own->warps[threadIdx.x / WARP].join(WARP);
}

void run_thread(block *in, unsigned index, unsigned n_blocks, unsigned thread, const std::function<void()> &body) {
    own = in;
    blockIdx.x = index;
    gridDim.x = n_blocks;
    threadIdx.x = thread;
    is_late = index % 2 == 0;
    body();
    if (!groups.empty() || !open_group.empty()) report("ends while products are on their way");
}

} // namespace

void __syncthreads() {
    own->threads.join(own->of->threads);
}
void __syncwarp() {} /* lane 0 of the copying warp comes alone */

uint32_t dv_stages() {
    return SHARED_BEGIN;
}
uint32_t dv_block_of_cluster() {
    return own->rank;
}
void dv_sync_cluster() {
    own->of->all.join(own->of->threads * static_cast<int>(own->of->blocks.size()));
}

void dv_barrier_init(uint32_t address, uint32_t n_arrivals) {
    const std::lock_guard<std::mutex> hold(own->lock);
    own->barriers[address] = barrier{n_arrivals, n_arrivals, 0, 0};
}
void dv_barrier_wait(uint32_t address, uint32_t parity) {
    std::unique_lock<std::mutex> hold(own->lock);
    const barrier &waited_for = own->at(address);
    if (!own->phase_over.wait_for(hold, std::chrono::seconds(SECONDS_TO_WAIT),
                                  [&] { return waited_for.phase % 2 != parity; }))
        report("a phase does not end");
}
void dv_barrier_arrive_and_expect(uint32_t address, uint32_t n_bytes) {
    own->arrive(address, n_bytes);
}
void dv_barrier_arrive(uint32_t address, uint32_t to) {
    own->of->blocks.at(to)->arrive(address, 0);
}

void dv_copy_box_to_all(uint32_t to, const dv_box_map *map, int column, int row, uint32_t address, uint16_t blocks) {
    cluster *const of = own->of;
    const dv_box_map copied = *map;
    const std::lock_guard<std::mutex> hold(of->lock);
    for (const auto &target : of->blocks)
        if (blocks >> target->rank & 1) {
            block *const to_block = target.get();
            of->copies.push_back([=] { copy_box(to_block, to, copied, column, row, address); });
        }
    of->changed.notify_all();
}
void dv_copy_box(uint32_t to, const dv_box_map *map, int column, int row, uint32_t address) {
    dv_copy_box_to_all(to, map, column, row, address, static_cast<uint16_t>(1u << own->rank));
}

void dv_wgmma_begin() {
    join_warp();
}
void dv_wgmma_s8(int32_t (&sums)[DV_WGMMA_SUMS], uint64_t queries, uint64_t rows, bool add) {
    open_group.push_back(product{sums, queries, rows, add});
}
void dv_wgmma_close() {
    groups.push_back(open_group);
    open_group.clear();
    if (!is_late) hopper_wait(0);
}
void hopper_wait(int n_groups) {
    for (; static_cast<int>(groups.size()) > n_groups; groups.pop_front())
        for (const product &of : groups.front()) multiply(of);
    join_warp();
}

int hopper_launch(int64_t n_clusters, int size, int threads, int shared_bytes, const std::function<void()> &body) {
    if (threads > WARPS * WARP) return cudaErrorInvalidValue;
    for (int64_t i = 0; i < n_clusters; i++) {
        cluster of;
        of.threads = threads;
        for (int rank = 0; rank < size; rank++) {
            of.blocks.push_back(std::make_unique<block>());
            of.blocks.back()->of = &of;
            of.blocks.back()->rank = static_cast<uint32_t>(rank);
            of.blocks.back()->shared.assign(static_cast<size_t>(shared_bytes), 0x5a);
        }
        std::vector<std::thread> running, copying;
        for (unsigned seed = 0; seed < 2; seed++) copying.emplace_back([&of, seed] { of.copy_in_any_order(seed); });
        for (const auto &in : of.blocks)
            for (int thread = 0; thread < threads; thread++)
                running.emplace_back(run_thread, in.get(), static_cast<unsigned>(i * size) + in->rank,
                                     static_cast<unsigned>(n_clusters * size), static_cast<unsigned>(thread),
                                     std::cref(body));
        for (std::thread &thread : running) thread.join();
        {
            const std::lock_guard<std::mutex> hold(of.lock);
            if (!of.copies.empty()) report("ends while copies are on their way");
            of.is_over = true;
        }
        of.changed.notify_all();
        for (std::thread &thread : copying) thread.join();
    }
    return cudaSuccess;
}
