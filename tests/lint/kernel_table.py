"""What the kernels of src/kernels take of a GPU, as ptxas tells it: no GPU is needed.

usage: kernel_table.py [--write | FILE.cu...]
Prints a line for each kernel and architecture, then what is wrong: a spill, more registers than the kernel's limit, fewer
blocks on a multiprocessor than that limit plans, a kernel without one. Of all kernels the table must be that of
docs/KERNELS.md, where the compiler is the page's; --write puts it there. Exit status 1 where something is wrong; 77 where
nvcc is not found.
"""
import collections
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

# threads of a block, bytes of dynamic shared memory, most registers of a thread
Limit = collections.namedtuple("Limit", "threads dynamic_shared registers")
# By name, or by name with template arguments where they differ.
LIMITS = {
    "aggregate": Limit(128, 0, 64),
    "compact": Limit(256, 0, 40),
    "confusion<true>": Limit(256, 48 * 1024, 40),
    "confusion<false>": Limit(256, 0, 40),
    "count_joint": Limit(256, 0, 40),
    "count_labels": Limit(256, 0, 40),
    "count_near": Limit(256, 0, 40),
    "draw_objects": Limit(128, 0, 40),
    "encode_bank": Limit(256, 0, 64),
    "encode_queries": Limit(256, 0, 64),
    "filter_scores": Limit(256, 0, 40),
    "find_contours": Limit(256, 0, 40),
    "first_bounds": Limit(256, 0, 40),
    "follow_curves": Limit(128, 0, 64),
    "gather": Limit(256, 0, 40),
    "measure": Limit(256, 0, 40),
    "products_s8<shape_of<128, 64, 4, 2>, false>": Limit(128, 67584, 232),
    "products_s8<shape_of<128, 64, 4, 2>, true>": Limit(128, 67584, 232),
    "products_s8<shape_of<256, 128, 3, 1>, false>": Limit(256, 148992, 232),
    "products_s8<shape_of<256, 128, 3, 1>, true>": Limit(256, 148992, 232),
    "products_wgmma<1>": Limit(384, 196672, 168),
    "products_wgmma<2>": Limit(384, 196672, 168),
    "raise": Limit(256, 0, 40),
    "score_hits": Limit(256, 0, 64),
    "score_rows": Limit(256, 0, 64),
    "score_resamples": Limit(128, 0, 80),
    "seed_bounds": Limit(256, 0, 40),
    "select_scores": Limit(256, 0, 40),
    "threshold_table": Limit(256, 0, 40),
    "topk": Limit(256, 32 * 1024, 64),
    "upsample_argmax": Limit(256, 0, 64),
}

# Of a multiprocessor and of a block on it: CUDA C++ Programming Guide 13.0, "Technical Specifications per Compute Capability".
Part = collections.namedtuple("Part", "shared threads blocks")
PARTS = {"sm_80": Part(164 * 1024, 2048, 32), "sm_90": Part(228 * 1024, 2048, 32), "sm_90a": Part(228 * 1024, 2048, 32)}
REGISTERS, REGISTER_UNIT, WARP, SHARED_OF_SYSTEM = 65536, 256, 32, 1024

# Kernels of a folder are for one architecture, and must have these instructions, which cuobjdump shows where it is found.
OWN_PART = {"sm90a": ("-gencode=arch=compute_90a,code=sm_90a", ("IGMMA.64x256x32.S8.S8", "UTMALDG.2D", "USETMAXREG"))}

PAGE = pathlib.Path("docs/KERNELS.md")
FLAGS = ["-std=c++17", "-O3", "--fmad=false", "-Xcompiler=-ffp-contract=off", "-Xptxas=-v", "-Isrc", "-Isrc/host",
         "-Iinclude"]
ALL_PARTS = ["-gencode=arch=compute_80,code=sm_80", "-gencode=arch=compute_90,code=sm_90"]

ENTRY = re.compile(
    r"Compiling entry function '(?P<name>\w+)' for '(?P<part>\w+)'\n"
    r"(?:.*\n)??\s*(?P<frame>\d+) bytes stack frame, (?P<stores>\d+) bytes spill stores, (?P<loads>\d+) bytes spill loads\n"
    r".*Used (?P<registers>\d+) registers(?P<rest>.*)\n")


def find_nvcc():
    for name in (os.environ.get("CUDACXX"), "nvcc", "/usr/local/cuda/bin/nvcc"):
        if name and shutil.which(name):
            return name
    return None


