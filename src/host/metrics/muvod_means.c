#include "metrics/muvod_means.h"

#include <math.h>

/* A mean that grows. */
typedef struct mean {
    size_t n;
    double j, f, jf;
} mean;

static void add(mean *sum, double j, double f, double jf) {
    sum->n++;
    sum->j += j;
    sum->f += f;
    sum->jf += jf;
}

static dv_muvod_score score_of(const mean *sum) {
    if (sum->n == 0) return (dv_muvod_score){0, NAN, NAN, NAN};
    const double n = (double)sum->n;
    return (dv_muvod_score){sum->n, sum->jf / n, sum->j / n, sum->f / n};
}

/* The mean over the frames that are used; n 0: the object does not count in this camera. */
static mean curve_mean(const dv_muvod_policy *policy, const dv_muvod_curve *curve) {
    mean sum = {0};
    bool is_shown = false;
    for (size_t i = 0; i < curve->n; i++) is_shown |= curve->shown[i];
    if (!is_shown && !policy->unseen_scored) return sum;
    for (size_t i = 0; i < curve->n; i++)
        if (curve->shown[i] || !policy->visible_frames) add(&sum, curve->j[i], curve->f[i], 0);
    return sum;
}

void dv_muvod_scene_score(const dv_muvod_policy *policy, const dv_muvod_view *view, dv_muvod_score *score,
                          dv_muvod_score *cameras) {
    mean over_cameras = {0}, over_pairs = {0};
    for (size_t c = 0; c < view->n_cameras; c++) {
        mean over_objects = {0};
        for (size_t o = 0; o < view->n_objects; o++) {
            if (!view->counts[o]) continue;
            const mean sum = curve_mean(policy, &view->curves[c * view->n_objects + o]);
            if (sum.n == 0) continue;
            const double j = sum.j / (double)sum.n, f = sum.f / (double)sum.n;
            add(&over_objects, j, f, (j + f) / 2);
            add(&over_pairs, j, f, (j + f) / 2);
        }
        dv_muvod_score camera = score_of(&over_objects);
        camera.jf = (camera.j + camera.f) / 2;
        if (cameras) cameras[c] = camera;
        if (camera.n) add(&over_cameras, camera.j, camera.f, camera.jf);
    }
    *score = score_of(&over_cameras);
    if (!policy->pooled_by_object || over_pairs.n == 0) return;
    const dv_muvod_score pooled = score_of(&over_pairs);
    score->j = pooled.j;
    score->f = pooled.f;
    score->jf = (pooled.j + pooled.f) / 2;
}

double dv_mean_of_known(const double *values, size_t n, size_t *n_used) {
    double sum = 0;
    *n_used = 0;
    for (size_t i = 0; i < n; i++) {
        if (isnan(values[i])) continue;
        sum += values[i];
        ++*n_used;
    }
    return *n_used ? sum / (double)*n_used : NAN;
}
