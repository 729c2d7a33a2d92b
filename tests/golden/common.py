"""What the golden scripts share: running the program, reading its PNGs, counting checks."""
import hashlib
import json
import os
import struct
import subprocess
import sys
import tempfile
import zlib

SKIP = 77  # the exit status that ctest shows as skipped

try:
    import h5py
    import numpy as np
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(SKIP)

PROGRAM = os.environ.get("DENSEVAL", "build/denseval")
SHARED = os.environ.get("DENSEVAL_SHARED", "../shared")
DEMO = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data", "demo")


def shared_set(name):
    """The folder of a data set that lives beside the repository; a skip where it is absent."""
    path = os.path.join(SHARED, "data", name)
    if not os.path.isdir(path):
        print(f"skipped: the data set {name} is not beside this checkout")
        sys.exit(SKIP)
    return path


def skip_unless_kernel_runs():
    """Where DENSEVAL_CPU asks for a scan kernel that this processor does not have, there is nothing to test."""
    wanted = os.environ.get("DENSEVAL_CPU")
    kernels = {kernel["name"]: kernel["usable"] for kernel in run("info")["machine"]["cpu_kernels"]}
    if wanted and not kernels[wanted]:
        print(f"skipped: this processor does not run the kernel {wanted}")
        sys.exit(SKIP)


def run(*arguments, expect=0):
    """Runs the program with --json where it succeeds; gives the parsed object, or stderr when a failure is expected."""
    command = [PROGRAM, *map(str, arguments)] + (["--json"] if expect == 0 else [])
    # A shell between: the largest resident size of a process begins with that of its parent, here an interpreter.
    done = subprocess.run(["/bin/sh", "-c", '"$@"; exit', "sh", *command], capture_output=True, text=True)
    if done.returncode != expect:
        raise SystemExit(f"exit {done.returncode}, expected {expect}: {' '.join(command)}\n{done.stderr}")
    return json.loads(done.stdout) if expect == 0 else done.stderr


class Checks:
    """Counts what held and stops at the first thing that did not."""

    def __init__(self):
        self.n = 0

    def equal(self, what, found, expected):
        if found != expected:
            raise SystemExit(f"{what}: found {found}, expected {expected}")
        self.n += 1

    def close(self, what, found, expected, tolerance=1e-12):
        if (found is None) != (expected is None) or (found is not None and not abs(found - expected) <= tolerance):
            raise SystemExit(f"{what}: found {found!r}, expected {expected!r}")
        self.n += 1

    def done(self, name):
        if not self.n:
            raise SystemExit(f"{name}: nothing was checked")
        print(f"{name}: {self.n} checks passed")


def read_png(path):
    """An indexed 8-bit or gray PNG as a u8 or u16 array; all five filters."""
    data = open(path, "rb").read()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", path
    at, body = 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        chunk = data[at + 8:at + 8 + length]
        if kind == b"IHDR":
            width, height, depth, colour, _, _, interlace = struct.unpack(">IIBBBBB", chunk)
            assert depth in (8, 16) and colour in (0, 3) and not interlace, path
        elif kind == b"IDAT":
            body += chunk
        at += 12 + length
    step = depth // 8
    rows = np.frombuffer(zlib.decompress(body), np.uint8).reshape(height, 1 + width * step)
    out = np.zeros((height + 1, width * step + step), np.int64)  # a margin above and to the left for the filters
    for y in range(height):
        kind, line = rows[y, 0], rows[y, 1:].astype(np.int64)
        up, now = out[y], out[y + 1]
        if kind == 0:
            now[step:] = line
        elif kind == 2:
            now[step:] = (line + up[step:]) & 255
        else:
            for x in range(len(line)):
                a, b, c = now[x], up[x + step], up[x]
                guess = a + b - c
                paeth = min((abs(guess - a), 0, a), (abs(guess - b), 1, b), (abs(guess - c), 2, c))[2]
                now[x + step] = (line[x] + {1: a, 3: (a + b) // 2, 4: paeth}[int(kind)]) & 255
    flat = out[1:, step:].astype(np.uint8)
    return flat if step == 1 else flat.reshape(height, width, 2).astype(np.uint16) @ np.array([256, 1], np.uint16)


def with_images(path, choose, out):
    """A copy of a feature file with the images whose numbers choose(file) gives."""
    with h5py.File(path, "r") as f, h5py.File(out, "w") as g:
        keep = choose(f)
        for name, value in f.attrs.items():
            g.attrs[name] = value
        for name, data in f.items():
            values = data[:] if name == "class_names" else data[:][keep]
            g.create_dataset(name, data=values, dtype=data.dtype)
    return out


FREE = {"backend", "search", "resources", "seconds"}  # which device, how it searched, what it took


def without_free(value):
    """JSON without what may differ between runs of one result."""
    if isinstance(value, dict):
        return {k: without_free(v) for k, v in value.items() if k not in FREE}
    return [without_free(v) for v in value] if isinstance(value, list) else value


def files_of(folder):
    """Digests of contents by name; of JSON what no run is free in."""
    found = {}
    for base, _, names in os.walk(folder):
        for name in names:
            data = open(os.path.join(base, name), "rb").read()
            found[os.path.relpath(os.path.join(base, name), folder)] = (
                without_free(json.loads(data)) if name.endswith(".json") else hashlib.sha256(data).hexdigest())
    return found


def predictions_hash(folder, image_ids):
    """SHA-256 of the predicted classes of all images, u8, in the order of the ids."""
    digest = hashlib.sha256()
    for image_id in image_ids:
        digest.update(read_png(os.path.join(folder, image_id + ".png")).astype(np.uint8).tobytes())
    return digest.hexdigest()


def scratch():
    return tempfile.TemporaryDirectory(prefix="denseval-golden-")
