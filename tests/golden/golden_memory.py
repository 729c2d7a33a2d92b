"""KNN-08: `knn` and `eval` under a memory limit give the bytes that they give without one, and hold no more than that.

Banks are files and features, labelled and not; rows are scanned in one slab, in a few and in many, with --exclude, --shards and
blocks of a given size too.
"""
import os
import sys

from common import SKIP, Checks, h5py, np, run, scratch

GRID, DIM, BANK_IMAGES, QUERY_IMAGES = 16, 512, 128, 9
MIB = 1 << 20
MOST_IDLE_BYTES = 40 * MIB  # a program that takes more before it does anything has a sanitizer in it


def write(path, n_images, seed, **storage):
    random = np.random.default_rng(seed)
    centres = random.standard_normal((64, DIM))
    with h5py.File(path, "w") as f:
        f.attrs.update(schema="denseval features v1", grid_h=GRID, grid_w=GRID, patch_size=2, input_h=2 * GRID,
                       input_w=2 * GRID)
        rows = centres[random.integers(0, 64, (n_images, GRID * GRID))]
        rows += random.standard_normal(rows.shape)
        f.create_dataset("features", data=rows.astype(np.float16), **storage)
        f["labels"] = random.integers(0, 4, (n_images, 2 * GRID, 2 * GRID)).astype(np.uint8)
        text = h5py.string_dtype("utf-8")
        f.create_dataset("class_names", data=list("abcd"), dtype=text)
        f.create_dataset("image_id", data=[f"{seed % 2}-{i}" for i in range(n_images)], dtype=text)
        f.create_dataset("object_id", data=[f"o{i % 3}" for i in range(n_images)], dtype=text)


class Runs:
    """knn with one bank, every limit against the file without one."""

    def __init__(self, checks, folder, queries):
        self.checks, self.folder, self.queries, self.slabs = checks, folder, queries, set()

    def knn(self, what, bank, limit, *options):
        out = os.path.join(self.folder, "out.h5")
        found = run("knn", *bank, "--queries", self.queries, "-k", 9, "--threads", 2, "--out", out, "--force", *options,
                    *(["--memory-limit", limit] if limit else []))
        if limit:
            self.checks.equal(f"{what}: {found['resources']['max_rss_bytes']} bytes held, {limit} allowed",
                              found["resources"]["max_rss_bytes"] <= limit, True)
            self.slabs.add(found["search"]["bank_slabs"])
        with open(out, "rb") as f:
            return f.read()

    def compare(self, name, bank, limits, *options):
        expected = self.knn(name, bank, None, *options)
        for limit in limits:
            what = f"{name} {' '.join(map(str, options))}, limit {limit}"
            self.checks.equal(f"{what}: same bytes", self.knn(what, bank, limit, *options) == expected, True)


def main():
    idle = run("info")["resources"]["max_rss_bytes"]  # of which more or less is this machine's libraries
    if idle > MOST_IDLE_BYTES:
        print("skipped: this build takes more memory than the limits to be tested")
        sys.exit(SKIP)
    checks = Checks()
    with scratch() as folder:
        contiguous, chunked, queries, bank = (f"{folder}/{name}.h5" for name in ("bank", "chunked", "queries", "built"))
        write(contiguous, BANK_IMAGES, 2)
        write(chunked, BANK_IMAGES, 2, chunks=(1, GRID * GRID, DIM), compression="gzip", compression_opts=1)
        write(queries, QUERY_IMAGES, 3)
        run("bank", "build", "--features", contiguous, "--out", bank)
        runs = Runs(checks, folder, queries)
        runs.compare("bank file", ["--bank", bank], [idle + more * MIB for more in (150, 44, 36, 28, 24, 20, 18)])
        checks.equal("slabs: one, some, many", (1 in runs.slabs, any(2 <= n <= 12 for n in runs.slabs),
                                                any(n > 12 for n in runs.slabs)), (True, True, True))
        few = [idle + 30 * MIB, idle + 22 * MIB]
        runs.compare("features", ["--features", contiguous], [idle + 44 * MIB, *few])
        runs.compare("sampled features", ["--features", contiguous, "--memory-size", 20000], few)
        runs.compare("compressed features", ["--features", chunked], few)
        for options in (["--exclude", "object"], ["--shards", 3], ["--block-images", 2],
                        ["--backend", "reference", "--images", "0:1"]):
            runs.compare("bank file", ["--bank", bank], few, *options)
        for limit in (None, idle + 36 * MIB):
            found = run("eval", "--bank", bank, "--queries", queries, *(["--memory-limit", limit] if limit else []))
            confusion = found["confusion"] if not limit else confusion
            checks.equal(f"eval, limit {limit}: counts", found["confusion"], confusion)
            if limit:
                checks.equal("eval: bytes held", found["resources"]["max_rss_bytes"] <= limit, True)
        message = run("knn", "--bank", bank, "--queries", queries, "--out", f"{folder}/none.h5", "--memory-limit", "1MiB",
                      expect=70)
        checks.equal("a limit that is too small", "the memory limit leaves 1 bytes for a search, which takes at least"
                     in message, True)
        checks.equal("nothing is left of it", os.path.exists(f"{folder}/none.h5"), False)
    checks.done("golden memory")


if __name__ == "__main__":
    main()
