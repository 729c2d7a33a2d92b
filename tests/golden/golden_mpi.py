"""Ranks of mpirun give the bytes of one process, however many they are and whatever they share; bad inputs are told once and
in order; a rank that fails ends the others, and leaves no result.

usage: golden_mpi.py some|all|gpus (of a program that sees as many as SIMT_DEVICES tells)
"""
import json
import os
import shutil
import signal
import subprocess
import sys
import time

from common import DEMO, PROGRAM, SKIP, Checks, files_of, h5py, np, run, scratch, without_free

GRID, DIM, CLASSES, BINS = 4, 24, 5, (0, 15, 30)
BAD_IMAGES = (2, 5, 9)
ENVIRONMENT = {
    **os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_btl": "self,vader", "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
    "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"}  # plugins of MPI leak at the end


def mpirun(*command, n, kill_s=1):
    """The finished process of n ranks of a program, or of several: a list of (number, program and arguments). kill_s: how long
    mpirun leaves those that it ends."""
    line = ["mpirun", "-q"]
    for i, (count, words) in enumerate(n if isinstance(n, list) else [(n, [PROGRAM])]):
        line += [":"] * (i > 0) + ["-n", str(count), *words, *map(str, command)]
    return subprocess.run(line, capture_output=True, text=True, timeout=300,
                          env={**ENVIRONMENT, "OMPI_MCA_odls_base_sigkill_timeout": str(kill_s)})


def ranks(*command, n):
    done = mpirun(*command, "--json", n=n)
    if done.returncode:
        raise SystemExit(f"exit {done.returncode} of {n} ranks: {' '.join(map(str, command))}\n{done.stderr}")
    return json.loads(done.stdout)


def write(path, n_images, seed, bad=()):
    """Labelled features with coarse values, so that cosines tie."""
    random = np.random.default_rng(seed)
    labels = random.integers(0, CLASSES, (n_images, GRID, GRID))
    rows = random.standard_normal((CLASSES, DIM))[labels] + 0.7 * random.standard_normal((n_images, GRID, GRID, DIM))
    rows = (np.round(2 * rows) / 2).reshape(n_images, GRID * GRID, DIM).astype(np.float16)
    rows[list(bad), 3, 1] = np.nan
    text = h5py.string_dtype("utf-8")
    with h5py.File(path, "w") as f:
        f.attrs.update(schema="denseval features v1", grid_h=GRID, grid_w=GRID, patch_size=2, input_h=2 * GRID,
                       input_w=2 * GRID)
        f["features"] = rows
        f["labels"] = np.repeat(np.repeat(labels, 2, 1), 2, 2).astype(np.uint8)
        f["view_bin"] = np.array([BINS[i % len(BINS)] for i in range(n_images)], np.int32)
        f.create_dataset("class_names", data=list("abcde"[:CLASSES]), dtype=text)
        f.create_dataset("image_id", data=[f"{seed}-{i}" for i in range(n_images)], dtype=text)
        f.create_dataset("object_id", data=[f"o{i % 3}" for i in range(n_images)], dtype=text)
    return path


def write_config(path, features, sizes, bins, difficulties):
    with open(path, "w") as file:
        json.dump({"schema": "denseval sweep v1", "encoders": [{"name": os.path.basename(f), "features": f} for f in features],
                   "memory": {"sizes": sizes}, "validation_bins": bins, "k": 5,
                   "difficulties": [{"name": name, "bins": chosen} for name, chosen in difficulties.items()]}, file)
    return path


def read_bytes(path):
    with open(path, "rb") as f:
        return f.read()


