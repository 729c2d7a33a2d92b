/* class_names.h: what the classes of label maps are called. */
#ifndef DENSEVAL_CLASS_NAMES_H
#define DENSEVAL_CLASS_NAMES_H

#include "denseval/names.h"
#include "denseval/status.h"

DV_C_BEGIN

/* Reads a list of classes: NAME a line, class 0 first, or ID<TAB>NAME a line with each id from 0 on once, in any order.
 * Line ends may be CRLF, empty lines are passed over. Names may be equal. Fails with DV_E_MISSING, DV_E_DATA (naming
 * the line: no name or one of blanks alone, lines of both kinds, a NAME that begins with a number and a comma, an id
 * that is none or twice, an id that is left out, no UTF-8; no class, or more than DV_MAX_SPARSE_CLASSES; a path that
 * ends in .csv), DV_E_IO, DV_E_NOMEM; the message begins with the path. *names: the caller's until
 * dv_class_names_clear; zeroed on failure */
DV_MUST_USE dv_status dv_class_names_read(const char *path, dv_names *names);
void dv_class_names_clear(dv_names *names);

DV_C_END
#endif
