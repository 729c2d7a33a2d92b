/* J&F over the cameras of scenes: policy and the order of stages. */
#include "denseval/muvod.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"
#include "metrics/muvod_means.h"
#include "protocol/jf_run.h"
#include "protocol/jf_sequence.h"
#include "protocol/muvod_plan.h"

enum { N_LABELS = 65536 };

/* A run in progress. */
typedef struct muvod_run {
    const dv_muvod_options *options;
    dv_device *device;
    dv_scenes scenes;
    dv_muvod_choice choice;
    dv_muvod_result *result;
} muvod_run;

/* Every object of the metadata, over all frames, by its id. */
static dv_jf_options jf_options(const dv_muvod_options *options, const char *pred) {
    return (dv_jf_options){
        .truth = options->truth,
        .pred = pred,
        .protocol = DV_JF_MUVOD,
        .rules = options->rules,
        .objects = DV_JF_ALL,
        .ends = DV_JF_ENDS_NONE,
        .voids = DV_JF_VOID_BACKGROUND,
        .extra_ids = options->extra_ids,
        .assign = DV_JF_ASSIGN_IDENTITY,
        .voc_palette = options->voc_palette,
        .resize = options->resize,
        .skip_bad = options->skip_bad,
        .allow_empty = options->allow_empty,
        .n_threads = options->n_threads,
        .progress = options->progress,
        .progress_user = options->progress_user,
    };
}

static dv_status score_prediction(const muvod_run *run, const char *pred, dv_jf_result *result) {
    const dv_jf_options options = jf_options(run->options, pred);
    dv_jf_plan plan;
    dv_jf_result_begin(&options, result);
    dv_status status = dv_muvod_plan_make(run->options, &run->choice, pred, &plan, result);
    if (status == DV_OK) status = dv_jf_run_plan(&options, &plan, run->choice.entries, run->device, result);
    dv_jf_plan_clear(&plan);
    return status;
}

/* ---- Objects of a scene --------------------------------------------------------------------------------------------
 */

static dv_status find_reference(const dv_mask_set *truth, const dv_scene *scene, size_t *sequence, size_t *frame) {
    char name[DV_MESSAGE_SIZE / 2];
    const char *const stem = scene->frames.names[scene->reference_frame];
    snprintf(name, sizeof name, "%s/%s", scene->name, scene->initial_camera);
    *sequence = dv_mask_set_find_sequence(truth, name);
    *frame = *sequence == SIZE_MAX ? SIZE_MAX : dv_mask_set_find_frame(truth, *sequence, stem);
    if (*frame != SIZE_MAX) return DV_OK;
    return dv_fail(DV_E_MISSING, "%s: no reference frame %s/%s, which tells the objects of the basic set",
                   dv_mask_set_path(truth), name, stem);
}

/* Marks the objects that the truth of the reference frame shows. */
static dv_status mark_basic(dv_mask_set *truth, const dv_scene *scene, dv_muvod_scene *out) {
    size_t sequence, frame;
    char hash[DV_HASH_TEXT_SIZE];
    dv_label_map map = {0};
    bool *is_shown;
    DV_TRY(find_reference(truth, scene, &sequence, &frame));
    DV_TRY(dv_mask_set_read(truth, sequence, frame, &map, hash));
    dv_status status = dv_alloc(N_LABELS, sizeof *is_shown, "ids of a frame", &is_shown);
    for (size_t i = 0; status == DV_OK && i < map.height * map.width; i++) is_shown[map.labels[i]] = true;
    for (size_t i = 0; status == DV_OK && i < out->n_objects; i++) out->objects[i].basic = is_shown[out->objects[i].id];
    free(is_shown);
    dv_label_map_clear(&map);
    return status;
}

static dv_status describe_scene(const muvod_run *run, size_t at, dv_mask_set *truth, dv_muvod_scene *out) {
    const dv_scene *const scene = run->choice.scenes[at];
    out->first_sequence = run->choice.first_camera[at];
    const size_t n_cameras = run->choice.first_camera[at + 1] - out->first_sequence;
    out->sparse_jf = NAN;
    DV_TRY(dv_strdup(scene->name, &out->name));
    DV_TRY(dv_alloc(n_cameras, sizeof *out->cameras, "cameras of a scene", &out->cameras));
    for (; out->n_cameras < n_cameras; out->n_cameras++)
        DV_TRY(
            dv_strdup(run->choice.cameras[out->first_sequence + out->n_cameras].name, &out->cameras[out->n_cameras]));
    DV_TRY(dv_alloc(scene->n_objects, sizeof *out->objects, "objects of a scene", &out->objects));
    for (; out->n_objects < scene->n_objects; out->n_objects++) {
        const dv_scene_object *const object = &scene->objects[out->n_objects];
        out->objects[out->n_objects].id = object->id;
        out->objects[out->n_objects].motion = object->motion;
        DV_TRY(dv_strdup(object->name, &out->objects[out->n_objects].name));
    }
    return mark_basic(truth, scene, out);
}

