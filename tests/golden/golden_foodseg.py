"""Label maps of FoodSeg103: the numbers of the data set's README, class by class and image by image.

usage: golden_foodseg.py main|policies|small|mapped|stack|leakage
"""
import csv
import json
import pathlib
import sys

import h5py
import numpy as np
from common import Checks, read_png, run, scratch, shared_set

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
import make_masks  # noqa: E402

CLASSES = 104


def evaluate(folder, *arguments):
    return run("iou", "--truth", folder / "gt", "--pred", folder / "pred", *arguments)


def rows_of(path):
    return list(csv.DictReader(open(path, newline="")))


def number(text):
    return float(text) if text else None


def check_means(checks, what, found, golden, miou="mIoU_skip", accuracy="mAcc_skip"):
    checks.close(f"{what}, mIoU", found["miou"], golden[miou])
    checks.close(f"{what}, mean accuracy", found["mean_accuracy"], golden[accuracy])
    checks.close(f"{what}, pixel accuracy", found["pixel_accuracy"], golden["aAcc"])
    checks.equal(f"{what}, pixels", found["scored_pixels"], golden["pixels"])
    checks.equal(f"{what}, correct pixels", found["correct_pixels"], golden["correct"])


def check_classes(checks, found, folder):
    names = dict(line.split("\t") for line in open(folder / "class_names.txt").read().splitlines())
    for mine, row in zip(found["classes"], rows_of(folder / "per_class.csv"), strict=True):
        what = f"class {mine['id']}"
        checks.equal(f"{what}, name", mine["name"], names[str(mine["id"])])
        for key, column in (("iou", "iou"), ("accuracy", "acc")):
            checks.close(f"{what}, {key}", mine[key], number(row[column]), 0)
    counts = [list(map(int, row)) for row in csv.reader(open(folder / "confusion.csv"))]
    checks.equal("confusion", found["confusion"], counts)


def check_table(checks, path, folder):
    for mine, row in zip(rows_of(path), rows_of(folder / "per_class.csv"), strict=True):
        for key, column in (("id", "class"), ("truth_pixels", "truth"), ("predicted_pixels", "predicted"),
                            ("intersection", "intersection"), ("iou", "iou"), ("accuracy", "acc"),
                            ("precision", "precision"), ("dice", "dice")):
            checks.close(f"class {row['class']}, {key} of the table", number(mine[key]), number(row[column]), 0)


def check_images(checks, path, folder):
    for mine, row in zip(rows_of(path), rows_of(folder / "per_image.csv"), strict=True):
        checks.equal("image", mine["image"], row["image"])
        for key in ("scored", "ignored", "correct"):
            checks.equal(f"{row['image']}, {key}", int(mine[f"{key}_pixels"]), int(row[key]))
        for key, column in (("miou", "mIoU_skip"), ("miou_truth_only", "mIoU_gt_present")):
            checks.close(f"{row['image']}, {key}", number(mine[key]), number(row[column]))


def check_main(checks, folder, golden):
    bits = set()
    with scratch() as root:
        for threads in (1, 2):
            images, classes = f"{root}/{threads}.csv", f"{root}/{threads}_classes.csv"
            found = evaluate(folder / "main", "--protocol", "foodseg103", "--per-image", images, "--per-class", classes,
                             "--threads", threads, "--bootstrap", 200)
            del found["resources"]
            bits.add(json.dumps(found) + open(images).read() + open(classes).read())
            check_images(checks, images, folder)
            check_table(checks, classes, folder)
    checks.equal("results of 1 and 2 threads", len(bits), 1)
    main = golden["main"]
    check_means(checks, "main", found, main["with_background"])
    checks.close("the reference", found["miou"], golden["reference"]["mIoU_nanmean"])
    checks.equal("as the reference prints it",
                 [f"{100 * found[k]:.2f}" for k in ("miou", "mean_accuracy", "pixel_accuracy")],
                 [f"{x:.2f}" for x in golden["reference"]["printed_percent"]])
    checks.close("images", found["mean_of_images_miou"], main["mean_of_per_image_mIoU_skip"])
    checks.equal("ignored pixels", found["ignored_pixels"], main["ignored_pixels"])
    for recipe in ("recipe_0_102", "recipe_1_103"):
        checks.close(recipe, found["foodseg103"][recipe]["miou"], main[recipe]["mIoU"])
    low, high = found["miou_interval_95"]["low"], found["miou_interval_95"]["high"]
    checks.equal("the interval holds the mean", low < found["miou"] < high, True)
    check_classes(checks, found, folder)


def check_policies(checks, folder, golden):
    main = golden["main"]
    for name, arguments in (("with_background", ()), ("without_background", ("--exclude-classes", 0))):
        for absent, column in (("skip", "skip"), ("zero", "zero"), ("one", "one"), ("truth-only", "gt_present")):
            found = evaluate(folder / "main", "--classes", CLASSES, "--absent", absent, *arguments)
            check_means(checks, f"{name}, {absent}", found, main[name], f"mIoU_{column}")
    found = evaluate(folder / "main", "--classes", CLASSES, "--ignore-pixels", "0,255", "--exclude-classes", 0)
    check_means(checks, "background ignored", found, main["ignore_background_pixels"])
    kept = ("--classes", CLASSES, "--ignore-pixels", "none", "--invalid-labels", "false-positive")
    for name, arguments in (("with", ()), ("without", ("--exclude-classes", 0))):
        found = evaluate(folder / "main", *kept, *arguments)
        checks.close(f"nothing ignored, {name} background", found["miou"],
                     main["ignore_none"][f"mIoU_skip_{name}_background"])


