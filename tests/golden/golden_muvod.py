"""MUVOD: every number of the made set, and what the paper's tables say of themselves.

usage: golden_muvod.py scores|frames|tables [OPTION...]
"""
import csv
import json
import sys

from common import Checks, run, shared_set

MOTIONS = ("dynamic", "static", "environmental")
SETS = ("basic", "complete")
SWITCHES = {"reference": "--reference-frame", "frames": "--frames", "pooling": "--pooling", "absent": "--unseen"}


def evaluate(folder, *arguments, pred="pred"):
    return run("jf", "--protocol", "muvod", "--truth", f"{folder}/gt", "--pred", f"{folder}/{pred}", "--meta",
               f"{folder}/scenes.json", *arguments)


def in_set(object_, main, name):
    """The scores of a scene under a set: the main one's stand at the top."""
    return object_ if name == main else object_[name]


def check_scores(checks, what, found, golden):
    for key in ("JF", "J", "F"):
        checks.close(f"{what}, {key}", found[key.lower()], golden[key])
    for motion in MOTIONS:
        if f"JF_{motion}" in golden:
            checks.close(f"{what}, {motion}", found[f"jf_{motion}"], golden[f"JF_{motion}"])


def check_cameras(checks, what, found, golden):
    checks.equal(f"{what}, cameras", [c["name"] for c in found["cameras"]], list(golden))
    for camera in found["cameras"]:
        expected = golden[camera["name"]]
        check_scores(checks, f"{what}, {camera['name']}", camera, expected)
        checks.equal(f"{what}, {camera['name']}, objects", camera["objects"], expected["objects"])


def check_result(checks, what, result, main, golden):
    for name in SETS:
        for scene in result["scenes"]:
            expected, found = golden[name][scene["name"]], in_set(scene, main, name)
            check_scores(checks, f"{what}, {name}, {scene['name']}", found, expected)
            scored = sum(camera["objects"] > 0 for camera in found["cameras"])
            checks.equal(f"{what}, {name}, {scene['name']}, cameras", scored, expected["cameras"])
            if "per_camera" in expected:
                check_cameras(checks, f"{what}, {name}, {scene['name']}", found, expected["per_camera"])
        expected, found = golden[name]["Global"], result["global"][name]
        check_scores(checks, f"{what}, {name}, Global", found, expected)
        for column, n in found["scenes"].items():
            golden_column = "JF" + column[len("jf"):]
            checks.equal(f"{what}, {name}, scenes with {column}", n, expected["scenes"][golden_column])
    expected = golden[main]["Global"]
    for key in ("JF", "J", "F"):
        checks.close(f"{what}, {key.lower()}_mean", result[f"{key.lower()}_mean"], expected[key])


def check_subsets(checks, folder, golden, arguments):
    for scene, subsets in golden.items():
        for cameras, expected in subsets.items():
            result = evaluate(folder, "--scenes", scene, "--cameras", cameras.replace("+", ","), *arguments)
            for name in SETS:
                found = in_set(result["scenes"][0], "basic", name)
                check_scores(checks, f"{scene}, {cameras}, {name}", found, expected[name])
                checks.equal(f"{scene}, {cameras}, cameras", len(found["cameras"]), expected[name]["cameras"])


def check_sparse(checks, folder, golden, arguments):
    result = evaluate(folder, "--sparse-pred", f"{folder}/pred_sparse", *arguments)
    for found, name in [*((scene, scene["name"]) for scene in result["scenes"]), (result["global"], "Global")]:
        full = found["basic"]["jf"] if name == "Global" else found["jf"]
        checks.close(f"{name}, full", full, golden[name]["full"])
        checks.close(f"{name}, sparse", found["sparse_jf"], golden[name]["sparse"])
        checks.close(f"{name}, difference", found["difference"], golden[name]["abs_diff"])


def check_all_scores(checks, folder, arguments):
    golden = json.load(open(f"{folder}/golden.json"))
    bits = set()
    for threads in (1, 2):
        result = evaluate(folder, "--threads", threads, *arguments)
        check_result(checks, "dilate", result, "basic", golden["dilation"])
        for scene in result["scenes"]:
            basic = [o["id"] for o in scene["objects"] if o["basic"]]
            checks.equal(f"{scene['name']}, basic objects", basic, golden["basic_objects"][scene["name"]])
        del result["resources"]
        bits.add(json.dumps(result))
    checks.equal("results of 1 and 2 threads", len(bits), 1)
    check_result(checks, "complete", evaluate(folder, "--set", "complete", *arguments), "complete", golden["dilation"])
    check_result(checks, "bipartite", evaluate(folder, "--matching", "bipartite", *arguments), "basic",
                 golden["bipartite"])
    for variant, expected in golden["variants"].items():
        switch, value = variant.split("=")
        check_result(checks, variant, evaluate(folder, SWITCHES[switch], value, *arguments), "basic", expected)
    check_subsets(checks, folder, golden["cameras_subset"], arguments)
    check_sparse(checks, folder, golden["sparse_prediction"], arguments)


