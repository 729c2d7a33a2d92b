/* Reading ahead: a thread fills one of two slots while the caller works on the other. */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "io/feature_set.h"

enum { N_SLOTS = 2 };

/* One block's buffers. The reader thread owns a slot while `full` is false, the caller while it is true. */
typedef struct slot {
    dv_feature_block block;
    char *rows;
    uint16_t *labels;
    bool full;
} slot;

struct dv_feature_reader {
    dv_features *features;
    dv_feature_reader_options options;
    size_t image_bytes, n_pixels; /* of one image */
    slot slots[N_SLOTS];
    size_t n_blocks;
    size_t next;  /* block that the caller takes next; the caller's alone */
    bool holding; /* the caller has a block; the caller's alone */
    pthread_t thread;
    bool has_thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    /* Guarded by the lock, as is `full` of each slot. */
    bool stop;
    dv_status status; /* of the thread, which has ended where this is a failure */
    char *message;
};

static size_t block_images(const dv_feature_reader *reader, size_t block) {
    const size_t done = block * reader->options.images_per_block, left = reader->options.n_images - done;
    return left < reader->options.images_per_block ? left : reader->options.images_per_block;
}

/* Reads one block; neighbours are read as one slab. */
static dv_status fill(const dv_feature_reader *reader, size_t block, slot *target) {
    const dv_feature_reader_options *o = &reader->options;
    const size_t *images = o->images + block * o->images_per_block;
    const size_t n = block_images(reader, block);
    for (size_t begin = 0, end; begin < n; begin = end) {
        for (end = begin + 1; end < n && images[end] == images[end - 1] + 1;) end++;
        DV_TRY(dv_features_read(reader->features, images[begin], end - begin, o->zero_rows,
                                o->want_rows ? target->rows + begin * reader->image_bytes : NULL,
                                o->want_labels ? target->labels + begin * reader->n_pixels : NULL));
    }
    target->block = (dv_feature_block){.n_images = n, .images = images, .rows = target->rows, .labels = target->labels};
    return DV_OK;
}

/* Waits until the slot is the thread's; false: stop. */
static bool wait_for_slot(dv_feature_reader *reader, const slot *target) {
    pthread_mutex_lock(&reader->lock);
    while (target->full && !reader->stop) pthread_cond_wait(&reader->changed, &reader->lock);
    const bool go = !reader->stop;
    pthread_mutex_unlock(&reader->lock);
    return go;
}

static void *read_ahead(void *context) {
    dv_feature_reader *reader = context;
    dv_status status = DV_OK;
    for (size_t block = 0; block < reader->n_blocks && status == DV_OK; block++) {
        slot *target = &reader->slots[block % N_SLOTS];
        if (!wait_for_slot(reader, target)) break;
        status = fill(reader, block, target);
        pthread_mutex_lock(&reader->lock);
        if (status == DV_OK)
            target->full = true;
        else
            reader->message = strdup(dv_last_error()); /* the message belongs to this thread */
        reader->status = status;
        pthread_cond_signal(&reader->changed);
        pthread_mutex_unlock(&reader->lock);
    }
    return NULL;
}

static dv_status check_options(const dv_features *features, const dv_feature_reader_options *o) {
    const dv_feature_info *info = &features->info;
    if (o->images_per_block == 0) return dv_fail(DV_E_ARG, "blocks of 0 images");
    if (o->want_labels && !info->has_labels) return dv_fail(DV_E_ARG, "%s: has no /labels", info->paths[0]);
    for (size_t i = 0; i < o->n_images; i++) {
        if (o->images[i] >= info->n_images) return dv_fail(DV_E_ARG, "image %zu of %zu", o->images[i], info->n_images);
        if (i > 0 && o->images[i] <= o->images[i - 1])
            return dv_fail(DV_E_ARG, "image %zu after image %zu: expected rising order", o->images[i],
                           o->images[i - 1]);
    }
    return DV_OK;
}

