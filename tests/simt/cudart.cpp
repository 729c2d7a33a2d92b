/* The lock, the failures and the queues of the emulated runtime. */
#include "cudart.h"

#include <sched.h>
#include <time.h>

#include "report.h"
#include "sanitizers.h"
#include "settings.h"

namespace simt {

thread_local int current_device = 0;
thread_local cudaError_t last_error = cudaSuccess;

static void add_devices(machine &of, int n, size_t memory_bytes) {
    for (int i = 0; i < n; i++) {
        of.devices.push_back(device{memory_bytes, 0, 8, 0, {}, nullptr, {}});
        of.devices.back().default_stream = new CUstream_st{i, true, nullptr, nullptr};
    }
}

machine &host() {
    static machine *const all = [] {
        machine *fresh = new machine;
        add_devices(*fresh, static_cast<int>(environment_number("SIMT_DEVICES", 1)),
                    static_cast<size_t>(environment_number("SIMT_MEMORY", 1ull << 30)));
        return fresh;
    }();
    return *all;
}

/* Not a mutex: the race detector would take it for an order between threads of the host. */
static int locked = 0;
static thread_local bool holds_lock = false; /* kernels run on threads of the host that hold it */

static void pause_briefly() {
    const timespec pause = {0, 20000};
    nanosleep(&pause, nullptr);
}

call::call() {
    if (holds_lock) fail("a kernel calls the runtime");
    for (int n_tries = 0; __atomic_exchange_n(&locked, 1, __ATOMIC_ACQUIRE); n_tries++)
        n_tries < 100 ? static_cast<void>(sched_yield()) : pause_briefly(); /* a kernel may run under the lock */
    holds_lock = true;
    static void *own_line = nullptr;
    caller_ = line_current();
    if (!own_line) own_line = line_create();
    own_ = own_line;
    static uint64_t begin;
    release(&begin);
    line_switch(own_);
    acquire(&begin);
}

call::~call() {
    line_switch(caller_);
    holds_lock = false;
    __atomic_store_n(&locked, 0, __ATOMIC_RELEASE);
}

call::as_caller::as_caller(const call &of) : of_(of) {
    line_switch(of_.caller_);
}
call::as_caller::~as_caller() {
    line_switch(of_.own_);
}

cudaError_t call::refused() const {
    if (host().driver < CUDART_VERSION) return cudaErrorInsufficientDriver;
    if (host().devices.empty()) return cudaErrorNoDevice;
    return host().broken;
}

cudaError_t noted(cudaError_t error) {
    if (error != cudaSuccess) last_error = error;
    return error;
}

bool fails_now(int &countdown) {
    if (countdown == 0) return false;
    return --countdown == 0;
}

static bool can_run(const operation &work) {
    for (const operation_ref &earlier : work.after)
        if (!earlier->done) return false;
    return true;
}

static void run(operation &work) {
    void *const line = line_current();
    line_switch(work.line);
    for (const operation_ref &earlier : work.after) acquire(&earlier->end);
    if (work.run) work.run();
    release(&work.end);
    line_switch(line);
    acquire(&work.end); /* to free what belonged to it */
    line_destroy(work.line);
    work.run = nullptr;
    work.after.clear();
    work.done = true;
}

/* Any work that can run; false: there is none. */
static bool run_one() {
    std::vector<operation_ref> &queued = host().queued;
    std::vector<size_t> possible;
    for (size_t i = 0; i < queued.size(); i++)
        if (can_run(*queued[i])) possible.push_back(i);
    if (possible.empty()) return false;
    const size_t choice = possible[random_below(possible.size())];
    const operation_ref work = queued[choice];
    queued.erase(queued.begin() + static_cast<ptrdiff_t>(choice));
    run(*work);
    return true;
}

static void add_earlier(operation &work, const operation_ref &earlier) {
    if (earlier && !(earlier->done && !watches_races)) work.after.push_back(earlier);
}

/* The default stream takes turns with all that did not ask to be left alone. */
static void add_default_stream_order(operation &work, const CUstream_st &stream) {
    const cudaStream_t first = host().devices[static_cast<size_t>(stream.device)].default_stream;
    if (&stream != first) {
        if (stream.blocking) add_earlier(work, first->last);
        return;
    }
    for (cudaStream_t other : host().streams)
        if (other->device == stream.device && other->blocking) add_earlier(work, other->last);
}

operation_ref enqueue(const call &in, cudaStream_t stream, std::function<void()> run, operation_ref extra) {
    const operation_ref work = std::make_shared<operation>();
    work->run = std::move(run);
    work->device = stream->device;
    {
        const call::as_caller caller(in);
        work->line = line_create();
    }
    add_earlier(*work, stream->last);
    add_default_stream_order(*work, *stream);
    add_earlier(*work, extra);
    stream->last = work;
    host().queued.push_back(work);
    while (random_below(4) < chosen().eagerness && run_one()) {}
    return work;
}

void finish(const call &in, const operation_ref &work) {
    if (!work) return;
    while (!work->done)
        if (!run_one()) fail("work waits for an event that is never recorded");
    const call::as_caller caller(in);
    acquire(&work->end);
}

void finish_device(const call &in, int device) {
    finish(in, host().devices[static_cast<size_t>(device)].default_stream->last);
    for (cudaStream_t stream : host().streams)
        if (stream->device == device) finish(in, stream->last);
    /* Of streams that were destroyed. */
    for (bool more = true; more;) {
        more = false;
        for (const operation_ref &work : std::vector<operation_ref>(host().queued)) {
            if (work->device != device) continue;
            finish(in, work);
            more = true;
            break;
        }
    }
}

cudaStream_t known_stream(cudaStream_t stream) {
    if (!stream) return host().devices[static_cast<size_t>(current_device)].default_stream;
    if (!host().streams.count(stream)) fail("a stream that does not exist, or not any more");
    return stream;
}

} // namespace simt

