"""Checks what no compiler checks: which module may include which, and what may stand in the tree at all.

usage: check_includes.py [ROOT]
Prints FILE:LINE: WHAT, one line a fault; exit status 1 when there is one.
"""
import collections
import fnmatch
import os
import pathlib
import re
import shutil
import subprocess
import sys

# Module of src/host (or "kernels") -> the modules it may include. Each may also include itself and "denseval/".
MAY = {
    "core": "", "cluster": "core", "io": "core", "bank": "core cluster io", "search": "core", "segment": "core", "metrics": "core",
    "report": "core io", "device": "core search segment metrics kernels",
    "pipeline": "core cluster io bank search device metrics",
    "protocol": "core io bank search segment metrics device pipeline",
    "app": "", "kernels": "core",
}

# Third-party header -> the only place in src that may include it.
WALL = {
    "hdf5.h": "io/hdf5_", "spng.h": "io/png", "libdeflate.h": "io/png_inflate", "jpeglib.h": "io/jpeg",
    "faiss/": "search/faiss/", "cblas.h": "search/blas", "jansson.h": "report/json io/json_", "xxhash.h": "core/hash.c",
    "yaml.h": "io/yaml_", "mpi.h": "cluster/mpi_", "cuda_runtime.h": "device/cuda/ kernels/", "cudaTypedefs.h": "kernels/sm90a/",
    "cuda_runtime_api.h": "device/cuda/", "kernels/kernels.h": "device/cuda/ kernels/",
    "kernels/search.h": "device/cuda/ kernels/",
}

Rule = collections.namedtuple("Rule", "files but pattern where fault")
SOURCES = "src/*.c src/*.h src/*.cpp src/*.cu src/*.cuh include/*.h"
BUILD_FILES = "CMakeLists.txt *CMakeLists.txt *.cmake CMakePresets.json Makefile"
HERE = "tests/lint/*"  # names what it looks for

# `where` is "text" (everything), "code" (comments and strings left out) or "uncommented" (comments left out).
RULES = [
    Rule("*", HERE, r"\b(TODO|FIXME|XXX)\b", "text", "unfinished work: '{0}'"),
    Rule("*", HERE, r"(?<![\w.$}-])/(?:work|root|home/\w+)(?=[/\s\"'`]|$)", "text", "path of one machine: '{0}'"),
    Rule("src/* include/* cmake/* configs/* docs/* *.md", HERE, r"(?<![\w.$}-])/tmp(?=[/\s\"'`]|$)", "text",
         "path of one machine: '{0}'"),
    Rule("src/*", "src/host/app/*", r"\b(?:secure_)?getenv(?=\s*\()", "code", "only app may read the environment: '{0}'"),
    Rule("src/*", "src/host/app/*",
         r"\b(?:printf|vprintf|puts|putchar|perror)(?=\s*\()|\b(?:stdout|stderr)\b", "code",
         "the library never prints: '{0}'"),
    Rule("src/*", "src/host/app/*", r"\b(?:exit|_exit|_Exit|quick_exit|abort)(?=\s*\()", "code",
         "the library never ends the process: '{0}'"),
    Rule("src/*", HERE, r"\b(?:atoi|atol|atoll|atof|gets|strcpy|strcat|sprintf|vsprintf)(?=\s*\()", "code",
         "unchecked by nature: '{0}'"),
    Rule(BUILD_FILES + " " + SOURCES + " *.sh .ci/run", HERE,
         r"-Ofast|f(?:no-)?(?:fast-math|associative-math|unsafe-math-optimizations)|use_fast_math|fp-contract=fast"
         r"|-march=native|--fmad=true", "uncommented", "bits are promised, so never '{0}'"),
]

SKIPPED_FOLDERS = re.compile(r"\.git|build|build-.*|out|__pycache__")
TOP_LEVEL = "src include tests docs bench configs cmake .ci"
TOKEN = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.DOTALL)


def listed_files(root):
    """Paths below root, as text: what git knows or would add; where git cannot tell, all but build folders."""
    if (root / ".git").exists() and shutil.which("git"):
        run = subprocess.run(["git", "-C", root, "ls-files", "-coz", "--exclude-standard"], capture_output=True)
        if run.returncode == 0:
            names = os.fsdecode(run.stdout).split("\0")
            return sorted(name for name in names if name and (root / name).is_file())
    found = []
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if not SKIPPED_FOLDERS.fullmatch(name)]
        found += [str((pathlib.Path(folder) / name).relative_to(root)) for name in files]
    return sorted(found)


