/* device.h: a device is a table of operations; every device gives the same ids and bits (docs/METRICS.md, "Cosine"). */
#ifndef DENSEVAL_DEVICE_H
#define DENSEVAL_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "denseval/confusion.h"
#include "denseval/dtype.h"
#include "denseval/gpu_account.h"
#include "denseval/mask_counts.h"
#include "denseval/status.h"
#include "denseval/upsample.h"
#include "denseval/viewpoint_resample.h"

DV_C_BEGIN

typedef struct dv_device dv_device;

/* Rows to search in: a bank, or a run of its rows. */
typedef struct dv_bank_rows {
    dv_rows rows;
    const int32_t *group; /* i32 [n_rows]: image or object of each row for a masked search; NULL: no masks ever */
} dv_bank_rows;

/* Queries of one search. */
typedef struct dv_queries {
    dv_rows rows;         /* finite; a zero row has cosine 0 to every row */
    const int32_t *group; /* i32 [n_rows]: rows of this group are hidden from the query (-1: none); NULL: no masks */
    const double *least;  /* f64 [n_rows], not NaN: rows with a cosine below that are left out; NULL: none are. What a
                             caller knows of other parts of a bank makes the search of this one short */
} dv_queries;

/* Of the searches since the index was loaded. */
typedef struct dv_search_stats {
    uint64_t n_queries;
    uint64_t n_candidates;  /* rows whose score was taken in double */
    uint64_t n_uncertified; /* queries that no bound could settle, scanned in full */
    uint64_t n_refined;     /* rows that went from the first of two stages to the second */
    size_t n_stages;        /* of filtering before the score in double; 0: not known */
    size_t head_dim;        /* elements of the first of two stages, else 0 */
    /* Seconds of all threads together: queries to codes, first lower bounds, the scan, the second stage and thresholds,
     * the scores in double. All 0 where the device does not tell. */
    double code_s, seed_s, scan_s, refine_s, score_s;
} dv_search_stats;

/* Adds what another index, or another part of a bank, did. Stages are those of the last one that tells. */
void dv_search_stats_add(dv_search_stats *total, const dv_search_stats *more);

/* What is searched in, and what for: enough to tell the memory it takes. */
typedef struct dv_search_shape {
    size_t n_rows, dim;
    dv_dtype dtype;
    size_t n_queries, k; /* of one call */
} dv_search_shape;

/* Bytes on the host that a search takes beside rows, queries and answers. */
typedef struct dv_search_memory {
    size_t row_bytes;   /* of an index, for each of its rows */
    size_t fixed_bytes; /* at most, of making an index or searching in it, whatever its rows are */
    size_t most_rows;   /* that fit an index beside such a search, in memory of the device's own; 0: as many as fit the
                           host */
} dv_search_memory;

typedef struct dv_device_options {
    size_t n_threads; /* 0 means 1 */
    size_t tile_rows; /* bank rows a tile, 0: the device's choice. Results do not depend on it */
    size_t tile_queries;
    size_t n_stages;    /* cpu: 1, or 2 where a bank allows it; 0: what a probe of the bank finds cheaper. No result
                           depends on it, nor on the next */
    size_t head_dim;    /* cpu: elements of the first of two stages, rounded up; 0: what is cheapest */
    const char *kernel; /* cpu: its scan kernel, see dv_cpu_kernels; NULL or "auto": the fastest. No result depends on
                           it. Borrowed for the call; unknown is DV_E_USAGE, not usable here DV_E_BACKEND.
                           cuda: "wgmma" or "wgmma-pair", for trials on 9.0: not usable here is DV_E_BACKEND; other
                           names are passed over */
    size_t first_gpu, n_gpus; /* cuda: of the usable GPUs, in the order of the runtime; n_gpus 0: all. More than there
                                 are is DV_E_ARG */
    dv_gpu_account *account;  /* cuda: what is spent is added while the device is open; NULL: nobody wants it. Borrowed
                                 until close; devices that are open at once need one each */
} dv_device_options;

