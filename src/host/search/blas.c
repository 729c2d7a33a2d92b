#include "search/blas.h"

#include <cblas.h>
#include <pthread.h>

#include "denseval/device.h"

void dv_blas_single_thread(void) {
    /* The count lies in the library, for all threads or for each, as it was built; setting it is not safe from two
     * threads at once. */
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    openblas_set_num_threads(1);
    pthread_mutex_unlock(&lock);
}

const char *dv_blas_core(void) {
    return openblas_get_corename();
}
