#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "denseval/run.h"

static void request_stands_until_it_is_cleared(void **state) {
    (void)state;
    assert_false(dv_interrupted());
    dv_interrupt();
    assert_true(dv_interrupted());
    dv_interrupt();
    assert_true(dv_interrupted());
    dv_interrupt_clear();
    assert_false(dv_interrupted());
}

static void handle(int number) {
    (void)number;
    dv_interrupt();
}

static void signal_handler_may_ask(void **state) {
    (void)state;
    const struct sigaction action = {.sa_handler = handle};
    struct sigaction before;
    assert_int_equal(sigaction(SIGUSR1, &action, &before), 0);
    assert_int_equal(raise(SIGUSR1), 0);
    assert_int_equal(sigaction(SIGUSR1, &before, NULL), 0);
    assert_true(dv_interrupted());
    dv_interrupt_clear();
}

static void *ask(void *unused) {
    dv_interrupt();
    return unused;
}

static void request_of_one_thread_is_seen_by_the_others(void **state) {
    (void)state;
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, ask, NULL), 0);
    while (!dv_interrupted()) {} /* a race detector sees whether this is allowed */
    pthread_join(thread, NULL);
    dv_interrupt_clear();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(request_stands_until_it_is_cleared),
        cmocka_unit_test(signal_handler_may_ask),
        cmocka_unit_test(request_of_one_thread_is_seen_by_the_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
