"""`viewpoint analyze`: the published tables of the multi-view benchmark, and the tables of the small multi-view set.

usage: golden_viewpoint.py published|multiview
"""
import csv
import glob
import json
import os
import sys

from common import Checks, run, scratch, shared_set

DINOV3 = "dinov3-vitb16-pretrain-lvd1689m"  # the name in the files of both runs
DIFFICULTIES = ("easy", "medium", "hard", "extreme")


def load(path):
    with open(path, encoding="utf-8") as f:
        return json.load(f)


def analyze(files, out, *options):
    """The JSON object on stdout, which is that of the file but for the resources."""
    found = run("viewpoint", "analyze", "--plots", "none", "--results", *files, "--out", out, *options)
    stored = load(f"{out}/analysis.json")
    assert found.pop("resources") and found == stored
    return found


def by_key(rows, *keys):
    table = {tuple(row[key] for key in keys): row for row in rows}
    assert len(table) == len(rows), keys
    return table


def check_equal_lists(checks, what, found, expected, tolerance):
    checks.equal(f"{what}, length", len(found), len(expected))
    for i, (one, other) in enumerate(zip(found, expected)):
        checks.close(f"{what} {i}", one, other, tolerance)


def check_experiment(checks, name, found, expected, keys):
    """Every number of expected.json to 1e-9, and no row that is not there."""
    rows = by_key(found[name], *keys)
    checks.equal(f"{name}, rows", len(rows), len(expected))
    for golden in expected:
        row = rows[tuple(golden[key] for key in keys)]
        for key, value in golden.items():
            what = f"{name} {[golden[k] for k in keys]} {key}"
            if isinstance(value, list):
                check_equal_lists(checks, what, row[key], value, 1e-9)
            elif isinstance(value, float):
                checks.close(what, row[key], value, 1e-9)
            else:
                checks.equal(what, row[key], value)


def check_expected(checks, found, expected):
    check_experiment(checks, "experiment_a", found, expected["experiment_a"], ("encoder", "memory", "difficulty"))
    check_experiment(checks, "experiment_b", found, expected["experiment_b"], ("encoder", "memory"))
    check_experiment(checks, "experiment_c", found, expected["experiment_c"], ("encoder", "from", "to", "difficulty"))


def check_scores(checks, found, paper):
    """Tables 2 and 4: all 96 pairs of mIoU and deviation, to three decimals."""
    scores, n_pairs = by_key(found["experiment_a"], "encoder", "memory", "difficulty"), 0
    for table, memory in (("table4_320k", 320000), ("table4_640k", 640000), ("table2_1024k", 1024000)):
        for encoder, pairs in paper[table].items():
            for difficulty, printed in zip(DIFFICULTIES, pairs):
                row = scores[encoder, memory, difficulty]
                checks.equal(f"{table} {encoder} {difficulty}", [round(row["miou"], 3), round(row["std"], 3)], printed)
                n_pairs += 1
    checks.equal("pairs of Tables 2 and 4", n_pairs, 96)


def check_breaks(checks, found, paper):
    """Table 3: TIPS and VGGT break, nobody else does; five of eight break where the first step is tested too."""
    curves = {row["encoder"]: row for row in found["experiment_b"] if row["memory"] == 1024000}
    checks.equal("encoders of Table 3", len(curves), 8)
    for encoder, row in curves.items():
        printed = paper["table3_1024k"].get(encoder)
        checks.equal(f"Table 3 {encoder}", row["breaking_bin_validation"], printed and printed[0])
        if printed:
            checks.equal(f"Table 3 {encoder} step", round(row["breaking_step"], 4), printed[1])
        else:
            checks.equal(f"Table 3 {encoder} step", row["breaking_step"], None)
    checks.equal("steepest step of C-RADIOv2",
                 (curves["C-RADIOv2-B"]["steepest_bin"], round(curves["C-RADIOv2-B"]["steepest_step"], 4)), (30, -0.0969))
    checks.equal("encoders that break at 15", sum(row["breaking_bin_all"] == 15 for row in curves.values()), 5)


