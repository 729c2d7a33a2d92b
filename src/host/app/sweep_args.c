#include "app/sweep_args.h"

#include "app/environment.h"
#include "app/message.h"
#include "app/targets.h"

dv_status dv_sweep_check_target(const char *out, const char *path, const dv_sweep_config *config) {
    DV_TRY(dv_target_check_input("--out", out, path));
    for (size_t i = 0; i < config->n_encoders; i++) {
        DV_TRY(dv_target_check_inputs("--out", out, &config->encoders[i].features));
        DV_TRY(dv_target_check_inputs("--out", out, &config->encoders[i].uniform));
    }
    return DV_OK;
}

dv_sweep_options dv_sweep_args_options(const dv_app_context *context, const dv_sweep_args *args) {
    return (dv_sweep_options){.config_path = context->files.paths[0],
                              .backend = context->common.backend,
                              .kernel = dv_environment_kernel(),
                              .n_threads = context->n_threads,
                              .images_per_block = args->block_images,
                              .memory_limit = context->common.memory_limit,
                              .n_resamples = args->bootstrap,
                              .plots = args->plots,
                              .skip_bad = context->common.skip_bad,
                              .allow_empty = context->common.allow_empty,
                              .force = context->common.force,
                              .unless_done = args->unless_done,
                              .ranks = context->ranks,
                              .split = context->common.split,
                              .progress = context->progress,
                              .progress_user = context->progress_user};
}
