"""A plain scorer of dining records in Python: json, re, dictionaries. It follows the strict rules of docs/METRICS.md, "Dining", for answers
without thinking blocks.

usage: dining_plain.py classification|nutrition TRUTH PRED
Prints one JSON object: the scores, the seconds without the start of the interpreter, the largest resident size in bytes.
"""
import json
import math
import re
import resource
import sys
import time

NUTRIENTS = ("calories", "protein", "carbohydrates", "fat")
SEPARATOR = r"[ \t\r\n*_:=(\[\"']*"
KEYWORD = re.compile(rf"(?i:answer|option|choice){SEPARATOR}(?:(?i:is){SEPARATOR})?(?<![A-Za-z])([A-H])(?![A-Za-z0-9'’])")
BRACKET = re.compile(r"\(([A-H])\)|\[([A-H])\]|\*\*([A-H])\*\*")
LEAD = re.compile(r"[ \t\r\n*]*([A-H])[.):、]")
OBJECT = re.compile(r"\{[^{}]*\}")


def read(path):
    with open(path, encoding="utf-8-sig") as file:
        return [json.loads(line) for line in file if line.strip()]


def option(text):
    bare = text.strip(" \t\r\n*_\"'`.,:;()[]{}<>")
    if len(bare) == 1 and bare.isascii() and bare.isalpha():
        return bare.upper()
    found = KEYWORD.findall(text) or [a or b or c for a, b, c in BRACKET.findall(text)]
    if not found:
        lead = LEAD.match(text)
        found = [lead[1]] if lead else []
    return found[0] if len(set(found)) == 1 else None


def nutrients(text):
    last = None
    for match in OBJECT.finditer(text):
        try:
            found = json.loads(match[0])
        except ValueError:
            continue
        if all(name in found for name in NUTRIENTS):
            last = {name: float(found[name]) for name in NUTRIENTS}
    return last


def classification(truth, answers):
    right = 0
    for i, record in enumerate(truth):
        if i in answers:
            right += option(answers[i]["model_pred"]) == record["ground_truth"].strip().upper()
    return {"accuracy": right / len(truth)}


def nutrition(truth, answers):
    errors, percents = ({name: [] for name in NUTRIENTS} for _ in range(2))
    for i, record in enumerate(truth):
        key = record["ground_truth"]
        key = json.loads(key) if isinstance(key, str) else key
        found = nutrients(answers[i]["model_pred"]) if i in answers else None
        for name in NUTRIENTS:
            errors[name].append(abs(found[name] - key[name]) if found else abs(key[name]))
            if key[name]:
                percents[name].append(abs((found[name] - key[name]) / key[name]) * 100 if found else 100.0)
    return {name: {"mae": sum(e) / len(e), "rmse": math.sqrt(sum(x * x for x in e) / len(e)),
                   "mape": sum(percents[name]) / len(percents[name])} for name, e in errors.items()}


def main(task, truth_path, pred_path):
    started = time.perf_counter()
    truth = read(truth_path)
    answers = {record["idx"]: record for record in read(pred_path)}
    scores = {"classification": classification, "nutrition": nutrition}[task](truth, answers)
    print(json.dumps({"scores": scores, "wall_s": time.perf_counter() - started,
                      "max_rss_bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024}))


if __name__ == "__main__":
    main(*sys.argv[1:])