using namespace simt;

void simt_set_devices(int n_devices, size_t memory_bytes) {
    const call in;
    machine &all = host();
    all.queued.clear();
    for (const auto &entry : std::map<uintptr_t, buffer>(all.buffers)) free_buffer(in, entry.first);
    for (cudaStream_t stream : all.streams) delete stream;
    for (cudaEvent_t event : all.events) delete event;
    for (device &each : all.devices) delete each.default_stream;
    all = machine();
    if (n_devices < 0) all.driver = 0;
    add_devices(all, n_devices, memory_bytes);
    current_device = 0;
    last_error = cudaSuccess;
}

void simt_set_driver(int version) {
    host().driver = version;
}
void simt_set_capability(int major, int minor) {
    for (device &each : host().devices) {
        each.capability_major = major;
        each.capability_minor = minor;
    }
}
void simt_set_capability_of(int number, int major, int minor) {
    device &of = host().devices.at(static_cast<size_t>(number));
    of.capability_major = major;
    of.capability_minor = minor;
}
void simt_set_free_memory(int number, size_t n_bytes) {
    device &of = host().devices.at(static_cast<size_t>(number));
    of.memory_bytes = of.used_bytes + n_bytes;
}
void simt_set_peer_access(int possible) {
    host().has_peer_access = possible != 0;
}
void simt_fail_allocation(int n) {
    host().allocation_to_fail = n;
}
void simt_fail_launch(int n) {
    host().launch_to_fail = n;
}
void simt_fail_run(int n) {
    host().run_to_fail = n;
}

void simt_fail_allocation_above(size_t n_bytes) {
    host().most_bytes = n_bytes;
}
size_t simt_n_allocations(void) {
    return host().n_allocations;
}

size_t simt_peak_bytes(int device) {
    const call in;
    return host().devices.at(static_cast<size_t>(device)).peak_bytes;
}

size_t simt_n_alive(void) {
    const call in;
    return host().buffers.size() + host().streams.size() + host().events.size();
}
