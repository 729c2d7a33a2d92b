"""Times the confusion counts of this library against NumPy's bincount and torchmetrics, in turns on the same label maps in
memory, counts compared first; then tells what decoding PNG takes of a whole `denseval iou`.

The library is called as a C program would, dv_confusion_add_u8 (and dv_confusion_add, on labels widened to 16 bits as files are
read), a matrix a thread; the peers have labels of 8 bits. Every peer runs at the best of several settings (threads, number
format, way of writing it), found anew for each set on a part of it. Exit status 70 when a count is wrong.
"""
import argparse
import collections
import concurrent.futures
import ctypes
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np
from PIL import Image

from eval_vs_peer import print_rows

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "bench" / "peers"))
import iou_peers  # noqa: E402  (it lies among the peers)

CLASSES, VOID = 104, 255
SIZES = {"512x512": (512, 512), "1024x1024": (1024, 1024), "2048x1024": (1024, 2048)}  # name: height, width
KINDS = ("foodseg", "foodseg-tiled", "camvid-tiled", "noise")
SET_BYTES = 32 << 20  # of the 8-bit maps of a set: more than the caches of a core hold
TRIAL_BYTES = 4 << 20  # of the maps that settings are tried on
LEAST_S = 0.1  # of a run: what is faster goes through the maps again and again, so that a busy machine is as busy for all

Maps = collections.namedtuple("Maps", "kind size pairs")
Turn = collections.namedtuple("Turn", "program setting threads bits peer")


class Policy(ctypes.Structure):
    _fields_ = [("ignored", ctypes.c_uint64 * 1024), ("invalid", ctypes.c_int)]


class Peaks(ctypes.Structure):
    _fields_ = [("int8", ctypes.c_double), ("fp32", ctypes.c_double), ("read", ctypes.c_double), ("int8_name", ctypes.c_char_p),
                ("fp32_name", ctypes.c_char_p), ("n_threads", ctypes.c_size_t)]


class Library:
    """The shared library with the few signatures that are called here."""

    def __init__(self, path):
        self.c = ctypes.CDLL(path)
        pointer, size = ctypes.c_void_p, ctypes.c_size_t
        self.c.dv_last_error.restype = ctypes.c_char_p
        self.c.dv_peaks_read_bytes.restype = size
        self.c.dv_peaks_measure.argtypes = [size, size, ctypes.POINTER(Peaks)]
        self.c.dv_confusion_create.argtypes = [size, ctypes.POINTER(pointer)]
        self.add = {}  # by bits of a label
        for bits, name in ((8, "dv_confusion_add_u8"), (16, "dv_confusion_add")):
            self.add[bits] = getattr(self.c, name)
            self.add[bits].argtypes = [pointer, ctypes.POINTER(Policy), pointer, pointer, size, size]
        self.c.dv_confusion_counts.argtypes = [pointer]
        self.c.dv_confusion_counts.restype = ctypes.POINTER(ctypes.c_uint64)
        for name in ("dv_confusion_free", "dv_confusion_clear"):
            getattr(self.c, name).argtypes = [pointer]
            getattr(self.c, name).restype = None

    def check(self, status):
        if status:
            sys.exit(f"iou_vs_peers: {self.c.dv_last_error().decode()}")

    def read_peak(self, n_threads):
        peaks = Peaks()
        self.check(self.c.dv_peaks_measure(n_threads, self.c.dv_peaks_read_bytes(), peaks))
        return peaks.read