static dv_status describe_scenes(const muvod_run *run) {
    const dv_mask_palette palette = run->options->voc_palette ? DV_PALETTE_VOC : DV_PALETTE_NONE;
    dv_mask_set *truth;
    DV_TRY(dv_mask_set_open(run->options->truth, 2, palette, &truth));
    dv_status status = dv_alloc(run->choice.n_scenes, sizeof *run->result->scenes, "scenes", &run->result->scenes);
    for (size_t i = 0; status == DV_OK && i < run->choice.n_scenes; i++) {
        run->result->n_scenes = i + 1;
        status = describe_scene(run, i, truth, &run->result->scenes[i]);
    }
    dv_mask_set_close(truth);
    return status;
}

/* ---- Means ---------------------------------------------------------------------------------------------------------
 */

static const int ANY_MOTION = -1;

static bool counts(const dv_muvod_object *object, dv_muvod_set set, int motion) {
    return (set == DV_MUVOD_COMPLETE || object->basic) && (motion == ANY_MOTION || (int)object->motion == motion);
}

/* A scene as its means see it, and room to say which objects count. */
typedef struct scene_curves {
    dv_muvod_curve *curves; /* [n_cameras, n_objects], owned */
    bool *is_counted;       /* [n_objects], owned */
} scene_curves;

static void scene_curves_clear(scene_curves *of) {
    free(of->curves);
    free(of->is_counted);
}

/* Objects of the metadata alone: extra ones stand behind them. *out: release with scene_curves_clear, on failure too */
static dv_status scene_curves_make(const dv_muvod_scene *scene, const dv_jf_result *jf, scene_curves *out) {
    const size_t n = scene->n_cameras * scene->n_objects;
    memset(out, 0, sizeof *out);
    DV_TRY(dv_alloc(scene->n_objects, sizeof *out->is_counted, "objects of a scene", &out->is_counted));
    DV_TRY(dv_alloc(n, sizeof *out->curves, "curves of a scene", &out->curves));
    for (size_t i = 0; i < n; i++) {
        const dv_jf_sequence *const camera = &jf->sequences[scene->first_sequence + i / scene->n_objects];
        const dv_jf_object *const object = &camera->objects[i % scene->n_objects];
        out->curves[i] = (dv_muvod_curve){object->n_frames, object->j, object->f, object->shown};
    }
    return DV_OK;
}

/* How many objects count. cameras: as of dv_muvod_scene_score */
static size_t score_objects(const dv_muvod_policy *policy, const dv_muvod_scene *scene, scene_curves *of,
                            dv_muvod_set set, int motion, dv_muvod_score *score, dv_muvod_score *cameras) {
    size_t n = 0;
    for (size_t i = 0; i < scene->n_objects; i++) n += of->is_counted[i] = counts(&scene->objects[i], set, motion);
    const dv_muvod_view view = {scene->n_cameras, scene->n_objects, of->curves, of->is_counted};
    dv_muvod_scene_score(policy, &view, score, cameras);
    return n;
}

static dv_status score_set(const dv_muvod_policy *policy, const dv_muvod_scene *scene, scene_curves *of,
                           dv_muvod_set set, dv_muvod_scores *scores) {
    DV_TRY(dv_alloc(scene->n_cameras, sizeof *scores->cameras, "scores of cameras", &scores->cameras));
    scores->n_objects = score_objects(policy, scene, of, set, ANY_MOTION, &scores->all, scores->cameras);
    for (int motion = 0; motion < DV_N_MOTIONS; motion++)
        scores->n_by_motion[motion] = score_objects(policy, scene, of, set, motion, &scores->by_motion[motion], NULL);
    return DV_OK;
}

static dv_status score_scene(const dv_muvod_options *options, const dv_jf_result *jf, dv_muvod_scene *scene) {
    scene_curves of;
    dv_status status = scene_curves_make(scene, jf, &of);
    for (int set = 0; status == DV_OK && set < DV_N_MUVOD_SETS; set++)
        status = score_set(&options->policy, scene, &of, (dv_muvod_set)set, &scene->sets[set]);
    scene_curves_clear(&of);
    return status;
}

/* The scene's J&F of the second prediction, under the main set. */
static dv_status score_sparse_scene(const dv_muvod_options *options, const dv_jf_result *jf, dv_muvod_scene *scene) {
    scene_curves of;
    dv_muvod_score score;
    const dv_status status = scene_curves_make(scene, jf, &of);
    if (status == DV_OK) {
        score_objects(&options->policy, scene, &of, options->set, ANY_MOTION, &score, NULL);
        scene->sparse_jf = score.jf;
    }
    scene_curves_clear(&of);
    return status;
}

/* Means over scenes of one of their values. */
static dv_status over_scenes(const dv_muvod_result *result,
                             double (*value)(const dv_muvod_scene *, int set, int motion), int set, int motion,
                             double *mean, size_t *n) {
    double *values;
    DV_TRY(dv_alloc(result->n_scenes, sizeof *values, "values of scenes", &values));
    for (size_t i = 0; i < result->n_scenes; i++) values[i] = value(&result->scenes[i], set, motion);
    *mean = dv_mean_of_known(values, result->n_scenes, n);
    free(values);
    return DV_OK;
}

