"""What docs/export_features.py writes must be what the program reads. usage: test_export_features.py PROGRAM DOCS_DIR"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

try:
    import h5py
    import numpy as np
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)  # ctest shows it as skipped

PROGRAM, DOCS = sys.argv[1:3]
sys.dont_write_bytecode = True
sys.path.insert(0, DOCS)
from export_features import FeatureFile, View, binned_samples  # noqa: E402  (its folder is an argument)

GRID, PATCH = (2, 3), 4


def encode(labels):
    """A stand-in for an encoder that knows the answer: patch features are the one-hot class of the patch's corner."""
    return np.eye(8)[labels[::PATCH, ::PATCH].ravel()]


def label_map(seed):
    corners = (np.arange(6) + seed).reshape(GRID) % 3
    return np.kron(corners, np.ones((PATCH, PATCH), dtype=np.int64)).astype(np.int64)


class Export(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def program(self, *arguments):
        run = subprocess.run([PROGRAM, *map(str, arguments), "--json"], capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stderr)
        return json.loads(run.stdout)

    def test_exported_set_scores_as_it_must(self):
        path = self.folder / "set.h5"
        with FeatureFile(path, GRID, PATCH, "one-hot", ["a", "b", "c"], [0.5, 0.5, 0.5], [0.25, 0.25, 0.25]) as out:
            for seed in range(4):
                out.add(f"picture {seed} é", encode(label_map(seed)), label_map(seed))
        self.program("info", "--check", path)
        result = self.program("eval", "--features", path, "--queries", path, "-k", 1)
        # Each patch votes for its own class alone, and a column of patches has one class: across columns the nearer
        # patch weighs at least 0.625, so every pixel is right.
        self.assertEqual(result["images"], 4)
        self.assertEqual(result["miou"], 1.0)

    def test_features_alone_are_a_set_too(self):
        path = self.folder / "set.h5"
        with FeatureFile(path, GRID, PATCH) as out:
            out.add("x", np.ones((6, 8)))
        self.program("info", "--check", path)
        self.program("knn", "--features", path, "--queries", path, "-k", 6, "--out", self.folder / "knn.h5")

    def test_views_make_a_set_that_is_scored_by_bin(self):
        path = self.folder / "set.h5"
        with FeatureFile(path, GRID, PATCH, class_names=["background", "a", "b"]) as out:
            for seed, view_bin in enumerate([0, 0, 15]):
                out.add(f"{seed}", encode(label_map(seed)), label_map(seed), View("1/o", 1, view_bin, view_bin + 0.5))
        self.program("info", "--check", path)
        result = self.program("eval", "--features", path, "--bins", "0", "--queries", path, "-k", 1)
        self.assertEqual([(one["bin"], one["images"]) for one in result["bins"]], [(0, 2), (15, 1)])
        with h5py.File(path) as file:
            self.assertEqual(list(file["view_angle"]), [0.5, 0.5, 15.5])
            self.assertEqual(list(file["object_id"].asstr()), ["1/o"] * 3)
            self.assertEqual(list(file["class_id"]), [1] * 3)

    def write_manifest(self, *images, mask=True):
        entries = [{"class": name, "bin": view_bin, "object": f"{name}/o", "frame": "1.jpg", "angle_deg": view_bin + 0.25,
                    "error_deg": 0.25, "img": f"{name}/{view_bin}/img/o_1.jpg",
                    "mask": f"{name}/{view_bin}/mask/o_1.jpg.png" if mask else None} for name, view_bin in images]
        (self.folder / "manifest.json").write_text(json.dumps({"images": entries}), encoding="utf-8")

    def test_a_folder_of_links_is_taken_by_class_number_and_bin(self):
        self.write_manifest(("19", 15), ("19", 0), ("7", 0))
        samples, names = binned_samples(self.folder)
        self.assertEqual(names, ["background", "7", "19"])
        self.assertEqual([sample.image_id for sample in samples], ["7/0/o_1.jpg", "19/0/o_1.jpg", "19/15/o_1.jpg"])
        self.assertEqual(samples[2].view, View("19/o", 2, 15, 15.25))
        self.assertEqual(samples[2].picture, self.folder / "19/15/img/o_1.jpg")
        self.assertEqual(samples[2].mask, self.folder / "19/15/mask/o_1.jpg.png")

    def test_a_folder_of_links_without_masks_is_refused(self):
        self.write_manifest(("7", 0), mask=False)
        with self.assertRaisesRegex(SystemExit, "7/0/img/o_1.jpg has no mask: give --masks to viewpoint bin"):
            binned_samples(self.folder)

    def test_u16_labels_where_there_are_many_classes(self):
        path = self.folder / "set.h5"
        with FeatureFile(path, GRID, PATCH, class_names=[f"c{i}" for i in range(300)]) as out:
            out.add("x", np.ones((6, 8)), np.full((8, 12), 299))
        with h5py.File(path) as file:
            self.assertEqual(file["labels"].dtype, np.uint16)
            self.assertEqual(file["labels"][0, 7, 11], 299)

    def refuses(self, message, *arguments, **settings):
        path = self.folder / "set.h5"
        with self.assertRaisesRegex(ValueError, message):
            with FeatureFile(path, GRID, PATCH, **settings) as out:
                out.add("good", np.ones((6, 8)), *([np.zeros((8, 12), int)] if settings else []))
                out.add(*arguments)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_what_the_program_would_refuse_is_refused_and_leaves_no_file(self):
        ones, named = np.ones((6, 8)), {"class_names": ["a", "b"]}
        self.refuses("x: features .5, 8., expected .6, dim.", "x", np.ones((5, 8)))
        self.refuses("x: a feature is not finite as float16", "x", ones * 1e6)
        self.refuses("good: this id was added before", "good", ones)
        self.refuses("x: labels and class names come together", "x", ones, np.zeros((8, 12), int))
        self.refuses("x: labels .8, 11. of int64, expected whole numbers .8, 12.", "x", ones, np.zeros((8, 11), int), **named)
        self.refuses("x: all images have a view or none has one", "x", ones, None, View("o", 1, 0, 0.0))
        self.refuses("x: label 256 does not fit uint8", "x", ones, np.full((8, 12), 256), **named)

    def test_no_image_is_no_set(self):
        with self.assertRaisesRegex(ValueError, "no image was added"):
            with FeatureFile(self.folder / "set.h5", GRID, PATCH):
                pass
        self.assertEqual(list(self.folder.iterdir()), [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