def evaluate_small(case, *arguments, expect=0):
    with scratch() as root:
        for side in ("gt", "pred"):
            make_masks.write_png(pathlib.Path(root, side, "0.png"), case[side], "gray")
            if "more" in case:
                make_masks.write_png(pathlib.Path(root, side, "1.png"), case["more"], "gray")
        return run("iou", "--truth", f"{root}/gt", "--pred", f"{root}/pred", "--classes", case["num_classes"],
                   *arguments, expect=expect)


def check_small(checks, folder, golden):
    cases = {case["name"]: case for case in golden["small"]}
    for name in ("three_policies", "gt_present"):
        for absent, key in (("skip", "mIoU_skip"), ("zero", "mIoU_zero"), ("one", "mIoU_one"),
                            ("truth-only", "mIoU_gt_present")):
            if key in cases[name]:
                checks.close(f"{name}, {key}", evaluate_small(cases[name], "--absent", absent)["miou"], cases[name][key])
    case = cases["exclude_or_ignore_background"]
    found = evaluate_small(case, "--exclude-classes", 0)
    checks.close("background excluded", found["classes"][1]["iou"], case["iou1_excluded_from_mean"])
    found = evaluate_small(case, "--ignore-pixels", 0)
    checks.close("background ignored", found["classes"][1]["iou"], case["iou1_ignored_pixels"])
    for name, words in (("prediction_equals_class_count", "prediction 104 (1 pixel)"),
                        ("truth_out_of_range", "label 200 (1 pixel)")):
        checks.equal(name, words in evaluate_small(cases[name], expect=65), True)
    truth, pred, n = cases["pixel_103_103_in_8_bit"]["cell"]
    checks.equal("the last cell", evaluate_small(cases["pixel_103_103_in_8_bit"])["confusion"][truth][pred], n)
    big = {"num_classes": CLASSES, "gt": [[7] * 4096] * 4096, "pred": [[7] * 4096] * 4096, "more": [[7]]}
    checks.equal("a cell above 2^24", evaluate_small(big)["confusion"][7][7], cases["one_cell_above_2_pow_24"]["cell"])


def write_stack(path, folder, ids):
    """All label maps in the upper left of one size, and 255 around them."""
    maps = [read_png(folder / f"{name}.png") for name in ids]
    stack = np.full((len(maps), *np.max([m.shape for m in maps], 0)), 255, np.uint8)
    for row, one in zip(stack, maps):
        row[:one.shape[0], :one.shape[1]] = one
    with h5py.File(path, "w") as file:
        file.attrs["schema"] = "denseval masks v1"
        file["labels"] = stack
        file["image_id"] = [name.encode() for name in ids]


def check_stack(checks, folder, golden):
    """The same label maps out of HDF5: what surrounds them is ignored."""
    ids = golden["main"]["ids"]
    with scratch() as root:
        write_stack(f"{root}/gt", folder / "main" / "gt", ids)
        write_stack(f"{root}/pred", folder / "main" / "pred", ids[::-1])
        found = evaluate(pathlib.Path(root), "--protocol", "foodseg103")
    check_means(checks, "stack", found, golden["main"]["with_background"])
    check_classes(checks, found, folder)


def check_mapped(checks, folder, golden):
    cross = golden["cross_domain"]
    folder = folder / "cross_domain"
    arguments = ("--protocol", "foodseg103", "--class-map", folder / "class_map.csv")
    for absent, column in (("skip", "skip"), ("zero", "zero"), ("one", "one"), ("truth-only", "gt_present")):
        found = evaluate(folder, *arguments, "--absent", absent)
        check_means(checks, f"all, {absent}", found, cross["all_104"], f"mIoU_{column}")
        checks.equal("classes of the map", found["mapped"]["classes"], cross["mapped_classes"])
        checks.close(f"mapped, {absent}", found["mapped"]["miou"], cross["mapped_62"][f"mIoU_{column}"])
    found = evaluate(folder, *arguments, "--exclude-classes", 0)
    check_means(checks, "without background", found, cross["without_background"])
    checks.equal("ignored pixels", found["ignored_pixels"], cross["pixels_unmapped_or_ignored"])


def check_leakage(checks, folder, golden):
    folder, golden = folder / "leakage", golden["leakage"]
    lists = f"{folder / 'train.txt'},{folder / 'test.txt'}"
    found = run("iou", "--splits", lists, "--images", folder / "images")["leakage"]
    for split, n, same in zip(found["splits"], (golden["train"], golden["test"]),
                              (golden["same_pixels_inside_train"], None)):
        checks.equal("ids", split["ids"] + split["repeated"], n)
        if same is not None:
            checks.equal("inside train", split["same_pixels"], same)
    for key in ("same_id", "same_pixels_other_id"):
        checks.equal(key, found[key], golden[key])
    checks.equal("ids alone", run("iou", "--splits", lists)["leakage"]["same_id"], golden["same_id"])


def main():
    which = sys.argv[1]
    folder = pathlib.Path(shared_set("foodseg103"))
    golden = json.load(open(folder / "golden.json"))
    checks = Checks()
    {"main": check_main, "policies": check_policies, "small": check_small, "mapped": check_mapped,
     "stack": check_stack, "leakage": check_leakage}[which](checks, folder, golden)
    checks.done(f"foodseg103, {which}")


main()
