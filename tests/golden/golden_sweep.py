"""The one-pass sweep against the goldens of a multi-view set: every cell of both encoders and policies, the corner cases, and
every configuration against `eval` on its own.

usage: golden_sweep.py demo|multiview [OPTION OF SWEEP]..."""
import filecmp
import json
import os
import sys

from common import DEMO, Checks, h5py, np, run, scratch, shared_set, with_images

DIFFICULTIES = {"easy": [0, 30, 60, 90], "medium": [0, 45, 90], "hard": [0, 90], "extreme": [0]}
BINS = [0, 15, 30, 45, 60, 75, 90]


def write_config(path, encoders, memory, difficulties=None, bins=None, **keys):
    """A configuration; JSON is YAML too."""
    difficulties = difficulties or DIFFICULTIES
    config = {"schema": "denseval sweep v1",
              "encoders": [{"name": name, "features": file, "uniform": file} for name, file in encoders],
              "memory": {"sizes": memory},
              "difficulties": [{"name": name, "bins": of} for name, of in difficulties.items()],
              "validation_bins": bins or BINS, **keys}
    with open(path, "w") as file:
        json.dump(config, file)
    return path


def check_cell(checks, what, cell, expected, bank_rows):
    checks.equal(f"{what}, images", cell["images"], expected["images"])
    checks.equal(f"{what}, bank rows", cell["bank_rows"], bank_rows)
    checks.equal(f"{what}, reference", cell["reference"], expected["is_reference"])
    checks.equal(f"{what}, confusion", cell["confusion"], expected["confusion"])
    checks.close(f"{what}, mIoU", cell["miou"], expected["miou"])
    checks.close(f"{what}, mIoU of objects", cell["miou_objects"], expected["miou_objects"])
    for c, iou in enumerate(expected["iou"]):
        checks.close(f"{what}, IoU of class {c}", cell["classes"][c]["iou"], iou)
        if iou and cell["relabel"]:
            checks.equal(f"{what}, relabelling of class {c}", c in cell["relabel"], True)


def check_provenance(checks, what, cell, n_patches, k):
    origin = cell["provenance"]
    checks.equal(f"{what}, neighbours", sum(origin["from"]) + origin["unfilled"], cell["images"] * n_patches * k)
    checks.equal(f"{what}, bank bins", origin["bins"], cell["reference_bins"])
    if cell["reference"] and k > 1:  # each patch of the bank meets its own copy
        checks.equal(f"{what}, own objects", origin["same_object"] > 0, True)
    checks.equal(f"{what}, objects are of their class", origin["same_object"] <= origin["same_class"], True)


def check_counts(checks, folder, cells):
    """The counts of the objects sum up to the cell's."""
    with h5py.File(f"{folder}/object_counts.h5", "r") as file:
        intersections, truths = file["intersections"][:], file["truths"][:]
    for number, cell in enumerate(cells):
        confusion = np.array(cell["confusion"])
        checks.equal(f"cell {number}, intersections", intersections[number].sum(0).tolist(), np.diag(confusion).tolist())
        checks.equal(f"cell {number}, truths", truths[number].sum(0).tolist(), confusion.sum(1).tolist())


def check_grid(checks, golden, files, policy, out, options):
    encoders = list(golden["encoders"])
    sizes = sorted({case["memory_size"] for case in golden["runs"]})
    config = write_config(f"{out}/{policy}.yaml", [(name, files[name]) for name in encoders], sizes,
                          compat="hummingbird" if policy == "hummingbird" else "none")
    found = run("sweep", config, "--out", f"{out}/{policy}", "--plots", "none", *options)
    cells = {(c["encoder"], c["memory"], c["difficulty"], c["bin"]): c for c in found["cells"]}
    checks.equal("cells", len(found["cells"]), len(encoders) * len(sizes) * len(DIFFICULTIES) * len(BINS))
    for case in golden["runs"]:
        if case["policy"] != policy:
            continue
        for expected in case["bins"]:
            key = (case["encoder"], case["memory_size"], case["difficulty"], expected["bin"])
            what = " ".join(map(str, (policy, *key)))
            check_cell(checks, what, cells[key], expected, case["bank_rows"])
            check_provenance(checks, what, cells[key], 196, case["k"])
    check_counts(checks, f"{out}/{policy}", found["cells"])
    check_tables(checks, golden, policy, f"{out}/{policy}")
    return cells


