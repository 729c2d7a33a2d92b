"""bench/device.sh from the first step to the summary, on the emulated GPU, and on programs that are wrong or do not end.

usage: device_script.py SOURCE_DIR PROGRAM
"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

# Right by its own account but for J&F; searches write a file, whatever they are asked.
WRONG_ONCE = """#!/bin/sh
[ "$2" != jf ] || { echo ' "wrong": 3'; echo 'bench: 3 results are not those' >&2; exit 70; }
while [ $# -gt 0 ]; do
    [ "$1" != --out ] || echo lists >"$2"
    shift
done
"""

# Writes down who it is when it searches, and does not end.
ENDLESS = """#!/bin/sh
[ "$1" != knn ] || { echo $$ >"$OUT/running"; exec sleep 600; }
"""


def start(source, program, out):
    environment = {**os.environ, "DENSEVAL": str(program), "OUT": str(out)}
    return subprocess.Popen(["sh", f"{source}/bench/device.sh", "small"], env=environment, stdout=subprocess.DEVNULL)


def run(source, program, out):
    """Exit status and summary."""
    status = start(source, program, out).wait()
    return status, json.loads((out / "summary.json").read_text())


def wait_until(what, is_so):
    for _ in range(3000):
        if is_so():
            return
        time.sleep(0.01)
    sys.exit(f"not in time: {what}")


def runs(number):
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    return True


def write_program(path, text):
    path.write_text(text)
    path.chmod(0o755)
    return path


def check_interrupted(source, folder):
    """The step that runs ends with the script."""
    out = folder / "interrupted"
    script = start(source, write_program(folder / "endless", ENDLESS), out)
    noted = out / "running"
    wait_until("the search", lambda: noted.exists() and noted.read_text().endswith("\n"))
    script.send_signal(signal.SIGTERM)
    check("status of what was interrupted", script.wait(), 143)
    check("its message", json.loads((out / "summary.json").read_text())["message"], "interrupted")
    wait_until("the end of the step", lambda: not runs(int(noted.read_text())))


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

        wrong = write_program(pathlib.Path(folder) / "wrong_once", WRONG_ONCE)
        status, summary = run(source, wrong, pathlib.Path(folder) / "wrong")
        check("of what is wrong", (status, summary["wrong"], summary["failed_steps"]), (1, 3, 1))
        why = [step["why"] for step in summary["steps"] if step["step"] == "jf"]
        check("why", why, ["bench: 3 results are not those"])

        status, summary = run(source, pathlib.Path(folder) / "no_program", pathlib.Path(folder) / "none")
        check("of what does not start", (status, summary["failed_steps"]), (1, 1))
        check_interrupted(source, pathlib.Path(folder))


main(*sys.argv[1:])
