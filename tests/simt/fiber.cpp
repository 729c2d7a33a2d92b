#include "fiber.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "sanitizers.h"

namespace simt {

#if defined(__x86_64__)

/* void simt_switch_stack(void **save, void *stack_pointer): what the System V ABI lets a call keep is pushed; the rest
 * of the state (rounding modes) is the same everywhere here. */
extern "C" void simt_switch_stack(void **save, void *stack_pointer);
asm(R"(
    .text
    .globl simt_switch_stack
    .hidden simt_switch_stack
    .type simt_switch_stack, @function
simt_switch_stack:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
    .size simt_switch_stack, . - simt_switch_stack
)");

static void prepare_context(fiber &own, void (*entry)()) {
    /* Six registers, the address to return to, and one that entry would return to: at its start the stack is 8 bytes
     * off a multiple of 16, as after a call. */
    uint64_t *top = reinterpret_cast<uint64_t *>(own.stack + own.stack_size) - 8;
    for (int i = 0; i < 8; i++) top[i] = 0;
    top[6] = reinterpret_cast<uint64_t>(entry);
    own.stack_pointer = top;
}
static void switch_context(fiber &from, fiber &to) {
    simt_switch_stack(&from.stack_pointer, to.stack_pointer);
}

#else

static void prepare_context(fiber &own, void (*entry)()) {
    getcontext(&own.context);
    own.context.uc_stack.ss_sp = own.stack;
    own.context.uc_stack.ss_size = own.stack_size;
    own.context.uc_link = nullptr;
    makecontext(&own.context, entry, 0);
}
static void switch_context(fiber &from, fiber &to) {
    swapcontext(&from.context, &to.context);
}

#endif

void fiber_prepare(fiber &own, char *stack, size_t stack_size, void (*entry)()) {
    own.stack = stack;
    own.stack_size = stack_size;
    prepare_context(own, entry);
}

void fiber_switch(fiber &from, fiber &to) {
#if defined(SIMT_ASAN)
    void *fake_stack;
    __sanitizer_start_switch_fiber(&fake_stack, to.stack, to.stack_size);
#endif
    line_switch(to.line);
    switch_context(from, to);
#if defined(SIMT_ASAN)
    __sanitizer_finish_switch_fiber(fake_stack, nullptr, nullptr);
#endif
}

void fiber_begin(fiber &from) {
#if defined(SIMT_ASAN)
    const void *bottom;
    __sanitizer_finish_switch_fiber(nullptr, &bottom, &from.stack_size);
    from.stack = static_cast<char *>(const_cast<void *>(bottom));
#else
    (void)from;
#endif
}

void fiber_end(fiber &from, fiber &to) {
#if defined(SIMT_ASAN)
    __sanitizer_start_switch_fiber(nullptr, to.stack, to.stack_size);
#endif
    line_switch(to.line);
    switch_context(from, to);
    abort(); /* nobody resumes it */
}

char *fiber_stacks(size_t n) {
    static char *stacks = nullptr;
    static size_t n_stacks = 0;
    /* A mapping that is made anew is all that makes the race detector forget who used a stack before. */
    if (n > n_stacks || watches_races) {
        if (stacks) munmap(stacks, n_stacks * stack_bytes);
        void *fresh =
            mmap(nullptr, n * stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (fresh == MAP_FAILED) {
            perror("simt: stacks");
            abort();
        }
        stacks = static_cast<char *>(fresh);
        n_stacks = n;
    }
    return stacks;
}

} // namespace simt