def check_tables(checks, golden, policy, folder):
    """Experiments A, B and C of the files that the sweep leaves."""
    found, tables = json.load(open(f"{folder}/analysis.json")), golden["tables"][policy]
    for row in found["experiment_a"]:
        what = f"{policy}, A, {row['encoder']} {row['memory']} {row['difficulty']}"
        expected = tables["experiment_a"][row["encoder"]][str(row["memory"])][row["difficulty"]]
        checks.close(f"{what}, mIoU", row["miou"], expected["mean"])
        checks.close(f"{what}, deviation", row["std"], expected["std"])
    curves = [row for row in found["experiment_b"] if row["difficulty"] == "extreme"]
    checks.equal(f"{policy}, curves", len(curves), sum(len(sizes) for sizes in tables["experiment_b"].values()))
    for row in curves:
        what, expected = f"{policy}, B, {row['encoder']}", tables["experiment_b"][row["encoder"]][str(row["memory"])]
        for key, one in (("normalised", "normalised"), ("steps", "delta")):
            for value, other in zip(row[key], [x for x in expected[one] if x is not None], strict=True):
                checks.close(f"{what}, {key}", value, other)
        checks.equal(f"{what}, breaking point", row["breaking_bin_validation"], expected["validation_steps"]["bin"])
        checks.close(f"{what}, its step", row["breaking_step"], expected["validation_steps"]["drop"])
        checks.equal(f"{what}, breaking point of all steps", row["breaking_bin_all"], expected["all_steps"]["bin"])
    for row in found["experiment_c"]:
        expected = tables["experiment_c"][row["encoder"]][f"{row['from']}->{row['to']}"]
        checks.close(f"{policy}, C, {row['encoder']}", row["gain"], expected["gain"][row["difficulty"]])


def check_origins(checks, name, file, size, difficulty, cells, out):
    """Where the neighbours came from, counted from bank and knn files."""
    bins, bank, neighbours = DIFFICULTIES[difficulty], f"{out}/bank.h5", f"{out}/knn.h5"
    run("bank", "build", "--features", file, "--uniform", file, "--bins", ",".join(map(str, bins)), "--memory-size", size,
        "--out", bank)
    run("knn", "--bank", bank, "--queries", file, "--out", neighbours)
    with h5py.File(file, "r") as f, h5py.File(bank, "r") as b, h5py.File(neighbours, "r") as n:
        views, classes, objects = f["view_bin"][:], f["class_id"][:], f["object_id"][:]
        of = b["image"][:][n["ids"][:].reshape(len(views), -1)]
    for view in BINS:
        here, cell = views == view, cells[name, size, difficulty, view]["provenance"]
        what = f"origins {name} {size} {difficulty} {view}"
        checks.equal(what, cell["from"], [int((views[of[here]] == source).sum()) for source in bins])
        checks.equal(what, cell["same_class"], int((classes[of[here]] == classes[here, None]).sum()))
        checks.equal(what, cell["same_object"], int((objects[of[here]] == objects[here, None]).sum()))


