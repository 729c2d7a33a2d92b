"""Printed tables recomputed from their own columns, as tests/data/published/README.md lists them.

usage: golden_paper_tables.py
"""
import csv
import json
import os
from decimal import ROUND_HALF_UP, Decimal

from common import Checks, run, scratch

TABLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data", "published")
DIFFICULTIES = {"easy": "0_30_60_90", "medium": "0_45_90", "hard": "0_90", "extreme": "0"}
FREE_BIN = 15  # no reference bin of any difficulty
N_CLASSES = 15


def table(name):
    with open(os.path.join(TABLES, name), encoding="utf-8", newline="") as f:
        rows = list(csv.DictReader(f))
    assert rows, name
    return rows


def rounded(value, printed):
    """A double as a table prints it: to as many decimals as the printed text has."""
    return str(Decimal(repr(value)).quantize(Decimal(printed), ROUND_HALF_UP))


def write_lines(path, records):
    with open(path, "w", encoding="utf-8") as f:
        f.writelines(json.dumps(record) + "\n" for record in records)
    return path


# ---- Experiment C -----------------------------------------------------------------------------------------------------


def write_results(folder, memory):
    """A result file whose classes all have the printed mIoU, in the layout of the published files."""
    path = os.path.join(folder, f"memory{memory}.csv")
    header = ["job_id", "model", "train_bins", "val_bin", "jac_mean", "jac_std", *(f"jac{i}" for i in range(N_CLASSES + 1))]
    with open(path, "w", encoding="utf-8", newline="") as f:
        out = csv.writer(f)
        out.writerow(header)
        for row in (row for row in table("multiview_miou.csv") if row["memory"] == memory):
            for difficulty, bins in DIFFICULTIES.items():
                miou = row[difficulty]
                for view in [*map(int, bins.split("_")), FREE_BIN]:
                    out.writerow([1, row["encoder"], bins, view, miou, 0, *[miou] * (N_CLASSES + 1)])
    return path


def check_gains(checks, folder):
    files = [write_results(folder, memory) for memory in sorted({row["memory"] for row in table("multiview_miou.csv")}, key=int)]
    found = run("viewpoint", "analyze", "--plots", "none", "--results", *files, "--out", f"{folder}/tables")
    means = {(row["encoder"], row["from"], row["to"]): row["gain_of_rounded"] for row in found["experiment_c_averages"]}
    printed = table("multiview_gain.csv")
    checks.equal("average gains", len(means), len(printed))
    for row in printed:
        key = row["encoder"], int(row["from"]), int(row["to"])
        checks.close(f"average gain {key}", means[key], float(row["average_gain"]), 1e-9)


# ---- DiningBench ------------------------------------------------------------------------------------------------------


def right_answers(printed, questions):
    """The only number of right answers whose share is the printed one."""
    fitting = [n for n in range(questions + 1) if rounded(100 * n / questions, printed) == printed]
    assert len(fitting) == 1, (printed, questions, fitting)
    return fitting[0]


def answers(task, right, questions):
    """Predictions of which the first ones are right."""
    if task == "vqa":
        return [{"idx": i, "model_pred": "soup", "eval_result": "Yes" if i < right else "No"} for i in range(questions)]
    return [{"idx": i, "model_pred": "A" if i < right else "B"} for i in range(questions)]


def check_accuracies(checks, folder):
    for row in table("dining_accuracy.csv"):
        task, questions = row["task"], int(row["questions"])
        key = "soup" if task == "vqa" else "A"
        truth = write_lines(f"{folder}/truth.jsonl", [{"id": i, "ground_truth": key} for i in range(questions)])
        pred = write_lines(f"{folder}/pred.jsonl", answers(task, right_answers(row["accuracy"], questions), questions))
        found = run("dining", task, "--truth", truth, "--pred", pred)
        checks.equal(f"{task} {row['prompts']} {row['model']}", rounded(100 * found["accuracy"], row["accuracy"]), row["accuracy"])


def check_nutrition(checks, folder):
    nutrients = ("calories", "protein", "carbohydrates", "fat")
    for row in table("dining_nutrition.csv"):
        truth = {name: 10000 for name in nutrients}
        answer = {name: 10000 + 100 * float(row[name]) for name in nutrients}
        found = run("dining", "nutrition", "--truth", write_lines(f"{folder}/truth.jsonl", [{"id": 0, "ground_truth": truth}]),
                    "--pred", write_lines(f"{folder}/pred.jsonl", [{"idx": 0, "model_pred": json.dumps(answer)}]))
        for name in nutrients:
            checks.equal(f"MAPE of {name}", rounded(found["nutrients"][name]["mape"], row[name]), row[name])
        checks.equal("average MAPE", rounded(found["average_mape"], row["average_mape"]), row["average_mape"])


def check_counts(checks, folder):
    rows = table("dining_counts.csv")
    for name in sorted({row["table"] for row in rows}):
        groups = [row for row in rows if row["table"] == name]
        truth = [{"ground_truth": "A", name: row["group"]} for row in groups for _ in range(int(row["count"]))]
        found = run("dining", "classification", "--group-by", name,
                    "--truth", write_lines(f"{folder}/truth.jsonl", truth),
                    "--pred", write_lines(f"{folder}/pred.jsonl", [{"idx": 0, "model_pred": "A"}]))
        counted = {value: group["records"] for value, group in found["groups"][name].items()}
        for row in groups:
            checks.equal(f"{name} {row['group']}", counted[row["group"]], int(row["count"]))
            share = rounded(100 * counted[row["group"]] / found["records"], row["share"])
            checks.equal(f"share of {name} {row['group']}", share == row["share"], row["agrees"] == "yes")


def main():
    checks = Checks()
    with scratch() as folder:
        check_gains(checks, folder)
        check_accuracies(checks, folder)
        check_nutrition(checks, folder)
        check_counts(checks, folder)
    checks.done("golden paper tables")


main()
