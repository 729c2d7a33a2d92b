#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "app/environment.h"

static void launches_wait_where_that_is_asked_for(void **state) {
    (void)state;
    static const char *const values[] = {"", "0", "1", "yes"};
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(unsetenv("CUDA_LAUNCH_BLOCKING"), 0);
        assert_int_equal(setenv("DENSEVAL_CUDA_SYNC", values[i], 1), 0);
        dv_environment_prepare();
        const char *const found = getenv("CUDA_LAUNCH_BLOCKING");
        if (i < 2)
            assert_null(found);
        else
            assert_string_equal(found, "1");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(launches_wait_where_that_is_asked_for)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
