/* simt_launch.h: what warp.cuh names and the filter by wgmma does not call. */
#ifndef HOPPER_SIMT_LAUNCH_H
#define HOPPER_SIMT_LAUNCH_H

void simt_copy16(void *shared, const void *global, const char *file, int line);
void simt_copy_commit();
void simt_copy_wait(int n);

#endif
