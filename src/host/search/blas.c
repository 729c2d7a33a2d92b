#include "search/blas.h"

#include <cblas.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
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

void dv_blas_products(const float *a, size_t n, const float *b, size_t m, size_t dim, float *products) {
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (blasint)n, (blasint)m, (blasint)dim, 1.0F, a, (blasint)dim, b,
                (blasint)dim, 0.0F, products, (blasint)m);
}

void dv_blas_moments(const double *rows, size_t n, size_t dim, double *moments) {
    cblas_dsyrk(CblasRowMajor, CblasUpper, CblasTrans, (blasint)dim, (blasint)n, 1.0, rows, (blasint)dim, 0.0, moments,
                (blasint)dim);
}

void dv_blas_rotate(const double *a, size_t n, size_t m, const double *b, size_t dim, double *product) {
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (blasint)n, (blasint)dim, (blasint)m, 1.0, a, (blasint)m, b,
                (blasint)dim, 0.0, product, (blasint)dim);
}

/* LAPACK, which OpenBLAS brings along; the lengths of the texts come last. */
void dsyevr_(const char *job, const char *range, const char *half, const blasint *n, double *a, const blasint *lda,
             const double *low, const double *high, const blasint *first, const blasint *last, const double *tolerance,
             blasint *found, double *values, double *vectors, const blasint *ldz, blasint *support, double *work,
             const blasint *n_work, blasint *whole_work, const blasint *n_whole_work, blasint *info, size_t job_length,
             size_t range_length, size_t half_length);
void dgeqrf_(const blasint *m, const blasint *n, double *a, const blasint *lda, double *tau, double *work,
             const blasint *n_work, blasint *info);
void dorgqr_(const blasint *m, const blasint *n, const blasint *k, double *a, const blasint *lda, const double *tau,
             double *work, const blasint *n_work, blasint *info);

/* The largest eigenvalue comes first. */
static void turn_round(double *rows, size_t n, size_t dim) {
    for (size_t i = 0; i < n / 2; i++)
        for (size_t e = 0; e < dim; e++) {
            const double value = rows[i * dim + e];
            rows[i * dim + e] = rows[(n - 1 - i) * dim + e];
            rows[(n - 1 - i) * dim + e] = value;
        }
}

dv_status dv_blas_components(double *matrix, size_t dim, size_t n_components, double *components) {
    enum { WORK_A_DIM = 40, WHOLE_WORK_A_DIM = 10 }; /* at least 26 and 10 */
    const blasint n = (blasint)dim, first = (blasint)(dim - n_components + 1), n_work = WORK_A_DIM * n,
                  n_whole = WHOLE_WORK_A_DIM * n;
    const double none = 0.0;
    blasint found = 0, info = -1;
    double *work = NULL, *values = NULL;
    blasint *whole = NULL, *support = NULL;
    dv_status status = dv_alloc((size_t)n_work, sizeof *work, "principal components", &work);
    if (status == DV_OK) status = dv_alloc(dim, sizeof *values, "principal components", &values);
    if (status == DV_OK) status = dv_alloc((size_t)n_whole, sizeof *whole, "principal components", &whole);
    if (status == DV_OK) status = dv_alloc(2 * dim, sizeof *support, "principal components", &support);
    if (status == DV_OK) /* our upper half is a Fortran matrix's lower one */
        dsyevr_("V", "I", "L", &n, matrix, &n, &none, &none, &first, &n, &none, &found, values, components, &n, support,
                work, &n_work, whole, &n_whole, &info, 1, 1, 1);
    free(work);
    free(values);
    free(whole);
    free(support);
    if (status != DV_OK) return status;
    if (info != 0 || (size_t)found != n_components)
        return dv_fail(DV_E_INTERNAL, "principal components: LAPACK found %d of %zu (%d)", (int)found, n_components,
                       (int)info);
    turn_round(components, n_components, dim);
    return DV_OK;
}

dv_status dv_blas_orthonormal(double *matrix, size_t n) {
    enum { WORK_A_DIM = 64 };
    const blasint size = (blasint)n, n_work = WORK_A_DIM * size;
    blasint info = 0;
    double *work = NULL, *tau = NULL;
    dv_status status = dv_alloc((size_t)n_work, sizeof *work, "a rotation", &work);
    if (status == DV_OK) status = dv_alloc(n, sizeof *tau, "a rotation", &tau);
    if (status == DV_OK) dgeqrf_(&size, &size, matrix, &size, tau, work, &n_work, &info);
    if (status == DV_OK && info == 0) dorgqr_(&size, &size, &size, matrix, &size, tau, work, &n_work, &info);
    free(work);
    free(tau);
    if (status == DV_OK && info != 0) return dv_fail(DV_E_INTERNAL, "a rotation: LAPACK failed (%d)", (int)info);
    return status;
}
