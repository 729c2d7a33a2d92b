"""The corner cases of a multi-view set by `eval`; of the demo set also every viewpoint bin of every golden configuration, which
golden_sweep.py evaluates of the larger set.
"""
import json
import os
import sys

from common import DEMO, Checks, np, run, scratch, shared_set, with_images


def arguments(folder, golden, case):
    features = os.path.join(folder, golden["encoders"][case["encoder"]]["file"])
    bins = ",".join(map(str, case["reference_bins"]))
    compat = ["--compat", "hummingbird"] if case["policy"] == "hummingbird" else []
    return features, ["--features", features, "--bins", bins, "--memory-size", case["memory_size"], "--uniform", features,
                      "-k", case["k"], *compat]


def check_bins(checks, what, case, found):
    by_bin = {b["bin"]: b for b in found["bins"]}
    for expected in case["bins"]:
        here, got = f"{what}, bin {expected['bin']}", by_bin[expected["bin"]]
        checks.equal(f"{here}, images", got["images"], expected["images"])
        checks.equal(f"{here}, confusion", got["confusion"], expected["confusion"])
        checks.close(f"{here}, mIoU", got["miou"], expected["miou"])
        for c, iou in enumerate(expected["iou"]):
            checks.close(f"{here}, IoU of class {c}", got["classes"][c]["iou"], iou)
            if iou:
                checks.equal(f"{here}, relabelling of class {c}", c in got["relabel"], True)


def main(which):
    folder = DEMO if which == "demo" else shared_set(which)
    golden, checks = json.load(open(f"{folder}/golden.json")), Checks()
    for case in golden["runs"] if which == "demo" else ():
        features, options = arguments(folder, golden, case)
        found = run("eval", *options, "--queries", features)
        what = f"{case['encoder']} {case['difficulty']} {case['memory_size']} {case['policy']}"
        checks.equal(f"{what}, bank rows", found["bank"]["rows"], case["bank_rows"])
        check_bins(checks, what, case, found)
    with scratch() as out:
        for number, case in enumerate(golden["corner"]):
            features, options = arguments(folder, golden, case)
            queries = features
            if "query_images_without_class" in case:
                class_id = case["query_images_without_class"]
                queries = with_images(features, lambda f: np.flatnonzero(f["class_id"][:] != class_id), f"{out}/{number}.h5")
            check_bins(checks, f"corner {number}", case, run("eval", *options, "--queries", queries))
    checks.done(f"golden {which}")


if __name__ == "__main__":
    main(sys.argv[1])
