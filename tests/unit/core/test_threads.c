#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/cgroup.h"
#include "denseval/threads.h"
#include "unit/core/scratch.h"

static void quota_is_rounded_down_to_whole_cpus_but_at_least_one(void **state) {
    (void)state;
    assert_int_equal(dv_cgroup_cpus_v2("150000 100000\n"), 1); /* SYS-03: 1.5 CPUs */
    assert_int_equal(dv_cgroup_cpus_v2("400000 100000\n"), 4);
    assert_int_equal(dv_cgroup_cpus_v2("399999 100000\n"), 3);
    assert_int_equal(dv_cgroup_cpus_v2("50000 100000\n"), 1);
    assert_int_equal(dv_cgroup_cpus_v1("150000\n", "100000\n"), 1);
    assert_int_equal(dv_cgroup_cpus_v1("800000\n", "100000\n"), 8);
    assert_int_equal(dv_cgroup_cpus_v1("1000\n", "100000\n"), 1);
}

static void absent_or_senseless_quota_is_no_limit(void **state) {
    (void)state;
    const char *const texts[] = {"max 100000\n", "max", "", "100000", "100000 0", "0 100000", "-1 100000", "x y"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) assert_int_equal(dv_cgroup_cpus_v2(texts[i]), 0);
    assert_int_equal(dv_cgroup_cpus_v1("-1\n", "100000\n"), 0);
    assert_int_equal(dv_cgroup_cpus_v1("100000\n", ""), 0);
}

static void check_place(const char *self_cgroup, const char *mountinfo, const char *path, bool is_v2) {
    dv_cgroup_place place;
    assert_int_equal(dv_cgroup_find(self_cgroup, mountinfo, "cpu", &place), DV_OK);
    if (path) {
        assert_non_null(place.path);
        assert_string_equal(place.path, path);
        assert_int_equal(place.is_v2, is_v2);
    } else {
        assert_null(place.path);
    }
    free(place.path);
}

#define V2_MOUNT "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n"
#define OTHER_MOUNTS "22 1 8:1 / / rw - ext4 /dev/sda1 rw\n23 22 0:21 / /sys rw - sysfs sysfs rw\n"

static void group_of_v2_is_found_below_its_mount(void **state) {
    (void)state;
    check_place("0::/user.slice/job\n", OTHER_MOUNTS V2_MOUNT, "/sys/fs/cgroup/user.slice/job", true);
    check_place("0::/\n", OTHER_MOUNTS V2_MOUNT, "/sys/fs/cgroup", true);
    check_place("12:cpuset:/\n0::/a", V2_MOUNT, "/sys/fs/cgroup/a", true); /* no newline at the end */
}

/* A container that sees a part of the hierarchy: the root of the mount is taken off the path of the group. */
static void part_that_the_mount_hides_is_taken_off(void **state) {
    (void)state;
    const char *mount = "30 23 0:26 /docker/abc /sys/fs/cgroup ro - cgroup2 cgroup rw\n";
    check_place("0::/docker/abc/inner\n", mount, "/sys/fs/cgroup/inner", true);
    check_place("0::/docker/abc\n", mount, "/sys/fs/cgroup", true);
    check_place("0::/docker/abcdef\n", mount, "/sys/fs/cgroup", true); /* another group, which is not visible */
    check_place("0::/../outside\n", V2_MOUNT, "/sys/fs/cgroup", true);
}

static void v1_is_found_by_its_cpu_controller_and_comes_first(void **state) {
    (void)state;
    const char *mounts = "31 25 0:27 / /cg/cpuset rw - cgroup cgroup rw,cpuset\n"
                         "32 25 0:28 / /cg/cpu,cpuacct rw shared:9 master:2 - cgroup cgroup rw,cpu,cpuacct\n"
                         "33 25 0:29 / /cg/unified rw - cgroup2 cgroup2 rw\n";
    check_place("5:cpuset:/x\n4:cpuacct,cpu:/slurm/job_7\n0::/y\n", mounts, "/cg/cpu,cpuacct/slurm/job_7", false);
    check_place("5:cpuset:/x\n0::/y\n", mounts, "/cg/unified/y", true); /* the controller is not in v1 */
}

static void escaped_mount_point_is_read(void **state) {
    (void)state;
    check_place("0::/a\n", "30 23 0:26 / /sys/my\\040c\\134group rw - cgroup2 cgroup2 rw\n", "/sys/my c\\group/a",
                true);
}

static void damaged_texts_give_no_place(void **state) {
    (void)state;
    const char *const texts[] = {"", "\n\n", "0", "0:", "0:cpu", "0:cpu:", "0::", "0::relative", ":::", "30 23"};
    const char *const mounts[] = {"",
                                  "\n",
                                  "30",
                                  "30 23 0:26 /",
                                  "30 23 0:26 / /m rw",
                                  "30 23 0:26 / /m rw -",
                                  "30 23 0:26 / /m rw - cgroup2",
                                  "30 23 0:26 / /m rw - cgroup cgroup rw,cpuset"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) check_place(texts[i], V2_MOUNT, NULL, true);
    for (size_t i = 0; i < sizeof mounts / sizeof *mounts; i++) check_place("1:cpu:/a\n0::/a\n", mounts[i], NULL, true);
}

