/* kernel_id.h: which kernel a process runs under. Not the host's name: names repeat in containers. */
#ifndef DV_CORE_KERNEL_ID_H
#define DV_CORE_KERNEL_ID_H

enum { DV_KERNEL_ID_SIZE = 64 };

/* Of one start of one machine, whatever name it has; "" where the system does not tell. */
void dv_kernel_id(char id[DV_KERNEL_ID_SIZE]);

#endif
