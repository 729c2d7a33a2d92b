#include "protocol/dining_lenient.h"

#include <math.h>
#include <string.h>

#include "protocol/dining_number.h"

enum { MOST_NUMBER = 64, GROUP = 3 /* digits between commas */ };
static const char white[] = " \t\r\n";

/* ---- Words ---------------------------------------------------------------------------------------------------------
 */

static bool is_word(dv_span text, const char *word) {
    return text.n == strlen(word) && dv_span_begins(text, word, true);
}

/* NULL: it is none. */
static const dv_dining_unit *find_unit(dv_span text, size_t nutrient) {
    static const dv_dining_unit energies[] = {
        {"kcal", 1, 1, DV_REPAIR_UNIT},
        {"kcals", 1, 1, DV_REPAIR_UNIT},
        {"cal", 1, 1, DV_REPAIR_UNIT},
        {"cals", 1, 1, DV_REPAIR_UNIT},
        {"calorie", 1, 1, DV_REPAIR_UNIT},
        {"calories", 1, 1, DV_REPAIR_UNIT},
        {"kilocalorie", 1, 1, DV_REPAIR_UNIT},
        {"kilocalories", 1, 1, DV_REPAIR_UNIT},
        {"千卡", 1, 1, DV_REPAIR_UNIT},
        {"大卡", 1, 1, DV_REPAIR_UNIT},
        {"卡路里", 1, 1, DV_REPAIR_UNIT},
        {"kj", 1000, 4184, DV_REPAIR_KILOJOULE}, /* 418.4 kJ are 100 kcal to the last bit */
        {"kilojoule", 1000, 4184, DV_REPAIR_KILOJOULE},
        {"kilojoules", 1000, 4184, DV_REPAIR_KILOJOULE},
        {"千焦", 1000, 4184, DV_REPAIR_KILOJOULE},
        {NULL, 0, 0, DV_REPAIR_UNIT},
    };
    static const dv_dining_unit masses[] = {
        {"g", 1, 1, DV_REPAIR_UNIT},
        {"gram", 1, 1, DV_REPAIR_UNIT},
        {"grams", 1, 1, DV_REPAIR_UNIT},
        {"克", 1, 1, DV_REPAIR_UNIT},
        {"mg", 1, 1000, DV_REPAIR_MILLIGRAM},
        {"milligram", 1, 1000, DV_REPAIR_MILLIGRAM},
        {"milligrams", 1, 1000, DV_REPAIR_MILLIGRAM},
        {"毫克", 1, 1000, DV_REPAIR_MILLIGRAM},
        {NULL, 0, 0, DV_REPAIR_UNIT},
    };
    for (const dv_dining_unit *unit = nutrient == 0 ? energies : masses; unit->name; unit++)
        if (is_word(text, unit->name)) return unit;
    return NULL;
}

/* The nutrient that has this name; the first names are the published ones. */
static size_t find_name(dv_span name, bool *published) {
    enum { MOST_NAMES = 6, N_PUBLISHED = 2 };
    static const char *const names[DV_N_NUTRIENTS][MOST_NAMES] = {
        {"calories", "卡路里", "calorie", "energy", "热量", "能量"},
        {"protein", "蛋白质", "proteins", "蛋白"},
        {"carbohydrates", "碳水化合物", "carbohydrate", "carbs", "carb", "碳水"},
        {"fat", "脂肪", "fats", "total fat", "total_fat"},
    };
    for (size_t i = 0; i < DV_N_NUTRIENTS; i++)
        for (size_t k = 0; k < MOST_NAMES && names[i][k]; k++)
            if (is_word(name, names[i][k])) {
                *published = k < N_PUBLISHED && memcmp(name.text, names[i][k], name.n) == 0;
                return i;
            }
    return DV_N_NUTRIENTS;
}

/* ---- Keys ----------------------------------------------------------------------------------------------------------
 */

/* Cuts "(g)", "（g）" or "_g" off the end of a key. false: nothing of the kind is there. */
static bool cut_unit(dv_span key, dv_span *name, dv_span *unit) {
    static const char *const openers[] = {"(", "（", "_"}, *const closers[] = {")", "）", ""};
    for (size_t i = 0; i < sizeof openers / sizeof *openers; i++) {
        const size_t n_open = strlen(openers[i]), n_close = strlen(closers[i]);
        if (key.n < n_close || memcmp(key.text + key.n - n_close, closers[i], n_close) != 0) continue;
        for (size_t at = key.n - n_close; at-- > 0;) {
            if (!dv_span_begins(dv_span_after(key, at), openers[i], false)) continue;
            if (at + n_open + n_close > key.n) break;
            *name = dv_span_trim((dv_span){key.text, at}, white);
            *unit = dv_span_trim((dv_span){key.text + at + n_open, key.n - at - n_open - n_close}, white);
            return true;
        }
    }
    return false;
}

size_t dv_dining_lenient_key(dv_span key, dv_dining_unit *unit, bool *repaired) {
    const dv_span bare = dv_span_trim(key, white);
    dv_span name, unit_name;
    bool published = false;
    size_t nutrient = find_name(bare, &published);
    *unit = (dv_dining_unit){0};
    *repaired = !published || bare.n != key.n;
    if (nutrient < DV_N_NUTRIENTS || !cut_unit(bare, &name, &unit_name)) return nutrient;
    nutrient = find_name(name, &published);
    const dv_dining_unit *const found = nutrient < DV_N_NUTRIENTS ? find_unit(unit_name, nutrient) : NULL;
    if (!found) return DV_N_NUTRIENTS;
    *unit = *found;
    *repaired = true;
    return nutrient;
}

