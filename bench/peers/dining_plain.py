"""A plain scorer of dining records in Python: json, re, dictionaries. It follows the strict rules of docs/METRICS.md, "Dining", and keeps
of each record only what it scores.

usage: dining_plain.py classification|nutrition|vqa TRUTH PRED
Prints one JSON object: the scores, the seconds without the start of the interpreter.
"""
import json
import math
import re
import statistics
import sys
import time

NUTRIENTS = ("calories", "protein", "carbohydrates", "fat")
WHITE = " \t\r\n\f\v"
BLOCK = re.compile(r"<(think|thinking|analysis)>.*?</\1>", re.I | re.S)
CLOSER = re.compile(r".*</(?:think|thinking|analysis)>", re.I | re.S)
OPENER = re.compile(r"<(?:think|thinking|analysis)>", re.I)
ANSWER = re.compile(r"<answer>(.*?)</answer>", re.I | re.S)
SEPARATOR = r"[ \t\r\n*_:=(\[\"']*"
ALONE = r"(?<![A-Za-z])(?:([A-Z])(?![A-Za-z0-9'’])|([a-z])(?=[).:,\]]|\Z))"
KEYWORD = re.compile(rf"(?:(?i:answer|option|choice)|答案|选项|选择|选){SEPARATOR}(?:(?:(?i:is)|为|是){SEPARATOR})?{ALONE}")
BRACKET = re.compile(r"\(([A-Z])\)|\[([A-Z])\]|\*\*([A-Z])\*\*")
LEAD = re.compile(r"[ \t\r\n*]*([A-Z])[.):、]")
BOX = re.compile(r"\\boxed\{(?:\\text\{|\\textbf\{|\\mathrm\{|\\mathbf\{)?([^{}]*)\}")
AROUND = " \t\r\n*_\"'`.,:;()[]{}<>。、，：；“”‘’【】（）"
FULL_WIDTH = str.maketrans("".join(chr(c + 0xFEE0) for c in (*range(65, 91), *range(97, 123), *b"()[]:.*")),
                           "".join(map(chr, (*range(65, 91), *range(97, 123), *b"()[]:.*"))))
LABEL = re.compile(r"(?:answer|verdict|judgement|judgment|output|result|答案|判定|结论|输出)[ \t*]*[:：][ \t\r\n*\"'“]*")
VERDICT = re.compile(r"是否|(不正确|不相同|不等价|不一致|不同|不是|不对|否|错误|(?:no|false|incorrect|wrong)(?![a-z]))|"
                     r"(?:是|正确|一致|相同|等价|(?:yes|true|correct)(?![a-z]))")
DECODER = json.JSONDecoder()


def records(path):
    with open(path, encoding="utf-8-sig") as file:
        for line in file:
            if line.strip():
                yield json.loads(line)


def clean(text):
    """Without thinking; None where a block of it has no end."""
    if "<" in text:
        text = CLOSER.sub("", BLOCK.sub("", text))
        if OPENER.search(text):
            return None
        text = (ANSWER.findall(text) or [text])[-1]
    return text.strip(WHITE)


def option(text):
    text = clean(text)
    if not text:
        return None
    text = text.translate(FULL_WIDTH)
    if "\\boxed{" in text:
        text = (BOX.findall(text) or [text])[-1]
    bare = text.strip(AROUND)
    if len(bare) == 1 and bare.isascii() and bare.isalpha():
        found = {bare.upper()}
    else:
        found = ({(a or b).upper() for a, b in KEYWORD.findall(text)} or {a or b or c for a, b, c in BRACKET.findall(text)}
                 or set(LEAD.match(text)[1] if LEAD.match(text) else ""))
    return found.pop() if len(found) == 1 and found <= set("ABCDEFGH") else None


