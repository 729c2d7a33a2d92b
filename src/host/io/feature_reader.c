/* Reading ahead: a thread fills one of two slots while the caller works on the other. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/fault_list.h"
#include "core/memory.h"
#include "io/feature_bad.h"
#include "io/feature_rules.h"
#include "io/feature_set.h"

enum { MOST_SLOTS = 2 };

/* One block's buffers. The reader thread owns a slot while `full` is false, the caller while it is true. */
typedef struct slot {
    dv_feature_block block; /* of good images, packed */
    char *rows;
    uint16_t *labels;
    size_t *images, *places; /* [images_per_block] */
    char **faults;           /* [images_per_block], as read: what is wrong with an image first; owned */
    bool no_memory;          /* for a fault's message */
    bool full;
} slot;

struct dv_feature_reader {
    dv_features *features;
    dv_feature_reader_options options;
    size_t image_bytes, n_pixels; /* of one image */
    size_t slot_images;           /* room of a slot */
    slot slots[MOST_SLOTS];
    size_t n_slots;
    size_t n_blocks;
    size_t next;  /* block that the caller takes next; the caller's alone */
    bool holding; /* the caller has a block; the caller's alone */
    bool ended;   /* the bad images are listed in full; the caller's alone */
    dv_fault_list bad;
    dv_kept_faults kept; /* keep_bad: in the place of that list */
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

/* Images that lie beside each other in the set, read as one slab into a slot. */
typedef struct slab {
    slot *target;
    size_t first, place; /* the slab's first image, and its place in the slot */
} slab;

static void note_fault(void *user, size_t image, const char *what) {
    const slab *at = user;
    char **fault = &at->target->faults[at->place + image - at->first];
    if (*fault) return; /* one is enough */
    *fault = strdup(what);
    if (!*fault) at->target->no_memory = true;
}

static void clear_faults(slot *target, size_t n) {
    for (size_t i = 0; i < n; i++) {
        free(target->faults[i]);
        target->faults[i] = NULL;
    }
}

/* Closes the gaps of the bad images among n that were read, and describes what is left. */
static void pack(const dv_feature_reader *reader, size_t first_place, size_t n, slot *target) {
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        if (target->faults[i]) continue;
        if (target->rows && kept < i)
            memcpy(target->rows + kept * reader->image_bytes, target->rows + i * reader->image_bytes,
                   reader->image_bytes);
        if (target->labels && kept < i)
            memcpy(target->labels + kept * reader->n_pixels, target->labels + i * reader->n_pixels,
                   reader->n_pixels * sizeof *target->labels);
        target->images[kept] = reader->options.images[first_place + i];
        target->places[kept++] = first_place + i;
    }
    target->block = (dv_feature_block){.n_images = kept,
                                       .images = target->images,
                                       .places = target->places,
                                       .rows = target->rows,
                                       .labels = target->labels};
}