/* Writes the two files of /proc/self for a hierarchy that is mounted in the scratch folder. */
static void write_proc(const char *self_cgroup, const char *type, const char *options) {
    char line[SCRATCH_PATH];
    assert_int_equal(scratch_write_text("self_cgroup", self_cgroup), 0);
    snprintf(line, sizeof line, "30 23 0:26 / %s rw - %s cgroup %s\n", scratch("mount"), type, options);
    assert_int_equal(scratch_write_text("mountinfo", line), 0);
}

static size_t cpus_of_scratch(void) {
    size_t n_cpus = 99;
    assert_int_equal(dv_cgroup_cpus(scratch("self_cgroup"), scratch("mountinfo"), &n_cpus), DV_OK);
    return n_cpus;
}

/* SYS-03: a job step inherits the limit of its job. */
static void least_quota_on_the_way_up_counts(void **state) {
    (void)state;
    write_proc("0::/job/step\n", "cgroup2", "rw");
    assert_int_equal(
        mkdir(scratch("mount"), 0777) | mkdir(scratch("mount/job"), 0777) | mkdir(scratch("mount/job/step"), 0777), 0);
    assert_int_equal(cpus_of_scratch(), 0);
    assert_int_equal(scratch_write_text("mount/job/step/cpu.max", "max 100000\n"), 0);
    assert_int_equal(cpus_of_scratch(), 0);
    assert_int_equal(scratch_write_text("mount/cpu.max", "600000 100000\n"), 0);
    assert_int_equal(cpus_of_scratch(), 6);
    assert_int_equal(scratch_write_text("mount/job/cpu.max", "250000 100000\n"), 0);
    assert_int_equal(cpus_of_scratch(), 2);
    assert_int_equal(scratch_write_text("mount/job/step/cpu.max", "300000 100000\n"), 0);
    assert_int_equal(cpus_of_scratch(), 2);
    assert_int_equal(scratch_write_text("cpu.max", "100000 100000\n"), 0); /* above the mount: not ours to look at */
    assert_int_equal(cpus_of_scratch(), 2);
}

static void quota_of_v1_is_read_from_its_two_files(void **state) {
    (void)state;
    write_proc("4:cpu,cpuacct:/one\n", "cgroup", "rw,cpu,cpuacct");
    assert_int_equal(mkdir(scratch("mount/one"), 0777), 0);
    assert_int_equal(scratch_write_text("mount/one/cpu.cfs_period_us", "100000\n"), 0);
    assert_int_equal(cpus_of_scratch(), 0); /* cpu.max of v2 lies there too, but is not read */
    assert_int_equal(scratch_write_text("mount/one/cpu.cfs_quota_us", "350000\n"), 0);
    assert_int_equal(cpus_of_scratch(), 3);
    assert_int_equal(scratch_write_text("mount/cpu.cfs_quota_us", "-1\n"), 0);
    assert_int_equal(scratch_write_text("mount/cpu.cfs_period_us", "100000\n"), 0);
    assert_int_equal(cpus_of_scratch(), 3);
}

static size_t memory_of_scratch(void) {
    size_t n_bytes = 99;
    assert_int_equal(dv_cgroup_memory(scratch("self_cgroup"), scratch("mountinfo"), &n_bytes), DV_OK);
    return n_bytes;
}

static void the_least_memory_limit_on_the_way_up_counts(void **state) {
    (void)state;
    write_proc("0::/job/step\n", "cgroup2", "rw");
    assert_int_equal(memory_of_scratch(), 0);
    assert_int_equal(scratch_write_text("mount/job/step/memory.max", "max\n"), 0);
    assert_int_equal(memory_of_scratch(), 0);
    assert_int_equal(scratch_write_text("mount/job/memory.max", "8589934592\n"), 0);
    assert_int_equal(memory_of_scratch(), (size_t)8 << 30);
    write_proc("4:memory:/one\n3:cpu:/job\n", "cgroup", "rw,memory");
    assert_int_equal(scratch_write_text("mount/one/memory.limit_in_bytes", "9223372036854771712\n"), 0);
    assert_int_equal(memory_of_scratch(), 0); /* what v1 says for "none" */
    assert_int_equal(scratch_write_text("mount/memory.limit_in_bytes", "1048576\n"), 0);
    assert_int_equal(memory_of_scratch(), 1048576);
}