def check_frames(checks, folder, arguments):
    """Every object in every frame; the reference frame too."""
    golden = {}
    for row in csv.DictReader(open(f"{folder}/per_frame.csv")):
        golden[f"{row['scene']}/{row['camera']}", row["frame"], int(row["object"])] = row
    for matching, f in (("dilate", "F"), ("bipartite", "F_bipartite")):
        result = evaluate(folder, "--reference-frame", "include", "--matching", matching, *arguments)
        n = 0
        for sequence in result["sequences"]:
            for object_ in sequence["objects"]:
                for frame, j_value, f_value in zip(sequence["frame_names"], object_["j"], object_["f"]):
                    row = golden[sequence["name"], frame, object_["id"]]
                    checks.close(f"J of {sequence['name']}, {frame}, {object_['id']}", j_value, float(row["J"]), 1e-15)
                    checks.close(f"{f} of {sequence['name']}, {frame}, {object_['id']}", f_value, float(row[f]), 1e-15)
                    n += 1
        checks.equal("rows", n, len(golden))


def read_table(folder, name):
    rows = list(csv.DictReader(open(f"{folder}/tables/{name}.csv")))
    key = next(iter(rows[0]))
    return {row.pop(key): {k: float(v) if v else None for k, v in row.items()} for row in rows}


def mean_of(values):
    known = [v for v in values if v is not None]
    return sum(known) / len(known)


def table_rows(tables):
    """(table, row, what, recomputed, printed, tolerance) of each claim that the tables make of themselves."""
    for name, table in tables.items():
        scenes = [row for scene, row in table.items() if scene != "Global"]
        yield name, "all", "scenes", len(scenes), 17, 0
        for scene, row in table.items():
            yield name, scene, "J&F", (row["J"] + row["F"]) / 2, row["JF"], 0.1
        for column in table["Global"]:
            yield name, "Global", column, mean_of([row[column] for row in scenes]), table["Global"][column], 0.1


def text_rows(tables, views):
    """What the text says of tables I, III and IV."""
    scores = {name: {s: row["JF"] for s, row in t.items() if s != "Global"} for name, t in tables.items()}
    drop = {c: tables["III"]["Global"][c] - tables["IV"]["Global"][c] for c in ("JF_static", "JF_environmental")}
    yield "text", "basic", "best scene", max(scores["III"].values()), 92.3, 0
    yield "text", "basic", "worst scene", min(scores["III"].values()), 64.9, 0
    yield "text", "complete", "worst scene", min(scores["IV"].values()), 59.3, 0
    yield "text", "complete", "static drops", drop["JF_static"], 7.1, 0.1
    yield "text", "complete", "environmental drops", drop["JF_environmental"], 4.7, 0.1
    counts = [row["views"] for row in views.values()]
    yield "I", "all", "scenes", len(counts), 17, 0
    yield "I", "all", "fewest views", min(counts), 9, 0
    yield "I", "all", "most views", max(counts), 46, 0
    yield "I", "all", "shortest video", min(row["frames_per_view"] for row in views.values()), 65, 0
    yield "I", "all", "images", 30 * sum(counts), 7830, 0
    yield "I", "all", "videos", sum(counts), 261, 0


def check_tables(checks, folder):
    tables = {"III": read_table(folder, "table3_basic"), "IV": read_table(folder, "table4_complete")}
    sparse = read_table(folder, "table5_sparse")
    rows = [*table_rows(tables), *text_rows(tables, read_table(folder, "table1_scenes"))]
    for scene, row in sparse.items():
        rows.append(("V", scene, "difference", abs(row["JF"] - row["JF_sparse"]), row["abs_diff"], 0.15))
        rows.append(("V", scene, "J&F as in III", row["JF"], tables["III"][scene]["JF"], 0))
    failed = [f"{table} {row} {what}" for table, row, what, found, printed, tolerance in rows
              if abs(found - printed) > tolerance + 1e-9]
    checks.equal("claims that fail", failed, ["IV Global JF_static", "I all images", "I all videos"])
    golden = [c for c in json.load(open(f"{folder}/tables/table_checks.json")) if c["kind"] == "consistency"]
    checks.equal("claims", len(rows), len(golden))
    checks.equal("claims that hold", len(rows) - len(failed), sum(c["holds"] for c in golden))


def main(which, arguments):
    folder, checks = shared_set("muvod"), Checks()
    if which == "tables":
        check_tables(checks, folder)
    elif which == "frames":
        check_frames(checks, folder, arguments)
    else:
        check_all_scores(checks, folder, arguments)
    checks.done(f"golden muvod {which}")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
