/* Hopcroft and Karp. A phase:
 *   1. From all free pixels of a at once, breadth first: an a reaches the b near it that were not reached before, and
 *      a matched b its partner. level[b] counts the a before it. It stops behind the first level with a free b.
 *   2. The b that were reached are sorted by level. From each free a, depth first: one b of the next level after the
 *      other is taken, for good; the last level's is free, and the path to it is turned over.
 * A phase without a free b proves that the matching is a maximum (Berge). Phases are O(sqrt n) many. Edges are never
 * stored: near_set.h finds them, and as a pixel that was taken is never seen again, a phase costs about the rows of a
 * disk a pixel in 1, where most of the edges would be. */
#include "metrics/matching_paths.h"

#include <stdbool.h>
#include <stdlib.h>

#include "core/check.h"
#include "core/memory.h"

static const uint32_t NONE = UINT32_MAX;

/* One run: a search and the sides it works on. */
typedef struct sides {
    const uint64_t *a, *b;
    size_t n_a, n_b;
    const dv_disk *disk;
} sides;

dv_status dv_path_search_create(size_t n, dv_path_search *out) {
    const char *what = "a matching";
    *out = (dv_path_search){0};
    DV_TRY(dv_alloc(n + 1, sizeof *out->next, what, &out->next));
    DV_TRY(dv_alloc(n, sizeof *out->mate_a, what, &out->mate_a));
    DV_TRY(dv_alloc(n, sizeof *out->mate_b, what, &out->mate_b));
    DV_TRY(dv_alloc(n, sizeof *out->level, what, &out->level));
    DV_TRY(dv_alloc(n, sizeof *out->queue, what, &out->queue));
    DV_TRY(dv_alloc(n, sizeof *out->bucket_keys, what, &out->bucket_keys));
    DV_TRY(dv_alloc(n, sizeof *out->bucket_ids, what, &out->bucket_ids));
    DV_TRY(dv_alloc(n + 2, sizeof *out->bucket_start, what, &out->bucket_start));
    DV_TRY(dv_alloc(n, sizeof *out->path_a, what, &out->path_a));
    DV_TRY(dv_alloc(n, sizeof *out->path_from, what, &out->path_from));
    return dv_alloc(n, sizeof *out->path_b, what, &out->path_b);
}

void dv_path_search_clear(dv_path_search *s) {
    free(s->next);
    free(s->mate_a);
    free(s->mate_b);
    free(s->level);
    free(s->queue);
    free(s->bucket_keys);
    free(s->bucket_ids);
    free(s->bucket_start);
    free(s->path_a);
    free(s->path_from);
    free(s->path_b);
    *s = (dv_path_search){0};
}

/* Pairs free pixels within the disk where that is possible at once. Returns how many. */
static size_t pair_greedily(dv_path_search *s, const sides *of, const dv_disk *disk) {
    size_t n_pairs = 0;
    for (size_t a = 0; a < of->n_a; a++) {
        if (s->mate_a[a] != NONE) continue;
        const size_t b = dv_near_set_find(&s->set, 0, of->n_b, of->a[a], disk);
        if (b == of->n_b) continue;
        dv_near_set_take(&s->set, b);
        s->mate_a[a] = (uint32_t)b;
        s->mate_b[b] = (uint32_t)a;
        n_pairs++;
    }
    return n_pairs;
}

/* Step 1. Returns the number of levels; 0 where no free b can be reached. */
static size_t reach(dv_path_search *s, const sides *of) {
    size_t n_queue = 0, begin = 0, depth = 0;
    bool found = false;
    dv_near_set_fill(&s->set, of->b, of->n_b, s->next);
    for (size_t b = 0; b < of->n_b; b++) s->level[b] = NONE;
    for (size_t a = 0; a < of->n_a; a++)
        if (s->mate_a[a] == NONE) s->queue[n_queue++] = (uint32_t)a;
    for (; begin < n_queue && !found; depth++) {
        const size_t end = n_queue;
        for (; begin < end; begin++) {
            const uint64_t key = of->a[s->queue[begin]];
            size_t b = 0;
            while ((b = dv_near_set_find(&s->set, b, of->n_b, key, of->disk)) < of->n_b) {
                dv_near_set_take(&s->set, b);
                s->level[b] = (uint32_t)depth;
                if (s->mate_b[b] == NONE)
                    found = true;
                else
                    s->queue[n_queue++] = s->mate_b[b];
            }
        }
    }
    return found ? depth : 0;
}

