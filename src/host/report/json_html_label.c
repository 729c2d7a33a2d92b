/* json_html_label.c: keys as words: "mean_accuracy" is "mean accuracy", "wall_s" is "wall (s)". */
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "report/json_html.h"

/* Whole keys that say too little. */
static const char *const whole[][2] = {{"same", "prediction equals truth"},
                                       {"join", "lines of the predictions, by number"}};

/* Words of keys that are written otherwise; a unit only at the end of a key, where bytes are told by their values. */
static const char *const words[][2] = {{"miou", "mIoU"}, {"iou", "IoU"},  {"jf", "J&F"},    {"j", "J"},
                                       {"f", "F"},       {"cpu", "CPU"},  {"cpus", "CPUs"}, {"gpu", "GPU"},
                                       {"gpus", "GPUs"}, {"rss", "RSS"},  {"mae", "MAE"},   {"rmse", "RMSE"},
                                       {"mape", "MAPE"}, {"95", "(95 %)"}};
static const char *const units[][2] = {{"s", "(s)"}, {"px", "(px)"}, {"deg", "(degrees)"}, {"bytes", ""}};

enum {
    N_WHOLE = sizeof whole / sizeof *whole,
    N_WORDS = sizeof words / sizeof *words,
    N_UNITS = sizeof units / sizeof *units
};

static const char *word_of(const char *const table[][2], size_t n, const char *word, size_t length) {
    for (size_t i = 0; i < n; i++)
        if (strlen(table[i][0]) == length && memcmp(table[i][0], word, length) == 0) return table[i][1];
    return NULL;
}

/* Is it the unit of the key, and not of a rate? */
static bool is_unit(const char *key, const char *word) {
    const size_t before = (size_t)(word - key);
    return before > 0 && (before < 4 || memcmp(word - 4, "per_", 4) != 0);
}

static void put_words(FILE *stream, const char *key) {
    const char *const known_key = word_of(whole, N_WHOLE, key, strlen(key));
    if (known_key) {
        fputs(known_key, stream);
        return;
    }
    for (const char *word = key; *word;) {
        const size_t length = strcspn(word, "_");
        const bool last = word[length] == '\0';
        const char *known = last && is_unit(key, word) ? word_of(units, N_UNITS, word, length) : NULL;
        if (known && !*known) return;
        if (!known) known = word_of(words, N_WORDS, word, length);
        if (word > key) fputc(' ', stream);
        fwrite(known ? known : word, 1, known ? strlen(known) : length, stream);
        word += length + (last ? 0 : 1);
    }
}

char *dv_html_label(const char *key) {
    char *text = NULL;
    size_t size;
    FILE *const stream = open_memstream(&text, &size);
    if (!stream) return NULL;
    put_words(stream, key);
    if (fclose(stream) == 0) return text;
    free(text);
    return NULL;
}

void dv_html_add_label(dv_text_table *table, const char *key) {
    char *const label = dv_html_label(key);
    if (label)
        dv_text_table_add(table, "%s", label);
    else if (table->status == DV_OK)
        table->status = DV_E_NOMEM;
    free(label);
}
