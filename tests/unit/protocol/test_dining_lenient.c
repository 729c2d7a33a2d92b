/* test_dining_lenient.c: amounts and names as people write them, and what of them stays unread. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/dining_lenient.h"
#include "protocol/dining_nutrients.h"

#define BIT(repair) (1u << DV_REPAIR_##repair)
enum { CALORIES, PROTEIN, CARBOHYDRATES, FAT };

static dv_span span(const char *text) {
    return (dv_span){text, strlen(text)};
}

/* ---- Amounts -------------------------------------------------------------------------------------------------------
 */

static bool read_amount(const char *text, size_t nutrient, double *amount, unsigned *repairs) {
    const dv_dining_unit none = {0};
    *amount = -1;
    *repairs = 0;
    return dv_dining_lenient_amount(span(text), nutrient, &none, amount, repairs);
}

static void amounts_are_read_and_what_was_done_is_told(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t nutrient;
        double amount;
        unsigned repairs;
    } cases[] = {
        {"350", CALORIES, 350, 0},
        {" +2.5e2 ", CALORIES, 250, 0},
        {"250 kcal", CALORIES, 250, BIT(UNIT)},
        {"250KCAL", CALORIES, 250, BIT(UNIT)},
        {"250 Calories", CALORIES, 250, BIT(UNIT)},
        {"250大卡", CALORIES, 250, BIT(UNIT)},
        {"418.4 kJ", CALORIES, 100, BIT(KILOJOULE)},
        {"1,464.4 千焦", CALORIES, 350, BIT(KILOJOULE) | BIT(COMMA)},
        {"1,250", CALORIES, 1250, BIT(COMMA)},
        {"1,234,567.5", CALORIES, 1234567.5, BIT(COMMA)},
        {"12 g", PROTEIN, 12, BIT(UNIT)},
        {"12.5grams", FAT, 12.5, BIT(UNIT)},
        {"12克", FAT, 12, BIT(UNIT)},
        {"1,500 mg", FAT, 1.5, BIT(MILLIGRAM) | BIT(COMMA)},
        {"~20", FAT, 20, BIT(ABOUT)},
        {"About 20 g", FAT, 20, BIT(ABOUT) | BIT(UNIT)},
        {"approx. 20", FAT, 20, BIT(ABOUT)},
        {"约20克", FAT, 20, BIT(ABOUT) | BIT(UNIT)},
        {"100-200", CALORIES, 150, BIT(RANGE)},
        {"100 kcal – 200 kcal", CALORIES, 150, BIT(RANGE) | BIT(UNIT)},
        {"100 to 200 kcal", CALORIES, 150, BIT(RANGE) | BIT(UNIT)},
        {"100至200", CALORIES, 150, BIT(RANGE)},
        {"4184 - 8368 kJ", CALORIES, 1500, BIT(RANGE) | BIT(KILOJOULE)},
        {"-3", FAT, -3, 0}, /* negative values are numbers, as in strict reading */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double amount;
        unsigned repairs;
        if (!read_amount(cases[i].text, cases[i].nutrient, &amount, &repairs) || amount != cases[i].amount ||
            repairs != cases[i].repairs)
            fail_msg("%s: %.17g, repairs %x", cases[i].text, amount, repairs);
    }
}

static void what_is_no_amount_stays_unread(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t nutrient;
    } cases[] = {
        {"12%", FAT},
        {"12 %", CALORIES},
        {"1_000", CALORIES},
        {"12 g", CALORIES},
        {"12 kcal", FAT},
        {"12,5", FAT},
        {"0,350", FAT},
        {"1,2345", CALORIES},
        {"1234,567", FAT},
        {"1,250,5", FAT},
        {"200-100", CALORIES},
        {"-100-200", FAT},
        {"100--200", CALORIES},
        {"100-", FAT},
        {"-", FAT},
        {"100-200-300", FAT},
        {"", FAT},
        {"kcal", CALORIES},
        {"~", FAT},
        {"n/a", FAT},
        {"350 kcal per day", 0},
        {"350 kilo", 0},
        {"1e999", CALORIES},
        {"nan", FAT},
        {"inf", FAT},
        {"100 g - 200 mg", FAT},
        {"０.５", FAT},
        {"1 2", FAT},
        {"<5", FAT},
        {"20 ± 5", FAT},
        {"1e308-1.7e308", FAT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double amount;
        unsigned repairs;
        if (read_amount(cases[i].text, cases[i].nutrient, &amount, &repairs)) fail_msg("%s: %g", cases[i].text, amount);
        assert_int_equal(repairs, 0);
        assert_true(amount == -1);
    }
}

/* ---- Keys ----------------------------------------------------------------------------------------------------------
 */

