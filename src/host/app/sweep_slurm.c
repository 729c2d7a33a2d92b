/* sweep_slurm.c: `denseval sweep --print-slurm`: what the script is told. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/message.h"
#include "app/slurm_script.h"
#include "app/sweep_args.h"

/* What is passed on, as it was given. */
static void add_option(const dv_app_context *context, FILE *text, const char *name) {
    const dv_option_slot *const slot = dv_options_find(context->slots, context->n_slots, name);
    if (!slot->given) return;
    fprintf(text, " --%s", name);
    if (slot->option->type == DV_OPT_CHOICE) {
        const char *word = slot->option->value;
        for (int i = *(const int *)slot->target; i > 0; i--) word = strchr(word, '|') + 1;
        fprintf(text, " %.*s", (int)strcspn(word, "|"), word);
    } else if (slot->option->type == DV_OPT_COUNT || slot->option->type == DV_OPT_SIZE) {
        fprintf(text, " %zu", *(const size_t *)slot->target);
    } else if (slot->option->type == DV_OPT_TEXT) {
        fprintf(text, " %s", *(const char *const *)slot->target);
    }
}

/* *text: the caller's until free(). names: NULL at the end */
static dv_status join_options(const dv_app_context *context, const char *const *names, const char *first, char **text) {
    size_t size;
    *text = NULL;
    FILE *const stream = open_memstream(text, &size);
    if (!stream) return dv_app_fail(DV_E_NOMEM, "no memory for options");
    fputs(first, stream);
    for (; *names; names++) add_option(context, stream, *names);
    if (fclose(stream) == 0) return DV_OK;
    free(*text);
    *text = NULL;
    return dv_app_fail(DV_E_NOMEM, "no memory for options");
}

static dv_status print_script(const dv_app_context *context, dv_slurm_script *script) {
    static const char *const of_sweep[] = {
        "exclude", "bootstrap", "plots", "block-images", "backend", "memory-limit", "skip-bad", "allow-empty", NULL};
    static const char *const of_merge[] = {"plots", NULL};
    char *for_sweep, *for_merge = NULL;
    dv_status status = join_options(context, of_sweep, "--progress", &for_sweep);
    if (status == DV_OK) status = join_options(context, of_merge, "", &for_merge);
    script->sweep_options = for_sweep;
    script->merge_options = for_merge && *for_merge ? for_merge + 1 : ""; /* without the space in front */
    if (status == DV_OK) status = dv_slurm_script_print(script);
    free(for_sweep);
    free(for_merge);
    return status;
}

/* What neither shapes the script nor can be passed on. */
static dv_status refuse_options(const dv_app_context *context) {
    static const struct {
        const char *name, *why;
    } refused[] = {
        {"cells", "the script of --print-slurm has all parts; see --jobs"},
        {"split", "a part of the script of --print-slurm is one process; configs/slurm/nodes.sbatch is for ranks"},
        {"force", "a part of the script of --print-slurm goes on with what is there; remove its folder instead"},
        {"json", "--print-slurm prints a script"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (dv_given(context, refused[i].name))
            return dv_app_fail(DV_E_USAGE, "--%s: %s", refused[i].name, refused[i].why);
    return DV_OK;
}

/* "out/NAME" for FOLDER/NAME.yaml. */
static void default_out(const char *config_path, char *out, size_t size) {
    const char *const slash = strrchr(config_path, '/'), *const name = slash ? slash + 1 : config_path;
    const char *const dot = strrchr(name, '.');
    snprintf(out, size, "out/%.*s", (int)(dot && dot > name ? dot - name : (ptrdiff_t)strlen(name)), name);
}

dv_status dv_sweep_print_slurm(const dv_app_context *context, const dv_sweep_args *args,
                               const dv_sweep_config *config) {
    const dv_sweep_options chosen = dv_sweep_args_options(context, args);
    const size_t n_parts = args->jobs ? args->jobs : config->n_encoders, n_cells = dv_sweep_config_cells(config);
    char out[4096];
    dv_sweep_forecast forecast;
    DV_TRY(refuse_options(context));
    if (n_parts > n_cells)
        return dv_app_fail(DV_E_USAGE, "--jobs %zu: there are %zu cells, so at most %zu parts", n_parts, n_cells,
                           n_cells);
    default_out(context->files.paths[0], out, sizeof out);
    const char *const chosen_out = args->out ? args->out : out;
    DV_TRY(dv_sweep_check_target(chosen_out, context->files.paths[0], config));
    dv_status status = dv_sweep_forecast_make(config, &chosen, n_parts, &forecast);
    dv_slurm_script script = {.config_path = context->files.paths[0],
                              .out = chosen_out,
                              .n_cells = n_cells,
                              .n_threads = context->n_threads,
                              .n_gpus = args->gpus,
                              .forecast = &forecast};
    if (status == DV_OK) status = print_script(context, &script);
    dv_sweep_forecast_clear(&forecast);
    return status;
}
