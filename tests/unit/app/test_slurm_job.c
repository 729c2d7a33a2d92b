#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "app/slurm_job.h"

/* Names and texts in turn, NULL at the end. */
static const char *const *variables;

static const char *read_variable(const char *name) {
    for (size_t i = 0; variables[i]; i += 2)
        if (strcmp(variables[i], name) == 0) return variables[i + 1];
    return NULL;
}

static dv_slurm_job job_of(const char *const *set) {
    dv_slurm_job job;
    variables = set;
    dv_slurm_job_read(read_variable, &job);
    return job;
}

static void list_gives_the_number_of_each_node(void **state) {
    (void)state;
    assert_int_equal(dv_slurm_list_at("4(x2),2", 0), 4);
    assert_int_equal(dv_slurm_list_at("4(x2),2", 1), 4);
    assert_int_equal(dv_slurm_list_at("4(x2),2", 2), 2);
    assert_int_equal(dv_slurm_list_at("4(x2),2", 3), 0);
    assert_int_equal(dv_slurm_list_at("72", 0), 72);
    assert_int_equal(dv_slurm_list_at("1048576(x1048576)", 1048575), 1048576);
    const char *const bad[] = {"1048577(x2)",
                               "1(x1048577)",
                               "99999999999999999999999(x2)",
                               "18446744073709551617(x2)",
                               "",
                               "x",
                               "4(x",
                               "4(x2",
                               "4(y2)",
                               "4;2",
                               ",4",
                               "(x2)"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) assert_int_equal(dv_slurm_list_at(bad[i], 1), 0);
    assert_int_equal(dv_slurm_list_at(NULL, 0), 0);
}

static void process_outside_of_a_job_is_in_none(void **state) {
    (void)state;
    const char *const set[] = {"SLURM_CPUS_ON_NODE", "8", "SLURM_NODEID", "0", NULL};
    const dv_slurm_job job = job_of(set);
    assert_null(job.job.id);
    assert_int_equal(job.job.n_cpus, 0);
    assert_int_equal(job.step_cpus, 0);
    assert_int_equal(job.n_processes, 1);
}

static void task_of_an_array_tells_what_it_was_given(void **state) {
    (void)state;
    const char *const set[] = {"SLURM_JOB_ID",
                               "1234",
                               "SLURM_ARRAY_JOB_ID",
                               "1230",
                               "SLURM_ARRAY_TASK_ID",
                               "3",
                               "SLURMD_NODENAME",
                               "n1",
                               "SLURM_RESTART_COUNT",
                               "2",
                               "SLURM_CPUS_ON_NODE",
                               "2",
                               "SLURM_JOB_CPUS_PER_NODE",
                               "8(x2)",
                               "SLURM_NODEID",
                               "1",
                               "SLURM_MEM_PER_CPU",
                               "1000",
                               "SLURM_GPUS_ON_NODE",
                               "4",
                               NULL};
    const dv_slurm_job job = job_of(set);
    assert_int_equal(job.job.n_restarts, 2);
    assert_int_equal(job.job.n_cpus, 8);
    assert_int_equal(job.step_cpus, 2);
    assert_int_equal(job.job.memory_bytes, 8000ULL << 20);
    assert_int_equal(job.job.n_gpus, 4);
    char text[DV_JOB_TEXT_SIZE];
    dv_job_text(&job.job, text);
    assert_string_equal(text, "Slurm job 1230_3 (1234) on node n1, restart 2");
}

static void memory_is_of_the_node_the_cpus_or_the_gpus(void **state) {
    (void)state;
    const char *const node[] = {
        "SLURM_JOB_ID", "1", "SLURM_MEM_PER_NODE", "4000", "SLURM_MEM_PER_CPU", "7", "SLURM_CPUS_ON_NODE", "2", NULL};
    assert_int_equal(job_of(node).job.memory_bytes, 4000ULL << 20);
    const char *const gpu[] = {"SLURM_JOB_ID", "1", "SLURM_MEM_PER_GPU", "100", "SLURM_GPUS_ON_NODE", "3", NULL};
    assert_int_equal(job_of(gpu).job.memory_bytes, 300ULL << 20);
    const char *const all[] = {"SLURM_JOB_ID", "1", "SLURM_MEM_PER_NODE", "0", NULL};
    assert_int_equal(job_of(all).job.memory_bytes, 0);
    const char *const senseless[] = {"SLURM_JOB_ID", "1", "SLURM_MEM_PER_NODE", "99999999999999999", NULL};
    assert_int_equal(job_of(senseless).job.memory_bytes, 0);
}

