"""DiningBench: every number of the goldens, by both scorings, and what is read from every answer.

usage: golden_dining.py classification|nutrition|vqa|extraction|cases
"""
import csv
import json
import sys

from common import Checks, run, scratch, shared_set

NUTRIENTS = ("calories", "protein", "carbohydrates", "fat")
FIELDS = ("cuisine", "num_images", "prompt_style")


def write_lines(path, records):
    with open(path, "w", encoding="utf-8") as file:
        for record in records:
            file.write(json.dumps(record, ensure_ascii=False) + "\n")


def read_lines(path):
    return [json.loads(line) for line in open(path, encoding="utf-8")]


def close(checks, what, found, golden):
    """Numbers to 1e-12 of their size; the texts "nan" and "inf" as they are."""
    if isinstance(golden, str) or golden is None:
        checks.equal(what, found, golden)
    else:
        checks.close(what, found, golden, 1e-12 * max(1, abs(golden)))


def score(task, truth, pred, *arguments):
    """The JSON, and the rows of the table of records."""
    with scratch() as root:
        table = f"{root}/records.csv"
        found = run("dining", task, "--truth", truth, "--pred", pred, "--per-record", table, "--allow-empty", *arguments)
        return found, list(csv.DictReader(open(table)))


def check_states(checks, what, rows, golden):
    """The goldens call an option "unreadable" where the program says "unparsable", as it does of nutrients."""
    expected = ["unparsable" if state == "unreadable" else state for state in golden["states"]]
    checks.equal(f"{what}, states", [row["state"] for row in rows], expected)


# ---- Tasks ----------------------------------------------------------------------------------------------------------

def check_accuracy(checks, what, found, golden):
    checks.equal(f"{what}, records", found["records"], golden["n"])
    for mine, name in (("correct",) * 2, ("wrong",) * 2, ("unparsable", "unreadable"), ("failed",) * 2, ("missing",) * 2):
        checks.equal(f"{what}, {name}", found[mine], golden[name])
    for name in ("accuracy", "accuracy_answered", "coverage"):
        close(checks, f"{what}, {name}", found[name], golden[name])


def check_classification(checks, what, found, rows, golden):
    check_accuracy(checks, what, found, golden)
    checks.equal(f"{what}, join", found["join"], golden["join"])
    checks.equal(f"{what}, key conflicts", found["key_conflict"], golden["key_conflict"])
    checks.equal(f"{what}, letters", [row["answer"] or None for row in rows], golden["letters"])
    check_states(checks, what, rows, golden)
    checks.equal(f"{what}, options", sum(sum(row) for row in found["confusion"]), golden["n"])


def check_classification_compat(checks, what, found, golden):
    close(checks, f"{what}, accuracy", found["accuracy"], golden["acc_exact"])
    checks.equal(f"{what}, not readable", found["unparsable"], golden["cannot_read_option_count"])
    checks.equal(f"{what}, records", found["records"], golden["test_count"])
    for mine, name in (("correct", "matched"), ("paired", "total_eval"), ("fail_load", "fail_load_count"),
                       ("predictions", "pred_count")):
        checks.equal(f"{what}, {name}", found["reference"][mine], golden[name])


def check_errors(checks, what, found, golden):
    for nutrient in NUTRIENTS:
        for name, value in golden[nutrient].items():
            close(checks, f"{what}, {nutrient} {name}", found["nutrients"][nutrient][name], value)
    close(checks, f"{what}, average MAPE", found["average_mape"], golden["avg_mape"])


