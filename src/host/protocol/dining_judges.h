/* dining_judges.h: what judges said of the answers, and how far they agree. */
#ifndef DV_PROTOCOL_DINING_JUDGES_H
#define DV_PROTOCOL_DINING_JUDGES_H

#include "core/parallel.h"
#include "denseval/dining.h"
#include "protocol/dining_judged.h"

/* Reads the verdicts of all judges and gives the answers the states of the first one's; with COMPAT counts as the
 * reference does what stands in the files, into summary and compat of *result. A verdict beside another `model_pred`
 * than that of the predictions is stale. verdicts: those of the predictions, for which their file is not read again;
 * wanted without judges. Fails with DV_E_MISSING, DV_E_DATA (a file that holds no verdict), DV_E_IO,
 * DV_E_NOMEM, DV_E_INTERRUPTED. */
DV_MUST_USE dv_status dv_dining_read_judges(const dv_dining_options *options, dv_pool *pool,
                                            const dv_dining_verdicts *verdicts, dv_dining_result *result);

#endif
