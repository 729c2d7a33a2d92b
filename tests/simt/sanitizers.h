/* sanitizers.h: what the emulator tells AddressSanitizer (SIMT_ASAN) and ThreadSanitizer (SIMT_TSAN) about the kernels
 * it runs. It is not instrumented itself; without either word all of this is nothing. */
#ifndef SIMT_SANITIZERS_H
#define SIMT_SANITIZERS_H

#include <stddef.h>

#if defined(SIMT_ASAN)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
extern "C" void __asan_loadN(void *address, size_t size);
#elif defined(SIMT_TSAN)
#include <sanitizer/tsan_interface.h>
extern "C" void __tsan_read_range(void *address, size_t size);
extern "C" void __tsan_write_range(void *address, size_t size);
#endif

namespace simt {

#if defined(SIMT_TSAN)
/* A line of execution as the race detector sees it: what another one did is known to it after an acquire alone. A new
 * one knows what its creator did. */
inline void *line_create() {
    return __tsan_create_fiber(0);
}
inline void line_destroy(void *line) {
    __tsan_destroy_fiber(line);
}
inline void *line_current() {
    return __tsan_get_current_fiber();
}
inline void line_switch(void *line) {
    __tsan_switch_to_fiber(line, __tsan_switch_to_fiber_no_sync);
}
/* What is done before a release is known after an acquire of the same address. */
inline void release(void *address) {
    __tsan_release(address);
}
inline void acquire(void *address) {
    __tsan_acquire(address);
}
inline void announce_read(const void *address, size_t size) {
    __tsan_read_range(const_cast<void *>(address), size);
}
inline void announce_write(void *address, size_t size) {
    __tsan_write_range(address, size);
}
constexpr bool watches_races = true;
#else
inline void *line_create() {
    return nullptr;
}
inline void line_destroy(void *) {}
inline void *line_current() {
    return nullptr;
}
inline void line_switch(void *) {}
inline void release(void *) {}
inline void acquire(void *) {}
#if defined(SIMT_ASAN)
inline void announce_read(const void *address, size_t size) {
    __asan_loadN(const_cast<void *>(address), size);
}
#else
inline void announce_read(const void *, size_t) {}
#endif
inline void announce_write(void *, size_t) {}
constexpr bool watches_races = false;
#endif

#if defined(SIMT_ASAN)
inline void hide(void *memory, size_t size) {
    __asan_poison_memory_region(memory, size);
}
inline void show(void *memory, size_t size) {
    __asan_unpoison_memory_region(memory, size);
}
#else
inline void hide(void *, size_t) {}
inline void show(void *, size_t) {}
#endif

} // namespace simt

#endif