/* ---- Amounts -------------------------------------------------------------------------------------------------------
 */

static bool is_digit(dv_span text, size_t at) {
    return at < text.n && text.text[at] >= '0' && text.text[at] <= '9';
}

static size_t count_digits(dv_span text, size_t at) {
    size_t n = 0;
    while (is_digit(text, at + n)) n++;
    return n;
}

/* Bytes of the digits at `at`, in groups of three behind commas or without: "12", "1,250", "1,234,567"; of "0,5" and
 * "12,5" the digits before the comma. */
static size_t whole_part(dv_span text, size_t at) {
    size_t n = count_digits(text, at);
    if (n == 0 || n > GROUP || text.text[at] == '0') return n;
    while (at + n < text.n && text.text[at + n] == ',' && count_digits(text, at + n + 1) == GROUP) n += 1 + GROUP;
    return n;
}

/* Bytes of the decimal that the text begins with; 0: with none. */
static size_t decimal_part(dv_span text) {
    size_t at = text.n > 0 && (text.text[0] == '+' || text.text[0] == '-');
    const size_t n_whole = whole_part(text, at);
    at += n_whole;
    if (at < text.n && text.text[at] == '.' && (n_whole > 0 || is_digit(text, at + 1))) {
        const size_t n_fraction = count_digits(text, at + 1);
        at += 1 + n_fraction;
    } else if (n_whole == 0) {
        return 0;
    }
    if (at < text.n && (text.text[at] == 'e' || text.text[at] == 'E')) {
        const size_t n_sign = at + 1 < text.n && (text.text[at + 1] == '+' || text.text[at + 1] == '-');
        const size_t n_power = count_digits(text, at + 1 + n_sign);
        if (n_power) at += 1 + n_sign + n_power;
    }
    return at;
}

/* A decimal, whose commas go; *rest is what follows. */
static bool take_decimal(dv_span text, double *value, dv_span *rest, unsigned *repairs) {
    char bare[MOST_NUMBER];
    const size_t n = decimal_part(text);
    size_t n_bare = 0;
    if (n == 0 || n > MOST_NUMBER) return false;
    for (size_t i = 0; i < n; i++)
        if (text.text[i] != ',') bare[n_bare++] = text.text[i];
    if (n_bare < n) *repairs |= 1u << DV_REPAIR_COMMA;
    *rest = dv_span_trim_start(dv_span_after(text, n), white);
    return dv_dining_decimal((dv_span){bare, n_bare}, value);
}

static dv_span after_about(dv_span text, unsigned *repairs) {
    static const char *const words[] = {"~",     "～",     "≈",   "approximately", "approx.", "approx",
                                        "about", "around", "ca.", "roughly",       "大约",    "约"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (dv_span_begins(text, words[i], true)) {
            *repairs |= 1u << DV_REPAIR_ABOUT;
            return dv_span_trim_start(dv_span_after(text, strlen(words[i])), white);
        }
    return text;
}

/* Splits at the first word that stands between the ends of a range. */
static bool split_range(dv_span text, dv_span *before, dv_span *after) {
    static const char *const words[] = {"-", "–", "—", "~", "～", "to", "至", "到"};
    size_t first = SIZE_MAX, n_word = 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const size_t at = dv_span_find(text, words[i], 0, true);
        if (at >= first) continue;
        first = at;
        n_word = strlen(words[i]);
    }
    if (first == SIZE_MAX) return false;
    *before = dv_span_trim((dv_span){text.text, first}, white);
    *after = dv_span_trim(dv_span_after(text, first + n_word), white);
    return true;
}

/* The unit that a text is; *unit stays as it is where the text is empty. */
static bool take_unit(dv_span text, size_t nutrient, const dv_dining_unit **unit) {
    if (text.n == 0) return true;
    *unit = find_unit(text, nutrient);
    return *unit != NULL;
}

/* Behind the first number of a range: "-200", "kcal to 200 kcal". Makes *value the middle. */
static bool take_upper(dv_span before, dv_span after, size_t nutrient, double *value, const dv_dining_unit **unit,
                       unsigned *repairs) {
    const dv_dining_unit *lower_unit = NULL;
    double upper;
    dv_span rest;
    if (!is_digit(after, 0) || !take_decimal(after, &upper, &rest, repairs)) return false;
    if (!take_unit(before, nutrient, &lower_unit) || !take_unit(rest, nutrient, unit)) return false;
    if (lower_unit && rest.n > 0 && lower_unit->per != (*unit)->per) return false;
    if (lower_unit) *unit = lower_unit;
    if (*value < 0 || *value > upper) return false;
    *value = (*value + upper) / 2;
    *repairs |= 1u << DV_REPAIR_RANGE;
    return true;
}

bool dv_dining_lenient_amount(dv_span text, size_t nutrient, const dv_dining_unit *unit, double *amount,
                              unsigned *repairs) {
    const dv_dining_unit *found = unit->name ? unit : NULL;
    unsigned done = 0;
    double value;
    dv_span rest, before, after;
    if (!take_decimal(after_about(dv_span_trim(text, white), &done), &value, &rest, &done)) return false;
    if (split_range(rest, &before, &after)) {
        if (!take_upper(before, after, nutrient, &value, &found, &done)) return false;
    } else if (!take_unit(rest, nutrient, &found)) {
        return false;
    }
    if (found) {
        value = value * found->times / found->per;
        if (found != unit || found->repair != DV_REPAIR_UNIT) done |= 1u << found->repair;
    }
    if (!isfinite(value)) return false;
    *amount = value;
    *repairs |= done;
    return true;
}
