"""The shipped Slurm scripts under a real Slurm, which this test starts and stops itself: parts and merge, preemption, two jobs on one
folder, a node daemon that is killed, a full disk, a missing part. What comes out is compared with one undisturbed run.

usage: test_slurm.py short|long"""
import filecmp
import glob
import json
import os
import random
import shutil
import subprocess
import sys

from slurm_cluster import SKIP, Cluster, missing_daemon, wait_for

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
PROGRAM = os.path.abspath(os.environ.get("DENSEVAL", f"{ROOT}/build/denseval"))
SHARED = os.environ.get("DENSEVAL_SHARED", f"{ROOT}/../shared")
SCRIPTS = f"{ROOT}/configs/slurm"
DEMO = f"{ROOT}/configs/demo.yaml"
N_PARTS = 8
SMALL = ("--cpus-per-task=1", "--mem=300M")
SWEEP_OPTIONS = "--bootstrap 100 --plots none --block-images 2"


def check(what, found, expected):
    if found != expected:
        raise SystemExit(f"{what}: {found!r}, expected {expected!r}")


def check_holds(what, text, wanted):
    if wanted not in text:
        raise SystemExit(f"{what}: no \"{wanted}\" in\n{text}")


def text_of(pattern):
    """All files that match, one after the other."""
    texts = []
    for path in sorted(glob.glob(pattern)):
        with open(path, errors="replace") as file:
            texts.append(file.read())
    return "".join(texts)


def load(path):
    with open(path) as file:
        return json.load(file)


def check_same(what, expected, found):
    """All files but resources.json are the same bytes."""
    names = sorted(os.listdir(expected))
    check(f"{what}, files", sorted(os.listdir(found)), names)
    for name in names:
        if name != "resources.json":
            check(f"{what}, {name}", filecmp.cmp(f"{expected}/{name}", f"{found}/{name}", False), True)


class Work:
    """A folder to submit from, and one cluster."""

    def __init__(self, cluster):
        self.cluster = cluster
        self.folder = f"{cluster.folder}/work"
        self.calm = f"{self.folder}/calm"
        os.mkdir(self.folder)

    def environment(self, config, out, held=False):
        return {"CONFIG": config, "OUT": out, "PARTS": str(N_PARTS), "SWEEP_OPTIONS": SWEEP_OPTIONS, "MERGE_OPTIONS": "--plots none",
                "MERGE_RESOURCES": "--time=5", "DENSEVAL": f"{HERE}/stop_after_block.sh" if held else PROGRAM,
                "PROGRAM": PROGRAM, "CALM": self.calm}

    def submit_sweep(self, script, config, out, held=False, **environment):
        """Gives the ids of the array and of the merge."""
        said = self.cluster.call("bash", script, *SMALL, cwd=self.folder, **{**self.environment(config, out, held), **environment})
        words = said.replace(",", "").replace(";", "").split()
        numbers = [word for word in words if word.isdigit()]
        return numbers[0], numbers[-1]

    def submit(self, script, config, out, *arguments, options=()):
        said = self.cluster.call("sbatch", "--parsable", *SMALL, *options, script, *arguments, cwd=self.folder,
                                 **self.environment(config, out))
        return said.strip()

    def check_end(self, what, job, code):
        """Waits for the end of a job, which must have that exit code."""
        states = self.cluster.wait_end(job)
        found = (states, self.exit_of(job))
        if found != ({"FAILED" if code else "COMPLETED"}, f"{code}:0"):
            raise SystemExit(f"{what}: {found}, expected exit {code}; {self.cluster.jobs()}\n{self.all_logs()}")

    def exit_of(self, job):
        facts = self.cluster.tell("scontrol", "-o", "show", "job", job)
        return next(word.split("=")[1] for word in facts.split() if word.startswith("ExitCode="))

    def log(self, pattern):
        return text_of(f"{self.folder}/{pattern}")

    def all_logs(self):
        return (self.log("*.log") + self.log("out/*.logs/*.log"))[-6000:]

    def whole(self, config):
        """The result of one undisturbed run."""
        out = f"{self.folder}/whole-{os.path.basename(config)}"
        subprocess.run([PROGRAM, "sweep", config, "--out", out, "--quiet", *SWEEP_OPTIONS.split()], check=True, stdout=subprocess.DEVNULL)
        return out


