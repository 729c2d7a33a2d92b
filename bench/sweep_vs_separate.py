"""Times `denseval sweep` against an `eval` for each configuration and against bench/peers/sweep_torch_faiss.py, correctness first.

The set is made of a small multi-view one: every image again and again, each further copy with noise and its own objects,
until the banks are filled. Bank and queries are images of different bins. Each separate `eval` samples its bank and scores
its queries in one process, which costs less than `bank build` and `eval`. Exit status 70 when a cell differs.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import h5py
import numpy as np

from eval_vs_peer import FLIPPED_SHARE_LIMIT, measured, peer_settings, pixels_apart, print_rows

ROOT = pathlib.Path(__file__).resolve().parents[1]
PEER = ROOT / "bench" / "peers" / "sweep_torch_faiss.py"
DIFFICULTIES = [{"name": "easy", "bins": [0, 30, 60, 90]}, {"name": "medium", "bins": [0, 45, 90]},
                {"name": "hard", "bins": [0, 90]}, {"name": "extreme", "bins": [0]}]
BANK_BINS, QUERY_BINS = [0, 30, 45, 60, 90], [15, 75]
NOISE = 0.2  # of a row's norm
SEED = 1


def write_copies(source, path, bins, copies):
    """The images of some bins, `copies` times. The first copy is the original."""
    random = np.random.default_rng(SEED)
    with h5py.File(source, "r") as old, h5py.File(path, "w") as new:
        images = np.flatnonzero(np.isin(old["view_bin"][:], bins))
        n, rows = len(images), old["features"][:][images]
        new.attrs.update(old.attrs)
        new["class_names"] = old["class_names"][:]
        for name in ("labels", "class_id", "view_bin"):
            values = old[name][:][images]
            new[name] = np.tile(values, (copies,) + (1,) * (values.ndim - 1))
        for name in ("image_id", "object_id"):
            values = old[name].asstr()[:][images]
            new[name] = [f"{value}-{copy}" for copy in range(copies) for value in values]
        new["uniform"] = random.integers(1, 1 << 24, (n * copies, rows.shape[1])).astype(np.float32) / np.float32(1 << 24)
        features = new.create_dataset("features", (n * copies, *rows.shape[1:]), rows.dtype)
        deviation = NOISE * np.linalg.norm(rows.astype(np.float32), axis=2, keepdims=True) / np.sqrt(rows.shape[2])
        for copy in range(copies):
            noise = random.standard_normal(rows.shape, dtype=np.float32) * deviation if copy else 0
            features[copy * n:(copy + 1) * n] = (rows + noise).astype(rows.dtype)


def cell_key(cell):
    return cell["memory"], cell["difficulty"], cell["bin"]


def run_sweep(args, shape):
    """All configurations in one run. Cells by key, and what the run took."""
    files = f"{shape['bank']},{shape['queries']}"
    config = {"schema": "denseval sweep v1", "encoders": [{"name": "encoder", "features": files, "uniform": files}],
              "memory": {"sizes": args.memory}, "difficulties": DIFFICULTIES, "validation_bins": QUERY_BINS}
    path = args.scratch / "sweep.yaml"
    path.write_text(json.dumps(config), encoding="utf-8")  # JSON is YAML
    result = measured([args.program, "sweep", str(path), "--out", str(args.scratch / "out"), "--plots", "none", "--force",
                       "--threads", str(args.threads), "--quiet", "--json"])
    return {cell_key(cell): cell for cell in result["cells"]}, result


def run_separate(args, shape):
    """An eval a configuration."""
    cells, total = {}, {"process_s": 0.0, "cpu_s": 0.0, "peak_mb": 0.0}
    for memory in args.memory:
        for difficulty in DIFFICULTIES:
            result = measured([args.program, "eval", "--features", str(shape["bank"]), "--uniform", str(shape["bank"]),
                               "--queries", str(shape["queries"]), "--bins", ",".join(map(str, difficulty["bins"])),
                               "--memory-size", str(memory), "--threads", str(args.threads), "--quiet", "--json"])
            for cell in result["bins"]:
                cells[memory, difficulty["name"], cell["bin"]] = {**cell, "bank_rows": result["bank"]["rows"]}
            total["process_s"] += result["process_s"]
            total["cpu_s"] += result["cpu_s"]
            total["peak_mb"] = max(total["peak_mb"], result["peak_mb"])
    return cells, total


def run_peer(args, shape, setting, memory, difficulties):
    result = measured([args.peer_python, str(PEER), "--bank-features", str(shape["bank"]), "--queries",
                       str(shape["queries"]), "--memory", json.dumps(memory), "--difficulties", json.dumps(difficulties),
                       "--threads", str(args.threads), "--faiss-threads", str(setting["threads"])], setting["variables"])
    return {cell_key(cell): cell for cell in result["cells"]}, result


def best_setting(args, shape):
    """By the configuration of the fewest images."""
    def seconds(setting):
        return run_peer(args, shape, setting, args.memory[:1], DIFFICULTIES[-1:])[1]["stage_s"]["search"]

    settings = list(peer_settings(args.threads))
    return min(settings, key=seconds), len(settings)


def wrong_pixels(cells, others, share):
    """Pixels that cells count differently, at least one where scores differ; 0 where no more than this share of all."""
    if cells.keys() != others.keys():
        sys.exit(f"sweep_vs_separate: other cells: {sorted(cells.keys() ^ others.keys())}")
    apart = pixels = 0
    for key, cell in cells.items():
        apart += pixels_apart(cell["confusion"], others[key]["confusion"])
        pixels += sum(map(sum, cell["confusion"]))
        if share == 0 and (cell["miou"], cell["bank_rows"]) != (others[key]["miou"], others[key]["bank_rows"]):
            apart += 1
    return apart if apart > pixels * share else 0


def row_of(program, shape, runs, wrong):
    return {"program": program, "shape": shape["name"], "queries": shape["n_queries"],
            "process_p50_s": statistics.median(run["process_s"] for run in runs),
            "cpu_p50_s": statistics.median(run["cpu_s"] for run in runs),
            "peak_p50_mb": statistics.median(run["peak_mb"] for run in runs), "wrong_px": wrong}


def compare(args, shape):
    """A row for each program, the sweep first; with shape["peer"] the peer too, once."""
    sweeps, separates = [], []
    first, wrong, peer_wrong = None, 0, 0
    for _ in range(args.runs):
        cells, result = run_sweep(args, shape)
        others, total = run_separate(args, shape)
        first = first or cells
        wrong = max(wrong, wrong_pixels(first, others, 0), wrong_pixels(first, cells, 0))
        sweeps.append(result)
        separates.append(total)
    rows = [row_of("sweep", shape, sweeps, wrong), row_of("separate", shape, separates, 0)]
    if shape["peer"]:
        setting, n_settings = best_setting(args, shape)
        others, result = run_peer(args, shape, setting, args.memory, DIFFICULTIES)
        peer_wrong = wrong_pixels(first, others, FLIPPED_SHARE_LIMIT)
        rows.append(row_of("peer", shape, [result], peer_wrong))
        rows[-1]["setting"] = " ".join(f"{name}={value}" for name, value in setting["variables"].items()) + \
            f" faiss threads {setting['threads']} (best of {n_settings})"
        rows[-1]["versions"] = result["versions"]
    for row in rows:
        row["bank_rows"] = sum({key[:2]: cell["bank_rows"] for key, cell in first.items()}.values())
        for name in ("process_p50_s", "cpu_p50_s"):
            row[f"{name[:-6]}_ratio"] = row[name] / rows[0][name]
    return rows, sweeps[0]


COLUMNS = [  # key, title, unit, format
    ("program", "program", "", "{:<9}"), ("bank_rows", "rows", "(1)", "{:>7d}"), ("queries", "queries", "(1)", "{:>8d}"),
    ("process_p50_s", "wall", "(s)", "{:>8.2f}"), ("cpu_p50_s", "CPU", "(s)", "{:>8.2f}"),
    ("peak_p50_mb", "peak", "(MB)", "{:>6.0f}"), ("process_ratio", "x wall", "(1)", "{:>7.2f}"),
    ("cpu_ratio", "x CPU", "(1)", "{:>7.2f}"), ("wrong_px", "wrong", "(px)", "{:>6d}"),
]


def print_head(args, result, rows):
    commit = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout
    with open("/proc/cpuinfo", encoding="utf-8") as cpuinfo:
        model = next((line.split(":")[1].strip() for line in cpuinfo if line.startswith("model name")), "unknown CPU")
    print(f"# denseval bench sweep-vs-separate   version {result['version']}   commit {commit.strip() or 'none'}   "
          f"runs {args.runs}, in turns")
    print(f"# machine: {os.cpu_count()} x {model}   threads {args.threads}   load before {args.load:.1f}   "
          f"data {args.features.name} x {args.copies}")
    print(f"# {len(DIFFICULTIES)} difficulties x memory {', '.join(map(str, args.memory))}   "
          f"cells {len(result['cells'])}   k 30")
    for row in rows:
        if row["program"] == "peer":
            versions = "   ".join(f"{name} {version}" for name, version in row["versions"].items())
            print(f"# peer, one run: {versions}   {row['setting']}")
    print("# rows: of all banks; medians of whole processes; x = the value over the sweep's; wrong: cells that are not the "
          "sweep's (the peer votes in float: above its rounding)")


def verdict(rows):
    wrong = sum(row["wrong_px"] for row in rows)
    least = {program: min([row["cpu_ratio"] for row in rows if row["program"] == program], default=None)
             for program in ("separate", "peer")}
    ratios = ", ".join(f"{program} at least {ratio:.2f} x the CPU time" for program, ratio in least.items() if ratio)
    return wrong, f"# verdict: {'WRONG' if wrong else 'OK'}   {ratios}"


def parsed():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--peer-python", help="without: no peer")
    parser.add_argument("--features", required=True, type=pathlib.Path, help="a multi-view set with the bins 0, 15, ... 90")
    parser.add_argument("--scratch", default=pathlib.Path("build"), type=pathlib.Path)
    parser.add_argument("--memory", type=int, nargs="+", default=[20000, 40000, 64000])
    parser.add_argument("--copies", type=int, default=11, help="of the bank's images")
    parser.add_argument("--query-copies", type=int, nargs="*", default=[1, 11],
                        help="of the query images, a shape each; the peer gets the first shape alone")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="the rows as JSON")
    args = parser.parse_args()
    args.load = os.getloadavg()[0]  # what else this machine was doing
    return args


def main():
    args = parsed()
    rows = []
    with tempfile.TemporaryDirectory(prefix="denseval-bench-", dir=args.scratch) as scratch:
        args.scratch = pathlib.Path(scratch).resolve()  # a configuration names files from its own folder
        bank = args.scratch / "bank.h5"
        write_copies(args.features, bank, BANK_BINS, args.copies)
        for number, copies in enumerate(args.query_copies):
            queries = args.scratch / f"queries{copies}.h5"
            write_copies(args.features, queries, QUERY_BINS, copies)
            with h5py.File(queries, "r") as file:
                n_queries = int(np.prod(file["features"].shape[:2]))
            shape = {"name": f"x{copies}", "bank": bank, "queries": queries, "n_queries": n_queries,
                     "peer": number == 0 and args.peer_python}
            compared, result = compare(args, shape)
            rows += compared
    wrong, line = verdict(rows)
    if args.json:
        print(json.dumps({"rows": rows, "wrong_px": wrong}, indent=1))
    else:
        print_head(args, result, rows)
        print_rows(COLUMNS, rows)
        print(line)
    return 70 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
