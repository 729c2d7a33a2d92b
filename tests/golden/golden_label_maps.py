"""Boundary IoU and bootstrap intervals of label maps, beside plain scratch computations.

usage: golden_label_maps.py boundary|interval
"""
import csv
import pathlib
import sys

import numpy as np
from common import Checks, read_png, run, scratch, shared_set

CLASSES, IGNORED = 104, 255


def pairs_of(folder):
    names = sorted(path.name for path in (folder / "gt").iterdir())
    return [(name[:-4], read_png(folder / "gt" / name), read_png(folder / "pred" / name)) for name in names]


def mean(values):
    values = [value for value in values if value is not None]
    return sum(values) / len(values) if values else None


# ---- Boundary IoU ----------------------------------------------------------------------------------------------------


def boundary(mask, ratio):
    """As the code of Cheng et al. has it: the mask without what `distance` erosions by 3 x 3 leave; zeros around it."""
    height, width = mask.shape
    distance = max(1, round(ratio * float(np.sqrt(height**2 + width**2))))
    inside = np.pad(mask, 1)
    for _ in range(distance):
        rows = inside[:-2] & inside[1:-1] & inside[2:]
        inside = np.pad(rows[:, :-2] & rows[:, 1:-1] & rows[:, 2:], 1)
    return mask & ~inside[1:-1, 1:-1]


def boundary_counts(truth, pred, ratio):
    """i64 [CLASSES, 2]: pixels of both boundaries, of either. Ignored pixels are in no mask."""
    counts = np.zeros((CLASSES, 2), np.int64)
    kept = truth != IGNORED
    for c in np.union1d(truth[kept], pred[kept]):
        of_truth, of_pred = boundary((truth == c) & kept, ratio), boundary((pred == c) & kept, ratio)
        counts[c] = (of_truth & of_pred).sum(), (of_truth | of_pred).sum()
    return counts


def scores(counts):
    return [int(both) / int(either) if either else None for both, either in counts]


def check_boundary(checks, folder):
    pairs = pairs_of(folder)
    for ratio, arguments in ((0.02, ()), (0.005, ("--boundary-ratio", 0.005)), (0.1, ("--boundary-ratio", 0.1))):
        with scratch() as root:
            found = run("iou", "--truth", folder / "gt", "--pred", folder / "pred", "--protocol", "foodseg103",
                        "--boundary", *arguments, "--per-image", f"{root}/images.csv")
            images = list(csv.DictReader(open(f"{root}/images.csv", newline="")))
        counts = [boundary_counts(truth, pred, ratio) for _, truth, pred in pairs]
        of_set, of_images = scores(sum(counts)), [mean(scores(one)) for one in counts]
        checks.equal(f"{ratio}, classes", found["boundary"]["iou"], of_set)
        checks.close(f"{ratio}, mIoU", found["boundary"]["miou"], mean(of_set))
        checks.close(f"{ratio}, images", found["boundary"]["mean_of_images_miou"], mean(of_images))
        for (name, _, _), one, row in zip(pairs, of_images, images, strict=True):
            checks.equal("image", row["image"], name)
            checks.close(f"{ratio}, {name}", float(row["boundary_miou"]) if row["boundary_miou"] else None, one)


# ---- Bootstrap -------------------------------------------------------------------------------------------------------


def philox_bits(seed, stream, draw):
    """The first 64 bits of a block of Philox4x32-10 (Salmon et al., SC 2011), as docs/METRICS.md draws."""
    half = 0xFFFFFFFF
    c = [draw & half, draw >> 32, stream & half, stream >> 32]
    k = [~seed & half, ~(seed >> 32) & half]
    for _ in range(10):
        even, odd = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [(odd >> 32) ^ c[1] ^ k[0], odd & half, (even >> 32) ^ c[3] ^ k[1], even & half]
        k = [(k[0] + 0x9E3779B9) & half, (k[1] + 0xBB67AE85) & half]
    return c[0] << 32 | c[1]


def count(truth, pred):
    """i64 [CLASSES, 2]: intersection and union."""
    kept = truth != IGNORED
    cells = np.bincount(truth[kept].astype(int) * CLASSES + pred[kept], minlength=CLASSES**2).reshape(CLASSES, CLASSES)
    both = cells.diagonal()
    return np.stack([both, cells.sum(0) + cells.sum(1) - both], 1)


def check_interval(checks, folder):
    resamples, seed = 400, 7
    found = run("iou", "--truth", folder / "gt", "--pred", folder / "pred", "--protocol", "foodseg103",
                "--bootstrap", resamples, "--seed", seed)["miou_interval_95"]
    counts = np.array([count(truth, pred) for _, truth, pred in pairs_of(folder)])
    n = len(counts)
    drawn = [[philox_bits(seed, b, i) % n for i in range(n)] for b in range(resamples)]
    mious = np.array([mean(scores(counts[images].sum(0))) for images in drawn])
    for key, percent in (("low", 2.5), ("high", 97.5)):
        checks.close(key, found[key], float(np.percentile(mious, percent)))
    checks.equal("resamples", found["resamples"], resamples)
    # Another generator: the same interval, but for chance: 0.01 is some four standard errors of the difference.
    draws = np.random.default_rng(1).integers(0, n, (4000, n))
    other = np.array([mean(scores(counts[images].sum(0))) for images in draws])
    many = run("iou", "--truth", folder / "gt", "--pred", folder / "pred", "--protocol", "foodseg103",
               "--bootstrap", 4000)["miou_interval_95"]
    for key, percent in (("low", 2.5), ("high", 97.5)):
        difference = abs(many[key] - np.percentile(other, percent))
        print(f"{key}: {many[key]:.4f}, another generator {difference:.5f} off")
        checks.equal(f"{key} of another generator", bool(difference < 0.01), True)


def main():
    which = sys.argv[1]
    folder = pathlib.Path(shared_set("foodseg103")) / "main"
    checks = Checks()
    {"boundary": check_boundary, "interval": check_interval}[which](checks, folder)
    checks.done(f"label maps, {which}")


main()