def check_gains(checks, found, paper):
    """The average column of Table 10, which is made of rounded values."""
    means = by_key(found["experiment_c_averages"], "encoder", "from", "to")
    for pair, printed in paper["table10_average_gain"].items():
        smaller, larger = (1000 * int(size.rstrip("k")) for size in pair.split("-"))
        for encoder, gain in printed.items():
            checks.close(f"Table 10 {pair} {encoder}", means[encoder, smaller, larger]["gain_of_rounded"], gain, 1e-9)
    tasks = by_key(found["experiment_c_tasks"], "difficulty", "from", "to")
    gains = [row["gain"] for row in found["experiment_c"]
             if (row["difficulty"], row["from"], row["to"]) == ("hard", 320000, 640000)]
    checks.close("average gain of a task", tasks["hard", 320000, 640000]["gain"], sum(gains) / 8, 1e-12)


def published():
    folder, checks = shared_set("published"), Checks()
    expected, paper = load(f"{folder}/expected.json"), load(f"{folder}/paper_tables.json")
    later = sorted(glob.glob(f"{folder}/exp_a_memory*.csv"))
    reduced = sorted(glob.glob(f"{folder}/dinov3_reduced_memory*.csv"))
    with scratch() as out:
        first = analyze(later, f"{out}/later")
        second = analyze(reduced, f"{out}/reduced")
        for row in (row for name in ("experiment_a", "experiment_b", "experiment_c") for row in second[name]):
            row["encoder"] = "dinov3-reduced"
        both = {name: first[name] + second[name] for name in ("experiment_a", "experiment_b", "experiment_c")}
        check_expected(checks, both, expected)

        # The two runs of DINOv3 in one set: the same cells with other values; 20 are listed, the first one once more at the end.
        refused = run("viewpoint", "analyze", "--plots", "none", "--results", *later, *reduced, "--out", f"{out}/both", expect=65)
        checks.equal("both runs of DINOv3", refused.count("the same cell as"), 21)
        checks.equal("folder of a refused run", os.path.exists(f"{out}/both"), False)

        # The paper's eight encoders: DINOv3 from the run with fewer images.
        files = []
        for path in later:
            files.append(f"{out}/{os.path.basename(path)}")
            with open(path, encoding="utf-8") as source, open(files[-1], "w", encoding="utf-8") as target:
                target.writelines(line for line in source if DINOV3 not in line)
        found = analyze(files + reduced, f"{out}/paper")
        check_scores(checks, found, paper)
        check_breaks(checks, found, paper)
        check_gains(checks, found, paper)
        shown = analyze(files + reduced, f"{out}/all", "--steps", "all")
        checks.equal("breaking step under --steps all",
                     {row["breaking_step"] for row in shown["experiment_b"]},
                     {row["breaking_step_all"] for row in found["experiment_b"]})
        with open(f"{out}/paper/experiment_a.csv", encoding="utf-8", newline="") as f:
            rows = by_key(list(csv.DictReader(f)), "encoder", "memory", "difficulty")
        for row in found["experiment_a"]:
            stored = rows[row["encoder"], str(row["memory"]), row["difficulty"]]
            checks.equal("CSV of Experiment A", (float(stored["miou"]), float(stored["std"])), (row["miou"], row["std"]))
    checks.done("golden viewpoint, published")


def results_of(golden, policy):
    """results.json as the command line's contract has it, from the golden runs of a policy."""
    cells = []
    for sweep in (sweep for sweep in golden["runs"] if sweep["policy"] == policy):
        names = golden["encoders"][sweep["encoder"]]["class_names"]
        for view in sweep["bins"]:
            cells.append({
                "encoder": sweep["encoder"], "memory": sweep["memory_size"], "difficulty": sweep["difficulty"],
                "bin": view["bin"], "reference": view["is_reference"], "images": view["images"],
                "bank_rows": sweep["bank_rows"], "miou": view["miou"], "miou_objects": view["miou_objects"],
                "classes": [{"id": i, "name": name, "iou": iou} for i, (name, iou) in enumerate(zip(names, view["iou"]))],
                "confusion": view["confusion"]})
    return {"schema": "denseval sweep v1", "command": "sweep", "version": "", "settings": {}, "inputs": [], "cells": cells}


