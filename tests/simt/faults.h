/* faults.h: kernels for tests of the emulator itself, right ones and ones with a planted fault. */
#ifndef SIMT_FAULTS_H
#define SIMT_FAULTS_H

#include <stddef.h>
#include <vector>

#include "cuda_runtime_api.h"

struct fault {
    const char *name;
    bool (*run)(); /* is the result right? */
};
/* Each ends with a NULL name. */
extern const fault product_faults[];
extern const fault small_faults[];
extern const fault stream_faults[];

/* The runtime call must succeed, or the program ends with status 2. */
void must(int error);

/* Memory of the current device with these elements in it; freed by the end of the scope. */
template <class T> class on_device {
  public:
    explicit on_device(const std::vector<T> &content) : n_(content.size()) {
        must(cudaMalloc(reinterpret_cast<void **>(&memory_), n_ * sizeof(T)));
        must(cudaMemcpy(memory_, content.data(), n_ * sizeof(T), cudaMemcpyHostToDevice));
    }
    ~on_device() { must(cudaFree(memory_)); }
    on_device(const on_device &) = delete;
    on_device &operator=(const on_device &) = delete;
    T *get() const { return memory_; }
    std::vector<T> content() const {
        std::vector<T> all(n_);
        must(cudaMemcpy(all.data(), memory_, n_ * sizeof(T), cudaMemcpyDeviceToHost));
        return all;
    }

  private:
    T *memory_ = nullptr;
    size_t n_;
};

#endif
