#include "pipeline/sweep_state.h"

#include <stdlib.h>
#include <string.h>

#include "cluster/exchange.h"
#include "core/check.h"
#include "core/memory.h"

/* Records: what was spent, then a body. All fields are 8 bytes wide, so nothing needs padding. */
enum record_kind {
    RECORD_START = 1, /* no body */
    RECORD_BANKS = 2, /* u64 [n_configs] */
    RECORD_BLOCK = 3  /* u64 n_done, dv_tally_change [] */
};

dv_status dv_sweep_state_make(const dv_sweep_plan *plans, const dv_tally_shape *shapes, size_t n_encoders,
                              dv_sweep_state *state) {
    *state = (dv_sweep_state){.plans = plans, .shapes = shapes, .n_encoders = n_encoders};
    return dv_alloc(n_encoders, sizeof *state->encoders, "the encoders of a sweep", &state->encoders);
}

void dv_sweep_state_clear(dv_sweep_state *state) {
    for (size_t i = 0; state->encoders && i < state->n_encoders; i++) {
        free(state->encoders[i].bank_rows);
        dv_tally_clear(&state->encoders[i].tally);
    }
    free(state->encoders);
    *state = (dv_sweep_state){0};
}

dv_status dv_sweep_state_tally(dv_sweep_state *state, size_t encoder) {
    dv_tally *tally = &state->encoders[encoder].tally;
    return tally->sums ? DV_OK : dv_tally_make(&state->shapes[encoder], tally);
}

/* n_rows: u64 [n_configs], aligned to nothing */
static dv_status keep_banks(dv_sweep_state *state, size_t encoder, const void *n_rows) {
    const size_t n = state->plans[encoder].n_configs;
    dv_sweep_progress *progress = &state->encoders[encoder];
    if (!progress->bank_rows) DV_TRY(dv_alloc(n, sizeof *progress->bank_rows, "bank sizes", &progress->bank_rows));
    if (n) memcpy(progress->bank_rows, n_rows, n * sizeof *progress->bank_rows);
    return DV_OK;
}

void dv_sweep_spent_add(dv_sweep_spent *sum, const dv_sweep_spent *spent) {
    sum->wall_s += spent->wall_s;
    sum->cpu_s += spent->cpu_s;
    for (size_t i = 0; i < DV_SWEEP_STAGES; i++) sum->stage_s[i] += spent->stage_s[i];
    if (sum->max_rss_bytes < spent->max_rss_bytes) sum->max_rss_bytes = spent->max_rss_bytes;
    dv_gpu_account_follow(&sum->gpu, &spent->gpu);
}

static dv_status fail_for_record(const dv_journal_record *record) {
    return dv_fail(DV_E_DATA, "record of kind %u for encoder %llu with %zu bytes: is none of this run",
                   (unsigned)record->kind, (unsigned long long)record->key, record->n_bytes);
}

static dv_status replay_block(dv_sweep_state *state, const dv_journal_record *record, const unsigned char *body,
                              size_t n_bytes) {
    const size_t encoder = (size_t)record->key;
    dv_sweep_progress *progress = &state->encoders[encoder];
    uint64_t n_done;
    if (n_bytes < sizeof n_done || (n_bytes - sizeof n_done) % sizeof(dv_tally_change)) return fail_for_record(record);
    memcpy(&n_done, body, sizeof n_done);
    if (n_done < progress->n_done || n_done > state->plans[encoder].n_images) return fail_for_record(record);
    DV_TRY(dv_sweep_state_tally(state, encoder));
    const size_t n_changes = (n_bytes - sizeof n_done) / sizeof(dv_tally_change);
    dv_tally_change *changes; /* a copy: the payload is aligned to nothing */
    DV_TRY(dv_alloc(n_changes, sizeof *changes, "the counts of a block", &changes));
    if (n_changes) memcpy(changes, body + sizeof n_done, n_changes * sizeof *changes);
    const dv_status status = dv_tally_replay(&progress->tally, changes, n_changes);
    free(changes);
    if (status == DV_OK) progress->n_done = (size_t)n_done;
    return status;
}

dv_status dv_sweep_state_visit(void *user, const dv_journal_record *record) {
    dv_sweep_state *state = user;
    dv_sweep_spent spent;
    if (record->n_bytes < sizeof spent || record->key >= state->n_encoders) return fail_for_record(record);
    memcpy(&spent, record->payload, sizeof spent);
    const unsigned char *body = (const unsigned char *)record->payload + sizeof spent;
    const size_t n_bytes = record->n_bytes - sizeof spent;
    dv_sweep_spent_add(&state->spent, &spent);
    switch (record->kind) {
    case RECORD_START:
        state->n_starts++;
        return DV_OK;
    case RECORD_BANKS:
        if (n_bytes != state->plans[record->key].n_configs * sizeof(uint64_t)) return fail_for_record(record);
        state->encoders[record->key].banks_recorded = true;
        return keep_banks(state, (size_t)record->key, body);
    case RECORD_BLOCK:
        return replay_block(state, record, body, n_bytes);
    default:
        return fail_for_record(record);
    }
}

