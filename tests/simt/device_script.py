"""bench/device.sh from the first step to the summary, on the emulated GPU, and on a program that is wrong once.

usage: device_script.py SOURCE_DIR PROGRAM
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

# Right by its own account but for J&F; searches write a file, whatever they are asked.
WRONG_ONCE = """#!/bin/sh
[ "$2" != jf ] || { echo ' "wrong": 3'; echo 'bench: 3 results are not those' >&2; exit 70; }
while [ $# -gt 0 ]; do
    [ "$1" != --out ] || echo lists >"$2"
    shift
done
"""


def run(source, program, out):
    """Exit status and summary."""
    environment = {**os.environ, "DENSEVAL": str(program), "OUT": str(out)}
    done = subprocess.run(["sh", f"{source}/bench/device.sh", "small"], env=environment, stdout=subprocess.DEVNULL, check=False)
    return done.returncode, json.loads((out / "summary.json").read_text())


def check(what, found, expected):
    if found != expected:
        sys.exit(f"{what}: {found!r}, expected {expected!r}")


def main(source, program):
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "emulated"
        status, summary = run(source, program, out)
        check("exit status", (status, summary["wrong"], summary["failed_steps"]), (0, 0, 0))
        verdicts = {step["step"]: step["verdict"] for step in summary["steps"]}
        check("knn, jf, search", [verdicts[step] for step in ("knn", "jf", "search_64")], ["ok"] * 3)
        check("a test that is not there", verdicts["test_slots_devices"], "missing")
        search = json.loads((out / "search_64.json").read_text())
        engines = [row["engine"] for row in search["rows"] if row["stage"] == "search-peers"]
        check("engines", engines, ["cuda", "cublas-sgemm", "cublaslt-int8"] * 2)
        check("wrong of the exact peer", [row["wrong"] for row in search["rows"][-3:]], [None, None, 0])
        check("absent", {remark["about"] for remark in search["remarks"]}, {"faiss-gpu"})

        wrong = pathlib.Path(folder) / "wrong_once"
        wrong.write_text(WRONG_ONCE)
        wrong.chmod(0o755)
        status, summary = run(source, wrong, pathlib.Path(folder) / "wrong")
        check("of what is wrong", (status, summary["wrong"], summary["failed_steps"]), (1, 3, 1))
        why = [step["why"] for step in summary["steps"] if step["step"] == "jf"]
        check("why", why, ["bench: 3 results are not those"])


main(*sys.argv[1:])