def classification(truth, answers):
    states = {"correct": 0, "wrong": 0, "unparsable": 0, "failed": 0, "missing": 0}
    for i, key in enumerate(truth):
        text = answers.get(i)
        if text is None:
            states["missing"] += 1
        elif "__INFER_ERROR__" in text:
            states["failed"] += 1
        else:
            letter = option(text)
            states["unparsable" if letter is None else "correct" if letter == key.strip(WHITE).upper() else "wrong"] += 1
    answered = states["correct"] + states["wrong"]
    return {"accuracy": states["correct"] / len(truth), "coverage": answered / len(truth),
            "accuracy_answered": states["correct"] / answered, **states}


def dig(found):
    """The last object with all four among this one and the objects inside."""
    if all(name in found for name in NUTRIENTS):
        return found
    inside = [dig(value) for value in found.values() if isinstance(value, dict)]
    return ([value for value in inside if value] or [None])[-1]


def nutrients(text):
    text = clean(text)
    last, at = None, text.find("{") if text else -1
    while at >= 0:
        try:
            found, at = DECODER.raw_decode(text, at)
            last = dig(found) or last
        except ValueError:
            at += 1
        at = text.find("{", at)
    try:
        values = {name: float(last[name]) for name in NUTRIENTS} if last else None
    except ValueError:
        return None
    return values if values and all(map(math.isfinite, values.values())) else None


def errors_of(truth, found, valid_only):
    scores = {}
    for name in NUTRIENTS:
        errors, percents = [], []
        for key, values in zip(truth, found):
            if valid_only and not values:
                continue
            errors.append(abs(values[name] - key[name]) if values else abs(key[name]))
            if key[name]:
                percents.append(abs((values[name] - key[name]) / key[name]) * 100 if values else 100.0)
        scores[name] = {"mae": sum(errors) / len(errors), "rmse": math.sqrt(sum(e * e for e in errors) / len(errors)),
                        "mape": sum(percents) / len(percents), "median_abs_error": statistics.median(errors)}
    return scores


def nutrition(truth, answers):
    keys = [json.loads(key) if isinstance(key, str) else key for key in truth]
    found = [nutrients(answers[i]) if answers.get(i) else None for i in range(len(truth))]
    return {"nutrients": errors_of(keys, found, False), "valid_only": {"nutrients": errors_of(keys, found, True)}}


def verdict(text):
    text = text.lower().lstrip(" \t\r\n\"'*_#`“‘「【（(")
    label = LABEL.match(text)
    said = VERDICT.match(text, label.end() if label else 0)
    return "undecided" if not said or said[0] == "是否" else "no" if said[1] else "yes"


def vqa(truth, answers):
    states = {"yes": 0, "no": 0, "undecided": 0, "not_judged": 0, "failed": 0, "missing": 0, "no_key": 0}
    for i, key in enumerate(truth):
        text, said = answers.get(i) or ("", None)
        if not key:
            states["no_key"] += 1
        elif not text.strip():
            states["missing"] += 1
        elif "__INFER_ERROR__" in text:
            states["failed"] += 1
        elif said is None or "__EVAL_ERROR__" in said:
            states["not_judged"] += 1
        else:
            states[verdict(said)] += 1
    n = len(truth) - states["no_key"]
    return {"accuracy": states["yes"] / n, "accuracy_high": (states["yes"] + states["undecided"] + states["not_judged"]) / n,
            "accuracy_judged": states["yes"] / (states["yes"] + states["no"]), **states}


def main(task, truth_path, pred_path):
    started = time.perf_counter()
    truth = [record["ground_truth"] for record in records(truth_path)]
    if task == "vqa":
        answers = {record["idx"]: (record["model_pred"], record.get("eval_result")) for record in records(pred_path)}
    else:
        answers = {record["idx"]: record["model_pred"] for record in records(pred_path)}
    scores = {"classification": classification, "nutrition": nutrition, "vqa": vqa}[task](truth, answers)
    print(json.dumps({"scores": scores, "wall_s": time.perf_counter() - started}))


if __name__ == "__main__":
    main(*sys.argv[1:])