/* The GPUs that this process may use. */
typedef struct dv_gpu_set {
    size_t n;
    uint64_t identity; /* the same in processes that see the same ones in the same order, else another */
} dv_gpu_set;

/* Slots; listed in device/registry.c, and the differential tests compare each device with "reference". Memory is the
 * device's own (slot alloc) where a slot says device memory; host devices hand out host memory. One thread per device.
 * Where a slot may fail with DV_E_BACKEND a kernel that errs is DV_E_INTERNAL: the device can only be closed then. */
typedef struct dv_device_ops {
    const char *name;    /* what --backend takes: lower case, unique, static lifetime */
    const char *summary; /* one line for people */

    /* Can this machine run it? If not, writes the reason to why. Keeps nothing. */
    bool (*usable)(char *why, size_t why_size);
    /* Optional, NULL = it uses none. */
    void (*gpus)(dv_gpu_set *out);
    /* *out: the caller's until close. Fails with DV_E_BACKEND, DV_E_NOMEM. */
    DV_MUST_USE dv_status (*open)(const dv_device_options *options, dv_device **out);
    void (*close)(dv_device *device); /* NULL is allowed */

    /* Device memory, 64-byte aligned. */
    DV_MUST_USE dv_status (*alloc)(dv_device *device, size_t n_bytes, void **out);
    void (*release)(dv_device *device, void *memory); /* NULL is allowed */
    /* Queued copies between host and device memory; both sides stay borrowed until synchronise returns. */
    DV_MUST_USE dv_status (*upload)(dv_device *device, void *device_memory, const void *host, size_t n_bytes);
    DV_MUST_USE dv_status (*download)(dv_device *device, void *host, const void *device_memory, size_t n_bytes);
    /* Waits for queued work, then reports the first failure since the last call. */
    DV_MUST_USE dv_status (*synchronise)(dv_device *device);

    /* Brings rows to the device. bank (host memory) is borrowed until bank_free; *index is the caller's until then,
     * NULL on failure. Blocking. At least one row, at most INT32_MAX rows an index. Fails with DV_E_ARG (also where a
     * row is not finite: it is named), DV_E_NOMEM, DV_E_BACKEND. */
    DV_MUST_USE dv_status (*bank_load)(dv_device *device, const dv_bank_rows *bank, void **index);
    void (*bank_free)(dv_device *device, void *index); /* waits for queued work; NULL is allowed */

    /* Exact top-k: by cosine falling as doubles, then row rising. queries->rows.dim equals the bank's; 1 <= k <= rows;
     * cuda refuses k > 7936 with DV_E_BACKEND.
     * ids      i64 [n, k], rows of the index; cosines f64 [n, k], in [-1, 1], never -0. Device memory, borrowed until
     *          synchronise. Where masks or `least` leave a query fewer than k rows, the rest holds id -1 and
     *          cosine -2.
     * The bits depend on the stored values alone, never on batch, tile, shards or threads. Queued. Fails with DV_E_ARG
     * (k, dims, a query that is not finite, queries with groups and a bank without), DV_E_NOMEM, DV_E_BACKEND. */
    DV_MUST_USE dv_status (*search)(dv_device *device, void *index, const dv_queries *queries, size_t k, int64_t *ids,
                                    double *cosines);
    /* Optional, NULL = not known. What keeps a search within a memory limit; the rows of an index may be fewer. */
    void (*search_memory)(const dv_device *device, const dv_search_shape *shape, dv_search_memory *out);
    /* Optional, NULL = nothing to tell. */
    void (*search_stats)(const dv_device *device, const void *index, dv_search_stats *out);

    /* As dv_aggregate, in device memory (counts too). Queued. */
    DV_MUST_USE dv_status (*aggregate)(dv_device *device, const int64_t *ids, const double *cosines, size_t n, size_t k,
                                       double beta, const uint16_t *counts, size_t n_classes, double *soft,
                                       uint16_t *pure);
    /* As dv_upsample_argmax for n_images images, in device memory. Queued. */
    DV_MUST_USE dv_status (*upsample_argmax)(dv_device *device, const dv_upsampler *upsampler, const double *soft,
                                             const uint16_t *pure, size_t n_images, size_t n_classes, uint16_t *pred);
    /* As dv_confusion_add, image i into confusions[i] (host handles of one number of classes, no two the same, each
     * fresh or cleared or holding earlier counts). truth, pred in device memory. Blocking. DV_E_DATA names the lowest
     * image at fault as "image I:
     * ..."; *bad_image (NULL is allowed) is its index then, and which of the other images were added is not said. */
    DV_MUST_USE dv_status (*confusion)(dv_device *device, const dv_pixel_policy *policy, const uint16_t *truth,
                                       const uint16_t *pred, size_t n_images, size_t height, size_t width,
                                       dv_confusion *const *confusions, size_t *bad_image);

    /* Counts objects, contours and matched contour pixels of frames (docs/METRICS.md, "J and F"). A counter is used by
     * one thread at a time; several may work at once in threads of their own, which is the exception to "one thread
     * per device". Its memory grows with the frames it meets. *counter: the caller's until counter_close; NULL on
     * failure. Fails with DV_E_ARG (rules), DV_E_NOMEM, DV_E_BACKEND. */
    DV_MUST_USE dv_status (*counter_open)(dv_device *device, const dv_mask_rules *rules, void **counter);
    void (*counter_close)(dv_device *device, void *counter); /* NULL is allowed */
    /* truth, pred  u16 [height, width], object ids, 0: no object; host memory, borrowed for the call. Sides 1..65535
     * counts       filled, grown as needed
     * Blocking. Fails with DV_E_ARG (sizes), DV_E_NOMEM, DV_E_BACKEND. */
    DV_MUST_USE dv_status (*count_masks)(dv_device *device, void *counter, const uint16_t *truth, const uint16_t *pred,
                                         size_t height, size_t width, dv_mask_counts *counts);

    /* Draws objects and scores every cell and curve of each resample (denseval/viewpoint_resample.h).
     * in   what it points to: host memory, borrowed for the call
     * out  what it points to: host memory, written in full; undefined on failure
     * Blocking. Fails with DV_E_NOMEM, DV_E_BACKEND, DV_E_INTERRUPTED. */
    DV_MUST_USE dv_status (*resample)(dv_device *device, const dv_viewpoint_draws *in, const dv_viewpoint_scores *out);
} dv_device_ops;

