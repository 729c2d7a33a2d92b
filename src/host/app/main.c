/* main.c: the program denseval. */
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>

#include "app/command.h"
#include "app/dispatch.h"
#include "app/environment.h"
#include "app/message.h"
#include "app/output.h"
#include "app/together.h"
#include "denseval/run.h"

static void ask_to_stop(int signal_number) {
    (void)signal_number;
    dv_interrupt();
}

/* A batch system asks by SIGTERM or SIGUSR1, a person by SIGINT; a terminal that goes away sends SIGHUP;
 * a reader that went away, and a file above the size limit, are failed writes. The parent
 * may have left them blocked, and one that came meanwhile counts. */
static void catch_signals(void) {
    static const int asking[] = {SIGTERM, SIGINT, SIGUSR1, SIGHUP};
    struct sigaction action = {.sa_handler = ask_to_stop, .sa_flags = SA_RESTART};
    sigset_t unblocked;
    sigemptyset(&action.sa_mask);
    sigemptyset(&unblocked);
    for (size_t i = 0; i < sizeof asking / sizeof *asking; i++) {
        sigaction(asking[i], &action, NULL);
        sigaddset(&unblocked, asking[i]);
    }
    sigprocmask(SIG_UNBLOCK, &unblocked, NULL);
    action.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &action, NULL);
    sigaction(SIGXFSZ, &action, NULL);
}

static int exit_code(dv_status status) {
    switch (status) {
    case DV_OK:
        return 0;
    case DV_E_USAGE:
        return 64;
    case DV_E_DATA:
        return 65;
    case DV_E_MISSING:
        return 66;
    case DV_E_BACKEND:
        return 69;
    case DV_E_ARG:
    case DV_E_NOMEM:
    case DV_E_INTERNAL:
        return 70;
    case DV_E_IO:
        return 74;
    case DV_E_INTERRUPTED:
        return 75;
    }
    return 70;
}

int main(int argc, char **argv) {
    dv_output_open();
    dv_environment_prepare();
    dv_environment_choose_blas(argv);
    catch_signals();
    dv_status status = dv_dispatch(&dv_root_command, argc > 1 ? (size_t)argc - 1 : 0, argv + 1);
    bool speaks;
    status = dv_together_settle(status, &speaks);
    if (status != DV_OK && speaks) fprintf(stderr, "denseval: %s\n", dv_app_message());
    const dv_status closed = dv_output_close();
    if (status == DV_OK && closed != DV_OK) {
        status = closed;
        fprintf(stderr, "denseval: %s\n", dv_app_message());
    }
    dv_together_leave(exit_code(status));
    return exit_code(status);
}