class Sets:
    """A bank and queries for an uneven split, and one with fewer images and rows than ranks."""

    def __init__(self, checks, folder):
        self.checks, self.folder = checks, folder
        self.bank, self.queries = write(f"{folder}/bank.h5", 7, 1), write(f"{folder}/queries.h5", 11, 2)
        self.few_rows, self.few_images = f"{folder}/few_rows.h5", write(f"{folder}/few_images.h5", 2, 3)
        run("bank", "build", "--features", write(f"{folder}/three.h5", 3, 4), "--per-image", 1, "--out", self.few_rows)
        self.eval = ["eval", "--features", self.bank, "--memory-size", 60, "--passes", 2, "--queries",
                     self.queries, "-k", 5, "--bootstrap", 50, "--block-images", 2]
        self.knn = ["knn", "--features", self.bank, "--queries", self.queries, "-k", 2, "--exclude", "object", "--shards", 3]
        self.few = ["knn", "--bank", self.few_rows, "--queries", self.few_images, "-k", 2]
        self.sweep = ["sweep", self.config("sweep", self.queries), "--bootstrap", 50, "--plots", "none", "--block-images", 2]
        self.expected = {}

    def config(self, name, features):
        return write_config(f"{self.folder}/{name}.yaml", [self.bank, features], [20, 40], BINS,
                            {"easy": BINS[:2], "hard": BINS[:1]})

    def compare(self, what, runner, command, target, *more):
        """What a command printed and wrote, against what one process did."""
        out = f"{self.folder}/out"
        found = without_free(runner(*command, target, out, *more))
        found["written"] = files_of(out) if os.path.isdir(out) else read_bytes(out)
        shutil.rmtree(out) if os.path.isdir(out) else os.remove(out)
        key = " ".join(map(str, command))
        self.checks.equal(f"{what}: {key}", found == self.expected.setdefault(key, found), True)

    def compare_all(self, n, split, which=("eval", "knn", "few", "sweep")):
        for name in which:
            target = "--predictions" if name == "eval" else "--out"
            if n == 0:
                self.compare("one process", run, getattr(self, name), target)
            else:
                self.compare(f"{n} ranks, {split}", lambda *words: ranks(*words, n=n), getattr(self, name), target, "--split",
                             split)


def lines_of(text):
    return [line for line in text.splitlines() if "ranks share" not in line]


def check_bad_images(sets, n, split):
    """The lines of one process, each once and in their order."""
    bad, out = write(f"{sets.folder}/bad.h5", 11, 5, BAD_IMAGES), f"{sets.folder}/out"
    command = ["eval", "--features", sets.bank, "--queries", bad, "-k", 5]
    expected = run(*command, expect=65)
    done = mpirun(*command, "--split", split, n=n)
    sets.checks.equal(f"bad images, {n} ranks, {split}", (done.returncode, lines_of(done.stderr)), (65, lines_of(expected)))
    sets.checks.equal("bad images: how many", len(lines_of(expected)), len(BAD_IMAGES) + 1)
    config = ["sweep", sets.config("bad", bad), "--plots", "none", "--out", out, "--block-images", 1]
    for words in (command, config):
        alone = subprocess.run([PROGRAM, *map(str, words), "--skip-bad"], capture_output=True, text=True)
        shutil.rmtree(out, ignore_errors=True)
        done = mpirun(*words, "--skip-bad", "--split", split, n=n)
        shutil.rmtree(out, ignore_errors=True)
        sets.checks.equal(f"bad images left out, {n} ranks, {split}", (done.returncode, done.stdout, lines_of(done.stderr)),
                          (0, alone.stdout, lines_of(alone.stderr)))


def children_of(pid):
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat", encoding="latin-1") as file:
                found += [int(name)] * (int(file.read().rsplit(")", 1)[1].split()[1]) == pid)
        except (FileNotFoundError, ProcessLookupError):
            pass  # it ended meanwhile
    return sorted(found)


