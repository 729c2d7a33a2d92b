#include "core/check.h"
#include "io/mask_set_private.h"

dv_status dv_mask_set_list_hdf5(dv_mask_set *set) {
    return dv_fail(DV_E_DATA, "%s: not a folder", set->path);
}

dv_status dv_mask_set_read_row(dv_mask_set *set, size_t sequence, size_t frame, dv_label_map *map, char *hash) {
    (void)sequence, (void)frame, (void)map, (void)hash;
    return dv_fail(DV_E_INTERNAL, "%s: not open", set->path);
}
