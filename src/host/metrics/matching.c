/* Connected components first: what is settled in one is not looked at again while paths are sought in another, and each
 * is searched from its smaller side, which is done as soon as that side has no free pixel. */
#include "metrics/matching.h"

#include <stdlib.h>

#include "core/check.h"
#include "core/memory.h"
#include "metrics/matching_paths.h"

enum { MAX_SIDE = 1 << 30 };
static const uint32_t NONE = UINT32_MAX;

/* One side of all components. */
typedef struct side {
    size_t n;
    uint64_t *keys;      /* [n], rising */
    uint32_t *next;      /* [n + 1], of `left` */
    dv_near_set left;    /* what is in no component so far */
    uint32_t *component; /* [n], NONE where nothing is near */
    uint64_t *sorted;    /* [n]: keys by component, rising in each */
    uint32_t *start;     /* [n_components + 1], of `sorted` */
} side;

static dv_status side_init(side *s, const char *name, const dv_pixel *pixels, size_t n, size_t height, size_t width) {
    s->n = n;
    DV_TRY(dv_alloc(n, sizeof *s->keys, "pixels of a contour", &s->keys));
    DV_TRY(dv_alloc(n + 1, sizeof *s->next, "pixels of a contour", &s->next));
    DV_TRY(dv_alloc(n, sizeof *s->component, "components of a contour", &s->component));
    DV_TRY(dv_alloc(n, sizeof *s->sorted, "components of a contour", &s->sorted));
    for (size_t i = 0; i < n; i++) {
        s->keys[i] = dv_pixel_key(pixels[i].y, pixels[i].x);
        s->component[i] = NONE;
        if (pixels[i].y >= height || pixels[i].x >= width)
            return dv_fail(DV_E_ARG, "%s, pixel %zu, row %u, column %u: must be inside %zu x %zu", name, i, pixels[i].y,
                           pixels[i].x, height, width);
        if (i > 0 && s->keys[i] <= s->keys[i - 1])
            return dv_fail(DV_E_ARG, "%s, pixel %zu, row %u, column %u: must come after the pixel before it", name, i,
                           pixels[i].y, pixels[i].x);
    }
    dv_near_set_fill(&s->left, s->keys, n, s->next);
    return DV_OK;
}

static void side_clear(side *s) {
    free(s->keys);
    free(s->next);
    free(s->component);
    free(s->sorted);
    free(s->start);
}

/* Gives the pixels of one side that are near `key` to a component; they join the queue as number + `offset`. */
static size_t join(side *of, uint64_t key, const dv_disk *disk, uint32_t component, size_t offset, uint32_t *queue) {
    size_t n_joined = 0, place = 0;
    while ((place = dv_near_set_find(&of->left, place, of->n, key, disk)) < of->n) {
        dv_near_set_take(&of->left, place);
        of->component[place] = component;
        queue[n_joined++] = (uint32_t)(place + offset);
    }
    return n_joined;
}

/* Breadth first from each pixel of a that is in no component yet. queue  [a->n + b->n]. Returns their number. */
static uint32_t find_components(side *a, side *b, const dv_disk *disk, uint32_t *queue) {
    uint32_t n_components = 0;
    size_t n_done = 0, n_queue = 0;
    for (size_t seed = 0; seed < a->n; seed++) {
        if (a->component[seed] != NONE) continue;
        dv_near_set_take(&a->left, seed);
        a->component[seed] = n_components;
        queue[n_queue++] = (uint32_t)seed;
        for (; n_done < n_queue; n_done++) {
            const size_t node = queue[n_done];
            n_queue += node < a->n ? join(b, a->keys[node], disk, n_components, a->n, queue + n_queue)
                                   : join(a, b->keys[node - a->n], disk, n_components, 0, queue + n_queue);
        }
        n_components++;
    }
    return n_components;
}

static dv_status sort_by_component(side *s, uint32_t n_components) {
    DV_TRY(dv_alloc((size_t)n_components + 2, sizeof *s->start, "components of a contour", &s->start));
    for (size_t i = 0; i < s->n; i++)
        if (s->component[i] != NONE) s->start[s->component[i] + 2]++;
    for (size_t c = 2; c < (size_t)n_components + 2; c++) s->start[c] += s->start[c - 1];
    for (size_t i = 0; i < s->n; i++) /* each start moves on to that of the component after */
        if (s->component[i] != NONE) s->sorted[s->start[s->component[i] + 1]++] = s->keys[i];
    return DV_OK;
}

static dv_status match_components(const side *a, const side *b, uint32_t n_components, dv_disk *disk, uint64_t *size) {
    dv_path_search search;
    dv_status status = dv_path_search_create(a->n > b->n ? a->n : b->n, &search);
    *size = 0;
    for (size_t c = 0; c < n_components && status == DV_OK; c++) {
        const uint64_t *keys_a = a->sorted + a->start[c], *keys_b = b->sorted + b->start[c];
        const size_t n_a = a->start[c + 1] - a->start[c], n_b = b->start[c + 1] - b->start[c];
        *size += n_a <= n_b ? dv_path_search_run(&search, keys_a, n_a, keys_b, n_b, disk)
                            : dv_path_search_run(&search, keys_b, n_b, keys_a, n_a, disk);
    }
    dv_path_search_clear(&search);
    return status;
}

static dv_status check_sizes(size_t n_a, size_t n_b, size_t height, size_t width) {
    if (height > MAX_SIDE || width > MAX_SIDE)
        return dv_fail(DV_E_ARG, "a picture of %zu x %zu: each must be at most %d", height, width, MAX_SIDE);
    if (n_a >= NONE - 2 || n_b >= NONE - 2 - n_a)
        return dv_fail(DV_E_ARG, "matching %zu and %zu pixels: together they must be below %u", n_a, n_b, NONE - 2);
    return DV_OK;
}

dv_status dv_matching_size(const dv_pixel *a, size_t n_a, const dv_pixel *b, size_t n_b, size_t height, size_t width,
                           uint32_t radius, uint64_t *size) {
    side sides[2] = {0};
    dv_disk disk = {0};
    uint32_t *queue = NULL, n_components;
    DV_TRY(check_sizes(n_a, n_b, height, width));
    const size_t whole = height + width; /* everything is near at this radius already */
    dv_status status = dv_disk_create(radius < whole ? radius : (uint32_t)whole, &disk);
    if (status == DV_OK) status = side_init(&sides[0], "first contour", a, n_a, height, width);
    if (status == DV_OK) status = side_init(&sides[1], "second contour", b, n_b, height, width);
    if (status == DV_OK) status = dv_alloc(n_a + n_b, sizeof *queue, "pixels of a component", &queue);
    if (status == DV_OK) {
        n_components = find_components(&sides[0], &sides[1], &disk, queue);
        for (size_t i = 0; i < 2 && status == DV_OK; i++) status = sort_by_component(&sides[i], n_components);
        if (status == DV_OK) status = match_components(&sides[0], &sides[1], n_components, &disk, size);
    }
    free(queue);
    side_clear(&sides[0]);
    side_clear(&sides[1]);
    dv_disk_clear(&disk);
    return status;
}
