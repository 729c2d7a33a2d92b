"""CamVid: confusion matrices, predicted pixels and mIoU of every golden configuration, plain and compat hummingbird."""
import json
import sys

from common import Checks, h5py, np, predictions_hash, run, scratch, shared_set, skip_unless_kernel_runs


def uniform_file(folder, name, path):
    """The golden uniform numbers as a file with image ids, for sets of one or two files."""
    with h5py.File(f"{folder}/golden_memory.h5", "r") as f, h5py.File(path, "w") as out:
        numbers, ids = f["uniform"][:], [i.decode() for i in f["image_id"][:]]
        if "uniform_extra" in f:
            with h5py.File(f"{folder}/train_extra.h5", "r") as extra:
                ids += [i.decode() for i in extra["image_id"][:]]
            numbers = np.concatenate([numbers, f["uniform_extra"][:]])
        out["uniform"] = numbers
        out.create_dataset("image_id", data=ids, dtype=h5py.string_dtype("utf-8"))
    return name


def files(folder, name, kind):
    main, extra = f"{folder}/{kind}.h5", f"{folder}/{kind}_extra.h5"
    if name.endswith("_two_files"):
        return f"{main},{extra}"
    if name.endswith("_extra_first"):
        return f"{extra},{main}"
    return main


def query_ids(golden, name):
    """Image ids in the order of the scored query images."""
    test, extra = golden["images"]["test"], golden.get("images_extra", {}).get("test", [])
    ids = test + extra if name.endswith("_two_files") else extra + test if name.endswith("_extra_first") else test
    return ids[:golden["eval"][name]["test_images_scored"]]


def check_common(checks, what, found, expected):
    checks.equal(f"{what}, images", found["images"], expected["test_images_scored"])
    checks.equal(f"{what}, bank rows", found["bank"]["rows"], expected["rows"] + expected["zero_rows"])
    checks.equal(f"{what}, confusion", found["confusion"], expected["confusion"])


def check_reference(checks, what, found, expected, key):
    golden = expected[key]
    checks.close(f"{what}, {key}, mIoU", found["miou"], golden["miou"])
    for c, iou in enumerate(golden["iou"]):
        checks.close(f"{what}, {key}, IoU of class {c}", found["classes"][c]["iou"], iou)
        if iou > 0:
            checks.equal(f"{what}, {key}, match of class {c}", found["relabel"][golden["match_pred_of_truth"][c]], c)


def check_configuration(checks, folder, golden, name, uniform, out, common):
    expected = golden["eval"][name]
    size = ["--all"] if expected["memory_size"] is None else ["--memory-size", expected["memory_size"], "--uniform", uniform]
    base = ["eval", "--features", files(folder, name, "train"), "--queries", files(folder, name, "test"), *size, *common]
    if expected["policy"] == "plain":
        found = run(*base, "--predictions", f"{out}/{name}")
        check_common(checks, name, found, expected)
        checks.close(f"{name}, mIoU", found["miou"], expected["miou"])
        checks.close(f"{name}, pixel accuracy", found["pixel_accuracy"], expected["pixel_accuracy"])
        for c, iou in enumerate(expected["iou"]):
            checks.close(f"{name}, IoU of class {c}", found["classes"][c]["iou"], iou)
    else:
        found = run(*base, "--compat", "hummingbird", "--predictions", f"{out}/{name}")
        check_common(checks, name, found, expected)
        check_reference(checks, name, found, expected, "ignore255")
        found = run(*base, "--compat", "hummingbird", "--ignore-pixels", "none")
        check_common(checks, f"{name}, nothing ignored", found, expected)
        check_reference(checks, f"{name}, nothing ignored", found, expected, "ignore_none")
    checks.equal(f"{name}, predicted pixels", predictions_hash(f"{out}/{name}", query_ids(golden, name)),
                 expected["pred_sha256_uint8"])


def main(subset, *common):
    folder, checks = shared_set("camvid"), Checks()
    skip_unless_kernel_runs()
    if subset == "mini":
        folder += "/mini"
    golden = json.load(open(f"{folder}/golden.json"))
    with scratch() as out:
        uniform = f"{out}/uniform.h5"
        uniform_file(folder, subset, uniform)
        for name in golden["eval"]:
            check_configuration(checks, folder, golden, name, uniform, out, common)
    checks.done(f"golden camvid, {subset} {' '.join(common)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
