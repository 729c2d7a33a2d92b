#include "device/cuda/cublas_library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "core/check.h"

static const char *const lt_names[] = {"libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so", NULL};
static const char *const blas_names[] = {"libcublas.so.13", "libcublas.so.12", "libcublas.so", NULL};

typedef struct symbol {
    const char *name;
    size_t offset; /* of its pointer in dv_cublas_library */
} symbol;

#define SYMBOL(name, member)                                                                                           \
    { name, offsetof(dv_cublas_library, member) }
static const symbol lt_symbols[] = {
    SYMBOL("cublasLtCreate", lt_create),
    SYMBOL("cublasLtDestroy", lt_destroy),
    SYMBOL("cublasLtGetStatusString", lt_status_text),
    SYMBOL("cublasLtMatmulDescCreate", lt_product_create),
    SYMBOL("cublasLtMatmulDescSetAttribute", lt_product_set),
    SYMBOL("cublasLtMatmulDescDestroy", lt_product_destroy),
    SYMBOL("cublasLtMatrixLayoutCreate", lt_layout_create),
    SYMBOL("cublasLtMatrixLayoutDestroy", lt_layout_destroy),
    SYMBOL("cublasLtMatmulPreferenceCreate", lt_preference_create),
    SYMBOL("cublasLtMatmulPreferenceSetAttribute", lt_preference_set),
    SYMBOL("cublasLtMatmulPreferenceDestroy", lt_preference_destroy),
    SYMBOL("cublasLtMatmulAlgoGetHeuristic", lt_propose),
    SYMBOL("cublasLtMatmul", lt_multiply),
    {NULL, 0},
};
static const symbol blas_symbols[] = {
    SYMBOL("cublasCreate_v2", create),
    SYMBOL("cublasDestroy_v2", destroy),
    SYMBOL("cublasSetMathMode", set_math),
    SYMBOL("cublasSetStream_v2", set_stream),
    SYMBOL("cublasSetWorkspace_v2", set_workspace),
    SYMBOL("cublasSgemm_v2", sgemm),
    {NULL, 0},
};
_Static_assert(sizeof(void *) == sizeof(int (*)(void)), "dlsym gives functions as pointers to objects");

/* The first of the names that can be opened, and in *name which one it is; NULL, with the failure set, where none can.
 */
static void *open_first(const char *what, const char *const *names, const char **name) {
    char reasons[1024] = "";
    for (const char *const *at = names; *at; at++) {
        void *const library = dlopen(*at, RTLD_NOW | RTLD_LOCAL);
        if (library) {
            *name = *at;
            return library;
        }
        const char *const why = dlerror(); /* begins with the name */
        const size_t used = strlen(reasons);
        snprintf(reasons + used, sizeof reasons - used, "%s%s", used ? "; " : "", why ? why : *at);
    }
    (void)dv_fail(DV_E_BACKEND, "%s is not installed where libraries are looked for: %s", what, reasons);
    return NULL;
}

static dv_status load(const char *what, const char *const *names, const symbol *symbols, dv_cublas_library *out) {
    const char *name;
    void *const library = open_first(what, names, &name);
    if (!library) return DV_E_BACKEND;
    for (const symbol *each = symbols; each->name; each++) {
        void *const found = dlsym(library, each->name);
        if (!found) return dv_fail(DV_E_BACKEND, "%s has no %s: it is too old", name, each->name);
        memcpy((unsigned char *)out + each->offset, &found, sizeof found);
    }
    return DV_OK;
}

dv_status dv_cublas_library_open(const dv_cublas_names *names, dv_cublas_library *out) {
    DV_TRY(load("cuBLASLt", names ? names->lt : lt_names, lt_symbols, out));
    return load("cuBLAS", names ? names->blas : blas_names, blas_symbols, out);
}