/* Reads one block; neighbours are read as one slab. */
static dv_status fill(const dv_feature_reader *reader, size_t block, slot *target) {
    const dv_feature_reader_options *o = &reader->options;
    const size_t first_place = block * o->images_per_block, n = block_images(reader, block);
    const size_t *images = o->images + first_place;
    clear_faults(target, n);
    for (size_t begin = 0, end; begin < n; begin = end) {
        for (end = begin + 1; end < n && images[end] == images[end - 1] + 1;) end++;
        slab at = {target, images[begin], begin};
        const dv_feature_rules rules = {.zero_rows = o->zero_rows,
                                        .n_classes = o->n_classes,
                                        .ignored = o->ignored,
                                        .note = o->bad_images == DV_BAD_FAIL ? NULL : note_fault,
                                        .user = &at};
        DV_TRY(dv_features_read_by(reader->features, images[begin], end - begin, &rules,
                                   o->want_rows ? target->rows + begin * reader->image_bytes : NULL,
                                   o->want_labels ? target->labels + begin * reader->n_pixels : NULL));
    }
    if (target->no_memory) return dv_fail(DV_E_NOMEM, "no memory for a list of bad images");
    pack(reader, first_place, n, target);
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
        slot *target = &reader->slots[block % reader->n_slots];
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
    if (o->n_classes && !o->ignored) return dv_fail(DV_E_ARG, "classes without a set of ignored labels");
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
    reader->slot_images = n_images;
    for (size_t i = 0; i < reader->n_slots && i < reader->n_blocks; i++) {
        slot *made = &reader->slots[i];
        DV_TRY(dv_alloc(n_images, sizeof *made->images, "a block of images", &made->images));
        DV_TRY(dv_alloc(n_images, sizeof *made->places, "a block of images", &made->places));
        DV_TRY(dv_alloc(n_images, sizeof *made->faults, "a block of images", &made->faults));
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
    made->n_slots = options->one_block ? 1 : MOST_SLOTS;
    made->bad.left_out = made->kept.left_out = options->bad_images == DV_BAD_SKIP;
    made->n_blocks =
        options->n_images / options->images_per_block + (options->n_images % options->images_per_block != 0);
    pthread_mutex_init(&made->lock, NULL);
    pthread_cond_init(&made->changed, NULL);
    dv_status status = make_slots(made);
    if (status == DV_OK && options->keep_bad)
        status = dv_alloc(DV_FAULTS_LISTED, sizeof *made->kept.first, "a list of bad images", &made->kept.first);
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

/* Gives the block that the caller has back to the thread. */
static void release_block(dv_feature_reader *reader) {
    if (!reader->holding) return;
    pthread_mutex_lock(&reader->lock);
    reader->slots[(reader->next - 1) % reader->n_slots].full = false;
    pthread_cond_signal(&reader->changed);
    pthread_mutex_unlock(&reader->lock);
    reader->holding = false;
}

/* place: in the list of images */
static void take_fault(dv_feature_reader *reader, size_t place, const char *what) {
    dv_kept_faults *kept = &reader->kept;
    if (!reader->options.keep_bad) {
        dv_fault_list_add(&reader->bad, what);
        return;
    }
    if (kept->n < DV_FAULTS_LISTED) {
        kept->first[kept->n].at = reader->options.images[place];
        snprintf(kept->first[kept->n].what, sizeof kept->first->what, "%s", what);
    }
    kept->n++;
}

/* Takes the next block, and lists its bad images. */
static dv_status take_block(dv_feature_reader *reader, const slot **taken) {
    const size_t n = block_images(reader, reader->next), first = reader->next * reader->options.images_per_block;
    const slot *wanted = &reader->slots[reader->next % reader->n_slots];
    DV_TRY(wait_for_block(reader, wanted));
    reader->next++;
    reader->holding = true;
    for (size_t i = 0; i < n; i++)
        if (wanted->faults[i]) take_fault(reader, first + i, wanted->faults[i]);
    *taken = wanted;
    return DV_OK;
}

/* After the last block. */
static dv_status end_list(dv_feature_reader *reader) {
    const dv_fault_list *bad = &reader->bad;
    if (reader->options.keep_bad) return DV_OK;
    if (!reader->ended) dv_fault_list_end(bad);
    reader->ended = true;
    if (bad->n == 0 || bad->left_out) return DV_OK;
    if (bad->n == 1) return dv_fail(DV_E_DATA, "%s", bad->first);
    return dv_fail(DV_E_DATA, "%s (%zu of %zu images are bad)", bad->first, bad->n, reader->options.n_images);
}

dv_status dv_feature_reader_next(dv_feature_reader *reader, const dv_feature_block **block) {
    *block = NULL;
    for (;;) {
        const slot *taken;
        release_block(reader);
        if (reader->next == reader->n_blocks) return end_list(reader);
        DV_TRY(take_block(reader, &taken));
        const bool lists = reader->options.bad_images == DV_BAD_LIST && dv_feature_reader_skipped(reader) > 0;
        if (!lists && taken->block.n_images > 0) {
            *block = &taken->block;
            return DV_OK;
        }
        DV_TRY(dv_check_interrupted());
    }
}

size_t dv_feature_reader_skipped(const dv_feature_reader *reader) {
    return reader->options.keep_bad ? reader->kept.n : reader->bad.n;
}

const dv_kept_faults *dv_feature_reader_bad(const dv_feature_reader *reader) {
    return &reader->kept;
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
    for (size_t i = 0; i < MOST_SLOTS; i++) {
        if (reader->slots[i].faults) clear_faults(&reader->slots[i], reader->slot_images);
        free(reader->slots[i].faults);
        free(reader->slots[i].places);
        free(reader->slots[i].images);
        free(reader->slots[i].rows);
        free(reader->slots[i].labels);
    }
    free(reader->kept.first);
    free(reader->message);
    free(reader);
}