def check_nutrition(checks, what, found, rows, golden):
    checks.equal(f"{what}, records", found["records"], golden["records"])
    check_errors(checks, what, found, golden)
    check_errors(checks, f"{what}, valid only", found["valid_only"], golden["valid_only"])
    for name, value in golden["counts"].items():
        checks.equal(f"{what}, {name}", found[name], value)
    checks.equal(f"{what}, join", found["join"], golden["join"])
    check_states(checks, what, rows, golden)
    checks.equal(f"{what}, unreadable truth", found["truth_unreadable"], golden["truth_unreadable"])
    checks.equal(f"{what}, missing values", found["truth_missing_values"], golden["truth_missing_values"])
    dishes = found["atwater"]["truth"]["dishes"]
    checks.equal(f"{what}, energies", [d["idx"] for d in dishes], [d["idx"] for d in golden["atwater_flagged"]])
    for mine, expected in zip(dishes, golden["atwater_flagged"]):
        checks.equal(f"{what}, kJ", mine["looks_like_kj"], expected["looks_like_kJ"])
        for name in ("calories", "atwater", "difference"):
            close(checks, f"{what}, {name} of {mine['idx']}", mine[name], expected[name])


def check_nutrition_compat(checks, what, found, golden):
    for nutrient in NUTRIENTS:
        mine, expected = found["nutrients"][nutrient], golden[nutrient]
        for name in ("mae", "rmse", "mape"):
            close(checks, f"{what}, {nutrient} {name}", mine[name], expected[name])
        checks.equal(f"{what}, {nutrient} n", mine["n"], expected["valid_count"])
    close(checks, f"{what}, average MAPE", found["average_mape"], golden["avg_mape"])
    checks.equal(f"{what}, records", found["records"], golden["test_count"])
    checks.equal(f"{what}, not parsed", found["unparsable"], golden["parse_fail"])
    for mine, name in (("paired", "total"), ("fail_load", "fail_load"), ("truth_missing", "truth_missing")):
        checks.equal(f"{what}, {name}", found["reference"][mine], golden[name])


JUDGED = ("accuracy", "accuracy_low", "accuracy_high", "accuracy_judged")
VERDICTS = ("yes", "no", "undecided", "not_judged", "failed", "missing", "no_key")


def check_judged(checks, what, found, golden):
    checks.equal(f"{what}, scored", found["scored"], golden["n"])
    for name in VERDICTS:
        checks.equal(f"{what}, {name}", found[name], golden[name])
    for name in JUDGED:
        close(checks, f"{what}, {name}", found[name], golden[name])


def check_vqa(checks, folder):
    golden = json.load(open(f"{folder}/golden.json", encoding="utf-8"))["vqa"]
    truth, pred, judged, stale = (f"{folder}/vqa/{name}.jsonl" for name in ("truth", "pred", "judged", "judged_stale"))
    strict = golden["strict"]
    for arguments in ((pred, "--judge", judged), (judged,)):  # the verdicts beside the predictions, or among them
        found, rows = score("vqa", truth, *arguments, "--group-by", "task,num_images,prompt_style")
        check_judged(checks, "strict", found, strict)
        checks.equal("join", found["join"], strict["join"])
        check_states(checks, "strict", rows, strict)
        for field, groups in strict["groups"].items():
            checks.equal(f"groups of {field}", list(found["groups"][field]), list(groups))
            for value, expected in groups.items():
                check_judged(checks, f"{field} {value}", found["groups"][field][value], expected)
    # The reference keeps the verdicts of the file that it finds, and asks for the others.
    printed = {name: [golden[name][f"model_evaluate_{n}"] for n in ("total", "correct")]
               for name in ("compat", "compat_rerun_over_stale")}
    counted = [golden["compat_from_judged_file"][n] for n in ("total", "correct")]
    for files, (total, correct) in (([judged], counted), ([judged], printed["compat"]),
                                    ([stale, judged], printed["compat_rerun_over_stale"])):
        found, _ = score("vqa", truth, pred, "--judge", ",".join(files), "--scoring", "compat")
        checks.equal("compat, verdicts", (found["reference"]["paired"], found["reference"]["correct"]), (total, correct))
        close(checks, "compat", found["accuracy"], correct / total)


