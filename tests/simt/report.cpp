#include "report.h"

#include <stdarg.h>
#include <stdio.h>
#include <string>
#include <unistd.h>

namespace simt {

static void print_place() {
    fprintf(stderr, "simt: ");
    if (!running_block) return;
    const uint3 index = running_block->index;
    fprintf(stderr, "%s, block (%u, %u, %u)", running_block->of->name, index.x, index.y, index.z);
    if (running) fprintf(stderr, ", thread %u", running->number);
    fprintf(stderr, ": ");
}

void fail(const char *format, ...) {
    print_place();
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, "\n");
    _exit(report_status);
}

static const char *name_of(meeting what) {
    static const char *const names[] = {"__syncwarp", "shuffle", "vote", "__match_any_sync", "ldmatrix", "mma"};
    return names[static_cast<int>(what)];
}

/* Threads that wait in the same manner at the same place. */
static bool same_wait(const thread &x, const thread &y) {
    if (x.now != y.now) return false;
    if (x.now == state::exited) return true;
    if (!(x.where == y.where)) return false;
    return x.now != state::at_warp_meeting || (x.what == y.what && x.mask == y.mask);
}

/* "0-31, 64": numbers of the threads that wait as `like` does. */
static std::string list_of(const block &of, const thread &like) {
    std::string list;
    for (size_t first = 0; first < of.threads.size(); first++) {
        if (!same_wait(of.threads[first], like)) continue;
        size_t last = first;
        while (last + 1 < of.threads.size() && same_wait(of.threads[last + 1], like)) last++;
        if (!list.empty()) list += ", ";
        list += std::to_string(first);
        if (last > first) list += "-" + std::to_string(last);
        first = last;
    }
    return list;
}

static void print_wait(const block &of, const thread &like) {
    const std::string list = list_of(of, like);
    if (like.now == state::exited)
        fprintf(stderr, "  threads %s have ended\n", list.c_str());
    else if (like.now == state::at_block_barrier)
        fprintf(stderr, "  threads %s wait in __syncthreads at %s:%d\n", list.c_str(), like.where.file,
                like.where.line);
    else
        fprintf(stderr, "  threads %s wait in %s with mask %08x at %s:%d\n", list.c_str(), name_of(like.what),
                like.mask, like.where.file, like.where.line);
}

void fail_stuck(const block &of, const char *why) {
    running = nullptr;
    print_place();
    fprintf(stderr, "%s\n", why);
    for (size_t i = 0; i < of.threads.size(); i++) {
        bool listed = false;
        for (size_t j = 0; j < i && !listed; j++) listed = same_wait(of.threads[i], of.threads[j]);
        if (!listed) print_wait(of, of.threads[i]);
    }
    _exit(report_status);
}

} // namespace simt