static double jf_of(const dv_muvod_scene *scene, int set, int motion) {
    return motion == ANY_MOTION ? scene->sets[set].all.jf : scene->sets[set].by_motion[motion].jf;
}

static double j_of(const dv_muvod_scene *scene, int set, int motion) {
    (void)motion;
    return scene->sets[set].all.j;
}

static double f_of(const dv_muvod_scene *scene, int set, int motion) {
    (void)motion;
    return scene->sets[set].all.f;
}

static double sparse_of(const dv_muvod_scene *scene, int set, int motion) {
    (void)set;
    (void)motion;
    return scene->sparse_jf;
}

static dv_status score_global(dv_muvod_result *result) {
    for (int set = 0; set < DV_N_MUVOD_SETS; set++) {
        dv_muvod_global *const global = &result->global[set];
        DV_TRY(over_scenes(result, jf_of, set, ANY_MOTION, &global->all.jf, &global->all.n));
        DV_TRY(over_scenes(result, j_of, set, ANY_MOTION, &global->all.j, &global->all.n));
        DV_TRY(over_scenes(result, f_of, set, ANY_MOTION, &global->all.f, &global->all.n));
        for (int motion = 0; motion < DV_N_MOTIONS; motion++) {
            dv_muvod_score *const score = &global->by_motion[motion];
            score->j = score->f = NAN;
            DV_TRY(over_scenes(result, jf_of, set, motion, &score->jf, &score->n));
        }
    }
    dv_muvod_score *const sparse = &result->global_sparse;
    sparse->j = sparse->f = NAN;
    return over_scenes(result, sparse_of, 0, ANY_MOTION, &sparse->jf, &sparse->n);
}

/* ---- Stages --------------------------------------------------------------------------------------------------------
 */

static dv_status score_sparse(const muvod_run *run) {
    dv_jf_result jf;
    dv_status status = score_prediction(run, run->options->sparse_pred, &jf);
    for (size_t i = 0; status == DV_OK && i < run->result->n_scenes; i++)
        status = score_sparse_scene(run->options, &jf, &run->result->scenes[i]);
    if (status == DV_OK) {
        run->result->has_sparse = true;
        run->result->sparse_bytes = jf.pred_bytes;
        memcpy(run->result->sparse_hash, jf.pred_hash, sizeof jf.pred_hash);
    }
    dv_jf_result_clear(&jf);
    return status;
}

static dv_status score(muvod_run *run) {
    dv_muvod_result *const result = run->result;
    DV_TRY(dv_scenes_read(run->options->meta, &run->scenes));
    DV_TRY(dv_muvod_choose(run->options, &run->scenes, &run->choice));
    result->n_cameras_unscored = run->choice.n_unscored;
    if (run->choice.n_cameras == 0)
        return dv_fail(DV_E_DATA, "%s: no camera of the chosen scenes is scored", run->options->meta);
    DV_TRY(describe_scenes(run));
    DV_TRY(score_prediction(run, run->options->pred, &result->jf));
    for (size_t i = 0; i < result->n_scenes; i++) DV_TRY(score_scene(run->options, &result->jf, &result->scenes[i]));
    if (run->options->sparse_pred) DV_TRY(score_sparse(run));
    return score_global(result);
}

dv_status dv_muvod_run(const dv_muvod_options *options, dv_muvod_result *result) {
    muvod_run run = {.options = options, .result = result};
    const dv_device_options device_options = {.n_threads = options->n_threads, .account = options->account};
    memset(result, 0, sizeof *result);
    if (!options->meta || !options->truth || !options->pred)
        return dv_fail(DV_E_ARG, "metadata, truth and prediction must be given");
    if (options->rules.n_radii > DV_MAX_RADII)
        return dv_fail(DV_E_ARG, "%zu radii: at most %d", options->rules.n_radii, DV_MAX_RADII);
    DV_TRY(dv_device_open(options->backend ? options->backend : "auto", &device_options, &run.device));
    const dv_status status = score(&run);
    dv_muvod_choice_clear(&run.choice);
    dv_scenes_clear(&run.scenes);
    run.device->ops->close(run.device);
    if (status != DV_OK) dv_muvod_result_clear(result);
    return status;
}

static void clear_scene(dv_muvod_scene *scene) {
    for (size_t i = 0; i < scene->n_cameras; i++) free(scene->cameras[i]);
    for (size_t i = 0; i < scene->n_objects; i++) free(scene->objects[i].name);
    for (int set = 0; set < DV_N_MUVOD_SETS; set++) free(scene->sets[set].cameras);
    free(scene->cameras);
    free(scene->objects);
    free(scene->name);
}

void dv_muvod_result_clear(dv_muvod_result *result) {
    dv_jf_result_clear(&result->jf);
    for (size_t i = 0; i < result->n_scenes; i++) clear_scene(&result->scenes[i]);
    free(result->scenes);
    memset(result, 0, sizeof *result);
}