def matches(path, patterns):
    return any(fnmatch.fnmatchcase(path, pattern) for pattern in patterns.split())


def blanked(text, strings_too):
    """C text without its comments (and strings), every line still on its own number."""
    def blank(match):
        token = match.group()
        if token[0] != "/" and not strings_too:
            return token
        return "\n" * token.count("\n") or " "
    return TOKEN.sub(blank, text)


def views(path, text):
    if matches(path, SOURCES + " tests/*.c tests/*.h tests/*.cpp"):
        return {"text": text, "uncommented": blanked(text, False), "code": blanked(text, True)}
    without = re.sub(r"(?m)(^|\s)#.*$", "", text)
    return {"text": text, "uncommented": without, "code": without}


def rule_faults(path, text):
    seen = views(path, text)
    for rule in RULES:
        if matches(path, rule.files) and not matches(path, rule.but):
            for number, line in enumerate(seen[rule.where].split("\n"), 1):
                for match in re.finditer(rule.pattern, line):
                    yield f"{path}:{number}: {rule.fault.format(match.group())}"


def home_of(path):
    """("io", "io/png.c") for src/host/io/png.c; None where no module is."""
    match = re.fullmatch(r"src/(?:host/)?(([a-z0-9_]+)/.+)", path)
    return (match[2], match[1]) if match else None


def include_fault(path, target):
    module, place = home_of(path) or ("include", path)
    if ".." in target.split("/"):
        return f"include '{target}' from its module, without '..'"
    for header, homes in WALL.items():
        if target == header or (header.endswith("/") and target.startswith(header)):
            if not any(place.startswith(home) for home in homes.split()):
                return f"only {homes.replace(' ', ' and ')} may include {target}"
    other = target.split("/")[0]
    if module == "include":
        return None if other == "denseval" or "/" not in target else f"a public header may not include {target}"
    if module not in MAY:
        return f"module '{module}' has no line in MAY of tests/lint/check_includes.py"
    if other in MAY and other != module and other not in MAY[module].split():
        return f"{module} may not include {target}"
    return None


def include_faults(path, text):
    if not matches(path, SOURCES):
        return
    for number, line in enumerate(blanked(text, False).split("\n"), 1):
        match = re.match(r'\s*#\s*include\s*(["<])([^">]+)[">]', line)
        if match:
            fault = include_fault(path, match[2])
            if not fault and match[1] == '"' and "/" not in match[2]:
                fault = f"include '{match[2]}' by its module (\"module/{match[2]}\")"
            if fault:
                yield f"{path}:{number}: {fault}"


def path_faults(path, text, root):
    """Paths in backticks of ARCHITECTURE.md, from the root or from a module, must exist; <placeholders> are passed over."""
    for number, line in enumerate(text.split("\n"), 1):
        for token in re.findall(r"`([\w.*-]+(?:/[\w.*-]*)+)`", line):
            if token.count("/") == 1 and token.endswith("/"):
                bases = ["", "**/"]  # a folder below one that the sentence names
            else:
                bases = [""] if token.split("/")[0] in TOP_LEVEL.split() else ["", "src/host/", "include/"]
            if token.split("/")[0] != "build" and not any(any(root.glob(base + token.rstrip("/"))) for base in bases):
                yield f"{path}:{number}: no such path: {token}"


def readme_faults(path, text):
    lines = text.rstrip("\n").split("\n")
    if len(lines) >= 120:
        yield f"{path}:{len(lines)}: must stay under 120 lines"
    first = next((number for number, line in enumerate(lines, 1) if re.match(r"```|    \S|\$ ", line)), None)
    if first is None or first >= 20:
        yield f"{path}:{first or len(lines)}: the first command must stand by line 20"


def faults_of(root):
    for path in listed_files(root):
        try:
            text = (root / path).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # pictures and the like
        yield from rule_faults(path, text)
        yield from include_faults(path, text)
        if path == "ARCHITECTURE.md":
            yield from path_faults(path, text, root)
        if path == "README.md":
            yield from readme_faults(path, text)


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2])
    faults = list(faults_of(root))
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
