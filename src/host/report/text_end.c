#include "report/text_end.h"

#include <stdbool.h>
#include <stdlib.h>

#include "core/check.h"

dv_status dv_text_end(FILE *stream, char **text) {
    const bool failed = !stream || ferror(stream);
    if (stream && fclose(stream) == 0 && !failed) return DV_OK;
    free(*text);
    *text = NULL;
    return dv_fail(DV_E_NOMEM, "no memory for a table");
}
