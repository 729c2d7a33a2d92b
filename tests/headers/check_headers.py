"""Compiles each public header alone, included twice, as C17 and as C++17, and checks that the umbrella has them all.

usage: check_headers.py [--cc CC] [--cxx CXX] INCLUDE_DIR
Prints one line a fault; exit status 1 when there is one.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only"]


def compile_fault(compiler, include_dir, header):
    """The compiler's complaint about a file that only includes the header twice, or None."""
    text = f'#include "denseval/{header}"\n#include "denseval/{header}"\n'
    run = subprocess.run([*compiler, *STRICT, "-I", str(include_dir), "-"], input=text, text=True,
                         capture_output=True)
    if run.returncode == 0:
        return None
    return f"{header}: not usable alone by {compiler[0]} {compiler[1]}:\n{run.stderr.rstrip()}"


def umbrella_faults(include_dir, headers):
    umbrella = (include_dir / "denseval" / "denseval.h").read_text(encoding="utf-8")
    included = re.findall(r'^#include "denseval/([^"]+)"', umbrella, re.MULTILINE)
    for header in headers:
        if header != "denseval.h" and header not in included:
            yield f"denseval.h: does not include denseval/{header}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cc", default="gcc")
    parser.add_argument("--cxx", default="g++")
    parser.add_argument("include_dir", type=pathlib.Path)
    args = parser.parse_args()
    headers = sorted(path.name for path in (args.include_dir / "denseval").glob("*.h"))
    if "denseval.h" not in headers:
        sys.exit(f"{args.include_dir}: no denseval/denseval.h")
    compilers = [[args.cc, "-std=c17", "-x", "c"], [args.cxx, "-std=c++17", "-x", "c++"]]
    jobs = [(compiler, args.include_dir, header) for header in headers for compiler in compilers]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        faults = [fault for fault in pool.map(lambda job: compile_fault(*job), jobs) if fault]
    faults += umbrella_faults(args.include_dir, headers)
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
