/* affinity.h: the CPUs that this process may run on. */
#ifndef DV_CORE_AFFINITY_H
#define DV_CORE_AFFINITY_H

#include <stddef.h>
#include <stdint.h>

/* CPU i as bit i % 64 of word i / 64, u64 [n_words], n_words >= 16; CPUs beyond them are left out. All 0 where the
 * system does not tell. */
void dv_affinity_read(uint64_t *mask, size_t n_words);

#endif
