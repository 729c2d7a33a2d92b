"""Times `denseval eval` against bench/peers/eval_torch_faiss.py, in turns on the same machine, correctness first.

The peer runs under several thread and BLAS settings; the best one is the one compared with. Exit status 70 when a result
is wrong. `work` leaves out what a program needs to start (for the peer: importing PyTorch and faiss).
"""
import argparse
import itertools
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
PEER = ROOT / "bench" / "peers" / "eval_torch_faiss.py"
MIOU_LIMIT = 1e-4
# Votes in float may flip a pixel whose two best classes are closer than this rounding; in 1e5 pixels at most one does.
FLIPPED_SHARE_LIMIT = 1e-5
BLAS_VARIABLES = ("OPENBLAS_CORETYPE", "OMP_WAIT_POLICY", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")


def measured(command, variables=()):
    """The JSON object that a program prints, with the seconds, wall and processor, and the peak memory of its process."""
    environment = {name: value for name, value in os.environ.items() if name not in BLAS_VARIABLES}
    environment.update(variables)
    with tempfile.TemporaryFile() as output:
        started = time.perf_counter()
        process = subprocess.Popen(command, stdout=output, env=environment)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            sys.exit(f"{pathlib.Path(sys.argv[0]).stem}: exit status {process.returncode}: {' '.join(command)}")
        output.seek(0)
        result = json.load(output)
    result["process_s"] = seconds
    result["cpu_s"] = usage.ru_utime + usage.ru_stime
    result["peak_mb"] = usage.ru_maxrss * 1024 / 1e6
    return result


def ours(args, shape):
    command = [args.program, "eval", "--features", str(args.data / "train.h5"), "--queries", str(args.data / "test.h5"),
               "--threads", str(args.threads), "--json"]
    if shape["memory_size"]:
        command += ["--memory-size", str(shape["memory_size"]), "--uniform", str(args.data / "golden_memory.h5")]
    result = measured(command)
    result["work_s"] = result["resources"]["wall_s"]
    return result


def peer(args, shape, setting):
    command = [args.peer_python, str(PEER), "--bank-features", str(args.data / "train.h5"), "--queries",
               str(args.data / "test.h5"), "--threads", str(args.threads), "--faiss-threads", str(setting["threads"])]
    if shape["memory_size"]:
        command += ["--memory-size", str(shape["memory_size"]), "--uniform", str(args.data / "golden_memory.h5")]
    return measured(command, setting["variables"])


def peer_settings(threads):
    """What can make faiss-cpu fast: threads that sleep instead of spinning, the right BLAS core, one thread or all."""
    cores = [None]
    with open("/proc/cpuinfo", encoding="utf-8") as cpuinfo:
        if " avx512vl " in cpuinfo.read():  # that core's code dies on a lesser CPU
            cores.append("SkylakeX")
    for policy, core, count in itertools.product(("active", "passive"), cores, sorted({1, threads})):
        variables = {"OMP_WAIT_POLICY": policy}
        if core:
            variables["OPENBLAS_CORETYPE"] = core
        yield {"variables": variables, "threads": count}


def best_setting(args, shape):
    """Every setting once, then the three that did best twice more."""
    settings = list(peer_settings(args.threads))
    seconds = [peer(args, shape, setting)["work_s"] for setting in settings]
    ranked = sorted(range(len(settings)), key=seconds.__getitem__)
    for i in ranked[:3] * 2:
        seconds[i] = min(seconds[i], peer(args, shape, settings[i])["work_s"])
    return settings[seconds.index(min(seconds))], len(settings)


def pixels_apart(confusion, other):
    """Pixels that two confusion matrices of the same truth count differently."""
    return sum(abs(a - b) for row, row_other in zip(confusion, other) for a, b in zip(row, row_other)) // 2


def wrong_pixels(result, other, reference):
    """Pixels that are wrong: all that differ from the reference; without one, more than float votes may flip."""
    if reference:
        return pixels_apart(result["confusion"], reference["confusion"])
    apart = pixels_apart(result["confusion"], other["confusion"])
    pixels = sum(map(sum, result["confusion"]))
    return apart if apart > pixels * FLIPPED_SHARE_LIMIT or abs(result["miou"] - other["miou"]) > MIOU_LIMIT else 0


def compare(args, shape, reference):
    """Two rows, denseval's and the peer's."""
    setting, n_settings = best_setting(args, shape)
    first, first_peer = ours(args, shape), peer(args, shape, setting)
    wrong = wrong_pixels(first, first_peer, reference)
    if abs(first["miou"] - first_peer["miou"]) > MIOU_LIMIT:
        wrong = max(wrong, 1)
    runs = {"denseval": [], "peer": []}
    for _ in range(args.runs):
        runs["denseval"].append(ours(args, shape))
        runs["peer"].append(peer(args, shape, setting))
    if any(run["confusion"] != first["confusion"] for run in runs["denseval"]):
        wrong = max(wrong, 1)
    rows = []
    for program, results in runs.items():
        process = [result["process_s"] for result in results]
        rows.append({
            "program": program, "shape": shape["name"], "rows": first["bank"]["rows"], "queries": first["patches"],
            "process_p50_s": statistics.median(process), "process_max_s": max(process),
            "work_p50_s": statistics.median(result["work_s"] for result in results),
            "peak_p50_mb": statistics.median(result["peak_mb"] for result in results),
            "miou": results[0]["miou"], "wrong_px": wrong if program == "denseval" else
            pixels_apart(results[0]["confusion"], (reference or first)["confusion"]),
        })
    for row in rows:
        for name in ("process", "work"):
            row[f"{name}_ratio"] = rows[1][f"{name}_p50_s"] / row[f"{name}_p50_s"]
        row["peak_ratio"] = rows[1]["peak_p50_mb"] / row["peak_p50_mb"]
    rows[1]["setting"] = " ".join(f"{name}={value}" for name, value in setting["variables"].items()) + \
        f" faiss threads {setting['threads']} (best of {n_settings})"
    rows[1]["versions"] = first_peer["versions"]
    return rows, first


COLUMNS = [  # key, title, unit, format
    ("program", "program", "", "{:<9}"), ("rows", "rows", "(1)", "{:>7d}"), ("queries", "queries", "(1)", "{:>8d}"),
    ("process_p50_s", "process", "(s)", "{:>8.3f}"), ("process_max_s", "max", "(s)", "{:>7.3f}"),
    ("work_p50_s", "work", "(s)", "{:>7.3f}"), ("peak_p50_mb", "peak", "(MB)", "{:>6.0f}"),
    ("process_ratio", "x process", "(1)", "{:>10.2f}"), ("work_ratio", "x work", "(1)", "{:>7.2f}"),
    ("peak_ratio", "x peak", "(1)", "{:>7.2f}"), ("wrong_px", "wrong", "(px)", "{:>6d}"),
]


def print_head(args, result, peers):
    commit = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout
    with open("/proc/cpuinfo", encoding="utf-8") as cpuinfo:
        model = next((line.split(":")[1].strip() for line in cpuinfo if line.startswith("model name")), "unknown CPU")
    versions = "   ".join(f"{name} {version}" for name, version in peers[0]["versions"].items())
    print(f"# denseval bench eval-vs-peer   version {result['version']}   commit {commit.strip() or 'none'}   "
          f"backend {result['search']['backend']}   runs {args.runs}, in turns")
    print(f"# machine: {os.cpu_count()} x {model}   threads {args.threads}   "
          f"load before {args.load:.1f}   data {args.data.name}")
    print(f"# peer: {versions}")
    for row in peers:
        print(f"# peer at {row['rows']} rows: {row['setting']}")
    print("# medians; x = the peer's value over this program's; wrong: against the goldens where there are some "
          "(the peer votes in float, so it may differ)")


def print_rows(columns, rows):
    for prefix, index in (("# ", 1), ("# ", 2)):
        cells = []
        for column in columns:
            width = len(column[3].format("" if "<" in column[3] else 0))
            cells.append(column[index].ljust(width) if "<" in column[3] else column[index].rjust(width))
        print((prefix + " ".join(cells)).rstrip())
    for row in rows:
        print("  " + " ".join(column[3].format(row[column[0]]) for column in columns))


def verdict(rows):
    wrong = sum(row["wrong_px"] for row in rows if row["program"] == "denseval")
    faster = min(row["work_ratio"] for row in rows if row["program"] == "denseval")
    shapes = len(rows) // 2
    return wrong, f"# verdict: {'WRONG' if wrong else 'OK'}   {wrong} wrong pixels in {shapes} shapes, work at least {faster:.2f} x as fast"


def parsed():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--peer-python", required=True)
    parser.add_argument("--data", required=True, type=pathlib.Path)
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--json", action="store_true", help="the rows as JSON")
    args = parser.parse_args()
    args.load = os.getloadavg()[0]  # what else this machine was doing
    return args


def main():
    args = parsed()
    shapes = [{"name": "plain_n30", "memory_size": 1440}, {"name": "plain_all", "memory_size": 0}]
    golden_path = args.data / "golden.json"
    goldens = json.loads(golden_path.read_text(encoding="utf-8"))["eval"] if golden_path.exists() else {}
    rows = []
    for shape in shapes:
        compared, result = compare(args, shape, goldens.get(shape["name"]))
        rows += compared
    wrong, line = verdict(rows)
    if args.json:
        print(json.dumps({"rows": rows, "wrong_px": wrong}, indent=1))
    else:
        print_head(args, result, [row for row in rows if row["program"] == "peer"])
        print_rows(COLUMNS, rows)
        print(line)
    return 70 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
