#include "app/jf_args.h"

#include "app/message.h"

/* By the enums of denseval/jf.h. */
static const char *const protocol_words[] = {"davis2017-semi", "davis2017-unsup", "davis2016", "muvod"};

const dv_option dv_jf_davis_options[] = {
    {"objects", "first-frame|appearance|seen|all|first-frame-max", "which objects are scored [first-frame]",
     DV_OPT_CHOICE, offsetof(dv_jf_args, objects), 0, 0},
    {"ends", "protocol|none|both", "leave out what the protocol says, no frame, or the first and the last [protocol]",
     DV_OPT_CHOICE, offsetof(dv_jf_args, ends), 0, 0},
    {"void", "protocol|background|ignore",
     "255 of the truth is what the protocol says, background, or ignored on both sides [protocol]", DV_OPT_CHOICE,
     offsetof(dv_jf_args, voids), 0, 0},
    {"assign", "protocol|identity|jf|j",
     "predicted ids are what the protocol says, the true ones, or proposals assigned by mean J&F or J [protocol]",
     DV_OPT_CHOICE, offsetof(dv_jf_args, assign), 0, 0},
    {"single-object", NULL, "one object: whatever is not 0", DV_OPT_FLAG, offsetof(dv_jf_args, single_object), 0, 0},
    {"worst", "N", "list the N objects in frames of least J&F, and draw them into --out", DV_OPT_COUNT,
     offsetof(dv_jf_args, n_worst), 1, 10000},
    {"images", "DIR", "pictures DIR/SEQUENCE/FRAME.jpg or .png that --worst draws over [gray]", DV_OPT_PATH,
     offsetof(dv_jf_args, images), 0, 0},
    {"plots", NULL, "draw J and F over frames into --out", DV_OPT_FLAG, offsetof(dv_jf_args, plots), 0, 0},
    {0},
};

const dv_option dv_jf_muvod_options[] = {
    {"meta", "SCENES.json", "cameras, frames and objects of each scene; must be given", DV_OPT_PATH,
     offsetof(dv_jf_args, meta), 0, 0},
    {"set", "basic|complete",
     "objects that the reference frame of the initial camera shows, or all; JSON holds both [basic]", DV_OPT_CHOICE,
     offsetof(dv_jf_args, set), 0, 0},
    {"cameras", "LIST|quarter", "cameras to score, or every fourth of the rig from the initial one on [all]",
     DV_OPT_TEXT, offsetof(dv_jf_args, cameras), 0, 0},
    {"scenes", "LIST", "scenes to score [all]", DV_OPT_TEXT, offsetof(dv_jf_args, scenes), 0, 0},
    {"sparse-pred", "DIR|H5", "a second prediction, whose J&F and difference are given beside", DV_OPT_PATH,
     offsetof(dv_jf_args, sparse_pred), 0, 0},
    {"reference-frame", "exclude|include", "is the reference frame of the initial camera scored? [exclude]",
     DV_OPT_CHOICE, offsetof(dv_jf_args, reference), 0, 0},
    {"frames", "all|visible", "all frames, or those where the truth shows the object [all]", DV_OPT_CHOICE,
     offsetof(dv_jf_args, frames), 0, 0},
    {"unseen", "skip|score", "objects in cameras that never show them [skip]", DV_OPT_CHOICE,
     offsetof(dv_jf_args, unseen), 0, 0},
    {"pooling", "camera|object", "scenes are means over cameras, or over pairs of object and camera [camera]",
     DV_OPT_CHOICE, offsetof(dv_jf_args, pooling), 0, 0},
    {0},
};

static dv_status take_radii(const dv_app_context *context, const dv_jf_args *args, dv_mask_rules *rules) {
    if (args->radii_px.n && dv_given(context, "bound"))
        return dv_app_fail(DV_E_USAGE, "--radius and --bound: one of them makes the radius");
    if (args->radii_px.n > DV_MAX_RADII)
        return dv_app_fail(DV_E_USAGE, "--radius: %zu radii, at most %d", args->radii_px.n, DV_MAX_RADII);
    rules->bound = args->bound;
    rules->bipartite = args->matching == DV_JF_MATCHING_BIPARTITE;
    rules->n_radii = args->radii_px.n;
    for (size_t i = 0; i < args->radii_px.n; i++) rules->radii_px[i] = (uint32_t)args->radii_px.values[i];
    return DV_OK;
}

dv_status dv_jf_args_options(const dv_app_context *context, const dv_jf_args *args, dv_jf_options *chosen) {
    *chosen = (dv_jf_options){
        .truth = args->truth,
        .pred = args->pred,
        .protocol = args->protocol,
        .objects = args->objects,
        .ends = args->ends,
        .voids = args->voids,
        .extra_ids = args->extra_ids,
        .assign = args->assign,
        .single_object = args->single_object,
        .voc_palette = args->palette == DV_JF_PALETTE_VOC,
        .resize = args->resize == DV_JF_RESIZE_NEAREST,
        .skip_bad = context->common.skip_bad,
        .allow_empty = context->common.allow_empty,
        .backend = context->common.backend,
        .n_threads = context->n_threads,
        .progress = context->progress,
        .progress_user = context->progress_user,
    };
    DV_TRY(take_radii(context, args, &chosen->rules));
    dv_jf_options_resolve(chosen);
    return DV_OK;
}

dv_status dv_jf_args_refuse(const dv_app_context *context, const dv_option *table, const char *whose) {
    for (const dv_option *option = table; option->name; option++)
        if (dv_given(context, option->name))
            return dv_app_fail(DV_E_USAGE, "--%s: is for --protocol %s", option->name, whose);
    return DV_OK;
}

void dv_jf_args_report(dv_report *report, const dv_jf_options *chosen) {
    const dv_mask_rules *const rules = &chosen->rules;
    uint64_t radii_px[DV_MAX_RADII];
    for (size_t i = 0; i < rules->n_radii; i++) radii_px[i] = rules->radii_px[i];
    dv_report_setting_text(report, "protocol", protocol_words[chosen->protocol]);
    dv_report_setting_text(report, "matching", rules->bipartite ? "bipartite" : "dilate");
    if (rules->n_radii) {
        dv_report_setting_counts(report, "radius", radii_px, rules->n_radii);
        dv_report_setting_null(report, "bound");
    } else {
        dv_report_setting_null(report, "radius");
        dv_report_setting_real(report, "bound", rules->bound);
    }
    dv_report_setting_text(report, "palette", chosen->voc_palette ? "voc" : "none");
    dv_report_setting_text(report, "resize", chosen->resize ? "nearest" : "none");
    dv_report_setting_bool(report, "skip_bad", chosen->skip_bad);
    dv_report_setting_bool(report, "allow_empty", chosen->allow_empty);
}
