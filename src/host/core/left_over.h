/* left_over.h: the temporary names beside a target, and what killed processes left under them. A name begins with a
 * dot, repeats that of its target, and tells the kernel that its writer runs under; the writer holds a lock on what has
 * the name, which ends with it, however that is. */
#ifndef DV_CORE_LEFT_OVER_H
#define DV_CORE_LEFT_OVER_H

#include <stdbool.h>

/* How the names end. */
#define DV_TEMPORARY_SUFFIX ".tmp"

/* Far below the 255 of most file systems, the 143 of some. */
enum { DV_TEMPORARY_SIZE = 128 };

/* A fresh name for a target of this name, both without a folder; false: the system gives no random numbers. */
bool dv_temporary_name(const char *name, char text[DV_TEMPORARY_SIZE]);

/* Holds what this process has just made. false: another one took it for left over meanwhile, and removes it. *lock:
 * open on it, to be closed when the name is gone; without a lock where the file system has none, and then none but its
 * writer removes it; -1: cannot be opened */
bool dv_temporary_hold(const char *path, int *lock);

/* Removes what has a temporary name beside `path` and whose writer is dead: it ran under this kernel, which would know
 * of its lock. What it cannot tell of, or cannot remove, stays. Others may be writing the same path. */
void dv_remove_abandoned(const char *path);

/* Removes all temporary files beside `path`, whoever left them. Nobody may be writing it. What cannot be removed stays.
 */
void dv_remove_left_over(const char *path);

#endif