/* Fills the buckets: a counting sort by level that keeps the order of places. Of the last level only what is free. */
static void sort_by_level(dv_path_search *s, const sides *of, size_t n_levels) {
    uint32_t *start = s->bucket_start;
    for (size_t level = 0; level < n_levels + 2; level++) start[level] = 0;
    for (size_t b = 0; b < of->n_b; b++) {
        if (s->level[b] == n_levels - 1 && s->mate_b[b] != NONE) s->level[b] = NONE;
        if (s->level[b] != NONE) start[s->level[b] + 2]++;
    }
    for (size_t level = 2; level < n_levels + 2; level++) start[level] += start[level - 1];
    for (size_t b = 0; b < of->n_b; b++) {
        if (s->level[b] == NONE) continue;
        const uint32_t place = start[s->level[b] + 1]++; /* which ends as the start of the level after */
        s->bucket_keys[place] = of->b[b];
        s->bucket_ids[place] = (uint32_t)b;
    }
    dv_near_set_fill(&s->set, s->bucket_keys, start[n_levels], s->next);
}

/* Step 2 for one free pixel. Returns whether a path was found and turned over. */
static bool augment(dv_path_search *s, const sides *of, size_t n_levels, uint32_t from) {
    size_t depth = 0;
    s->path_a[0] = from;
    s->path_from[0] = s->bucket_start[0];
    for (;;) {
        const size_t end = s->bucket_start[depth + 1];
        const size_t place = dv_near_set_find(&s->set, s->path_from[depth], end, of->a[s->path_a[depth]], of->disk);
        s->path_from[depth] = (uint32_t)place;
        if (place == end) {
            if (depth == 0) return false;
            depth--;
            continue;
        }
        dv_near_set_take(&s->set, place);
        s->path_b[depth] = s->bucket_ids[place];
        if (depth + 1 == n_levels) break;
        s->path_a[depth + 1] = s->mate_b[s->path_b[depth]];
        s->path_from[depth + 1] = (uint32_t)end;
        depth++;
    }
    for (size_t level = 0; level < n_levels; level++) {
        s->mate_a[s->path_a[level]] = s->path_b[level];
        s->mate_b[s->path_b[level]] = s->path_a[level];
    }
    return true;
}

/* Most pixels have a partner at a small distance, and nearest partners leave the fewest without one. */
static size_t start_by_distance(dv_path_search *s, const sides *of, dv_disk *disk) {
    const uint32_t radius = disk->radius;
    const size_t most = of->n_a < of->n_b ? of->n_a : of->n_b;
    size_t n_pairs = 0;
    uint32_t ring = 0;
    for (size_t a = 0; a < of->n_a; a++) s->mate_a[a] = NONE;
    for (size_t b = 0; b < of->n_b; b++) s->mate_b[b] = NONE;
    dv_near_set_fill(&s->set, of->b, of->n_b, s->next);
    for (;;) {
        dv_disk_resize(disk, ring);
        n_pairs += pair_greedily(s, of, disk);
        if (ring == radius || n_pairs == most) break;
        ring = ring == 0 ? 1 : ring <= radius / 2 ? 2 * ring : radius;
    }
    dv_disk_resize(disk, radius);
    return n_pairs;
}

size_t dv_path_search_run(dv_path_search *search, const uint64_t *a, size_t n_a, const uint64_t *b, size_t n_b,
                          dv_disk *disk) {
    const sides of = {a, b, n_a, n_b, disk};
    const size_t most = n_a < n_b ? n_a : n_b;
    if (most == 0) return 0;
    size_t n_pairs = start_by_distance(search, &of, disk), n_levels;
    while (n_pairs < most && (n_levels = reach(search, &of)) > 0) {
        sort_by_level(search, &of, n_levels);
        for (size_t free_a = 0; free_a < n_a && n_pairs < most; free_a++)
            if (search->mate_a[free_a] == NONE) n_pairs += augment(search, &of, n_levels, (uint32_t)free_a);
    }
    return n_pairs;
}