static void system_without_cgroups_has_no_limit(void **state) {
    (void)state;
    size_t n_cpus = 99;
    assert_int_equal(dv_cgroup_cpus(scratch("nowhere"), scratch("mountinfo"), &n_cpus), DV_OK);
    assert_int_equal(n_cpus, 0);
    assert_int_equal(dv_cgroup_cpus(scratch("self_cgroup"), scratch("nowhere"), &n_cpus), DV_OK);
    assert_int_equal(n_cpus, 0);
}

static dv_thread_limits limits_of(size_t option, const char *omp, const char *slurm) {
    dv_thread_limits limits;
    assert_int_equal(dv_thread_limits_get(option, omp, slurm, &limits), DV_OK);
    return limits;
}

static void each_limit_is_reported_and_the_least_is_allowed(void **state) {
    (void)state;
    const dv_thread_limits free = limits_of(0, NULL, NULL);
    assert_int_equal(free.option, 0);
    assert_int_equal(free.omp, 0);
    assert_int_equal(free.slurm, 0);
    assert_true(free.affinity >= 1);
    assert_int_equal(free.allowed, free.cgroup && free.cgroup < free.affinity ? free.cgroup : free.affinity);
    const dv_thread_limits many = limits_of(1000001, "1000002,4", "1000003");
    assert_int_equal(many.option, 1000001);
    assert_int_equal(many.omp, 1000002); /* its first number */
    assert_int_equal(many.slurm, 1000003);
    assert_int_equal(many.allowed, free.allowed);
    const dv_thread_limits senseless = limits_of(0, "18446744073709551615", "1048577");
    assert_int_equal(senseless.omp, 0);
    assert_int_equal(senseless.slurm, 0);
    assert_int_equal(limits_of(0, NULL, "1048576").slurm, 1048576);
    assert_int_equal(limits_of(1, "8", "8").allowed, 1);
    assert_int_equal(limits_of(8, "1", "8").allowed, 1);
    assert_int_equal(limits_of(8, "8", "1").allowed, 1);
}

/* SYS-03, SYS-04: affinity of one CPU, variable 8. */
static void affinity_of_this_thread_counts(void **state) {
    (void)state;
    cpu_set_t before[64], one[64]; /* 65536 CPUs */
    assert_int_equal(sched_getaffinity(0, sizeof before, before), 0);
    CPU_ZERO_S(sizeof one, one);
    size_t first = 0;
    while (!CPU_ISSET_S(first, sizeof before, before)) first++;
    CPU_SET_S(first, sizeof one, one);
    assert_int_equal(sched_setaffinity(0, sizeof one, one), 0);
    const dv_thread_limits limits = limits_of(0, NULL, "8");
    assert_int_equal(sched_setaffinity(0, sizeof before, before), 0);
    assert_int_equal(limits.affinity, 1);
    assert_int_equal(limits.slurm, 8);
    assert_int_equal(limits.allowed, 1);
}

static void variables_that_are_no_number_are_named(void **state) {
    (void)state;
    const char *const texts[] = {
        "", "0", "-1", "2x", " 2", "two", ",2", "99999999999999999999", "111111111111111111111111111111111111111111"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char message[200];
        dv_thread_limits limits = {.allowed = 77};
        assert_int_equal(dv_thread_limits_get(0, texts[i], NULL, &limits), DV_E_USAGE);
        snprintf(message, sizeof message, "OMP_NUM_THREADS: \"%s\": must be a number of threads, at least 1", texts[i]);
        assert_string_equal(dv_last_error(), message);
        assert_int_equal(dv_thread_limits_get(0, NULL, texts[i], &limits), DV_E_USAGE);
        assert_non_null(strstr(dv_last_error(), "SLURM_CPUS_PER_TASK: "));
        assert_int_equal(limits.allowed, 77);
    }
    dv_thread_limits limits;
    assert_int_equal(dv_thread_limits_get(0, NULL, "4,2", &limits), DV_E_USAGE); /* a list is OpenMP's alone */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quota_is_rounded_down_to_whole_cpus_but_at_least_one),
        cmocka_unit_test(absent_or_senseless_quota_is_no_limit),
        cmocka_unit_test(group_of_v2_is_found_below_its_mount),
        cmocka_unit_test(part_that_the_mount_hides_is_taken_off),
        cmocka_unit_test(v1_is_found_by_its_cpu_controller_and_comes_first),
        cmocka_unit_test(escaped_mount_point_is_read),
        cmocka_unit_test(damaged_texts_give_no_place),
        cmocka_unit_test(least_quota_on_the_way_up_counts),
        cmocka_unit_test(quota_of_v1_is_read_from_its_two_files),
        cmocka_unit_test(the_least_memory_limit_on_the_way_up_counts),
        cmocka_unit_test(system_without_cgroups_has_no_limit),
        cmocka_unit_test(each_limit_is_reported_and_the_least_is_allowed),
        cmocka_unit_test(affinity_of_this_thread_counts),
        cmocka_unit_test(variables_that_are_no_number_are_named),
    };
    return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