class Ours:
    """Like a peer: a matrix for each of `workers` threads, which share out the maps."""

    def __init__(self, library, pairs, bits, workers):
        self.library, self.bits, self.workers = library, bits, workers
        self.policy = Policy()
        self.policy.ignored[VOID // 64] = 1 << VOID % 64
        self.arrays = [tuple(labels.astype(f"u{bits // 8}") for labels in pair) for pair in pairs]
        self.maps = [(truth.ctypes.data, pred.ctypes.data, *truth.shape) for truth, pred in self.arrays]
        self.matrices = [ctypes.c_void_p() for _ in range(workers)]
        for matrix in self.matrices:
            library.check(library.c.dv_confusion_create(CLASSES, matrix))

    def close(self):
        for matrix in self.matrices:
            self.library.c.dv_confusion_free(matrix)

    def add(self, worker):
        c, matrix, policy, add = self.library.c, self.matrices[worker], ctypes.byref(self.policy), self.library.add[self.bits]
        c.dv_confusion_clear(matrix)
        for truth, pred, height, width in self.maps[worker::self.workers]:
            self.library.check(add(matrix, policy, truth, pred, height, width))
        return np.ctypeslib.as_array(c.dv_confusion_counts(matrix), (CLASSES, CLASSES)).astype(np.int64)

    def counts(self):
        if self.workers == 1:
            return self.add(0)
        with concurrent.futures.ThreadPoolExecutor(self.workers) as pool:
            return sum(pool.map(self.add, range(self.workers)))


def labels_of(path):
    return np.array(Image.open(path))


def scaled(labels, height, width):
    rows, columns = (np.arange(n) * old // n for n, old in zip((height, width), labels.shape))
    return np.ascontiguousarray(labels[rows][:, columns])


def tiled(labels, height, width):
    """As many copies as it takes: the regions stay as small as they are."""
    repeats = [-(-n // old) for n, old in zip((height, width), labels.shape)]
    return np.ascontiguousarray(np.tile(labels, repeats)[:height, :width])


def sources(args, kind):
    """Pairs of truth and prediction, as they are stored."""
    if kind == "camvid-tiled":
        names = sorted((args.camvid / "pred" / "plain_all").glob("*.png"))
        return [(labels_of(args.camvid / "labels" / name.name), labels_of(name)) for name in names]
    names = sorted((args.foodseg / "main" / "pred").glob("*.png"))
    return [(labels_of(args.foodseg / "main" / "gt" / name.name), labels_of(name)) for name in names]


def make_maps(args, kind, size):
    height, width = SIZES[size]
    n_maps = max(2, SET_BYTES // (2 * height * width))
    if kind == "noise":
        random = np.random.default_rng(1)
        pairs = [tuple(random.integers(0, CLASSES, (height, width), dtype=np.uint8) for _ in range(2)) for _ in range(n_maps)]
        for truth, _ in pairs:
            truth[random.integers(0, 16, truth.shape) == 0] = VOID
        return Maps(kind, size, pairs)
    fit = tiled if kind.endswith("tiled") else scaled
    stored = sources(args, kind)
    made = [tuple(fit(labels, height, width) for labels in pair) for pair in stored[:n_maps]]
    return Maps(kind, size, [tuple(labels.copy() for labels in made[i % len(made)]) for i in range(n_maps)])


def runs_of(maps):
    """Pixels of a run of equal pairs, on average."""
    n_pixels = sum(truth.size for truth, _ in maps.pairs)
    changes = sum(np.count_nonzero((truth.ravel()[1:] != truth.ravel()[:-1]) | (pred.ravel()[1:] != pred.ravel()[:-1])) + 1
                  for truth, pred in maps.pairs)
    return n_pixels / changes


def seconds(call, passes=1):
    """Wall and processor time of one of so many calls."""
    begin, begin_cpu = time.perf_counter(), time.process_time()
    for _ in range(passes):
        call()
    return (time.perf_counter() - begin) / passes, (time.process_time() - begin_cpu) / passes


def passes_of(call):
    return max(1, int(LEAST_S / min(seconds(call)[0] for _ in range(3))))


def best_settings(args, maps):
    """The turn of each peer, at its fastest setting."""
    best = {}
    n_trial = max(2, TRIAL_BYTES // (2 * maps.pairs[0][0].size))
    for program, name, make in iou_peers.settings(args.threads):
        if program in args.peers:
            peer = make(maps.pairs[:n_trial], CLASSES, VOID)
            taken = min(seconds(peer.counts)[0] for _ in range(3))
            best[program] = min(best.get(program, (taken, name, make)), (taken, name, make), key=lambda trial: trial[0])
    return [Turn(program, name, args.threads, 8, make(maps.pairs, CLASSES, VOID)) for program, (_, name, make) in best.items()]


def our_turns(args, library, maps):
    """The first is what the others are compared with."""
    ways = [(8, args.threads), (8, 1), (16, args.threads), (16, 1)]
    return [Turn("denseval", f"uint{bits}, {n} threads", n, bits, Ours(library, maps.pairs, bits, n))
            for bits, n in dict.fromkeys(ways)]


def compare(args, library, maps):
    """A row for each turn. The right counts are those of NumPy's plainest way."""
    right = iou_peers.NumpyPeer(maps.pairs, CLASSES, "kept", 1).counts()
    ours = our_turns(args, library, maps)
    turns = ours + best_settings(args, maps)
    wrong = [int(np.count_nonzero(turn.peer.counts() != right)) for turn in turns]
    passes = [passes_of(turn.peer.counts) for turn in turns]
    times = [[] for _ in turns]
    for _ in range(args.runs):
        for turn, n_passes, taken in zip(turns, passes, times):
            taken.append(seconds(turn.peer.counts, n_passes))
    for turn in ours:
        turn.peer.close()
    n_pixels, n = sum(truth.size for truth, _ in maps.pairs), len(maps.pairs)
    rows, first = [], None
    for turn, taken, n_wrong in zip(turns, times, wrong):
        p50, cpu = (statistics.median(values) for values in zip(*taken))
        first = first or (p50, cpu)
        rows.append({"program": turn.program, "setting": turn.setting, "threads": turn.threads, "kind": maps.kind,
                     "size": maps.size, "maps": n, "run_px": runs_of(maps), "map_ms": p50 / n * 1e3,
                     "best_ms": min(taken)[0] / n * 1e3, "cpu_ms": cpu / n * 1e3, "rate_gpxps": n_pixels / p50 / 1e9,
                     "traffic_gbps": n_pixels * 2 * turn.bits // 8 / p50 / 1e9, "ratio": p50 / first[0],
                     "cpu_ratio": cpu / first[1], "wrong": n_wrong})
    return rows


COLUMNS = [  # key, title, unit, format
    ("program", "program", "", "{:<12}"), ("setting", "setting", "", "{:<23}"), ("kind", "maps", "", "{:<13}"),
    ("size", "size", "", "{:<9}"), ("maps", "maps", "(1)", "{:>4d}"), ("run_px", "run", "(px)", "{:>6.1f}"),
    ("map_ms", "map", "(ms)", "{:>8.4f}"), ("best_ms", "best", "(ms)", "{:>8.4f}"), ("cpu_ms", "CPU", "(ms)", "{:>8.4f}"),
    ("rate_gpxps", "rate", "(Gpx/s)", "{:>7.3f}"), ("traffic_gbps", "traffic", "(GB/s)", "{:>7.2f}"),
    ("peak_percent", "peak", "(%)", "{:>5.1f}"),
    ("ratio", "x ours", "(1)", "{:>6.2f}"), ("cpu_ratio", "x CPU", "(1)", "{:>6.2f}"), ("wrong", "wrong", "(1)", "{:>5d}"),
]


def whole_run(args, maps, folder):
    """`denseval iou` on the maps as PNG files: where its time goes."""
    for side in (0, 1):
        target = folder / ("truth", "pred")[side]
        target.mkdir()
        for i, pair in enumerate(maps.pairs):
            Image.fromarray(pair[side]).save(target / f"{i:04d}.png")
    command = [args.program, "iou", "--truth", folder / "truth", "--pred", folder / "pred", "--classes", CLASSES, "--threads",
               args.threads, "--quiet", "--json"]
    results = []
    for _ in range(args.runs):
        begin = time.perf_counter()
        done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, check=True)
        wall = time.perf_counter() - begin
        stages = json.loads(done.stdout)["resources"]["stages_s"]
        results.append((wall, stages["read"], stages["count"]))
    wall, read, count = (statistics.median(values) for values in zip(*results))
    n = len(maps.pairs)
    return {"kind": maps.kind, "size": maps.size, "maps": n, "wall_ms": wall / n * 1e3, "read_ms": read / n * 1e3,
            "count_ms": count / n * 1e3, "read_percent": 100 * read / (read + count)}


WHOLE_COLUMNS = [
    ("kind", "maps", "", "{:<13}"), ("size", "size", "", "{:<9}"), ("maps", "maps", "(1)", "{:>4d}"),
    ("wall_ms", "wall", "(ms)", "{:>8.3f}"), ("read_ms", "read", "(ms)", "{:>8.3f}"), ("count_ms", "count", "(ms)", "{:>8.3f}"),
    ("read_percent", "of it read", "(%)", "{:>10.1f}"),
]


def print_head(args):
    commit = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], capture_output=True, text=True,
                            check=False).stdout
    with open("/proc/cpuinfo", encoding="utf-8") as cpuinfo:
        model = next((line.split(":")[1].strip() for line in cpuinfo if line.startswith("model name")), "unknown CPU")
    print(f"# denseval bench iou-vs-peers   commit {commit.strip() or 'none'}   runs {args.runs}, in turns   classes {CLASSES}")
    print(f"# machine: {os.cpu_count()} x {model}   load before {args.load:.1f}   read peak " +
          ", ".join(f"{peak / 1e9:.1f} GB/s on {n}" for n, peak in args.read_peak.items()))
    print("# peers: " + "   ".join(f"{name} {version}" for name, version in iou_peers.versions().items()))
    print("# medians; traffic: the labels alone; run: mean length of runs of equal pairs; map, CPU: wall and processor time of a map;\n"
          f"# x ours, x CPU: those over this library's on uint8, {args.threads} threads; wrong: cells that are not NumPy's")


def lowest_ratios(args, rows):
    """What the verdict says: noise apart from maps of regions."""
    for title, is_noise in (("regions", False), ("noise", True)):
        for name in args.peers:
            ratios = [row["ratio"] for row in rows if row["program"] == name and (row["kind"] == "noise") == is_noise]
            if ratios:
                yield f"{title}: at least {min(ratios):.1f} x {name}"


def parsed():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, help="its shared library lies beside it")
    parser.add_argument("--foodseg", required=True, type=pathlib.Path, help="folder of main/gt and main/pred")
    parser.add_argument("--camvid", required=True, type=pathlib.Path, help="folder of labels and pred/plain_all")
    parser.add_argument("--scratch", default="build")
    parser.add_argument("--kinds", nargs="+", default=KINDS, choices=KINDS)
    parser.add_argument("--sizes", nargs="+", default=list(SIZES), choices=SIZES)
    parser.add_argument("--peers", nargs="*", default=["numpy", "torchmetrics"], choices=("numpy", "torchmetrics"))
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--json", action="store_true", help="the rows as JSON")
    args = parser.parse_args()
    args.load = os.getloadavg()[0]  # what else this machine was doing
    return args


def main():
    args = parsed()
    library = Library(str(pathlib.Path(args.program).resolve().parent / "libdenseval.so"))
    args.read_peak = {n: 0 for n in sorted({1, args.threads})}
    rows, whole = [], []
    for kind in args.kinds:
        for n in args.read_peak:  # what else runs can only lower it
            args.read_peak[n] = max(args.read_peak[n], library.read_peak(n))
        for size in args.sizes:
            maps = make_maps(args, kind, size)
            rows += compare(args, library, maps)
            with tempfile.TemporaryDirectory(prefix="denseval-bench-", dir=args.scratch) as folder:
                whole.append(whole_run(args, maps, pathlib.Path(folder)))
    for row in rows:
        row["peak_percent"] = 100 * row["traffic_gbps"] * 1e9 / args.read_peak[row["threads"]]
    wrong = sum(row["wrong"] for row in rows)
    if args.json:
        print(json.dumps({"rows": rows, "whole": whole, "wrong": wrong}, indent=1))
        return 70 if wrong else 0
    print_head(args)
    print_rows(COLUMNS, rows)
    print("# a whole `denseval iou` on PNG files: wall time, and thread time of reading and of counting, of a pair of maps")
    print_rows(WHOLE_COLUMNS, whole)
    print("   ".join([f"# verdict: {'WRONG' if wrong else 'OK'}", *lowest_ratios(args, rows)]))
    return 70 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