def check_signals(sets):
    """A signal to one rank, or to mpirun, ends all of them with 75; other numbers of ranks go on to the same bytes."""
    files = [os.path.abspath(f"{DEMO}/features_{name}.h5") for name in ("deep", "early")]
    config = write_config(f"{sets.folder}/signals.yaml", files, [240, 700], [0, 15, 30, 45, 60, 75, 90],
                          {"easy": [0, 30], "hard": [0]})
    whole, out = f"{sets.folder}/whole", f"{sets.folder}/disturbed"
    words = ["sweep", config, "--plots", "none", "--quiet", "--block-images", "2"]
    run(*words, "--out", whole)
    journal, n_ended = f"{out}/run.journal", 0
    for n, split, to_rank in ((3, "queries", True), (2, "bank", True), (4, "queries", False)):
        size = os.path.getsize(journal) if os.path.exists(journal) else 0
        process = subprocess.Popen(["mpirun", "-q", "-n", str(n), PROGRAM, *words, "--out", out, "--split", split],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=ENVIRONMENT, text=True)
        while process.poll() is None and (not os.path.exists(journal) or os.path.getsize(journal) <= size + 3000):
            time.sleep(0.01)
        if process.poll() is None:
            os.kill(children_of(process.pid)[-1] if to_rank else process.pid, signal.SIGUSR1)
        _, errors = process.communicate(timeout=120)
        if process.returncode == 0:
            break  # it was faster
        n_ended += 1
        sets.checks.equal(f"ended with {n} ranks, {split}", (process.returncode, errors),
                          (75, f"denseval: {out}: interrupted; the same command goes on from here\n"))
    sets.checks.equal("a run was ended", n_ended > 0, True)
    if os.path.exists(journal):
        ranks(*words, "--out", out, n=2)
    found, expected = files_of(out), files_of(whole)
    for name in expected:
        if name != "resources.json":
            sets.checks.equal(f"after {n_ended} signals: {name}", found[name], expected[name])


def check_failures(sets):
    """A failure of all ranks, or of some that another does not know of, is told once."""
    out = f"{sets.folder}/none.h5"
    missing = mpirun("knn", "--features", f"{sets.folder}/absent.h5", "--queries", sets.queries, "--out", out, n=3)
    sets.checks.equal("a missing file", (missing.returncode, missing.stderr),
                      (66, f"denseval: {sets.folder}/absent.h5: no such file\n"))
    odd = [(1, [PROGRAM]), (3, ["env", "DENSEVAL_CPU=none-such", PROGRAM])]
    one = mpirun(*sets.eval, "--predictions", f"{sets.folder}/none", "--split", "bank", "--backend", "cpu", "--quiet", n=odd)
    sets.checks.equal("ranks that fail while another works", (one.returncode, one.stderr.count("none-such"), one.stderr.count("\n")),
                      (64, 1, 1))
    swept = mpirun(*sets.sweep, "--out", f"{sets.folder}/none", "--backend", "cpu", "--quiet", n=[(1, [PROGRAM]), *odd[1:]])
    sets.checks.equal("a sweep that ends before its first block", (swept.returncode, swept.stderr.count("none-such")), (64, 1))
    bad = shutil.copy(sets.few_rows, f"{sets.folder}/bad_bank.h5")
    with h5py.File(bad, "r+") as file:
        file["rows"][-1, 0] = np.nan
    found = mpirun("knn", "--bank", bad, "--queries", sets.few_images, "-k", 2, "--out", out, "--split", "bank", "--quiet", n=2)
    sets.checks.equal("a bad row in the part of the last rank", (found.returncode, found.stderr.count(bad)), (65, 1))
    sets.checks.equal("what failed ranks leave", [name for name in os.listdir(sets.folder) if "none" in name], [])


def check_other_contents(sets):
    """Ranks that find other files under the same name, on disks of their own or in stale caches, are told which and where."""
    folders = [f"{sets.folder}/rank{i}" for i in range(2)]
    for i, folder in enumerate(folders):
        os.mkdir(folder)
        write(f"{folder}/b.h5", 7, 40 + i), write(f"{folder}/q.h5", 11, 42)
        write_config(f"{folder}/c.yaml", ["b.h5"], [20 + i], BINS, {"hard": BINS[:1]})
    apart = [(1, ["env", f"--chdir={folder}", os.path.abspath(PROGRAM)]) for folder in folders]
    for name, words in (("b.h5", ["knn", "--features", "b.h5", "--queries", "q.h5", "--split", "queries"]),
                        ("c.yaml", ["sweep", "c.yaml", "--plots", "none"])):
        done = mpirun(*words, "--out", f"{sets.folder}/none", n=apart, kill_s=0)
        sets.checks.equal(f"other contents of {name}", (done.returncode, done.stderr),
                          (65, f"denseval: {name}: rank 1 of 2 sees other contents than rank 0: all ranks must see the same files\n"))
    sets.checks.equal("what they leave", [name for name in os.listdir(sets.folder) if "none" in name], [])


