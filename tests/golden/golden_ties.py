"""A made set full of exact ties and duplicated rows: every backend against an oracle written here from the definitions.

Features are small integers, so that many rows have the very same cosine; a third of the bank's images repeat others. The
oracle computes the canonical cosine (docs/METRICS.md) in numpy doubles, one rounding an operation, and orders by
(cosine falling, row rising). Votes and pixels follow in double; a pixel whose two best classes are closer than 1e-9 may
hang on the last bit of an exponential, so such pixels are counted and left out of the comparison.
"""
import os
import sys

from common import Checks, h5py, np, read_png, run, scratch

K, BETA, VOID = 30, 0.02, 255
GRID_H, GRID_W, PATCH, CLASSES = 3, 5, 8, 4
SEED = int(os.environ.get("DENSEVAL_TEST_SEED", os.environ.get("DV_TEST_SEED", "20261129")))


def make(rng, n_images, dim):
    rows = rng.integers(-1, 2, (n_images, GRID_H * GRID_W, dim)).astype(np.float64)
    rows[:, :, 0] = 1 + rng.integers(0, 2, rows.shape[:2])  # never a zero row
    rows[n_images // 3:2 * (n_images // 3)] = rows[:n_images // 3]
    labels = rng.integers(0, CLASSES, (n_images, GRID_H * 2, GRID_W * 2)).astype(np.uint8)
    labels = labels.repeat(PATCH // 2, 1).repeat(PATCH // 2, 2)
    labels[rng.random(labels.shape) < 0.1] = VOID
    return rows, labels


def write(path, rows, labels, kind):
    n, p, dim = rows.shape
    with h5py.File(path, "w") as f:
        if kind == "bf16":
            f["features"] = (rows.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
        else:
            f["features"] = rows.astype({"f16": np.float16, "f32": np.float32, "f64": np.float64}[kind])
        f["labels"] = labels
        f.create_dataset("image_id", data=[f"{os.path.basename(path)[:-3]}/{i}" for i in range(n)],
                         dtype=h5py.string_dtype("utf-8"))
        f.create_dataset("class_names", data=[f"class {c}" for c in range(CLASSES)], dtype=h5py.string_dtype("utf-8"))
        f.attrs.update({"schema": "denseval features v1", "grid_h": GRID_H, "grid_w": GRID_W, "patch_size": PATCH,
                        "input_h": GRID_H * PATCH, "input_w": GRID_W * PATCH, "bfloat16": int(kind == "bf16")})


def dot(x, rows):
    """Sums of products of x with every row: 16 partials, then the tree; numpy rounds each operation once."""
    partial = np.zeros((len(rows), 16))
    for at in range(0, rows.shape[1], 16):
        part = rows[:, at:at + 16] * x[at:at + 16]
        partial[:, :part.shape[1]] += part
    for o in (8, 4, 2, 1):
        partial[:, :o] += partial[:, o:2 * o]
    return partial[:, 0]


def neighbours(queries, bank):
    norms = np.sqrt(np.array([dot(x, x[None])[0] for x in bank]))
    ids, cosines = np.empty((len(queries), K), np.int64), np.empty((len(queries), K))
    for i, q in enumerate(queries):
        c = np.clip(dot(q, bank) / (np.sqrt(dot(q, q[None])[0]) * norms), -1, 1) + 0.0
        order = np.lexsort((np.arange(len(bank)), -c))[:K]
        ids[i], cosines[i] = order, c[order]
    return ids, cosines


def tiles(labels):
    """[image, patch, pixel] of every patch."""
    n = len(labels)
    return labels.reshape(n, GRID_H, PATCH, GRID_W, PATCH).transpose(0, 1, 3, 2, 4).reshape(n, GRID_H * GRID_W, -1)


def blend(soft, n, axis):
    size = soft.shape[axis]
    t = np.maximum((np.arange(n) + 0.5) * size / n - 0.5, 0)
    low = np.minimum(t.astype(int), size - 1)
    high, t = np.minimum(low + 1, size - 1), t - low
    shape = [1] * soft.ndim
    shape[axis] = n
    t = t.reshape(shape)
    return soft.take(low, axis) * (1 - t) + soft.take(high, axis) * t


def predict(ids, cosines, counts, n_images):
    weights = np.exp((cosines - cosines[:, :1]) / BETA)
    weights /= weights.sum(1, keepdims=True)
    share = counts / counts.sum(1, keepdims=True)
    soft = (weights[:, :, None] * share[ids]).sum(1).reshape(n_images, GRID_H, GRID_W, CLASSES)
    up = blend(blend(soft, GRID_W * PATCH, 2), GRID_H * PATCH, 1)
    best = np.sort(up, 3)
    return up.argmax(3), best[..., -1] - best[..., -2] > 1e-9


def main(kind):
    print(f"seed {SEED}")
    rng, checks = np.random.default_rng(SEED), Checks()
    with scratch() as out:
        (bank_rows, bank_labels), (query_rows, query_labels) = make(rng, 12, 37), make(rng, 6, 37)
        write(f"{out}/bank.h5", bank_rows, bank_labels, kind)
        write(f"{out}/query.h5", query_rows, query_labels, kind)
        flat = np.stack([(tiles(bank_labels) == c).sum(2) for c in range(CLASSES)], 2).reshape(-1, CLASSES)
        kept = flat.sum(1) > 0
        bank, counts = bank_rows.reshape(-1, bank_rows.shape[2])[kept], flat[kept]
        ids, cosines = neighbours(query_rows.reshape(-1, query_rows.shape[2]), bank)
        tied = int((cosines[:, 1:] == cosines[:, :-1]).sum())
        checks.equal("the set has many ties", tied > 1000, True)
        pred, sure = predict(ids, cosines, counts, len(query_rows))
        truth = np.where(sure, query_labels, VOID)
        confusion = np.bincount((truth.astype(int) * CLASSES + pred)[truth != VOID], minlength=CLASSES ** 2)
        for backend in ("reference", "cpu", "faiss"):
            for options in (["--threads", 1, "--block-images", 1], ["--threads", 2, "--block-images", 7],
                            ["--threads", 2, "--shards", 3, "--block-images", 64]):
                what = f"{kind}, {backend} {' '.join(map(str, options))}"
                path = f"{out}/knn-{checks.n}.h5"
                common = ["--features", f"{out}/bank.h5", "--queries", f"{out}/query.h5", "--backend", backend, *options]
                run("knn", *common, "--out", path)
                with h5py.File(path, "r") as f:
                    checks.equal(f"{what}, ids", np.array_equal(f["ids"][:].reshape(ids.shape), ids), True)
                    same = np.array_equal(f["cosines"][:].reshape(ids.shape), cosines.astype(np.float32))
                    checks.equal(f"{what}, bits of the cosines", same, True)
                found = run("eval", *common, "--predictions", f"{path}.pred")
                ours = np.stack([read_png(f"{path}.pred/query/{i}.png") for i in range(len(query_rows))])
                checks.equal(f"{what}, predicted pixels", np.array_equal(ours[sure], pred[sure]), True)
                again = np.bincount((truth.astype(int) * CLASSES + ours)[truth != VOID], minlength=CLASSES ** 2)
                checks.equal(f"{what}, confusion of sure pixels", again.tolist(), confusion.tolist())
                whole = np.bincount((query_labels.astype(int) * CLASSES + ours)[query_labels != VOID], minlength=CLASSES ** 2)
                checks.equal(f"{what}, confusion", sum(found["confusion"], []), whole.tolist())
    checks.done(f"golden ties, {kind} ({tied} ties, {int((~sure).sum())} of {sure.size} pixels left out)")


if __name__ == "__main__":
    main(sys.argv[1])