def check_small_set(checks, what, found, tables, suffix):
    """suffix: "" where the results are exact, "_from_csv" where they were rounded to three decimals."""
    scores = by_key(found["experiment_a"], "encoder", "memory", "difficulty")
    for encoder, sizes in tables["experiment_a"].items():
        for size, difficulties in sizes.items():
            for difficulty, golden in difficulties.items():
                row = scores[encoder, int(size), difficulty]
                checks.close(f"{what} A {encoder} {size} {difficulty}", row["miou"], golden["mean" + suffix], 1e-12)
                checks.close(f"{what} A {encoder} {size} {difficulty} std", row["std"], golden["std" + suffix], 1e-12)
    curves = by_key(found["experiment_b"], "encoder", "memory")
    for encoder, sizes in tables["experiment_b"].items():
        for size, golden in sizes.items():
            row, points = curves[encoder, int(size)], golden["from_csv"] if suffix else golden
            for rule in ("validation", "all"):
                point = points[f"{rule}_steps"]
                checks.equal(f"{what} B {encoder} {size} {rule}", row[f"breaking_bin_{rule}"], point["bin"])
                checks.close(f"{what} B {encoder} {size} {rule}", row[f"breaking_step_{rule}"], point["drop"], 1e-12)
            if not suffix:
                checks.equal(f"{what} B {encoder} {size} bins", row["bins"], golden["bins"])
                check_equal_lists(checks, f"{what} B normalised", row["normalised"], golden["normalised"], 1e-12)
                check_equal_lists(checks, f"{what} B steps", row["steps"], golden["delta"][1:], 1e-12)
                check_equal_lists(checks, f"{what} B mIoU", row["miou"], golden["miou"], 1e-12)
    if suffix:
        return
    gains = by_key(found["experiment_c"], "encoder", "from", "to", "difficulty")
    means = by_key(found["experiment_c_averages"], "encoder", "from", "to")
    for encoder, pairs in tables["experiment_c"].items():
        for pair, golden in pairs.items():
            sizes = tuple(map(int, pair.split("->")))
            for key in ("gain", "gain_of_rounded"):
                for difficulty, gain in golden[key].items():
                    checks.close(f"{what} C {encoder} {key}", gains[encoder, *sizes, difficulty][key], gain, 1e-12)
            checks.close(f"{what} C {encoder} average", means[encoder, *sizes]["gain"], golden["average"], 1e-12)
            checks.close(f"{what} C {encoder} average of rounded", means[encoder, *sizes]["gain_of_rounded"],
                         golden["average_of_rounded"], 1e-12)


def check_printed(checks, path, found):
    """The lines of a table for people: "0.823 +- 0.058", "45 (-0.1017)", "None"."""
    scores = by_key(found["experiment_a"], "encoder", "memory", "difficulty")
    curves = by_key(found["experiment_b"], "encoder", "memory")
    with open(path, encoding="utf-8", newline="") as f:
        for line in csv.DictReader(f):
            if line["experiment"] == "A":
                row = scores[line["model"], int(line["memory"]), line["quantity"]]
                checks.equal(str(line), f"{row['miou']:.3f} +- {row['std']:.3f}", line["value"])
            elif line["quantity"].startswith("breaking point, "):
                row, rule = curves[line["model"], int(line["memory"])], line["quantity"][16:].removesuffix("_steps")
                point = row[f"breaking_bin_{rule}"]
                checks.equal(str(line), f"{point} ({row[f'breaking_step_{rule}']:.4f})" if point else "None", line["value"])


def multiview():
    folder, checks = shared_set("multiview"), Checks()
    golden = load(f"{folder}/golden.json")
    with scratch() as out:
        for policy, tables in golden["tables"].items():
            rounded = analyze(sorted(glob.glob(f"{folder}/results/exp_a_memory*_{policy}.csv")), f"{out}/{policy}-csv")
            check_small_set(checks, f"{policy}, CSV", rounded, tables, "_from_csv")
            with open(f"{out}/{policy}.json", "w", encoding="utf-8") as f:
                json.dump(results_of(golden, policy), f)
            exact = analyze([f"{out}/{policy}.json"], f"{out}/{policy}")
            check_small_set(checks, f"{policy}, JSON", exact, tables, "")
            check_printed(checks, f"{folder}/results/tables_{policy}.csv", exact)
            # A class that is not normalised differs from the curve of all classes by what it says.
            for row in exact["experiment_b"]:
                for one in row["classes"]:
                    for i, value in enumerate(one["iou"]):
                        checks.close("normalised class", one["normalised"][i], value / one["iou"][0], 1e-12)
                        checks.close("difference of a class", one["difference"][i],
                                     one["normalised"][i] - row["normalised"][i], 1e-12)
    checks.done("golden viewpoint, multiview")


if __name__ == "__main__":
    {"published": published, "multiview": multiview}[sys.argv[1]]()