/* Every device is a struct that begins with its table. */
struct dv_device {
    const dv_device_ops *ops;
};

/* All devices of this build, NULL after the last; unusable ones too. Static lifetime. */
const dv_device_ops *const *dv_devices(void);

/* The device called `name`; "auto" takes the best usable one. Fails with DV_E_USAGE (no such name), DV_E_BACKEND (known
 * but not built or not usable here: the reason is in the message). A device that was asked for is never replaced.
 * *out: the caller's until (*out)->ops->close. */
DV_MUST_USE dv_status dv_device_open(const char *name, const dv_device_options *options, dv_device **out);

/* The GPUs that the device called `name`, or "auto", would use all of. False: this build has no such device that uses
 * any. */
bool dv_device_gpus(const char *name, dv_gpu_set *out);

/* A scan kernel of the cpu device. */
typedef struct dv_cpu_kernel {
    const char *name; /* static lifetime */
    bool usable;      /* on this machine */
} dv_cpu_kernel;

/* The scan kernels of this build, the fastest first: "auto" takes the first usable one. Writes the first `most` to
 * kernels (NULL is allowed where most is 0) and returns how many there are. */
size_t dv_cpu_kernels(dv_cpu_kernel *kernels, size_t most);

/* The kernel family that the BLAS library picked on this CPU, for example "SkylakeX"; "Prescott" is its generic one.
 * Static lifetime. */
const char *dv_blas_core(void);

DV_C_END
#endif