static dv_status make_slots(dv_feature_reader *reader) {
    const dv_feature_info *info = &reader->features->info;
    const dv_feature_reader_options *o = &reader->options;
    reader->image_bytes = info->n_patches * info->dim * dv_dtype_size(info->dtype);
    reader->n_pixels = info->preprocessing.input_h * info->preprocessing.input_w;
    const size_t n_images = o->images_per_block < o->n_images ? o->images_per_block : o->n_images;
    for (size_t i = 0; i < N_SLOTS && i < reader->n_blocks; i++) {
        slot *made = &reader->slots[i];
        if (o->want_rows) DV_TRY(dv_alloc(n_images, reader->image_bytes, "a block of features", &made->rows));
        if (o->want_labels)
            DV_TRY(dv_alloc(n_images, reader->n_pixels * sizeof *made->labels, "a block of labels", &made->labels));
    }
    return DV_OK;
}

/* Signals are for the program's own threads, so the reader thread starts with all of them blocked. */
static dv_status start_thread(dv_feature_reader *reader) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int error = pthread_create(&reader->thread, NULL, read_ahead, reader);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error) return dv_fail(DV_E_NOMEM, "no reader thread: %s", strerror(error));
    reader->has_thread = true;
    return DV_OK;
}

dv_status dv_feature_reader_open(dv_features *features, const dv_feature_reader_options *options,
                                 dv_feature_reader **out) {
    *out = NULL;
    DV_TRY(check_options(features, options));
    dv_feature_reader *made = NULL;
    DV_TRY(dv_alloc(1, sizeof *made, "feature reader", &made));
    made->features = features;
    made->options = *options;
    made->n_blocks =
        options->n_images / options->images_per_block + (options->n_images % options->images_per_block != 0);
    pthread_mutex_init(&made->lock, NULL);
    pthread_cond_init(&made->changed, NULL);
    dv_status status = make_slots(made);
    if (status == DV_OK && made->n_blocks > 0) status = start_thread(made);
    if (status != DV_OK) {
        dv_feature_reader_close(made);
        return status;
    }
    *out = made;
    return DV_OK;
}

/* Waits for the slot to be full. A failure counts only once the blocks read before it have been handed out. */
static dv_status wait_for_block(dv_feature_reader *reader, const slot *wanted) {
    dv_status status = DV_OK;
    pthread_mutex_lock(&reader->lock);
    while (!wanted->full && reader->status == DV_OK) pthread_cond_wait(&reader->changed, &reader->lock);
    if (!wanted->full)
        status = dv_fail(reader->status, "%s", reader->message ? reader->message : "reading features failed");
    pthread_mutex_unlock(&reader->lock);
    return status;
}

dv_status dv_feature_reader_next(dv_feature_reader *reader, const dv_feature_block **block) {
    *block = NULL;
    if (reader->holding) {
        pthread_mutex_lock(&reader->lock);
        reader->slots[(reader->next - 1) % N_SLOTS].full = false;
        pthread_cond_signal(&reader->changed);
        pthread_mutex_unlock(&reader->lock);
        reader->holding = false;
    }
    if (reader->next == reader->n_blocks) return DV_OK;
    const slot *wanted = &reader->slots[reader->next % N_SLOTS];
    DV_TRY(wait_for_block(reader, wanted));
    reader->next++;
    reader->holding = true;
    *block = &wanted->block;
    return DV_OK;
}

void dv_feature_reader_close(dv_feature_reader *reader) {
    if (!reader) return;
    if (reader->has_thread) {
        pthread_mutex_lock(&reader->lock);
        reader->stop = true;
        pthread_cond_signal(&reader->changed);
        pthread_mutex_unlock(&reader->lock);
        pthread_join(reader->thread, NULL);
    }
    pthread_cond_destroy(&reader->changed);
    pthread_mutex_destroy(&reader->lock);
    for (size_t i = 0; i < N_SLOTS; i++) {
        free(reader->slots[i].rows);
        free(reader->slots[i].labels);
    }
    free(reader->message);
    free(reader);
}
