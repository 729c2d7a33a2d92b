#include <math.h>
#include <stdio.h>

#include "denseval/report.h"
#include "report/text_end.h"

static void print_real(FILE *stream, double value) {
    if (isnan(value))
        fprintf(stream, "  %9s", "-");
    else
        fprintf(stream, "  %9.4f", value);
}

static void print_all(FILE *stream, const char *against, const dv_dining_comparison *comparison) {
    fprintf(stream, "\nagainst %s\n%-18s  %9s  %9s  %9s  %9s  %9s\n", against, "metric", "this", "that", "differ",
            "low 95 %", "high");
    for (size_t i = 0; i < comparison->n_differences; i++) {
        const dv_dining_difference *const row = &comparison->differences[i];
        fprintf(stream, "%-18s", row->metric);
        print_real(stream, row->first);
        print_real(stream, row->second);
        print_real(stream, row->difference);
        print_real(stream, row->interval.low);
        print_real(stream, row->interval.high);
        fprintf(stream, "\n");
    }
    if (comparison->has_mcnemar)
        fprintf(stream, "McNemar: %zu right in this alone, %zu in that alone, p %.4g\n", comparison->mcnemar.first_only,
                comparison->mcnemar.second_only, comparison->mcnemar.p);
}

dv_status dv_report_dining_comparison_table(const char *against, const dv_dining_comparison *comparison, char **text) {
    size_t size;
    *text = NULL;
    FILE *const stream = open_memstream(text, &size);
    if (stream) print_all(stream, against, comparison);
    return dv_text_end(stream, text);
}
