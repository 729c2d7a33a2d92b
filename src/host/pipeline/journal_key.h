/* journal_key.h: is a journal that of this run? */
#ifndef DV_PIPELINE_JOURNAL_KEY_H
#define DV_PIPELINE_JOURNAL_KEY_H

#include <stddef.h>

#include "denseval/status.h"

/* Compares a text of a journal (n bytes, no NUL needed) with this run's, line by line. Where they differ: DV_E_DATA
 * with both hashes and the first lines that differ. `what` names the texts. */
DV_MUST_USE dv_status dv_journal_key_compare(const char *what, const char *theirs, size_t n, const char *ours);

#endif
