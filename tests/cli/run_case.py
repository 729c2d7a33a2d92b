#!/usr/bin/env python3
"""Runs one case of the command line: tests/cli/COMMAND/CASE.cmd.

The .cmd is a shell script, run in a fresh folder. Beside it lie CASE.out, CASE.err and CASE.exit: what standard output,
standard error and the exit status must be; a file that is not there means empty, or 0. The script sees $DENSEVAL (the
program), $DATA (tests/data), $CLI (tests/cli), $PYTHON (with h5py and numpy, else the case is skipped) and $JSON (prints
values of a JSON object on standard input).

In an expected line {{number}} stands for a number, {{version}} for MAJOR.MINOR.PATCH, {{any}} for any text; a line
{{lines}} for any lines, none as well. Exit status 77 of the script is a skip.
"""
import argparse
import importlib.util
import os
import pathlib
import re
import subprocess
import sys
import tempfile

PATTERNS = {
    "number": r"-?[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?",
    "version": r"[0-9]+\.[0-9]+\.[0-9]+",
    "any": r".*",
}
SKIP = 77
# What would change a case from outside.
CLEARED = ("OMP_NUM_THREADS", "OPENBLAS_CORETYPE", "DENSEVAL_BLAS_CHOSEN")


def line_pattern(line):
    if line == "{{lines}}\n":
        return r"(?:[^\n]*\n)*?"
    parts = re.split(r"\{\{(\w+)\}\}", line)
    return "".join(re.escape(part) if i % 2 == 0 else PATTERNS[part] for i, part in enumerate(parts))


def matches(expected, found):
    pattern = "".join(line_pattern(line) for line in expected.splitlines(keepends=True))
    return re.fullmatch(pattern, found) is not None


def expected_text(case, suffix):
    path = case.with_suffix(suffix)
    return path.read_text(encoding="utf-8") if path.exists() else ""


def has_h5py():
    return importlib.util.find_spec("h5py") is not None and importlib.util.find_spec("numpy") is not None


def environment(arguments, script):
    if "$PYTHON" in script and not has_h5py():
        print("this case needs h5py and numpy")
        sys.exit(SKIP)
    variables = {name: value for name, value in os.environ.items() if name not in CLEARED and not name.startswith("SLURM_")}
    cli = pathlib.Path(__file__).resolve().parent
    variables.update(
        LC_ALL="C", DENSEVAL=str(arguments.program.resolve()), DATA=str(arguments.data.resolve()), CLI=str(cli),
        PYTHON=sys.executable, JSON=f"{sys.executable} {cli / 'json_value.py'}")
    return variables


def report_difference(name, expected, found):
    print(f"--- {name}: expected\n{expected}--- {name}: found\n{found}---")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("case", type=pathlib.Path)
    arguments = parser.parse_args()
    script = arguments.case.read_text(encoding="utf-8")
    variables = environment(arguments, script)
    with tempfile.TemporaryDirectory(prefix="denseval-cli-") as folder:
        done = subprocess.run(["sh", "-c", script], cwd=folder, env=variables, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, errors="backslashreplace", timeout=300)
    wanted_exit = int(expected_text(arguments.case, ".exit") or 0)
    if done.returncode == SKIP and wanted_exit != SKIP:
        print(done.stdout + done.stderr)
        return SKIP
    good = done.returncode == wanted_exit
    if not good:
        print(f"exit status: expected {wanted_exit}, found {done.returncode}")
    for name, suffix, found in (("stdout", ".out", done.stdout), ("stderr", ".err", done.stderr)):
        expected = expected_text(arguments.case, suffix)
        if not matches(expected, found):
            report_difference(name, expected, found)
            good = False
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