def check_kill(sets):
    """A rank that is killed cleans nothing up, and neither do those that end with it: the next start does."""
    out = f"{sets.folder}/killed.h5"
    words = [*map(str, sets.knn), "--out", out]
    for _ in range(20):  # the run may be faster than the kill
        process = subprocess.Popen(["mpirun", "-q", "-n", "3", PROGRAM, *words, "--force"], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, env={**ENVIRONMENT, "OMPI_MCA_odls_base_sigkill_timeout": "0"})
        while process.poll() is None and not left_of(out):
            time.sleep(0.001)
        for child in children_of(process.pid)[-1:]:
            os.kill(child, signal.SIGKILL)
        if process.wait(timeout=120) and left_of(out):
            break
    sets.checks.equal("what killed ranks leave", len(left_of(out)), 1)
    sets.checks.equal("the next start", mpirun(*words, "--force", n=3).returncode, 0)
    sets.checks.equal("what it leaves", left_of(out), [])
    os.remove(out)


def left_of(path):
    folder, name = os.path.split(path)
    return [found for found in os.listdir(folder) if found.startswith(f".{name}.")]


def check_answers(sets):
    """What all ranks would say alike is said once."""
    for words in (["--version"], ["knn", "--help"], ["knm"]):
        alone = subprocess.run([PROGRAM, *words], capture_output=True, text=True)
        done = mpirun(*words, n=2)
        sets.checks.equal(f"2 ranks say once: {words}", (done.returncode, done.stdout, done.stderr),
                          (alone.returncode, alone.stdout, alone.stderr))


def check_copies(sets):
    """Processes that their starter counts as several, and MPI as one each, are refused."""
    copy = [(1, ["env", "-u", "OMPI_COMM_WORLD_SIZE", "PMIX_RANK=0", "SLURM_STEP_NUM_TASKS=2", PROGRAM])]
    done = mpirun(*sets.few, "--out", f"{sets.folder}/copy.h5", n=copy)
    sets.checks.equal("copies", (done.returncode, done.stderr.count("--alone")), (64, 1))
    one = subprocess.run([PROGRAM, *map(str, sets.few), "--out", f"{sets.folder}/copy.h5"], capture_output=True, text=True,
                         env={**ENVIRONMENT, "PMIX_RANK": "1", "SLURM_STEP_NUM_TASKS": "2"})
    sets.checks.equal("one that was handed down such variables", (one.returncode, one.stderr.count("--alone")), (64, 1))
    sets.checks.equal("files of copies", os.path.exists(f"{sets.folder}/copy.h5"), False)


def check_job(sets):
    """Efficiency is what all ranks used, of what their nodes were given: two ranks on one node here."""
    job = [(2, ["env", "SLURM_JOB_ID=7", "SLURM_JOB_CPUS_PER_NODE=3(x2)", "SLURM_MEM_PER_NODE=1024", PROGRAM])]
    out = f"{sets.folder}/job"
    done = mpirun(*sets.sweep, "--out", out, "--quiet", n=job)
    sets.checks.equal("sweep in a job", done.returncode, 0)
    with open(f"{out}/resources.json", encoding="utf-8") as file:
        found = json.load(file)
    job, accounts = found["job"], found["resources"]["ranks"]
    spent = found["resources"]
    sets.checks.equal("rank 0's time has what it wrote", accounts[0]["wall_s"] > spent["wall_s"] - spent["stages_s"]["report"], True)
    given_s = 3 * max(account["wall_s"] for account in accounts)
    sets.checks.equal("CPUs, memory", (job["cpus"], job["memory_bytes"]), (3, 2**30))
    sets.checks.equal("CPU seconds given", job["allocated_cpu_s"], given_s)
    sets.checks.equal("CPU efficiency", job["cpu_efficiency"], sum(account["cpu_s"] for account in accounts) / given_s)
    sets.checks.equal("memory efficiency", job["memory_efficiency"],
                      sum(account["max_rss_bytes"] for account in accounts) / 2**30)