def held_tasks(work, out, array):
    """{part: job number} of the parts that stopped after a block and wait for a signal."""
    jobs = work.cluster.jobs()
    parts = [os.path.basename(path)[: -len(".held")] for path in glob.glob(f"{out}.parts/*.held")]
    return {part: jobs[f"{array}_{part}"][2] for part in parts if jobs.get(f"{array}_{part}", [""])[0] == "RUNNING"}


def n_restarts(work, array):
    return sum(restarts for name, (_, restarts, _) in work.cluster.jobs().items() if name.startswith(f"{array}_"))


def wait_held(work, out, array):
    return wait_for("a part stops after a block",
                    lambda: work.cluster.start_now() or held_tasks(work, out, array) or work.cluster.ended(array) and {"": ""})


def preempt(work, out, array, n_wanted, chance):
    """Signals parts, all that are held at once, until so many were queued again."""
    while n_restarts(work, array) < n_wanted:
        tasks = wait_held(work, out, array)
        if "" in tasks:
            raise SystemExit(f"the array ended after {n_restarts(work, array)} of {n_wanted} preemptions: {work.all_logs()}")
        before = n_restarts(work, array)
        chosen = chance.sample(sorted(tasks), min(len(tasks), n_wanted - before))
        for part in chosen:
            work.cluster.call("scancel", "--signal=USR1", "--batch", f"{array}_{part}")
        wait_for(f"parts {chosen} are queued again", lambda: n_restarts(work, array) >= before + len(chosen))


def check_cancelled(work):
    """What a user ends stays ended, and its merge goes with it. The number of this one task is that of its array."""
    out = f"{work.folder}/out/cancelled"
    array, merge = work.submit_sweep(f"{SCRIPTS}/sweep.sbatch", DEMO, out, held=True, PARTS="1")
    wait_held(work, out, array)
    work.cluster.call("scancel", array)
    check("a cancelled part", work.cluster.wait_end(array), {"CANCELLED"})
    log = text_of(f"{out}.logs/denseval-sweep-*.log")
    check_holds("its log", log, f"interrupted: job {array}_1 was ended or queued again from outside")
    check("its journal", has_block(f"{out}.parts/1"), True)
    check("its merge", work.cluster.wait_end(merge), {"CANCELLED"})


def check_in_use(work, out, array):
    """A second job on the folder of a part at work is refused and names the first."""
    part, number = sorted(wait_held(work, out, array).items())[0]
    command = f"{PROGRAM} sweep {DEMO} --cells {part}/{N_PARTS} --out {out}.parts/{part} {SWEEP_OPTIONS}"
    job = work.cluster.call("sbatch", "--parsable", *SMALL, "--output=second.log", "--wrap", command, cwd=work.folder).strip()
    work.check_end("a second job on the same folder", job, 75)
    said = work.log("second.log")
    check_holds("the refusal", said, f"{out}.parts/{part}: in use by process ")
    check_holds("the refusal", said, f" on {os.uname().nodename}, Slurm job {array}_{part} ({number}) on node n")
    check_holds("the refusal", said, " since 2")


def check_killed_daemon(work, out, array):
    """A job outlives its node's daemon, and is heard of again once there is a new one."""
    wait_held(work, out, array)
    for node in ("n1", "n2"):
        work.cluster.kill_node(node)
        work.cluster.start_node(node)


def check_part(work, out):
    """What a part that was preempted tells of itself."""
    parts = [load(path) for path in sorted(glob.glob(f"{out}.parts/*/resources.json"))]
    check("parts", len(parts), N_PARTS)
    jobs = [part["job"] for part in parts]
    check("tasks", sorted(int(job["array_task"]) for job in jobs), list(range(1, N_PARTS + 1)))
    check("CPUs and memory of each", {(job["cpus"], job["memory_bytes"]) for job in jobs}, {(1, 300 << 20)})
    again = [part for part in parts if part["restarts"]]
    check("parts that went on", bool(again), True)
    check("restarts in Slurm's count, too", all(part["job"]["restarts"] >= part["restarts"] for part in again), True)
    log = text_of(f"{out}.logs/denseval-sweep-*.log")
    check_holds("the log", log, "restart 1, goes on with ")
    check_holds("the log's first line", log, f", part 3 of {N_PARTS}: job {jobs[0]['array_id']}_3 on n")
    merged = load(f"{out}/resources.json")
    check("processor seconds of all parts", abs(merged["resources"]["cpu_s"] - sum(p["resources"]["cpu_s"] for p in parts)) < 1e-6, True)
    check("jobs of the parts", [part["job"] for part in merged["of_parts"]], [f"{job['array_id']}_{job['array_task']}" for job in
                                                                             sorted(jobs, key=lambda job: int(job["array_task"]))])
    check("efficiency of all", 0 < merged["job"]["cpu_efficiency"] <= 1.5, True)


