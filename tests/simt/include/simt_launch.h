/* simt_launch.h: what launch.cuh includes in place of CUDA's launches and shared memory. */
#ifndef SIMT_LAUNCH_H
#define SIMT_LAUNCH_H

#include <stddef.h>
#include <tuple>
#include <type_traits>
#include <utility>

#include "cuda_runtime.h"

struct simt_shape {
    dim3 grid, block;
    size_t shared_bytes;
};

/* A kernel with its arguments. */
class simt_body {
  public:
    virtual ~simt_body() = default;
    virtual void run_thread() const = 0;
};

/* Arguments are converted and copied at the launch, as CUDA does. */
template <class... Parameters> class simt_bound_kernel : public simt_body {
  public:
    template <class... Arguments>
    explicit simt_bound_kernel(void (*kernel)(Parameters...), Arguments &&...arguments)
        : kernel_(kernel), arguments_(std::forward<Arguments>(arguments)...) {}
    void run_thread() const override { std::apply(kernel_, arguments_); }

  private:
    void (*kernel_)(Parameters...);
    std::tuple<std::decay_t<Parameters>...> arguments_;
};

/* Queues a kernel. kernel is its address, name what reports call it; body is handed over. */
int simt_launch(const char *name, const void *kernel, const simt_shape &shape, cudaStream_t stream,
                const simt_body *body);

template <class... Parameters, class... Arguments>
int simt_launch_kernel(const char *name, void (*kernel)(Parameters...), const simt_shape &shape, cudaStream_t stream,
                       Arguments &&...arguments) {
    return simt_launch(name, reinterpret_cast<const void *>(kernel), shape, stream,
                       new simt_bound_kernel<Parameters...>(kernel, std::forward<Arguments>(arguments)...));
}
#define DV_LAUNCH(kernel, grid, block, shared_bytes, stream, ...)                                                      \
    simt_launch_kernel(#kernel, kernel, simt_shape{(grid), (block), (shared_bytes)}, (stream), __VA_ARGS__)

/* A declaration of shared memory; its address tells it from the others. */
struct simt_shared_site {
    size_t size, alignment;
    const char *name, *file;
    int line;
};
void *simt_shared(const simt_shared_site *site);
void *simt_shared_part(const char *name, size_t offset, size_t size, const char *file, int line);

#define DV_SHARED(type, name)                                                                                          \
    static const simt_shared_site name##_site = {sizeof(type), alignof(type), #name, __FILE__, __LINE__};              \
    type &name = *static_cast<type *>(simt_shared(&name##_site))
#define DV_SHARED_ARRAY(type, name, n)                                                                                 \
    static const simt_shared_site name##_site = {sizeof(type) * (n), alignof(type), #name, __FILE__, __LINE__};        \
    type(&name)[n] = *static_cast<type(*)[n]>(simt_shared(&name##_site))
#define DV_SHARED_PART(type, name, offset, n)                                                                          \
    type *const name = static_cast<type *>(simt_shared_part(#name, (offset), sizeof(type) * (n), __FILE__, __LINE__))

#endif
