#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "denseval/device.h"

static void names_are_lower_case_and_unique(void **state) {
    (void)state;
    const dv_device_ops *const *all = dv_devices();
    size_t n = 0;
    for (; all[n]; n++) {
        for (const char *c = all[n]->name; *c; c++) assert_true(islower((unsigned char)*c));
        assert_true(strlen(all[n]->summary) > 0);
        for (size_t i = 0; i < n; i++) assert_string_not_equal(all[i]->name, all[n]->name);
    }
    assert_int_equal(n, 4);
}

static void usable_devices_open_and_unusable_ones_say_why(void **state) {
    (void)state;
    for (const dv_device_ops *const *ops = dv_devices(); *ops; ops++) {
        char why[256] = "", expected[300];
        const bool usable = (*ops)->usable(why, sizeof why);
        dv_device *device = (void *)&why;
        const dv_status status = dv_device_open((*ops)->name, NULL, &device);
        if (usable) {
            assert_int_equal(status, DV_OK);
            assert_ptr_equal(device->ops, *ops);
            device->ops->close(device);
            (*ops)->close(NULL);
            continue;
        }
        assert_int_equal(status, DV_E_BACKEND);
        assert_null(device);
        snprintf(expected, sizeof expected, "%s: %s", (*ops)->name, why);
        assert_string_equal(dv_last_error(), expected);
    }
}

static void cuda_is_known_before_it_is_built(void **state) {
    (void)state;
    dv_device *device;
    if (dv_device_open("cuda", NULL, &device) == DV_OK) {
        device->ops->close(device);
        return;
    }
    assert_non_null(strstr(dv_last_error(), "cuda: "));
}

static void automatic_choice_is_a_gpu_or_else_the_cpu(void **state) {
    (void)state;
    const char *expected = "cpu";
    char why[256];
    for (const dv_device_ops *const *ops = dv_devices(); *ops; ops++)
        if (strcmp((*ops)->name, "cuda") == 0 && (*ops)->usable(why, sizeof why)) expected = "cuda";
    const char *names[2] = {"auto", NULL};
    for (int i = 0; i < 2; i++) {
        dv_device *device;
        assert_int_equal(dv_device_open(names[i], NULL, &device), DV_OK);
        assert_string_equal(device->ops->name, expected);
        device->ops->close(device);
    }
}

static void unknown_names_list_the_known_ones(void **state) {
    (void)state;
    const char *names[] = {"gpu", "", "CPU", "cpu "};
    for (size_t i = 0; i < 4; i++) {
        dv_device *device = (void *)&device;
        assert_int_equal(dv_device_open(names[i], NULL, &device), DV_E_USAGE);
        assert_null(device);
        assert_non_null(strstr(dv_last_error(), "must be one of auto, cpu, reference, faiss, cuda"));
    }
    dv_device *device;
    assert_int_equal(dv_device_open("gpu", NULL, &device), DV_E_USAGE);
    assert_string_equal(dv_last_error(), "backend 'gpu': must be one of auto, cpu, reference, faiss, cuda");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_lower_case_and_unique),
        cmocka_unit_test(usable_devices_open_and_unusable_ones_say_why),
        cmocka_unit_test(cuda_is_known_before_it_is_built),
        cmocka_unit_test(automatic_choice_is_a_gpu_or_else_the_cpu),
        cmocka_unit_test(unknown_names_list_the_known_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
