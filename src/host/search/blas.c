#include "search/blas.h"

#include <cblas.h>
#include <pthread.h>
#include <sys/mman.h>

#include "core/check.h"
#include "core/memory.h"
#include "denseval/device.h"

void dv_blas_single_thread(void) {
    /* The count lies in the library, for all threads or for each, as it was built; setting it is not safe from two
     * threads at once. */
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    openblas_set_num_threads(1);
    pthread_mutex_unlock(&lock);
}

dv_status dv_blas_check_room(size_t n_threads) {
    enum { BUFFER_BYTES = 192 << 20 }; /* of a thread: 128 MiB in Debian's OpenBLAS, and what malloc sets aside */
    size_t n_bytes;
    DV_TRY(dv_mul_size(n_threads + 1, BUFFER_BYTES, "the BLAS library's buffers", &n_bytes));
    void *const room = mmap(NULL, n_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED)
        return dv_fail(DV_E_NOMEM, "the BLAS library's buffers: no memory for %zu bytes, %zu threads", n_bytes,
                       n_threads);
    munmap(room, n_bytes);
    return DV_OK;
}

const char *dv_blas_core(void) {
    return openblas_get_corename();
}
