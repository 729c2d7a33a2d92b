"""Whole commands on another device give the bytes and numbers that they give on this machine's cores.

usage: golden_device.py DEVICE"""
import hashlib
import json
import os
import sys

from common import DEMO, Checks, files_of, h5py, np, run, scratch, with_images, without_free

N_IMAGES = 8


def fewer_images(path, out):
    """The features of N_IMAGES images that are spread over all bins and objects."""
    def spread(file):
        n = file["features"].shape[0]
        return np.arange(0, n, n // N_IMAGES)[:N_IMAGES] + np.arange(N_IMAGES) % (n // N_IMAGES)

    return with_images(path, spread, out)


def knn_lists(path):
    with h5py.File(path, "r") as f:
        return {name: hashlib.sha256(data[:].tobytes()).hexdigest() for name, data in f.items() if name != "image_id"}


def commands(features, bank, config, out):
    """What each command printed and wrote."""
    os.mkdir(out)
    yield "eval", run("eval", "--bank", bank, "--queries", features, "--predictions", f"{out}/predictions", *options(out))
    yield "predictions", files_of(f"{out}/predictions")
    run("knn", "--bank", bank, "--queries", features, "--images", "3:7", "--exclude", "object", "--shards", 3, "--out",
        f"{out}/knn.h5", *options(out))
    yield "knn", knn_lists(f"{out}/knn.h5")
    yield "sweep", run("sweep", config, "--out", f"{out}/sweep", "--bootstrap", 100, "--plots", "none", *options(out))
    yield "files of the sweep", files_of(f"{out}/sweep")


def options(out):
    return ["--backend", os.path.basename(out)]


def main(device):
    checks = Checks()
    with scratch() as folder:
        features = fewer_images(f"{DEMO}/features_early.h5", f"{folder}/features.h5")
        bank = f"{folder}/bank.h5"
        run("bank", "build", "--features", features, "--memory-size", 300, "--out", bank)
        config = f"{folder}/sweep.yaml"
        with open(config, "w") as file:
            json.dump({"schema": "denseval sweep v1", "encoders": [{"name": "early", "features": features}],
                       "memory": {"sizes": [100, 150]}, "validation_bins": [0, 15, 30, 45, 60, 75, 90],
                       "difficulties": [{"name": "easy", "bins": [0, 30]}, {"name": "hard", "bins": [0]}]}, file)
        for (what, expected), (_, found) in zip(*(list(commands(features, bank, config, f"{folder}/{name}"))
                                                  for name in ("cpu", device))):
            checks.equal(what, without_free(found), without_free(expected))
    checks.done(f"golden device {device}")


if __name__ == "__main__":
    main(*sys.argv[1:])