def check_preemption(work, whole, n_preemptions):
    out = f"{work.folder}/out/preempted"
    array, merge = work.submit_sweep(f"{SCRIPTS}/sweep.sbatch", DEMO, out, held=True)
    check_in_use(work, out, array)
    check_killed_daemon(work, out, array)
    preempt(work, out, array, n_preemptions, random.Random(7))
    with open(work.calm, "w"):
        pass
    work.check_end("merge", merge, 0)
    n = n_restarts(work, array)
    check_same(f"after {n} preemptions", whole, out)
    check_part(work, out)
    print(f"{n} preemptions over {N_PARTS} parts: the same bytes")
    return out


def check_missing_part(work, out):
    script = f"{SCRIPTS}/sweep.sbatch"
    shutil.rmtree(out)
    os.rename(f"{out}.parts/3", f"{work.folder}/part3")
    job = work.submit(script, DEMO, out, "merge", options=("--output=gap.log",))
    work.check_end("merge with a gap", job, 66)
    check_holds("merge with a gap", work.log("gap.log"), f"part 3 of {N_PARTS} is missing")
    check("result of a merge with a gap", os.path.exists(out), False)
    array, merge = work.submit_sweep(script, DEMO, out)  # only the missing one is computed
    work.check_end("merge after the gap", merge, 0)
    check("parts that were left as they are", text_of(f"{out}.logs/denseval-sweep-{array}_*.log").count("is finished already"), N_PARTS - 1)
    check_same("part computed again", f"{work.folder}/part3", f"{out}.parts/3")


def check_generated(work, config, whole, *options):
    """The script of --print-slurm, submitted as it is printed but for the names of this machine's resources."""
    script, out = f"{work.folder}/generated.sbatch", f"{work.folder}/out/generated"
    printed = subprocess.run([PROGRAM, "sweep", config, "--print-slurm", "--out", out, *SWEEP_OPTIONS.split(), *options],
                             check=True, capture_output=True, text=True).stdout
    with open(script, "w") as file:
        file.write(printed)
    said = work.cluster.call("bash", script, cwd=work.folder, MERGE_OPTIONS="--plots none")
    numbers = [word for word in said.replace(",", "").replace(";", "").split() if word.isdigit()]
    work.check_end("merge of the generated script", numbers[-1], 0)
    check_same("generated script", whole, out)
    parts = [load(path) for path in sorted(glob.glob(f"{out}.parts/*/resources.json"))]
    for part in parts:
        check("memory is enough", part["resources"]["max_rss_bytes"] < part["job"]["memory_bytes"], True)
    print(f"generated script: {len(parts)} parts, {said.strip()}")


def check_full_disk(work):
    """No result is better than half of one."""
    disk = f"{work.folder}/disk"
    os.mkdir(disk)
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", disk], capture_output=True)
    if mounted.returncode != 0:
        print("full disk: skipped, no file system can be mounted here")
        return
    try:
        job = work.submit(f"{SCRIPTS}/one-node.sbatch", DEMO, f"{disk}/out", options=("--gpus-per-node=0", "--output=full.log"))
        work.check_end("full disk", job, 74)
        check_holds("full disk", work.log("full.log"), "No space left on device")
        check("result on a full disk", os.path.exists(f"{disk}/out/results.json"), False)
    finally:
        subprocess.run(["umount", disk], check=True)


def check_four_gpus(work, whole):
    """The script for one node as it is, where Slurm has GPUs to give; they are none that could compute."""
    if not work.cluster.has_gpus:
        print("GPUs: skipped, no device files can be made here")
        return
    out = f"{work.folder}/out/node"
    job = work.submit(f"{SCRIPTS}/one-node.sbatch", DEMO, out, options=("--output=node.log",))
    work.check_end("one node", job, 0)
    check_same("one node", whole, out)
    check("GPUs", load(f"{out}/resources.json")["job"]["gpus"], 4)


