#include <math.h>

#include "protocol/jf_sequence.h"

static void add(dv_jf_mean *sum, double j, double f) {
    sum->n++;
    sum->j += j;
    sum->f += f;
}

static void divide(dv_jf_mean *sum) {
    sum->j = sum->n ? sum->j / (double)sum->n : NAN;
    sum->f = sum->n ? sum->f / (double)sum->n : NAN;
    sum->jf = (sum->j + sum->f) / 2;
}

static void add_curve(dv_curve_statistics *sum, const dv_curve_statistics *curve) {
    sum->n++;
    sum->mean += curve->mean;
    sum->recall += curve->recall;
    sum->decay += curve->decay;
}

static void divide_curve(dv_curve_statistics *sum) {
    const double n = sum->n ? (double)sum->n : NAN;
    sum->mean /= n;
    sum->recall /= n;
    sum->decay /= n;
}

static void add_object(const dv_jf_object *object, size_t radius, dv_jf_result *result) {
    const double *const f = object->f + radius * object->n_frames;
    add(&result->per_object[radius], object->j_statistics.mean, object->f_statistics[radius].mean);
    for (size_t i = 0; i < object->n_frames; i++) add(&result->per_frame[radius], object->j[i], f[i]);
    add_curve(&result->f_statistics[radius], &object->f_statistics[radius]);
    if (radius == 0) add_curve(&result->j_statistics, &object->j_statistics);
}

static void add_sequence(const dv_jf_sequence *sequence, size_t radius, dv_jf_result *result) {
    if (!isnan(sequence->j_mean)) add(&result->per_sequence[radius], sequence->j_mean, sequence->f_mean[radius]);
    for (size_t i = 0; i < sequence->n_objects; i++)
        if (sequence->objects[i].n_frames) add_object(&sequence->objects[i], radius, result);
}

void dv_jf_take_means(dv_jf_result *result) {
    for (size_t r = 0; r < result->n_radii; r++) {
        for (size_t i = 0; i < result->n_sequences; i++) add_sequence(&result->sequences[i], r, result);
        divide(&result->per_object[r]);
        divide(&result->per_sequence[r]);
        divide(&result->per_frame[r]);
        divide_curve(&result->f_statistics[r]);
    }
    divide_curve(&result->j_statistics);
}
