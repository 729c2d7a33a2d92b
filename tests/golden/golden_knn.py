"""CamVid: ids and cosines of `knn` on every backend, thread count and block size equal the golden neighbours."""
import sys

from common import Checks, h5py, np, run, scratch, shared_set

IMAGES = (0, 12)  # of test.h5; the golden file holds their patches


def check(checks, what, path, first, golden):
    with h5py.File(path, "r") as f:
        ids, cosines = f["ids"][:], f["cosines"][:]
    for place, image in enumerate(IMAGES):
        if not first <= image < first + len(ids):
            continue
        checks.equal(f"{what}, ids of image {image}", np.array_equal(ids[image - first], golden["ids"][place]), True)
        expected = golden["cosines"][place].astype(np.float32)
        ulps = np.abs(cosines[image - first].view(np.int32).astype(np.int64) - expected.view(np.int32).astype(np.int64))
        checks.equal(f"{what}, largest distance of a cosine of image {image} within 1 ulp", bool(ulps.max() <= 1), True)


def main(backend, *common):
    folder, checks = shared_set("camvid"), Checks()
    with h5py.File(f"{folder}/golden_knn.h5", "r") as f:
        golden = {"ids": f["ids"][:], "cosines": f["cosines"][:]}
    # Plain double loops are slow: the reference device gets each of the two images once, the others all images between them.
    if backend == "reference":
        runs = [(1, 1, 0, 1), (2, 1, 12, 13)]
    else:
        runs = [(threads, block, 0, 13) for threads in (1, 2) for block in (1, 7, 64)]
    with scratch() as out:
        for threads, block, first, end in runs:
            what = f"{backend}, {threads} threads, blocks of {block}, images {first}:{end}"
            path = f"{out}/{threads}-{block}-{first}.h5"
            found = run("knn", "--features", f"{folder}/train.h5", "--queries", f"{folder}/test.h5", "--images",
                        f"{first}:{end}", "--backend", backend, "--threads", threads, "--block-images", block,
                        "--out", path, *common)
            checks.equal(f"{what}, rows", found["rows"], 31190)
            checks.equal(f"{what}, backend", found["search"]["backend"], backend)
            if "--stages" in common:
                checks.equal(f"{what}, stages", found["search"]["stages"], 2)
            check(checks, what, path, first, golden)
    checks.done(f"golden knn, {backend}")


if __name__ == "__main__":
    main(*sys.argv[1:])
