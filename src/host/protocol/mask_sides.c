#include "protocol/mask_sides.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "core/log.h"

enum { N_NAMED = 5 };

void dv_show_name(dv_shown_names *list, const char *folder, const char *file) {
    const size_t length = strlen(list->text);
    if (list->n++ < N_NAMED)
        snprintf(list->text + length, sizeof list->text - length, "%s%s%s%s", length ? ", " : "", folder,
                 file ? "/" : "", file ? file : "");
}

void dv_warn_unused(const dv_mask_set *set, const char *whose, const dv_shown_names *list, const char *what) {
    if (list->n)
        dv_log(DV_LOG_WARNING, "%s: %zu %s that %s does not have: %s%s", dv_mask_set_path(set), list->n, what, whose,
               list->text, list->n > N_NAMED ? ", ..." : "");
}

void dv_log_passed_over(const dv_mask_set *set) {
    if (dv_mask_set_n_passed_over(set))
        dv_log(DV_LOG_INFO, "%s: %zu hidden or foreign files and folders passed over", dv_mask_set_path(set),
               dv_mask_set_n_passed_over(set));
}

static uint64_t file_bytes(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode) ? (uint64_t)info.st_size : 0;
}

uint64_t dv_mask_bytes(const dv_mask_set *set, const dv_mask_job *jobs, size_t n_jobs, bool is_truth) {
    char name[DV_MESSAGE_SIZE / 2];
    uint64_t n = file_bytes(dv_mask_set_path(set));
    if (n) return n;
    for (size_t i = 0; i < n_jobs; i++) {
        dv_mask_set_name_frame(set, is_truth ? jobs[i].truth_sequence : jobs[i].pred_sequence,
                               is_truth ? jobs[i].truth_frame : jobs[i].pred_frame, name, sizeof name);
        n += file_bytes(name);
    }
    return n;
}