def check_verdicts(checks, cases):
    """Each text as the verdict on an answer."""
    with scratch() as root:
        write_lines(f"{root}/truth.jsonl", [{"ground_truth": "fried"}] * len(cases))
        write_lines(f"{root}/pred.jsonl", [{"idx": i, "model_pred": "fried", "eval_result": case["input"]}
                                           for i, case in enumerate(cases)])
        _, rows = score("vqa", f"{root}/truth.jsonl", f"{root}/pred.jsonl")
        for row, case in zip(rows, cases):
            failed = "__EVAL_ERROR__" in case["input"]  # what the reference notes for a failed call is no verdict
            checks.equal(f"strict, {case['input']!r}", row["state"], "not_judged" if failed else case["strict"])
        for right in (True, False):  # by the reference there is no table of records: all of a kind in one run
            same = [case["input"] for case in cases if case["compat"] == right]
            write_lines(f"{root}/pred.jsonl", [{"idx": i, "model_pred": "fried", "eval_result": text}
                                               for i, text in enumerate(same)])
            found, _ = score("vqa", f"{root}/truth.jsonl", f"{root}/pred.jsonl", "--scoring", "compat")
            checks.equal(f"compat, right among {same}", found["reference"]["correct"], len(same) * right)
            checks.equal("compat, verdicts", found["reference"]["paired"], len(same))


def check_groups(checks, task, found, golden):
    for field in FIELDS:
        checks.equal(f"groups of {field}", list(found[field]), list(golden[field]))
        for value, expected in golden[field].items():
            mine, what = found[field][value], f"{field} {value}"
            if task == "classification":
                check_accuracy(checks, what, mine, expected)
                continue
            checks.equal(f"{what}, n", mine["records"], expected["n"])
            close(checks, f"{what}, average MAPE", mine["average_mape"], expected["avg_mape"])
            for nutrient in NUTRIENTS:
                close(checks, f"{what}, {nutrient}", mine["nutrients"][nutrient]["mae"], expected[f"mae_{nutrient}"])


STRICT = {"classification": check_classification, "nutrition": check_nutrition}
COMPAT = {"classification": check_classification_compat, "nutrition": check_nutrition_compat}


def check_printed(checks, task, found, lines):
    """The lines that the reference prints, with their four decimals."""
    printed = "\n".join(lines)
    if task == "classification":
        expected = [f"acc: {found['accuracy']:.4f}", f"matched: {found['reference']['correct']}"]
    else:
        expected = [f"  {name}: {found['nutrients'][nutrient][key]:.4f}" for nutrient in NUTRIENTS
                    for name, key in (("MAE (Mean Absolute Error)", "mae"), ("RMSE (Root Mean Square Error)", "rmse"),
                                      ("MAPE (Mean Absolute Percentage Error)", "mape"))]
    for line in expected:
        checks.equal(f"printed {line}", line in printed, True)


def check_task(checks, folder, task):
    golden = json.load(open(f"{folder}/golden.json", encoding="utf-8"))[task]
    truth, pred = (f"{folder}/{task}/{side}.jsonl" for side in ("truth", "pred"))
    found, rows = score(task, truth, pred, "--group-by", ",".join(FIELDS))
    STRICT[task](checks, "strict", found, rows, golden["strict"])
    check_groups(checks, task, found["groups"], golden["strict"]["groups"])
    found, _ = score(task, truth, pred, "--scoring", "compat")
    COMPAT[task](checks, "compat", found, golden["compat"])
    check_printed(checks, task, found, golden["compat_printed"])


# ---- Small files ----------------------------------------------------------------------------------------------------

def check_case(checks, case):
    with scratch() as root:
        truth, pred = f"{root}/truth.jsonl", f"{root}/pred.jsonl"
        write_lines(truth, case["truth"])
        if "pred_text" in case:
            open(pred, "wb").write(case["pred_text"].encode())
        else:
            write_lines(pred, case["pred"])
        what = f"{case['task']} {case['name']}"
        found, rows = score(case["task"], truth, pred)
        STRICT[case["task"]](checks, f"{what}, strict", found, rows, case["strict"])
        if "crash" in case["compat"]:
            error = run("dining", case["task"], "--truth", truth, "--pred", pred, "--scoring", "compat", expect=65)
            checks.equal(f"{what}, compat", "the reference ends with an exception" in error, True)
        else:
            found, _ = score(case["task"], truth, pred, "--scoring", "compat")
            COMPAT[case["task"]](checks, f"{what}, compat", found, case["compat"])


