/* fiber.h: stacks of their own and the switch between them. */
#ifndef SIMT_FIBER_H
#define SIMT_FIBER_H

#include <stddef.h>

#if !defined(__x86_64__)
#include <ucontext.h>
#endif

namespace simt {

struct fiber {
#if defined(__x86_64__)
    void *stack_pointer = nullptr;
#else
    ucontext_t context;
#endif
    char *stack = nullptr; /* its lowest byte; of the program's own stack known after the first switch */
    size_t stack_size = 0;
    void *line = nullptr; /* see sanitizers.h */
};

/* Makes `own` begin with entry(), which never returns, at the next switch to it. */
void fiber_prepare(fiber &own, char *stack, size_t stack_size, void (*entry)());
/* Goes on in `to`; returns when another one switches to `from`. */
void fiber_switch(fiber &from, fiber &to);
/* The first thing that entry() calls. `from` is where the switch came from. */
void fiber_begin(fiber &from);
/* The last thing: does not return. */
[[noreturn]] void fiber_end(fiber &from, fiber &to);

/* Instrumented code takes more. */
#if defined(SIMT_ASAN) || defined(SIMT_TSAN)
constexpr size_t stack_bytes = 64 * 1024;
#else
constexpr size_t stack_bytes = 64 * 1024;
#endif

/* n stacks of stack_bytes, one after the other. Known to no line of execution but the current one; valid until the next
 * call. */
char *fiber_stacks(size_t n);

} // namespace simt

#endif
