#include "denseval/version.h"

#include <stdbool.h>
#include <stdio.h>

#include "core/widen.h"

const char *dv_version(void) {
    return DENSEVAL_VERSION;
}

/* A text of fixed room that is cut where it is full. */
typedef struct writer {
    char *text;
    size_t size, length;
} writer;

static void add(writer *out, const char *piece) {
    while (*piece && out->length + 1 < out->size) out->text[out->length++] = *piece++;
    if (out->size) out->text[out->length] = '\0';
}

static void add_fact(writer *out, const char *name, const char *value) {
    if (out->length) add(out, "\n");
    add(out, name);
    add(out, ": ");
    add(out, value);
}

static void add_cpu(writer *out) {
    add_fact(out, "cpu", "");
#if defined(__x86_64__)
    const struct {
        const char *name;
        int has;
    } features[] = {
        {"sse4.2", __builtin_cpu_supports("sse4.2")},
        {"avx", __builtin_cpu_supports("avx")},
        {"avx2", __builtin_cpu_supports("avx2")},
        {"fma", __builtin_cpu_supports("fma")},
        {"avx512f", __builtin_cpu_supports("avx512f")},
        {"avx512bw", __builtin_cpu_supports("avx512bw")},
        {"avx512vl", __builtin_cpu_supports("avx512vl")},
        {"avx512dq", __builtin_cpu_supports("avx512dq")},
        {"avx512vnni", __builtin_cpu_supports("avx512vnni")},
    };
    add(out, "x86-64");
    for (size_t i = 0; i < sizeof features / sizeof *features; i++) {
        if (!features[i].has) continue;
        add(out, " ");
        add(out, features[i].name);
    }
#elif defined(__aarch64__)
    add(out, "aarch64");
#else
    add(out, "other");
#endif
}

static const char *sanitizer(void) {
#if defined(__SANITIZE_ADDRESS__)
    return "address";
#elif defined(__SANITIZE_THREAD__)
    return "thread";
#else
    return "none seen";
#endif
}

void dv_build_info(char *text, size_t size) {
    writer out = {text, size, 0};
    size_t i = 0;
    while (!dv_widen_table(i)->usable()) i++;
    add_fact(&out, "denseval", DENSEVAL_VERSION);
#if defined(__clang__)
    add_fact(&out, "compiler", __VERSION__);
#else
    add_fact(&out, "compiler", "gcc " __VERSION__);
#endif
    add_fact(&out, "build", DENSEVAL_BUILD_TYPE);
    add_fact(&out, "sanitizer", sanitizer());
    add_cpu(&out);
    add_fact(&out, "widening", dv_widen_table(i)->name);
}