def check_accounts(sets):
    """Each rank tells what it did: where the bank is split, it read and scanned its own rows alone."""
    n, n_images, row_bytes = 3, 2, DIM * 2
    found = ranks(*sets.few, "--out", f"{sets.folder}/out", "--split", "bank", n=n)["resources"]["ranks"]
    os.remove(f"{sets.folder}/out")
    n_queries = n_images * GRID * GRID
    sets.checks.equal("ranks", [account["rank"] for account in found], list(range(n)))
    sets.checks.equal("rows scanned", [account["rows_scanned"] for account in found], [n_queries] * n)
    sets.checks.equal("bytes read", [account["bytes_read"] for account in found], [(n_queries + 1) * row_bytes] * n)
    sets.checks.equal("bytes sent", sum(a["bytes_sent"] for a in found) > 0, True)


def check_gpus(sets):
    """Ranks share the GPUs of their node, give the bytes of one process, and tell what each took."""
    sees = lambda n_gpus: ["env", f"SIMT_DEVICES={n_gpus}", PROGRAM]
    command = [*sets.few, "--backend", "cuda", "--out", f"{sets.folder}/out"]
    run(*command)
    expected = read_bytes(command[-1])
    for n, gpus in (([(3, sees(4))], [2, 1, 1]), ([(3, sees(2))], [1, 1, 1]), ([(1, sees(2)), (1, sees(3))], [2, 3])):
        done = mpirun(*command, "--split", "queries", "--json", "--force", n=n)
        sets.checks.equal(f"{gpus}: exit", (done.returncode, "ranks of this node share 2 GPUs" in done.stderr),
                          (0, gpus == [1, 1, 1]))
        found = json.loads(done.stdout)["resources"]["ranks"]
        sets.checks.equal("GPUs of each rank", [account["gpus"] for account in found], gpus)
        sets.checks.equal("time and memory of each", all(a["gpu_memory_bytes"] > 0 and 0 < a["gpu_s"] <= a["gpus"] * a["wall_s"]
                                                         for a in found), True)
        sets.checks.equal("bytes on GPUs", read_bytes(command[-1]), expected)
    on_cpu = ranks(*sets.few, "--backend", "cpu", "--out", command[-1], "--force", n=2)["resources"]
    sets.checks.equal("no GPU on the CPU", [key for a in [on_cpu, *on_cpu["ranks"]] for key in a if key.startswith("gpu")], [])


def main(which):
    if not shutil.which("mpirun") or "--split" not in subprocess.run([PROGRAM, "knn", "--help"], capture_output=True,
                                                                     text=True).stdout:
        print("skipped: no mpirun (openmpi-bin)")
        sys.exit(SKIP)
    checks = Checks()
    with scratch() as folder:
        sets = Sets(checks, folder)
        if which == "gpus":
            check_gpus(sets)
            return checks.done("golden mpi gpus")
        sets.compare_all(0, None)
        if which == "all":
            for n in (1, 2, 3, 4, 8, 16):
                for split in ("queries", "bank"):
                    sets.compare_all(n, split)
            for n, split in ((2, "bank"), (5, "queries"), (16, "queries")):
                check_bad_images(sets, n, split)
            check_signals(sets)
        else:
            sets.compare_all(3, "queries", ["eval", "sweep"])
            sets.compare_all(4, "bank", ["eval", "few"])
            sets.compare_all(4, "queries", ["knn", "few"])
            sets.compare_all(2, "bank", ["knn", "sweep"])
            check_bad_images(sets, 3, "queries")
        check_failures(sets)
        check_other_contents(sets)
        check_kill(sets)
        check_answers(sets)
        check_copies(sets)
        check_job(sets)
        check_accounts(sets)
    checks.done(f"golden mpi {which}")


if __name__ == "__main__":
    main(*sys.argv[1:])
