/* Meetings of the lanes of a warp: the last lane to arrive computes what each of them takes away. */
#include <string.h>

#include "block.h"
#include "report.h"
#include "sanitizers.h"

namespace simt {

static thread *lane_of(const thread &own, unsigned lane) {
    const size_t number = own.number - own.lane + lane;
    return number < running_block->threads.size() ? &running_block->threads[number] : nullptr;
}

static bool in(unsigned mask, unsigned lane) {
    return mask >> lane & 1;
}

static void shuffle(const thread &own) {
    for (unsigned lane = 0; lane < warp_size; lane++) {
        if (!in(own.mask, lane)) continue;
        thread *const to = lane_of(own, lane);
        if (to->source_lane >= warp_size || !in(own.mask, to->source_lane))
            fail("lane %u takes a value from lane %d, which is not in mask %08x, at %s:%d", lane,
                 static_cast<int>(to->source_lane), own.mask, own.where.file, own.where.line);
        to->result = lane_of(own, to->source_lane)->value;
    }
}

static void vote(const thread &own) {
    unsigned votes = 0;
    for (unsigned lane = 0; lane < warp_size; lane++)
        if (in(own.mask, lane) && lane_of(own, lane)->value) votes |= 1u << lane;
    for (unsigned lane = 0; lane < warp_size; lane++)
        if (in(own.mask, lane)) lane_of(own, lane)->result = votes;
}

static void match(const thread &own) {
    for (unsigned lane = 0; lane < warp_size; lane++) {
        if (!in(own.mask, lane)) continue;
        thread *const to = lane_of(own, lane);
        to->result = 0;
        for (unsigned other = 0; other < warp_size; other++)
            if (in(own.mask, other) && lane_of(own, other)->value == to->value) to->result |= 1u << other;
    }
}

/* Register m of lane i: bytes 4 (i % 4).. of row i / 4 of matrix m, which lane 8m + i / 4 brought. */
static void ldmatrix(const thread &own) {
    for (unsigned lane = 0; lane < warp_size; lane++)
        for (unsigned matrix = 0; matrix < 4; matrix++)
            lane_of(own, lane)->registers[matrix] = lane_of(own, 8 * matrix + lane / 4)->row[lane % 4];
}

/* The layouts of kernels/mma.cuh, written out as arrays. */
static void mma(const thread &own) {
    int8_t a[16][32], b[8][32];
    for (unsigned lane = 0; lane < warp_size; lane++) {
        const thread &from = *lane_of(own, lane);
        const unsigned g = lane / 4, t = lane % 4;
        for (unsigned r = 0; r < 4; r++) memcpy(&a[g + 8 * (r & 1)][4 * t + 16 * (r >> 1)], &from.a[r], 4);
        for (unsigned r = 0; r < 2; r++) memcpy(&b[g][4 * t + 16 * r], &from.b[r], 4);
    }
    for (unsigned lane = 0; lane < warp_size; lane++) {
        int32_t *const c = lane_of(own, lane)->c;
        for (unsigned r = 0; r < 4; r++) {
            const int8_t *const row = a[lane / 4 + 8 * (r >> 1)], *const column = b[2 * (lane % 4) + (r & 1)];
            int32_t sum = 0;
            for (unsigned k = 0; k < 32; k++) sum += row[k] * column[k];
            c[r] = static_cast<int32_t>(static_cast<uint32_t>(c[r]) + static_cast<uint32_t>(sum));
        }
    }
}

static void complete(const thread &own) {
    switch (own.what) {
    case meeting::barrier:
        running_block->warp_phase[own.number - own.lane + static_cast<unsigned>(__builtin_ctz(own.mask))] ^= 1;
        break;
    case meeting::shuffle:
        shuffle(own);
        break;
    case meeting::ballot:
        vote(own);
        break;
    case meeting::match:
        match(own);
        break;
    case meeting::ldmatrix:
        ldmatrix(own);
        break;
    case meeting::mma:
        mma(own);
        break;
    }
}

static bool all_there(const thread &own) {
    /* From the end: lanes that run in turn arrive there last. */
    for (unsigned lane = warp_size; lane-- > 0;) {
        if (!in(own.mask, lane)) continue;
        const thread *const other = lane_of(own, lane);
        if (!other || other->now != state::at_warp_meeting || other->what != own.what || other->mask != own.mask ||
            !(other->where == own.where))
            return false;
    }
    return true;
}

static void meet(meeting what, unsigned mask, site where) {
    thread &own = *running;
    own.what = what;
    own.mask = mask;
    if (!in(mask, own.lane))
        fail("lane %u is not in its own mask %08x at %s:%d", own.lane, mask, where.file, where.line);
    own.now = state::at_warp_meeting;
    own.where = where;
    if (!all_there(own)) {
        give_way(state::at_warp_meeting, where);
        return;
    }
    complete(own);
    for (unsigned lane = 0; lane < warp_size; lane++)
        if (in(mask, lane)) lane_of(own, lane)->now = state::ready;
}

} // namespace simt

using namespace simt;

void simt_warp_barrier(unsigned mask, const char *file, int line) {
    thread &own = *running;
    const unsigned first = own.number - own.lane + static_cast<unsigned>(__builtin_ctz(mask | 1u << 31));
    if (first >= running_block->threads.size()) fail("mask %08x at %s:%d has no thread", mask, file, line);
    void *const point = &running_block->order->warp_barrier[first][running_block->warp_phase[first]];
    release(point);
    meet(meeting::barrier, mask, site{file, line});
    acquire(point);
}

uint64_t simt_shuffle(unsigned mask, uint64_t value, unsigned source, const char *file, int line) {
    running->value = value;
    running->source_lane = source;
    meet(meeting::shuffle, mask, site{file, line});
    return running->result;
}

unsigned simt_ballot(unsigned mask, bool vote, const char *file, int line) {
    running->value = vote;
    meet(meeting::ballot, mask, site{file, line});
    return static_cast<unsigned>(running->result);
}

unsigned simt_match_any(unsigned mask, uint64_t value, const char *file, int line) {
    running->value = value;
    meet(meeting::match, mask, site{file, line});
    return static_cast<unsigned>(running->result);
}

void simt_ldmatrix_x4(uint32_t (&registers)[4], const void *row, const char *file, int line) {
    thread &own = *running;
    if (reinterpret_cast<uintptr_t>(row) % 16 != 0)
        fail("ldmatrix from an address that is not a multiple of 16, at %s:%d", file, line);
    if (!in_shared(row, 16)) fail("ldmatrix from outside of shared memory, at %s:%d", file, line);
    announce_read(row, 16);
    memcpy(own.row, row, 16);
    own.registers = registers;
    meet(meeting::ldmatrix, ~0u, site{file, line});
}

void simt_mma_s8(int32_t (&c)[4], const uint32_t (&a)[4], uint32_t b0, uint32_t b1, const char *file, int line) {
    thread &own = *running;
    const uint32_t b[2] = {b0, b1};
    own.a = a;
    own.b = b;
    own.c = c;
    meet(meeting::mma, ~0u, site{file, line});
}