def check_cases(checks, folder):
    for case in json.load(open(f"{folder}/cases.json", encoding="utf-8")):
        check_case(checks, case)


# ---- Extraction -----------------------------------------------------------------------------------------------------

def answers_to(task, truth, texts, scoring):
    """The rows of a run of one prediction a text."""
    with scratch() as root:
        write_lines(f"{root}/truth.jsonl", [{"ground_truth": truth}] * len(texts))
        write_lines(f"{root}/pred.jsonl", [{"idx": i, "model_pred": text} for i, text in enumerate(texts)])
        return score(task, f"{root}/truth.jsonl", f"{root}/pred.jsonl", "--scoring", scoring)[1]


def values_of(row):
    """As the goldens write them: null, numbers, and texts for what is not finite."""
    if row["state"] != "parsed":
        return None
    return {n: row[n] if row[n] in ("nan", "inf", "-inf") else float(row[n]) for n in NUTRIENTS}


def check_options(checks, folder):
    cases = read_lines(f"{folder}/option.jsonl")
    for scoring in ("strict", "compat"):
        rows = answers_to("classification", "A", [case["input"] for case in cases], scoring)
        for row, case in zip(rows, cases):
            checks.equal(f"{scoring}, option of {case['input']!r}", row["answer"] or None, case[scoring])


def check_nutrients(checks, folder):
    cases = read_lines(f"{folder}/nutrition_text.jsonl")
    for scoring in ("strict", "compat"):
        rows = answers_to("nutrition", {}, [case["input"] for case in cases], scoring)
        for row, case in zip(rows, cases):
            checks.equal(f"{scoring}, nutrients of {case['input']!r}", values_of(row), case[scoring])


def check_numbers(checks, folder):
    cases = read_lines(f"{folder}/number.jsonl")
    texts = ["1" + "0" * 400 if case["json_value"].startswith("1 followed") else case["json_value"] for case in cases]
    for scoring in ("strict", "compat"):
        rows = answers_to("nutrition", {}, ['{"calories": %s, "protein": 1, "carbohydrates": 1, "fat": 1}' % text
                                            for text in texts], scoring)
        for row, case in zip(rows, cases):
            found = values_of(row)
            checks.equal(f"{scoring}, {case['json_value']}", found and found["calories"], case[scoring])


def check_thinking(checks, folder):
    """By an option behind the cleaned text: it is read exactly where the cleaned text and the letter give one."""
    cases = read_lines(f"{folder}/clean.jsonl")
    rows = answers_to("classification", "A", [case["input"] for case in cases], "strict")
    cleaned = answers_to("classification", "A", [case["strict"] or "" for case in cases], "strict")
    for row, direct, case in zip(rows, cleaned, cases):
        checks.equal(f"option of {case['input']!r}", row["answer"], direct["answer"])


def check_extraction(checks, folder):
    check_options(checks, f"{folder}/extraction")
    check_nutrients(checks, f"{folder}/extraction")
    check_numbers(checks, f"{folder}/extraction")
    check_thinking(checks, f"{folder}/extraction")


def main(which):
    folder = shared_set("diningbench")
    checks = Checks()
    if which == "extraction":
        check_extraction(checks, folder)
    elif which == "vqa":
        check_vqa(checks, folder)
        check_verdicts(checks, read_lines(f"{folder}/extraction/verdict.jsonl"))
    elif which == "cases":
        check_cases(checks, folder)
    else:
        check_task(checks, folder, which)
    checks.done(f"golden dining {which}")


if __name__ == "__main__":
    main(sys.argv[1])