def short_name(mangled):
    """'filter<128, 3>' of '_Z6filterILi128ELi3EEvPKa'."""
    text = subprocess.run(["c++filt", mangled], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    while re.search(r"\([^()]*\)", text):  # arguments, casts of template arguments, "(anonymous namespace)"
        text = re.sub(r"\([^()]*\)", "", text)
    text = re.sub(r"\b\w+::", "", text).replace("::", "")
    return text.removeprefix("void ").strip()


def blocks_of(part, limit, registers, static_shared):
    """Blocks that a multiprocessor holds at once."""
    warps = -(-limit.threads // WARP)
    registers_of_warp = -(-registers * WARP // REGISTER_UNIT) * REGISTER_UNIT
    shared = limit.dynamic_shared + static_shared + SHARED_OF_SYSTEM
    return min(part.blocks, part.threads // limit.threads, REGISTERS // registers_of_warp // warps, part.shared // shared)


def missing_instructions(binary, expected):
    """What is not in the machine code; nothing where cuobjdump, or nvdisasm that it calls, is not found."""
    if not (shutil.which("cuobjdump") and shutil.which("nvdisasm")):
        return []
    code = subprocess.run(["cuobjdump", "-sass", binary], stdout=subprocess.PIPE, text=True, check=True).stdout
    return [instruction for instruction in expected if instruction not in code]


def entries(nvcc, source):
    """Matches of each kernel and architecture, and None or what is wrong."""
    part, expected = OWN_PART.get(pathlib.Path(source).parent.name, (None, ()))
    with tempfile.TemporaryDirectory() as folder:
        binary = f"{folder}/kernel.o"
        done = subprocess.run([nvcc, *FLAGS, *([part] if part else ALL_PARTS), "-c", source, "-o", binary],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if part and "Unsupported gpu architecture" in done.stdout:
            return [], None  # of an nvcc before 12.0
        if done.returncode != 0:
            return [], done.stdout
        missing = missing_instructions(binary, expected) if expected else []
    found = list(ENTRY.finditer(done.stdout))
    if missing:
        return found, f"{', '.join(missing)} not in its machine code"
    return found, None if found else "no kernel in it"


def line_of(entry, faults):
    """The line of the table; adds what is wrong to faults."""
    name, part, registers = short_name(entry["name"]), entry["part"], int(entry["registers"])
    spills = int(entry["stores"]) + int(entry["loads"])
    static = re.search(r"(\d+) bytes smem", entry["rest"])
    static_shared = int(static[1]) if static else 0
    limit = LIMITS.get(name, LIMITS.get(name.split("<")[0]))
    if spills:
        faults.append(f"{name} {part}: {spills} bytes of spills, expected none")
    if not limit:
        faults.append(f"{name} {part}: no line in LIMITS of tests/lint/kernel_table.py")
        return f"{name:32} {part} {registers:9} {spills:6} {static_shared:6}"
    if registers > limit.registers:
        faults.append(f"{name} {part}: {registers} registers, limit {limit.registers}")
    blocks = blocks_of(PARTS[part], limit, registers, static_shared)
    planned = max(1, blocks_of(PARTS[part], limit, limit.registers, 0))  # static shared memory is not in the plan
    if blocks < planned:
        faults.append(f"{name} {part}: {blocks} blocks fit a multiprocessor, planned {planned}")
    return (f"{name:32} {part} {registers:9} {spills:6} {static_shared:6} {limit.dynamic_shared:7} {blocks:6} "
            f"{blocks * limit.threads // WARP:5}")


def version_of(nvcc):
    """'nvcc 13.0'."""
    said = subprocess.run([nvcc, "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout
    return "nvcc " + re.search(r"release ([\d.]+)", said)[1]


def page_faults(table, write):
    """What is wrong with the page's copy of the table; another compiler has other registers."""
    page = PAGE.read_text(encoding="utf-8")
    copy = re.search(r"(?<=```text\n)# nvcc.*?(?=\n```)", page, re.DOTALL)
    if not copy:
        return [f"{PAGE}: no table that begins with '# nvcc'"]
    if write:
        PAGE.write_text(page[:copy.start()] + table + page[copy.end():], encoding="utf-8")
    elif copy[0] != table and copy[0].split("\n")[0] == table.split("\n")[0]:
        return [f"{PAGE}: another table; python3 tests/lint/kernel_table.py --write puts this one there"]
    return []


def main():
    os.chdir(pathlib.Path(__file__).resolve().parents[2])
    nvcc = find_nvcc()
    if not nvcc:
        print("nvcc was not found: the kernels were not compiled")
        return 77
    sources = [argument for argument in sys.argv[1:] if argument != "--write"]
    lines = [f"# {version_of(nvcc)}", f"{'kernel':32} part  registers spills static dynamic blocks warps"]
    faults = []
    compiled = sources or sorted(map(str, pathlib.Path("src/kernels").rglob("*.cu")))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda source: entries(nvcc, source), compiled))
    for source, (found, failure) in zip(compiled, results):
        if failure:
            faults.append(f"{source}: {failure}")
        lines += [line_of(entry, faults) for entry in found]
    print("\n".join(lines))
    if not sources:
        faults += page_faults("\n".join(lines), "--write" in sys.argv)
    print("\n".join(faults), end="\n" if faults else "")
    return 1 if faults else 0


sys.exit(main())