static void names_are_known_in_any_case_and_with_units(void **state) {
    (void)state;
    static const struct {
        const char *key;
        size_t nutrient;
        const char *unit; /* NULL: none */
        bool repaired;
    } cases[] = {
        {"calories", CALORIES, NULL, false},
        {"卡路里", CALORIES, NULL, false},
        {"Calories", CALORIES, NULL, true},
        {" fat ", FAT, NULL, true},
        {"carbs", CARBOHYDRATES, NULL, true},
        {"Total Fat", FAT, NULL, true},
        {"energy", CALORIES, NULL, true},
        {"protein_g", PROTEIN, "g", true},
        {"Protein (g)", PROTEIN, "g", true},
        {"energy_kJ", CALORIES, "kj", true},
        {"脂肪（克）", FAT, "克", true},
        {"total_fat", FAT, NULL, true},
        {"calories_kcal", CALORIES, "kcal", true},
        {"protein_kcal", DV_N_NUTRIENTS, NULL, true},
        {"fat_percent", DV_N_NUTRIENTS, NULL, true},
        {"saturated fat", DV_N_NUTRIENTS, NULL, true},
        {"", DV_N_NUTRIENTS, NULL, true},
        {"_", DV_N_NUTRIENTS, NULL, true},
        {"(", DV_N_NUTRIENTS, NULL, true},
        {")", DV_N_NUTRIENTS, NULL, true},
        {"fat()", DV_N_NUTRIENTS, NULL, true},
        {"fat_", DV_N_NUTRIENTS, NULL, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dv_dining_unit unit;
        bool repaired;
        const size_t nutrient = dv_dining_lenient_key(span(cases[i].key), &unit, &repaired);
        const bool same_unit = cases[i].unit ? unit.name && strcmp(unit.name, cases[i].unit) == 0 : !unit.name;
        if (nutrient != cases[i].nutrient || !same_unit || repaired != cases[i].repaired)
            fail_msg("'%s': %zu, %s", cases[i].key, nutrient, unit.name);
    }
}

/* ---- Answers -------------------------------------------------------------------------------------------------------
 */

static dv_dining_answer read_text(const char *text, dv_dining_numbers numbers, bool *found) {
    dv_json_text scratch[2] = {{0}};
    dv_dining_answer answer;
    memset(&answer, 0, sizeof answer);
    assert_int_equal(dv_dining_nutrients_of_text(span(text), numbers, scratch, &answer, found), DV_OK);
    free(scratch[0].text);
    free(scratch[1].text);
    return answer;
}

static void check_answer(const char *text, double calories, double protein, double carbohydrates, double fat,
                         unsigned repairs) {
    const double expected[DV_N_NUTRIENTS] = {calories, protein, carbohydrates, fat};
    bool found;
    const dv_dining_answer answer = read_text(text, DV_DINING_NUMBERS_LENIENT, &found);
    assert_true(found);
    assert_int_equal(answer.repairs, repairs);
    for (size_t i = 0; i < DV_N_NUTRIENTS; i++)
        if (isnan(expected[i]) ? !isnan(answer.values[i]) : answer.values[i] != expected[i])
            fail_msg("%s: %s %.17g", text, dv_nutrient_name(i), answer.values[i]);
}

static void answers_are_read_each_number_by_itself(void **state) {
    (void)state;
    check_answer("{\"Calories\": 1, \"protein\": 2, \"carbs\": 3, \"fat\": 4}", 1, 2, 3, 4, BIT(NAME));
    check_answer("so: {\"calories\": \"250 kcal\", \"protein\": true, \"carbohydrates\": null}", 250, NAN, NAN, NAN,
                 BIT(UNIT) | BIT(PARTIAL));
    check_answer("{\"energy_kj\": 418.4, \"protein\": 2, \"\\u8102\\u80aa\": 4}", 100, 2, NAN, 4,
                 BIT(NAME) | BIT(KILOJOULE) | BIT(PARTIAL));
    check_answer("{\"energy_kj\": \"100 kcal\", \"protein (mg)\": 2500}", 100, 2.5, NAN, NAN,
                 BIT(NAME) | BIT(UNIT) | BIT(MILLIGRAM) | BIT(PARTIAL));
    /* Most names before last, last among equals, and objects inside. */
    check_answer("{\"total\": {\"Calories\": 1, \"fat\": 2}} {\"fat\": 9}", 1, NAN, NAN, 2, BIT(NAME) | BIT(PARTIAL));
    check_answer("{\"fat\": 8} {\"fat\": 9}", NAN, NAN, NAN, 9, BIT(PARTIAL));
}

static void what_strict_reading_takes_stays_as_it_is(void **state) {
    (void)state;
    check_answer("{\"calories\": 1, \"protein\": 2, \"carbohydrates\": 3, \"fat\": \" 4 \"}"
                 "{\"Calories\": 5, \"Protein\": 6, \"carbs\": 7, \"fat\": 8}",
                 1, 2, 3, 4, 0);
}

static void nothing_readable_is_not_found(void **state) {
    (void)state;
    bool found;
    read_text("{\"calories\": \"12%\", \"fat\": \"?\"}", DV_DINING_NUMBERS_LENIENT, &found);
    assert_false(found);
    read_text("<think>{\"calories\": 1}", DV_DINING_NUMBERS_LENIENT, &found);
    assert_false(found);
    read_text("{\"fat\": 1,}", DV_DINING_NUMBERS_LENIENT, &found);
    assert_false(found);
}

static void two_names_with_two_values_are_a_conflict_of_which_the_first_counts(void **state) {
    (void)state;
    bool found;
    for (int numbers = 0; numbers < 2; numbers++) {
        const dv_dining_answer differ = read_text("{\"calories\": 1, \"protein\": 2, \"碳水化合物\": 3, \"fat\": 4, "
                                                  "\"carbohydrates\": 30}",
                                                  (dv_dining_numbers)numbers, &found);
        assert_true(found && differ.key_conflict && differ.values[CARBOHYDRATES] == 3);
        const dv_dining_answer same = read_text("{\"calories\": 1, \"protein\": 2, \"碳水化合物\": 3, \"fat\": 4, "
                                                "\"carbohydrates\": 3.0}",
                                                (dv_dining_numbers)numbers, &found);
        assert_true(found && !same.key_conflict);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(amounts_are_read_and_what_was_done_is_told),
        cmocka_unit_test(what_is_no_amount_stays_unread),
        cmocka_unit_test(names_are_known_in_any_case_and_with_units),
        cmocka_unit_test(answers_are_read_each_number_by_itself),
        cmocka_unit_test(what_strict_reading_takes_stays_as_it_is),
        cmocka_unit_test(nothing_readable_is_not_found),
        cmocka_unit_test(two_names_with_two_values_are_a_conflict_of_which_the_first_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
