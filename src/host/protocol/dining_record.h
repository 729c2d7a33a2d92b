/* dining_record.h: is a line of predictions or verdicts a record? */
#ifndef DV_PROTOCOL_DINING_RECORD_H
#define DV_PROTOCOL_DINING_RECORD_H

#include "core/fault_list.h"
#include "denseval/dining.h"
#include "io/json_lines.h"
#include "io/json_scan.h"

typedef enum dv_dining_line { DV_LINE_BLANK, DV_LINE_BAD, DV_LINE_RECORD } dv_dining_line;

/* Picks the members of a record. Compat: in Python white space is that of Unicode, a mark is text, and a list or an
 * object is no key. names  [n_names], the first is "idx"; members  [n_names], of a record alone */
dv_dining_line dv_dining_record_pick(const dv_json_line *line, dv_dining_scoring scoring, const dv_json_name *names,
                                     size_t n_names, dv_json_value *members);

/* Adds that this line of the file is bad. */
void dv_dining_record_fault(dv_fault_list *faults, const char *path, uint64_t line);

#endif
