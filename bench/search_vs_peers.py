"""Times `denseval knn` against exact searches of other libraries, in turns on the same rows, correctness first.

The rows are those of `denseval bench search --save-data`. Of each run the search alone is timed: reading files and taking
the bank are columns of their own. Every peer runs at the best of several settings (threads, waiting, BLAS kernels, tiles),
found on a part of the first bank. A slow peer gets fewer queries of the same bank: its rate does not need them all.
Exit status 70 when one of this program's results is wrong.
"""
import argparse
import collections
import itertools
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import h5py
import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[1]
PEERS = ROOT / "bench" / "peers" / "search_peers.py"
BLAS_VARIABLES = ("OPENBLAS_CORETYPE", "OMP_WAIT_POLICY", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
KINDS = ("real", "near-duplicate", "clipped", "low-rank", "adversarial", "random")
TRIAL_ROWS, TRIAL_QUERIES = 50000, 512
QUERY_STEP = 64  # queries of an image of the saved files

Bank = collections.namedtuple("Bank", "kind rows dim files arrays queries")
Setting = collections.namedtuple("Setting", "engine options threads variables")


def environment(variables):
    cleared = {name: value for name, value in os.environ.items() if name not in BLAS_VARIABLES}
    return {**cleared, **variables}


def run_program(args, command):
    done = subprocess.run([args.program, *map(str, command)], env=environment({}), stdout=subprocess.PIPE, check=False)
    if done.returncode:
        sys.exit(f"search_vs_peers: exit status {done.returncode}: {args.program} {' '.join(map(str, command))}")
    return done.stdout


def make_bank(args, folder, kind, rows, dim):
    """Saves one bank and its queries, as feature files and as unit rows of float32. dim None: real features."""
    command = ["bench", "search", "--rows", rows, "--queries", args.queries, "--kind", kind, "--save-data", folder,
               "-k", args.k]
    command += ["--dims", dim] if dim else ["--features", args.features]
    files = [pathlib.Path(line) for line in run_program(args, command).decode().split("\n") if line]
    arrays = []
    for path in files:
        with h5py.File(path, "r") as file:
            values = file["features"][:]
        values = values.reshape(-1, values.shape[-1]).astype(np.float32)
        values /= np.maximum(np.linalg.norm(values, axis=1, keepdims=True), np.finfo(np.float32).tiny)
        arrays.append(path.with_suffix(".npy"))
        np.save(arrays[-1], values)
    return Bank(kind, rows, values.shape[1], files, arrays, args.queries)


class Peer:
    """A process that holds a bank and searches when asked."""

    def __init__(self, args, bank, setting, rows):
        command = [args.peer_python, str(PEERS), setting.engine, "--bank", str(bank.arrays[0]), "--queries",
                   str(bank.arrays[1]), "--rows", str(rows), "-k", str(args.k), "--threads", str(setting.threads),
                   *setting.options]
        self.process = subprocess.Popen(command, env=environment(setting.variables), stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE)
        self.facts = self.answer()

    def answer(self):
        line = self.process.stdout.readline()
        return json.loads(line) if line else None

    def search(self, count, out="-"):
        self.process.stdin.write(f"{count} {out}\n".encode())
        self.process.stdin.flush()
        answer = self.answer()
        if answer is None:
            sys.exit(f"search_vs_peers: a peer ended: {' '.join(self.process.args)}")
        return answer["seconds"]

    def close(self):
        self.process.communicate()


def settings_of(engine, threads):
    """What can make an engine fast."""
    with open("/proc/cpuinfo", encoding="utf-8") as cpuinfo:
        cores = ["SkylakeX"] if " avx512vl " in cpuinfo.read() else []  # that core's code dies on a lesser CPU
    counts = sorted({1, threads})
    if engine == "faiss":
        for count, policy, core in itertools.product(counts, ("passive", "active"), [*cores, ""]):
            yield Setting(engine, (), count, {"OMP_WAIT_POLICY": policy, "OMP_NUM_THREADS": str(count),
                                              **({"OPENBLAS_CORETYPE": core} if core else {})})
    elif engine == "numpy":
        for tile, core in itertools.product((0, 4096, 16384), [*cores, ""]):
            yield Setting(engine, ("--tile", str(tile)), threads, {"OPENBLAS_NUM_THREADS": str(threads),
                                                                   **({"OPENBLAS_CORETYPE": core} if core else {})})
    elif engine == "torch":
        for tile, policy in itertools.product((0, 4096, 16384), ("passive", "active")):
            yield Setting(engine, ("--tile", str(tile)), threads, {"OMP_WAIT_POLICY": policy})
    else:
        for dtype in ("float32", "float16"):
            yield Setting(engine, ("--dtype", dtype), threads, {})


def best_setting(args, bank, engine):
    """The fastest setting on a part of the bank, with its rate in operations a second; None: the engine is not there."""
    rows, queries = min(TRIAL_ROWS, bank.rows), min(TRIAL_QUERIES, bank.queries)
    if engine == "usearch":
        queries = min(QUERY_STEP, queries)
    best = None
    for setting in settings_of(engine, args.threads):
        peer = Peer(args, bank, setting, rows)
        if peer.facts is None:
            return None
        seconds = min(peer.search(queries) for _ in range(args.tries + 1))
        peer.close()
        rate = 2 * queries * rows * bank.dim / seconds
        if best is None or rate > best[1]:
            best = setting, rate, peer.facts["version"]
    return best


def knn(args, bank, folder, backend, images=None):
    """One `denseval knn`: its JSON, and where its ids are."""
    out = folder / f"knn-{backend}.h5"
    command = ["knn", "--features", bank.files[0], "--queries", bank.files[1], "--force-mixed", "-k", args.k, "--threads",
               args.threads, "--backend", backend, "--out", out, "--force", "--json"]
    command += ["--images", images] if images else []
    result = json.loads(run_program(args, command))
    result["load_s"] = result["resources"]["wall_s"] - result["resources"]["stages_s"]["search"]
    return result, out


def lists_of(path):
    with h5py.File(path, "r") as file:
        return [file[name][:].reshape(-1, file[name].shape[-1]) for name in ("ids", "cosines")]


def wrong_queries(args, bank, folder, backend, found):
    """Queries of a sample, evenly spread, whose ids or cosines are not those of `reference`."""
    per_image = h5py.File(bank.files[1], "r")["features"].shape[1]
    n_images, wrong = bank.queries // per_image, 0
    for part in range(min(args.verify, n_images)):
        image = part * n_images // min(args.verify, n_images)
        _, out = knn(args, bank, folder, "reference", f"{image}:{image + 1}")
        for ids, cosines, right_ids, right_cosines in zip(*(a[image * per_image:][:per_image] for a in found), *lists_of(out)):
            wrong += not (np.array_equal(ids, right_ids) and np.array_equal(cosines, right_cosines))
    return wrong


def recall(ids, right):
    """Share of the right neighbours that were found."""
    return np.mean([len(np.intersect1d(a, b)) for a, b in zip(ids, right)]) / right.shape[1]


def row_of(bank, engine, name, queries, seconds, load_s, **more):
    p50 = statistics.median(seconds)
    return {"kind": bank.kind, "rows": bank.rows, "dim": bank.dim, "engine": engine, "name": name, "queries": queries,
            "queries_per_s": queries / p50, "best_queries_per_s": queries / min(seconds),
            "rate_gops": 2 * queries * bank.rows * bank.dim / p50 / 1e9, "load_s": load_s, **more}


def queries_for(bank, rate, seconds):
    """As many queries as an engine of this rate does in that time, in whole images."""
    most = rate * seconds / (2 * bank.rows * bank.dim)
    return int(min(bank.queries, max(QUERY_STEP, most // QUERY_STEP * QUERY_STEP)))


def compare(args, bank, folder, chosen):
    """A row for this program, one for Debian's FAISS inside it, one for each peer."""
    first, out = knn(args, bank, folder, args.backend)
    right = lists_of(out)
    wrong = wrong_queries(args, bank, folder, args.backend, right)
    peers = {engine: Peer(args, bank, best[0], bank.rows) for engine, best in chosen.items()}
    counts = {engine: queries_for(bank, best[1], args.seconds) for engine, best in chosen.items()}
    found = {}
    for engine, peer in peers.items():  # also the warm-up
        ids = folder / f"{engine}.npy"
        peer.search(counts[engine], ids)
        found[engine] = recall(np.load(ids), right[0])
    seconds = collections.defaultdict(list)
    inside = [] if args.no_debian_faiss else [knn(args, bank, folder, "faiss")[0]]
    for _ in range(args.runs):
        result, out = knn(args, bank, folder, args.backend)
        wrong += sum(not np.array_equal(a, b) for a, b in zip(lists_of(out), right))
        seconds["denseval"].append(bank.queries / result["search"]["queries_per_s"])
        if inside:
            result, out = knn(args, bank, folder, "faiss")
            inside.append(result)
            seconds["debian"].append(bank.queries / result["search"]["queries_per_s"])
        for engine, peer in peers.items():
            seconds[engine].append(peer.search(counts[engine]))
    rows = [row_of(bank, "denseval", first["search"]["engine"], bank.queries, seconds["denseval"], first["load_s"],
                   recall=1.0, wrong=wrong, candidates_per_query=first["search"]["candidates_per_query"],
                   uncertified=first["search"]["uncertified_queries"])]
    if inside:
        rows.append(row_of(bank, "debian-faiss", inside[0]["search"]["engine"], bank.queries, seconds["debian"], inside[0]["load_s"],
                           recall=recall(lists_of(out)[0], right[0])))
    for engine, peer in peers.items():
        rows.append(row_of(bank, engine, peer.facts["version"], counts[engine], seconds[engine], peer.facts["build_s"],
                           recall=found[engine]))
        peer.close()
    for row in rows:
        row["ratio"] = rows[0]["queries_per_s"] / row["queries_per_s"]
    return rows


COLUMNS = [  # key, title, unit, format
    ("kind", "kind", "", "{:<14}"), ("rows", "rows", "(1)", "{:>8d}"), ("dim", "dim", "(1)", "{:>5d}"),
    ("engine", "engine", "", "{:<12}"), ("queries", "queries", "(1)", "{:>7d}"), ("load_s", "load", "(s)", "{:>6.2f}"),
    ("queries_per_s", "p50", "(1/s)", "{:>9.1f}"), ("best_queries_per_s", "best", "(1/s)", "{:>9.1f}"),
    ("rate_gops", "rate", "(Gop/s)", "{:>8.1f}"), ("ratio", "x ours", "(1)", "{:>7.2f}"),
    ("recall", "recall", "(1)", "{:>9.6f}"), ("wrong", "wrong", "(1)", "{:>6d}"),
]


def width_of(column):
    return len(column[3].format("" if "<" in column[3] else 0))


def print_head(args, chosen):
    version = subprocess.run([args.program, "--version"], capture_output=True, text=True, check=True).stdout.split("\n")[0]
    commit = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], capture_output=True, text=True,
                            check=False).stdout.strip()
    with open("/proc/cpuinfo", encoding="utf-8") as cpuinfo:
        model = next((line.split(":")[1].strip() for line in cpuinfo if line.startswith("model name")), "unknown CPU")
    print(f"# denseval bench search-vs-peers   version {version.split()[-1]}   commit {commit or 'unknown'}   "
          f"backend {args.backend}   warm-up 1   runs {args.runs}, in turns")
    print(f"# machine: {os.cpu_count()} x {model}   threads {args.threads}   bank: f16   k {args.k}")
    for setting, _, engine_version in chosen.values():
        words = [f"{name}={value}" for name, value in setting.variables.items()] + list(setting.options)
        count = len(list(settings_of(setting.engine, args.threads)))
        print(f"# peer {engine_version}: threads {setting.threads} {' '.join(words)} (best of {count})")
    print("# rates count 2 x queries x rows x dim; x ours: this program's rate over that engine's; recall: of our ids")
    for index in (1, 2):
        cells = [c[index].ljust(width_of(c)) if "<" in c[3] else c[index].rjust(width_of(c)) for c in COLUMNS]
        print(("# " + " ".join(cells)).rstrip(), flush=True)


def print_rows(rows):
    for row in rows:
        cells = [c[3].format(row[c[0]]) if c[0] in row else "-".rjust(width_of(c)) for c in COLUMNS]
        print("  " + " ".join(cells), flush=True)


def shapes_of(args):
    """Kind, rows and dimension of every bank; None: that of the real features."""
    small, large = args.rows
    for kind in args.kinds:
        yield kind, small, None
    yield "real", large, None
    yield "random", large, 768
    if args.full:
        for kind in args.kinds:
            yield kind, large, None if kind == "real" else 768
        yield "real", 1024000, None
        yield "near-duplicate", 1024000, 768
        yield "random", 1024000, 768


def parsed():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--peer-python", required=True)
    parser.add_argument("--features", required=True, help="real features that the banks are made of")
    parser.add_argument("--scratch", help="folder for banks, some 6 bytes a number [the system's]")
    parser.add_argument("--backend", default="auto")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--tries", type=int, default=3, help="runs of each setting of a peer before the best is chosen")
    parser.add_argument("--queries", type=int, default=2048)
    parser.add_argument("--rows", type=int, nargs=2, default=(102400, 320000), metavar=("SMALL", "LARGE"))
    parser.add_argument("--kinds", nargs="+", default=KINDS, choices=KINDS)
    parser.add_argument("-k", type=int, default=30)
    parser.add_argument("--verify", type=int, default=2, help="query images (64 queries) compared with the reference")
    parser.add_argument("--seconds", type=float, default=2, help="aim for a run of a peer, by fewer queries")
    parser.add_argument("--engines", nargs="*", default=("faiss", "torch", "numpy", "usearch"))
    parser.add_argument("--no-debian-faiss", action="store_true")
    parser.add_argument("--full", action="store_true", help="every kind at d = 768, and a million rows")
    parser.add_argument("--json", action="store_true", help="the rows as JSON")
    return parser.parse_args()


def main():
    args = parsed()
    rows, chosen, started = [], None, time.perf_counter()
    for kind, n_rows, dim in dict.fromkeys(shapes_of(args)):
        folder = pathlib.Path(tempfile.mkdtemp(prefix="denseval-bench-", dir=args.scratch))
        try:
            bank = make_bank(args, folder, kind, n_rows, dim)
            if chosen is None:
                tried = {engine: best_setting(args, bank, engine) for engine in args.engines}
                chosen = {engine: best for engine, best in tried.items() if best}
                if not args.json:
                    print_head(args, chosen)
                    for engine in tried.keys() - chosen.keys():
                        print(f"# peer {engine}: not there")
            compared = compare(args, bank, folder, chosen)
        finally:
            shutil.rmtree(folder)
        rows += compared
        if not args.json:
            print_rows(compared)
    wrong = sum(row.get("wrong", 0) for row in rows)
    faiss = [row["ratio"] for row in rows if row["engine"] == "faiss"]
    if args.json:
        print(json.dumps({"rows": rows, "wrong": wrong, "settings": {e: b[0]._asdict() for e, b in chosen.items()}}, indent=1))
    else:
        least = f", at least {min(faiss):.2f} x faiss-cpu" if faiss else ""
        print(f"# verdict: {'WRONG' if wrong else 'OK'}   {wrong} wrong in {len(rows)} rows{least}   "
              f"{time.perf_counter() - started:.0f} s")
    return 70 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