/* body: [n_bytes], filled by the caller behind the place of `spent`, which it leaves free. */
static dv_status append(dv_sweep_state *state, dv_run_folder *folder, enum record_kind kind, size_t encoder,
                        unsigned char *payload, size_t n_bytes, const dv_sweep_spent *spent) {
    memcpy(payload, spent, sizeof *spent);
    const dv_journal_record record = {
        .kind = (uint32_t)kind, .key = encoder, .n_bytes = sizeof *spent + n_bytes, .payload = payload};
    DV_TRY(dv_run_folder_append(folder, &record));
    dv_sweep_spent_add(&state->spent, spent);
    return DV_OK;
}

dv_status dv_sweep_state_banks(dv_sweep_state *state, size_t encoder, const uint64_t *n_rows) {
    return keep_banks(state, encoder, n_rows);
}

static dv_status share_encoder(dv_ranks *ranks, dv_sweep_state *state, size_t encoder) {
    dv_sweep_progress *progress = &state->encoders[encoder];
    const size_t n = state->plans[encoder].n_configs;
    uint64_t known[2] = {progress->n_done, progress->bank_rows != NULL};
    DV_TRY(dv_ranks_broadcast(ranks, 0, known, sizeof known));
    progress->n_done = (size_t)known[0];
    if (!known[1]) return DV_OK;
    if (!progress->bank_rows) DV_TRY(dv_alloc(n, sizeof *progress->bank_rows, "bank sizes", &progress->bank_rows));
    return dv_ranks_broadcast(ranks, 0, progress->bank_rows, n * sizeof *progress->bank_rows);
}

dv_status dv_sweep_state_share(dv_ranks *ranks, dv_sweep_state *state) {
    for (size_t i = 0; i < state->n_encoders; i++) DV_TRY(share_encoder(ranks, state, i));
    return DV_OK;
}

static dv_status record_start(dv_sweep_state *state, dv_run_folder *folder) {
    const dv_sweep_spent nothing = {0};
    unsigned char payload[sizeof nothing];
    if (state->started) return DV_OK;
    DV_TRY(append(state, folder, RECORD_START, 0, payload, 0, &nothing));
    state->started = true;
    state->n_starts++;
    return DV_OK;
}

static dv_status record_banks(dv_sweep_state *state, dv_run_folder *folder, size_t encoder) {
    const dv_sweep_spent nothing = {0};
    dv_sweep_progress *progress = &state->encoders[encoder];
    const size_t n_bytes = state->plans[encoder].n_configs * sizeof *progress->bank_rows;
    unsigned char *payload;
    if (progress->banks_recorded) return DV_OK;
    DV_TRY(dv_alloc(sizeof nothing + n_bytes, 1, "a record", &payload));
    if (n_bytes) memcpy(payload + sizeof nothing, progress->bank_rows, n_bytes);
    const dv_status status = append(state, folder, RECORD_BANKS, encoder, payload, n_bytes, &nothing);
    free(payload);
    progress->banks_recorded = status == DV_OK;
    return status;
}

dv_status dv_sweep_state_block(dv_sweep_state *state, dv_run_folder *folder, size_t encoder, size_t n_done,
                               const dv_sweep_spent *spent) {
    dv_sweep_progress *progress = &state->encoders[encoder];
    const uint64_t done = n_done;
    const size_t before = sizeof *spent + sizeof done; /* a multiple of 8: changes are aligned */
    const size_t n_bytes = sizeof done + progress->tally.n_touched * sizeof(dv_tally_change);
    unsigned char *payload;
    DV_TRY(record_start(state, folder));
    DV_TRY(record_banks(state, folder, encoder));
    DV_TRY(dv_alloc(sizeof *spent + n_bytes, 1, "a record", &payload));
    memcpy(payload + sizeof *spent, &done, sizeof done);
    dv_tally_end_block(&progress->tally, (dv_tally_change *)(void *)(payload + before));
    const dv_status status = append(state, folder, RECORD_BLOCK, encoder, payload, n_bytes, spent);
    free(payload);
    if (status == DV_OK) progress->n_done = n_done;
    return status;
}
