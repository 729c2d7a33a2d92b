"""Times `denseval jf` against vos-benchmark and the DAVIS toolkit, in turns on the same machine, correctness first.

Everything is timed from files to scores, reading PNG included. `time` of this program is that of its whole process; of a peer
that of its work, without the start of Python and its imports. The toolkit has one thread and holds all frames as doubles: it
is compared with one thread of this program, and left out where its memory would not do. Exit status 70 when J or F differ.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import jf_sets
from eval_vs_peer import measured, print_rows

ROOT = pathlib.Path(__file__).resolve().parents[1]
PEERS = ROOT / "bench" / "peers"
# All programs divide the same whole numbers; means of a sequence are sums in another order.
SCORE_LIMIT = 1e-12
SCORES = {"j": "j_mean", "j_recall": "j_recall", "j_decay": "j_decay",
          "f": "f_mean", "f_recall": "f_recall", "f_decay": "f_decay"}
SEQUENCES = 4  # of a made set: a process of vos-benchmark does a sequence
MOST_TOOLKIT_FRAMES = 255  # of a sequence; it keeps the edges of the quarters in 8 bits
UNSUP_SEQUENCES = ("judo", "scooter-black")  # the toolkit takes 4 minutes for all
FRAMES = {"480p": 25, "1080p": 7, "4k": 4, "long": 750}  # of a sequence


def run_denseval(args, masks, protocol, threads):
    result = measured([args.program, "jf", "--truth", str(masks.truth), "--pred", str(masks.pred), "--protocol",
                       f"davis2017-{protocol}", "--threads", str(threads), "--quiet", "--json"])
    result["time_s"] = result["process_s"]
    result["scores"] = {sequence["name"]: {str(item["id"]): {key: item[name] for key, name in SCORES.items()}
                                           for item in sequence["objects"]} for sequence in result["sequences"]}
    return result


def run_peer(args, program, masks, protocol, threads):
    script, source = {"vos-benchmark": ("jf_vos_benchmark.py", "vos-benchmark"),
                      "toolkit": ("jf_davis_toolkit.py", "davis2017-evaluation")}[program]
    command = [args.peer_python, str(PEERS / script), "--source", str(args.sources / source), "--truth", str(masks.truth),
               "--pred", str(masks.pred), "--protocol", protocol]
    command += ["--threads", str(threads)] if program == "vos-benchmark" else []
    result = measured(command, {"TQDM_DISABLE": "1"})
    result["time_s"], result["scores"] = result["seconds"], result["sequences"]
    return result


def run(args, program, masks, protocol, threads):
    if program == "denseval":
        return run_denseval(args, masks, protocol, threads)
    return run_peer(args, program, masks, protocol, threads)


def differ(ours, theirs):
    return any(abs(ours[key] - value) > SCORE_LIMIT for key, value in theirs.items())


def wrong_objects(ours, theirs, protocol):
    """Objects of a peer that this program scores differently, or not at all, and those that only this program scores."""
    wrong = len(ours.keys() ^ theirs.keys())
    for name in ours.keys() & theirs.keys():
        left, right = ours[name], theirs[name]
        if protocol == "unsup":  # the toolkit names objects by the order of their proposals
            left, right = ({str(i): values for i, values in enumerate(sorted(objects.values(), key=lambda v: (v["j"], v["f"])))}
                           for objects in (left, right))
        wrong += len(left.keys() ^ right.keys()) + sum(differ(left[key], right[key]) for key in left.keys() & right.keys())
    return wrong


def toolkit_bytes(masks):
    """Of the doubles that the toolkit holds at once: truth, void, and two arrays an id, of the longest sequence."""
    return 8 * masks.height * masks.width * masks.longest * (2 + 2 * masks.ids)


def free_bytes():
    with open("/proc/meminfo", encoding="utf-8") as facts:
        return next(int(line.split()[1]) * 1024 for line in facts if line.startswith("MemAvailable"))


def contestants(args, masks, protocol):
    """Programs with their threads, in the order of their turns."""
    ours = ["denseval"] if args.program else []
    peers = [peer for peer in args.peers if peer == "vos-benchmark" and protocol == "semi"]
    if "toolkit" in args.peers and toolkit_bytes(masks) < free_bytes() * 0.8 and masks.longest <= MOST_TOOLKIT_FRAMES:
        peers.append("toolkit")
    for threads in sorted({1, args.threads}):
        for program in ours + peers:
            if program != "toolkit" or threads == 1:
                yield program, threads


def compare(args, masks, protocol):
    """A row for each program and number of threads."""
    first, times = {}, {}
    turns = list(contestants(args, masks, protocol))
    for number in range(args.runs):
        for turn in turns:
            if number == 0 or first[turn]["time_s"] < args.longest:
                result = run(args, turn[0], masks, protocol, turn[1])
                first.setdefault(turn, result)
                times.setdefault(turn, []).append(result)
    rows = []
    for program, threads in turns:
        results = times[program, threads]
        ours = times.get(("denseval", threads))
        time_s = statistics.median(result["time_s"] for result in results)
        wrong = sum(result["scores"] != first[turns[0]]["scores"] for result in results) if program == "denseval" else \
            wrong_objects(ours[0]["scores"], results[0]["scores"], protocol) if ours else 0
        rows.append({
            "program": program, "threads": threads, "protocol": protocol, "size": masks.name, "objects": masks.objects,
            "frames": masks.frames, "runs": len(results), "time_p50_s": time_s,
            "best_s": min(result["time_s"] for result in results), "unit_ms": time_s * threads / masks.scored * 1e3,
            "cpu_p50_s": statistics.median(result["cpu_s"] for result in results),
            "peak_p50_mb": statistics.median(result["peak_mb"] for result in results),
            "time_ratio": time_s / statistics.median(result["time_s"] for result in ours) if ours else float("nan"),
            "versions": results[0].get("versions"), "wrong": wrong,
        })
    return rows


COLUMNS = [  # key, title, unit, format
    ("program", "program", "", "{:<13}"), ("threads", "threads", "(1)", "{:>7d}"), ("protocol", "task", "", "{:<5}"),
    ("size", "size", "", "{:<5}"), ("objects", "objects", "(1)", "{:>7d}"), ("frames", "frames", "(1)", "{:>6d}"),
    ("runs", "runs", "(1)", "{:>4d}"), ("time_p50_s", "time", "(s)", "{:>8.3f}"), ("best_s", "best", "(s)", "{:>8.3f}"),
    ("unit_ms", "one", "(ms)", "{:>8.4f}"), ("time_ratio", "x ours", "(1)", "{:>7.1f}"), ("cpu_p50_s", "CPU", "(s)", "{:>8.3f}"),
    ("peak_p50_mb", "peak", "(MB)", "{:>7.1f}"), ("wrong", "wrong", "(1)", "{:>5d}"),
]


def print_head(args, rows):
    commit = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], capture_output=True, text=True,
                            check=False).stdout
    with open("/proc/cpuinfo", encoding="utf-8") as cpuinfo:
        model = next((line.split(":")[1].strip() for line in cpuinfo if line.startswith("model name")), "unknown CPU")
    print(f"# denseval bench jf-vs-peers   commit {commit.strip() or 'none'}   runs {args.runs}, in turns")
    print(f"# machine: {os.cpu_count()} x {model}   load before {args.load:.1f}   made sets: {SEQUENCES} sequences")
    versions = next((row["versions"] for row in rows if row["versions"]), {})
    print("# peers: " + "   ".join(f"{name} {version}" for name, version in versions.items()))
    print("# medians; one: thread time of an object in a frame; x ours: the time over this program's on as many threads; wrong: "
          "objects whose scores differ by 1e-12")


def shapes_of(args, folder):
    """Sets with their protocol; one is made when its turn comes."""
    golden = json.loads((args.masks / "golden.json").read_text(encoding="utf-8"))
    objects = {name: facts["objects"] for name, facts in golden.items()}
    for shape in args.shapes:
        if shape == "real":
            yield jf_sets.real(args.masks, folder / shape, objects, "semi"), "semi"
        elif shape == "unsup":
            some = {name: objects[name] for name in UNSUP_SEQUENCES}
            yield jf_sets.real(args.masks, folder / shape, some, "unsup"), "unsup"
        else:
            for n_objects in args.objects if shape != "long" else args.objects[:1]:
                size = "480p" if shape == "long" else shape
                yield jf_sets.make(args.masks, folder / f"{shape}-{n_objects}", size, n_objects, SEQUENCES,
                                   FRAMES[shape]), "semi"


def parsed():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", help="without: the peers by themselves")
    parser.add_argument("--peer-python", default=sys.executable, help="with what the peers need, as this script")
    parser.add_argument("--sources", required=True, type=pathlib.Path, help="folder of vos-benchmark and davis2017-evaluation")
    parser.add_argument("--masks", required=True, type=pathlib.Path, help="folder of gt, pred, proposals and golden.json")
    parser.add_argument("--scratch", default="build")
    parser.add_argument("--shapes", nargs="+", default=["real", "unsup", "480p", "1080p", "4k", "long"],
                        choices=("real", "unsup", "480p", "1080p", "4k", "long"))
    parser.add_argument("--objects", type=int, nargs="+", default=[1, 3, 5, 10], choices=sorted(jf_sets.SOURCES))
    parser.add_argument("--peers", nargs="*", default=["vos-benchmark", "toolkit"], choices=("vos-benchmark", "toolkit"))
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--longest", type=float, default=5, help="seconds: what takes longer runs once")
    parser.add_argument("--json", action="store_true", help="the rows as JSON")
    args = parser.parse_args()
    args.load = os.getloadavg()[0]  # what else this machine was doing
    return args


def main():
    args = parsed()
    rows = []
    with tempfile.TemporaryDirectory(prefix="denseval-bench-", dir=args.scratch) as folder:
        for masks, protocol in shapes_of(args, pathlib.Path(folder).resolve()):
            rows += compare(args, masks, protocol)
    wrong = sum(row["wrong"] for row in rows)
    if args.json:
        print(json.dumps({"rows": rows, "wrong": wrong}, indent=1))
    else:
        print_head(args, rows)
        print_rows(COLUMNS, rows)
        ratios = {name: min([row["time_ratio"] for row in rows if row["program"] == name], default=None)
                  for name in args.peers if args.program}
        print(f"# verdict: {'WRONG' if wrong else 'OK'}   " +
              "   ".join(f"at least {ratio:.1f} x {name}" for name, ratio in ratios.items() if ratio))
    return 70 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