def check_nodes(work, whole):
    """The script for several nodes, started in both ways: a process on each, interrupted once; the program and this machine must
    have MPI."""
    told = subprocess.run([PROGRAM, "sweep", "--help"], capture_output=True, text=True).stdout
    if "--split" not in told or not shutil.which("mpirun"):
        print("nodes: skipped, no mpirun here, or a program without MPI")
        return
    for_mpi = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_mpi_yield_when_idle": "1"}
    starts = {"mpirun": "mpirun"}
    if "pmix" in work.cluster.call("srun", "--mpi=list").split():
        starts["srun"] = ""  # what is chosen where nobody says
        check_copies(work)
    else:
        print("srun: skipped, this Slurm has no PMIx")
    for name, start in starts.items():
        out = f"{work.folder}/out/{name}"
        job = work.cluster.call("sbatch", "--parsable", *SMALL, "--nodes=2", "--gpus-per-node=0", f"--output={name}.log",
                                f"{SCRIPTS}/nodes.sbatch", cwd=work.folder, START=start, **work.environment(DEMO, out),
                                **for_mpi).strip()
        wait_for("a block is in the journal", lambda: has_block(out) or os.path.exists(f"{out}/results.json"))
        work.cluster.tell("scancel", "--signal=USR1", "--batch", job)
        work.check_end(f"nodes by {name}", job, 0)
        check_same(f"nodes by {name}", whole, out)
        check(f"ranks by {name}", len(load(f"{out}/resources.json")["resources"]["ranks"]), 2)
        print(f"nodes by {name}: the same bytes after {n_restarts_of(work, job)} restarts")


def has_block(out):
    """Is there more in a journal than what a run begins it with?"""
    return os.path.exists(f"{out}/run.journal") and os.path.getsize(f"{out}/run.journal") > 3000


def check_copies(work):
    """What srun starts without PMIx are copies that know nothing of each other: they are refused, and the message is told once."""
    out = f"{work.folder}/copies"
    done = subprocess.run(["srun", "--mpi=none", "--ntasks=3", *SMALL, PROGRAM, "sweep", DEMO, "--out", out], capture_output=True,
                          text=True, env=work.cluster.environment)
    check("copies", (done.returncode, done.stderr.count("--mpi=pmix"), os.path.exists(out)), (64, 1, False))


def n_restarts_of(work, job):
    return work.cluster.jobs()[job][1]


def check_lost_node(work, whole):
    """Daemon and steps of a node are gone, as after a crash: Slurm starts its job again elsewhere or later, and that goes on."""
    out = f"{work.folder}/out/lost"
    os.remove(work.calm)
    array, merge = work.submit_sweep(f"{SCRIPTS}/sweep.sbatch", DEMO, out, held=True)
    wait_for("all parts are held", lambda: len(held_tasks(work, out, array)) == N_PARTS)
    work.cluster.kill_node("n1")
    work.cluster.kill_jobs("n1")
    wait_for("its jobs are queued again", lambda: n_restarts(work, array) > 0)
    with open(work.calm, "w"):
        pass
    work.cluster.start_node("n1")
    work.check_end("merge after a lost node", merge, 0)
    check_same("after a lost node", whole, out)


def check_multiview(work):
    """A larger grid by the script that is printed for it, in four parts."""
    data = os.path.abspath(f"{SHARED}/data/multiview")
    if not os.path.isdir(data):
        print("multiview: skipped, the data set is not beside this checkout")
        return
    difficulties = {"easy": [0, 30, 60, 90], "medium": [0, 45, 90], "hard": [0, 90], "extreme": [0]}
    config = {"schema": "denseval sweep v1",
              "encoders": [{"name": name, "features": f"{data}/features_{name}.h5"} for name in ("deep", "early")],
              "memory": {"sizes": [1000, 2000]},
              "difficulties": [{"name": name, "bins": bins} for name, bins in difficulties.items()],
              "validation_bins": [0, 15, 30, 45, 60, 75, 90]}
    path = f"{work.folder}/multiview.yaml"
    with open(path, "w") as file:
        json.dump(config, file)  # JSON is YAML too
    check_generated(work, path, work.whole(path), "--jobs", "4")


def main(how):
    missing = missing_daemon()
    if missing:
        print(f"skipped: {missing} is not installed (packages munge and slurm-wlm)")
        sys.exit(SKIP)
    with Cluster() as cluster:
        work = Work(cluster)
        whole = work.whole(DEMO)
        if how == "short":
            check_cancelled(work)
            out = check_preemption(work, whole, 4)
            check_missing_part(work, out)
            check_full_disk(work)
            check_four_gpus(work, whole)
            check_nodes(work, whole)
            check_generated(work, DEMO, whole)
        else:
            check_preemption(work, whole, 20)
            check_lost_node(work, whole)
            check_multiview(work)


if __name__ == "__main__":
    main(*sys.argv[1:])