def check_separate(checks, golden, files, policy, cells):
    """Each configuration is what eval makes of it, to the last bit."""
    for name in golden["encoders"]:
        for size in sorted({key[1] for key in cells}):
            for difficulty, bins in DIFFICULTIES.items():
                compat = ["--compat", "hummingbird"] if policy == "hummingbird" else []
                found = run("eval", "--features", files[name], "--queries", files[name], "--uniform", files[name],
                            "--bins", ",".join(map(str, bins)), "--memory-size", size, *compat)
                checks.equal(f"{policy} {name} {size} {difficulty}, bank rows", {found["bank"]["rows"]},
                             {cells[name, size, difficulty, view]["bank_rows"] for view in BINS})
                for alone in found["bins"]:
                    cell, what = cells[name, size, difficulty, alone["bin"]], f"{policy} {name} {size} {difficulty}"
                    checks.equal(f"{what}, mIoU", cell["miou"], alone["miou"])
                    checks.equal(f"{what}, confusion", cell["confusion"], alone["confusion"])
                    checks.equal(f"{what}, images", cell["images"], alone["images"])
                    checks.equal(f"{what}, relabelling", cell["relabel"] or list(range(len(cell["classes"]))), alone["relabel"])
                    checks.equal(f"{what}, IoU", [c["iou"] for c in cell["classes"]], [c["iou"] for c in alone["classes"]])


def check_parts(checks, config, out):
    """Parts in any order make the same files as the sweep in one piece, analysis, intervals and figures included."""
    options = ("--bootstrap", "50")
    run("sweep", config, *options, "--out", f"{out}/whole")
    parts = [f"{out}/part{number}" for number in (2, 1, 3)]
    for part in parts:
        run("sweep", config, *options, "--cells", f"{part[-1]}/3", "--out", part)
    run("sweep", "merge", *parts, "--out", f"{out}/merged")
    names = sorted(os.listdir(f"{out}/whole"))
    checks.equal("merged files", sorted(os.listdir(f"{out}/merged")), names)
    for name in set(names) - {"resources.json"}:
        checks.equal(f"merged {name}", filecmp.cmp(f"{out}/whole/{name}", f"{out}/merged/{name}", False), True)
    checks.equal("intervals among them", "intervals.csv" in names, True)
    spent = [json.load(open(f"{folder}/resources.json"))["resources"] for folder in (*parts, f"{out}/merged")]
    checks.close("CPU time of all parts", spent[-1]["cpu_s"], sum(one["cpu_s"] for one in spent[:-1]))
    run("sweep", "merge", *parts[1:], "--out", f"{out}/gap", expect=66)


def without_images(path, view_bin, class_id, out):
    """A copy of a feature file without the images of one class in one bin."""
    return with_images(path, lambda f: np.flatnonzero((f["class_id"][:] != class_id) | (f["view_bin"][:] != view_bin)), out)


def check_corner(checks, number, case, files, out, options):
    file, bins = files[case["encoder"]], [expected["bin"] for expected in case["bins"]]
    if "query_images_without_class" in case:
        file = without_images(file, bins[0], case["query_images_without_class"], f"{out}/{number}.h5")
    config = write_config(f"{out}/corner.yaml", [(case["encoder"], file)], [case["memory_size"]],
                          {"only": case["reference_bins"]}, bins, k=case["k"],
                          compat="hummingbird" if case["policy"] == "hummingbird" else "none")
    found = run("sweep", config, "--out", f"{out}/corner{number}", "--plots", "none", *options)
    for cell, expected in zip(found["cells"], case["bins"], strict=True):
        check_cell(checks, f"corner {number}", cell, expected, case["bank_rows"])


def main(which, *options):
    folder = DEMO if which == "demo" else shared_set(which)
    golden, checks = json.load(open(f"{folder}/golden.json")), Checks()
    files = {name: os.path.abspath(f"{folder}/{e['file']}") for name, e in golden["encoders"].items()}
    with scratch() as out:
        for policy in ("plain", "hummingbird"):
            cells = check_grid(checks, golden, files, policy, out, options)
            if policy == "plain":
                plain = cells
            if not options:
                check_separate(checks, golden, files, policy, cells)
        if not options:
            name, size = list(golden["encoders"])[-1], max(case["memory_size"] for case in golden["runs"])
            check_origins(checks, name, files[name], size, "medium", plain, out)
            check_parts(checks, f"{out}/plain.yaml", out)
        for number, case in enumerate(golden["corner"]):
            check_corner(checks, number, case, files, out, options)
    checks.done(f"golden sweep {which}")


if __name__ == "__main__":
    main(*sys.argv[1:])
