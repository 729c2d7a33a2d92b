"""IoU of 3D targets: every number of the goldens, and the checks of the paper's tables.

usage: golden_objects.py set|boxes|tables [OPTION...]
"""
import csv
import json
import os
import sys

from common import Checks, run, scratch, shared_set

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
import make_masks  # noqa: E402

CATEGORIES = ("dominant", "occluded", "small", "complex")
# --views: the golden's name for it, and the column of per_target.csv
VIEWS = {"shown": "iou", "all": "iou_hidden_scored", "pooled": "iou_pooled", "first": "iou_first_view"}


def rows_of(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def number(text):
    return float(text) if text else None


def check_group(checks, what, found, golden):
    checks.equal(f"{what}, n", found["n"], golden["n"])
    for name in ("mean", "sd", "min", "q1", "median", "q3", "max", "whisker_low", "whisker_high"):
        checks.close(f"{what}, {name}", found["std" if name == "sd" else name], golden[name])
    checks.equal(f"{what}, outliers", len(found["outliers"]), len(golden["outliers"]))
    for mine, expected in zip(found["outliers"], golden["outliers"]):
        checks.close(f"{what}, outlier", mine, expected)


def check_targets(checks, found, targets, views, column):
    """Against per_target.csv and per_view.csv, which hold no reference views."""
    checks.equal("targets", [t["id"] for t in found], [t["target"] for t in targets])
    at = 0
    for mine, expected in zip(found, targets):
        what = f"{column} of {mine['id']}"
        checks.close(what, mine["iou"], number(expected[column]))
        checks.equal(f"{what}, category", mine["category"], expected["category"])
        checks.equal(f"{what}, hidden views", mine["views_hidden"], int(expected["views_hidden"]))
        if column == "iou":
            checks.equal(f"{what}, scored views", mine["views_scored"], int(expected["views_scored"]))
        for view in mine["views"]:
            golden = views[at]
            at += 1
            checks.equal("view", (mine["id"], view["view"]), (golden["target"], golden["view"]))
            for name in ("truth_pixels", "pred_pixels", "intersection", "union"):
                checks.equal(f"{what}, {view['view']}, {name}", view[name], int(golden[name]))
            checks.close(f"{what}, {view['view']}", view["iou"], number(golden["iou"]))
    checks.equal("views", at, len(views))


def check_files(checks, folder, targets, views):
    """The written tables hold the same, and every way at once."""
    written = rows_of(f"{folder}/per-target.csv")
    checks.equal("rows of per-target.csv", len(written), len(targets))
    for mine, expected in zip(written, targets):
        for way, column in VIEWS.items():
            checks.close(f"per-target.csv, {mine['target']}, {way}", number(mine[f"iou_{way}"]), number(expected[column]))
    written = rows_of(f"{folder}/per-view.csv")
    checks.equal("rows of per-view.csv", len(written), len(views))
    for mine, expected in zip(written, views):
        for name, value in expected.items():
            if name == "iou":
                checks.close(f"per-view.csv, {mine['target']}/{mine['view']}", number(mine[name]), number(value))
            else:
                checks.equal(f"per-view.csv, {mine['target']}/{mine['view']}, {name}", mine[name], value)


def check_set(checks, folder, arguments):
    golden = json.load(open(f"{folder}/golden.json"))
    targets, views = rows_of(f"{folder}/per_target.csv"), rows_of(f"{folder}/per_view.csv")
    sides = ["--targets", f"{folder}/targets.json", "--truth", f"{folder}/gt", "--pred", f"{folder}/pred"]
    for way, name in VIEWS.items():
        result = run("objects", *sides, "--views", way, *arguments)
        for group, expected in golden[name].items():
            check_group(checks, f"{name}, {group}", result["categories"][group], expected)
        check_targets(checks, result["targets"], targets, views, name)
        if way == "shown":
            checks.close("mean of category means", result["mean_of_category_means"], golden["mean_of_category_means"])
            scenes = {s["name"]: s["mean"] for s in result["scenes"]}
            checks.equal("scenes", sorted(scenes), sorted(golden["by_scene"]))
            for scene, expected in golden["by_scene"].items():
                checks.close(scene, scenes[scene], expected)
    bits = set()
    for threads in (1, 2):
        with scratch() as out:
            run("objects", *sides, "--out", f"{out}/result", "--threads", threads, *arguments)
            check_files(checks, f"{out}/result", targets, views)
            files = sorted(set(os.listdir(f"{out}/result")) - {"resources.json"})
            bits.add(tuple((name, open(f"{out}/result/{name}", "rb").read()) for name in files))
    checks.equal("result folders of 1 and 2 threads", len(bits), 1)


def write_list(root, values):
    """A target a value: of 100 pixels, 100 times the value are predicted."""
    targets = {}
    for i, value in enumerate(values):
        found = round(100 * value)
        assert found / 100 == value, value
        name = f"t{i}"
        targets[name] = {"scene": "s", "category": "small", "reference_view": "r", "views": ["r", "v"]}
        for side, n in (("gt", 100), ("pred", found)):
            path = os.path.join(root, side, name, "v.png")
            make_masks.write_png(make_masks.pathlib.Path(path), [[1] * n + [0] * (100 - n)], "gray")
    json.dump({"schema": "objects3d-targets v1", "targets": targets}, open(f"{root}/targets.json", "w"))


def check_boxes(checks, folder, arguments):
    for case in json.load(open(f"{folder}/golden.json"))["box_cases"]:
        with scratch() as root:
            write_list(root, case["values"])
            result = run("objects", "--targets", f"{root}/targets.json", "--truth", f"{root}/gt", "--pred",
                         f"{root}/pred", *arguments)
        for group in ("all", "small"):
            check_group(checks, f"{case['values']}, {group}", result["categories"][group], case)
        checks.equal("a category without targets", result["categories"]["complex"]["n"], 0)
        checks.equal("its mean", result["categories"]["complex"]["mean"], None)


def weighted(row, weights):
    return sum(float(row[c]) * w for c, w in zip(CATEGORIES, weights)) / sum(weights)


def recomputed(scenes, benchmarks, results):
    """Every check of the tables by its key: (table, row, words)."""
    total = scenes[-1]
    sums = {c: sum(int(row[c]) for row in scenes[:-1]) for c in CATEGORIES}
    of = {("VI", "Total", f"{c} column sum"): sums[c] for c in CATEGORIES}
    of["VI", "all", "targets in total"] = sum(int(total[c]) for c in CATEGORIES)
    of["VI", "all", "scenes"] = len(scenes) - 1
    of["VIII caption", "all", '"one dominant object from every scene": dominant targets = scenes'] = sums["dominant"]
    for c in CATEGORIES[1:]:
        of["VIII caption", "all", f'"3 objects" of type {c}'] = sums[c]
    for row in results:
        for words, weights in (("category means weighted 20/12/9/9 (table VI)", (20, 12, 9, 9)),
                               ("category means weighted 20/13/9/8 (one complex target counted as occluded)", (20, 13, 9, 8)),
                               ("category means weighted 12/3/3/3 (caption)", (12, 3, 3, 3)),
                               ("plain mean of the four categories", (1, 1, 1, 1))):
            of["VIII", row["method"], f"all = {words}"] = weighted(row, weights)
    of["VII", "Ours", "scenes as in table VI"] = len(scenes) - 1
    of["VII", "Ours", "objects as in table VI"] = sum(sums.values())
    checked = next(row for row in benchmarks if row["benchmark"] == "Ours")
    assert int(checked["scenes"]) == len(scenes) - 1 and int(checked["objects"]) == sum(sums.values())
    return of


def check_tables(checks, folder):
    """What our text says of the paper's tables: which of their numbers agree with each other."""
    tables = [rows_of(f"{folder}/tables/{name}.csv") for name in ("table6_targets", "table7_benchmarks", "table8_results")]
    mine = recomputed(*tables)
    golden = json.load(open(f"{folder}/tables/table_checks.json"))
    checks.equal("checks", len(golden), len(mine))
    for check in golden:
        key = check["table"], check["row"], check["check"]
        checks.close(f"{key}", mine[key], check["recomputed"], 5e-7)  # printed with six decimals
        checks.equal(f"{key}, holds", abs(mine[key] - check["printed"]) <= check["tolerance"] + 1e-9, check["holds"])
    fitting = [(a, b, c, 50 - a - b - c) for a in range(51) for b in range(51 - a) for c in range(51 - a - b)
               if all(abs(weighted(row, (a, b, c, 50 - a - b - c)) - float(row["all"])) <= 0.05 for row in tables[2])]
    checks.equal("weights of sum 50 that give every printed mean", fitting, [(20, 13, 9, 8)])


def main(which, arguments):
    folder = shared_set("objects3d")
    checks = Checks()
    if which == "set":
        check_set(checks, folder, arguments)
    elif which == "boxes":
        check_boxes(checks, folder, arguments)
    else:
        shared_set("objects3d/tables")
        check_tables(checks, folder)
    checks.done(f"golden objects {which}")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
