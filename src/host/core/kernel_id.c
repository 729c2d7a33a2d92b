#include "core/kernel_id.h"

#include <stdio.h>
#include <string.h>

void dv_kernel_id(char id[DV_KERNEL_ID_SIZE]) {
    FILE *const in = fopen("/proc/sys/kernel/random/boot_id", "re");
    id[0] = '\0';
    if (in && !fgets(id, DV_KERNEL_ID_SIZE, in)) id[0] = '\0';
    if (in) fclose(in);
    id[strcspn(id, "\n")] = '\0';
}
