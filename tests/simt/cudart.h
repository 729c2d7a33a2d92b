/* cudart.h: the machine behind the emulated CUDA runtime: devices, their memory, and work that waits in streams. */
#ifndef SIMT_CUDART_H
#define SIMT_CUDART_H

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <stddef.h>
#include <stdint.h>
#include <vector>

#include "cuda_runtime_api.h"

namespace simt {

/* Work in a stream. It can run when all that it comes after has run; nothing else orders it. */
struct operation {
    std::function<void()> run;
    std::vector<std::shared_ptr<operation>> after;
    int device;
    bool done = false;
    void *line = nullptr; /* of the race detector: knows what the host did until it was queued */
    uint64_t end = 0;     /* its address stands for the end of the work */
};
using operation_ref = std::shared_ptr<operation>;

struct line_pool;

struct buffer {
    size_t size;
    int device; /* pinned: of the host */
};
constexpr int pinned = -1;

struct device {
    size_t memory_bytes, used_bytes;
    int capability_major, capability_minor;
    std::set<int> peers; /* whose memory its kernels may use */
    cudaStream_t default_stream;
    std::map<const void *, int> shared_limit; /* by kernel */
    size_t peak_bytes = 0;                    /* of used_bytes */
};

struct machine {
    std::vector<device> devices;
    bool has_peer_access = true;
    int driver = CUDART_VERSION;         /* 0: none */
    std::map<uintptr_t, buffer> buffers; /* by first byte */
    std::set<cudaStream_t> streams;      /* without the default ones */
    std::set<cudaEvent_t> events;
    std::vector<operation_ref> queued;
    cudaError_t broken = cudaSuccess;         /* by a run that failed: all calls fail from then on */
    size_t n_allocations = 0, most_bytes = 0; /* of an allocation; 0: any */
    int allocation_to_fail = 0, launch_to_fail = 0, run_to_fail = 0; /* 1: the next one */
};
machine &host();

extern thread_local int current_device;
extern thread_local cudaError_t last_error;

/* One call of the runtime at a time, in a line of execution of its own: it learns what callers did, and nobody from it.
 */
class call {
  public:
    call();
    ~call();
    call(const call &) = delete;
    call &operator=(const call &) = delete;
    /* Why no call can succeed, or cudaSuccess. */
    cudaError_t refused() const;
    /* The rest of the block as the caller's own line of execution. */
    class as_caller {
      public:
        explicit as_caller(const call &of);
        ~as_caller();

      private:
        const call &of_;
    };

  private:
    void *caller_, *own_;
};

/* Remembers a failure for cudaGetLastError and passes it on. */
cudaError_t noted(cudaError_t error);

/* Counts down to a failure that a test asked for. */
bool fails_now(int &countdown);

/* Queues work; `extra` (may be empty) comes before it too. Stream NULL is the default stream of the current device. */
operation_ref enqueue(const call &in, cudaStream_t stream, std::function<void()> run, operation_ref extra = nullptr);
/* Runs queued work, in random order, until this is done; the caller then knows what it did. */
void finish(const call &in, const operation_ref &work);
void finish_device(const call &in, int device);

/* A known stream (NULL: the default one), else a report. */
cudaStream_t known_stream(cudaStream_t stream);

void free_buffer(const call &in, uintptr_t address);
/* Kernels of that device can use the memory they have access to, or not any more. */
void show_memory(int device);
void hide_memory(int device);
/* Did that kernel write beside a buffer? */
void check_guards(const char *kernel);

} // namespace simt

struct CUstream_st {
    int device;
    bool blocking; /* takes turns with the default stream */
    simt::operation_ref last;
    std::shared_ptr<simt::line_pool> lines;
};

struct CUevent_st {
    int device;
    bool timed;
    simt::operation_ref recorded;
    std::shared_ptr<double> time_ms;
};

#endif