/* Each above what there can be; all else as it is told. */
static void numbers_that_no_machine_has_are_not_told(void **state) {
    (void)state;
    static const char *const senseless[] = {"1125899906842625", "18446744073709551615", "18446744073709551616",
                                            "9999999999999999999999999"};
    for (size_t i = 0; i < sizeof senseless / sizeof *senseless; i++) {
        const char *const much = senseless[i];
        const char *const set[] = {"SLURM_JOB_ID",
                                   "1",
                                   "SLURM_CPUS_ON_NODE",
                                   much,
                                   "SLURM_JOB_CPUS_PER_NODE",
                                   much,
                                   "SLURM_GPUS_ON_NODE",
                                   much,
                                   "SLURM_RESTART_COUNT",
                                   much,
                                   "SLURM_MEM_PER_NODE",
                                   much,
                                   "OMPI_COMM_WORLD_LOCAL_SIZE",
                                   much,
                                   NULL};
        const dv_slurm_job job = job_of(set);
        assert_int_equal(job.job.n_cpus, 0);
        assert_int_equal(job.step_cpus, 0);
        assert_int_equal(job.job.n_gpus, 0);
        assert_int_equal(job.job.n_restarts, 0);
        assert_int_equal(job.job.memory_bytes, 0);
        assert_int_equal(job.n_processes, 1);
    }
    const char *const most[] = {"SLURM_JOB_ID",
                                "1",
                                "SLURM_CPUS_ON_NODE",
                                "1048576",
                                "SLURM_GPUS_ON_NODE",
                                "65536",
                                "SLURM_RESTART_COUNT",
                                "2147483648",
                                "OMPI_COMM_WORLD_LOCAL_SIZE",
                                "1048576",
                                NULL};
    const dv_slurm_job job = job_of(most);
    assert_int_equal(job.job.n_cpus, 1048576);
    assert_int_equal(job.job.n_gpus, 65536);
    assert_true(job.job.n_restarts == 2147483648U);
    assert_int_equal(job.n_processes, 1048576);
    assert_int_equal(dv_launch_number("65537", 65536), 0);
}

/* 2^53 + 1 megabytes times 4096 is 4096 beyond 2^64; the second wraps only in bytes. */
static void memory_that_wraps_is_not_told(void **state) {
    (void)state;
    static const char *const each[] = {"9007199254740993", "1125899906842624", "4503599627370", "18446744073709551615"};
    static const char *const kinds[][2] = {{"SLURM_MEM_PER_CPU", "SLURM_CPUS_ON_NODE"},
                                           {"SLURM_MEM_PER_GPU", "SLURM_GPUS_ON_NODE"}};
    for (size_t i = 0; i < 2 * sizeof each / sizeof *each; i++) {
        const char *const set[] = {"SLURM_JOB_ID", "1", kinds[i % 2][0], each[i / 2], kinds[i % 2][1], "4096", NULL};
        assert_int_equal(job_of(set).job.memory_bytes, 0);
    }
}

static void processes_of_a_node_are_those_of_the_step_or_of_mpirun(void **state) {
    (void)state;
    const char *const step[] = {
        "SLURM_JOB_ID", "1", "SLURM_STEP_ID", "0", "SLURM_STEP_TASKS_PER_NODE", "3(x2)", "SLURM_NODEID", "1", NULL};
    assert_int_equal(job_of(step).n_processes, 3);
    const char *const mpirun[] = {"SLURM_JOB_ID",
                                  "1",
                                  "OMPI_COMM_WORLD_LOCAL_SIZE",
                                  "4",
                                  "OMPI_COMM_WORLD_SIZE",
                                  "8",
                                  "SLURM_STEP_ID",
                                  "0",
                                  "SLURM_STEP_TASKS_PER_NODE",
                                  "1(x2)",
                                  NULL};
    assert_int_equal(job_of(mpirun).n_processes, 4);
    const char *const batch[] = {"SLURM_JOB_ID", "1", "SLURM_STEP_TASKS_PER_NODE", "8", NULL};
    assert_int_equal(job_of(batch).n_processes, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(list_gives_the_number_of_each_node),
        cmocka_unit_test(process_outside_of_a_job_is_in_none),
        cmocka_unit_test(task_of_an_array_tells_what_it_was_given),
        cmocka_unit_test(memory_is_of_the_node_the_cpus_or_the_gpus),
        cmocka_unit_test(numbers_that_no_machine_has_are_not_told),
        cmocka_unit_test(memory_that_wraps_is_not_told),
        cmocka_unit_test(processes_of_a_node_are_those_of_the_step_or_of_mpirun),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
