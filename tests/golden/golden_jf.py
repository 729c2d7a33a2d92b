"""J and F of real masks: every number that the official toolkit and vos-benchmark give for them.

usage: golden_jf.py semi|unsup|vos-benchmark|reference|memory [OPTION...]
"""
import importlib.util
import json
import os
import pathlib
import shutil
import sys

from common import SKIP, Checks, run, scratch, shared_set

MIB = 1 << 20
MAX = ["--objects", "first-frame-max"]


def evaluate(folder, pred, *arguments):
    return run("jf", "--truth", f"{folder}/gt", "--pred", f"{folder}/{pred}", *arguments)


def check_curve(checks, what, found, letter, golden):
    checks.equal(f"{what}, frames", found["frames"], len(golden[letter]))
    key = letter.lower()
    for i, (mine, expected) in enumerate(zip(found[key], golden[letter])):
        checks.close(f"{what}, {letter} of frame {i}", mine, expected)
    for name, expected in zip(("mean", "recall", "decay"), golden[f"{letter}_MRD"]):
        checks.close(f"{what}, {letter} {name}", found[f"{key}_{name}"], expected)


def check_sequence(checks, found, golden, kind):
    name = found["name"]
    checks.equal(f"{name}, size", found["size"], golden["size"])
    checks.equal(f"{name}, radius", found["radius_px"], 8)
    checks.equal(f"{name}, objects", [o["id"] for o in found["objects"]], golden["objects"])
    stems = [frame[:-len(".png")] for frame in golden["frames"]]
    checks.equal(f"{name}, scored frames", found["frame_names"], stems[1:-1] if kind == "semi" else stems)
    for o in found["objects"]:
        what = f"{name}, object {o['id']}"
        matched = golden["unsup"]["assignment"][str(o["id"])] if kind == "unsup" else o["id"]
        checks.equal(f"{what}, matched", o["matched_id"], matched)
        for letter in "JF":
            check_curve(checks, what, o, letter, golden[kind][str(o["id"])])


def check_total(checks, result, golden, kind):
    """The means of the toolkit are over all objects."""
    objects = [s[kind][str(o)] for s in golden.values() for o in s["objects"]]
    for letter in "JF":
        for i, name in enumerate(("mean", "recall", "decay")):
            expected = sum(o[f"{letter}_MRD"][i] for o in objects) / len(objects)
            checks.close(f"total {letter} {name}", result[f"{letter.lower()}_{name}"], expected)
    checks.close("total J&F", result["jf_mean"], (result["j_mean"] + result["f_mean"]) / 2)


def check_kind(checks, folder, kind, arguments):
    golden = json.load(open(f"{folder}/golden.json"))
    pred = "pred" if kind == "semi" else "proposals"
    bits = set()
    for threads in (1, 2):
        result = evaluate(folder, pred, "--protocol", f"davis2017-{kind}", *MAX, "--threads", threads, *arguments)
        checks.equal("sequences", sorted(s["name"] for s in result["sequences"]), sorted(golden))
        for found in result["sequences"]:
            check_sequence(checks, found, golden[found["name"]], kind)
        check_total(checks, result, golden, kind)
        del result["resources"]
        bits.add(json.dumps(result))
    checks.equal("results of 1 and 2 threads", len(bits), 1)


def check_vos_benchmark(checks, folder, arguments):
    """It leaves the ends out, as this protocol does, and scores every object from where either side shows it."""
    result = evaluate(folder, "pred", "--objects", "seen", "--extra-ids", "ignore", *arguments)
    for name, expected in (("jf_mean", 31.119), ("j_mean", 27.682), ("f_mean", 34.556)):
        checks.equal(f"vos-benchmark, {name}", f"{100 * result[name]:.3f}", f"{expected:.3f}")


def check_reference(checks, folder, arguments):
    """One short sequence, mask by mask."""
    golden = json.load(open(f"{folder}/golden.json"))
    with scratch() as root:
        for side, kept in (("gt", "gt"), ("pred", "pred"), ("proposals", "proposals")):
            os.makedirs(f"{root}/{kept}")
            os.symlink(os.path.abspath(f"{folder}/{side}/judo"), f"{root}/{kept}/judo")
        for kind, pred in (("semi", "pred"), ("unsup", "proposals")):
            result = evaluate(root, pred, "--protocol", f"davis2017-{kind}", *MAX, "--backend", "reference", *arguments)
            check_sequence(checks, result["sequences"][0], golden["judo"], kind)


def make_masks():
    """The module of the CLI tests that writes masks."""
    path = pathlib.Path(__file__).resolve().parent.parent / "cli" / "make_masks.py"
    spec = importlib.util.spec_from_file_location("make_masks", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def repeat_frame(root, n_frames, height, width, boxes, shift):
    """Truth and prediction of one sequence; all frames are alike, the prediction is moved down."""
    masks = make_masks()
    for side, down in (("gt", 0), ("pred", shift)):
        moved = [(label, top + down, *box) for label, top, *box in boxes]
        first = pathlib.Path(root, side, "long", "00000.png")
        masks.write_png(first, masks.draw(height, width, moved, 0))
        for frame in range(1, n_frames):
            shutil.copyfile(first, first.with_name(f"{frame:05d}.png"))


def peak_bytes(root, *arguments):
    return evaluate(root, "pred", *arguments, "--threads", 2)["resources"]["max_rss_bytes"]


def check_memory(checks, arguments):
    """VOS-04 and VOS-21: a frame a worker is held, however many there are."""
    sanitizer = run("info")["machine"]["build"]["sanitizer"]
    if sanitizer != "none seen":
        print(f"skipped: the sanitizer {sanitizer} takes memory of its own")
        sys.exit(SKIP)
    with scratch() as root:
        repeat_frame(root, 3, 480, 854, [(255, 100, 100, 200, 300, 0, 0)], 0)
        checks.equal("480 x 854, below 50 MB", peak_bytes(root, "--protocol", "davis2016", *arguments) < 50e6, True)
    boxes = [(i + 1, 20 + 100 * i, 40 + 150 * i, 90, 140, 0, 0) for i in range(10)]
    peaks = []
    for n_frames in (30, 300):
        with scratch() as root:
            repeat_frame(root, n_frames, 1080, 1920, boxes, 3)
            peaks.append(peak_bytes(root, *arguments))
    checks.equal(f"300 frames of 1080 x 1920, peak {peaks[1]} below 200 MB", peaks[1] < 200e6, True)
    checks.equal(f"ten times the frames, peak {peaks[0]} to {peaks[1]}", peaks[1] - peaks[0] < 8 * MIB, True)


def main(which, arguments):
    checks = Checks()
    if which == "memory":
        check_memory(checks, arguments)
        return checks.done("golden jf memory")
    folder = shared_set("vos")
    if which == "vos-benchmark":
        check_vos_benchmark(checks, folder, arguments)
    elif which == "reference":
        check_reference(checks, folder, arguments)
    else:
        check_kind(checks, folder, which, arguments)
    return checks.done(f"golden jf {which}")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
