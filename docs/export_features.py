"""Writes a `denseval features v1` file from any PyTorch encoder that returns patch features.

usage: export_features.py --model PACKAGE.MODULE:FACTORY --images DIR | --binned DIR --out F.h5 --size HxW --patch-size N
                          [--masks DIR --class-names FILE] [--mean R,G,B --std R,G,B] [--batch N] [--device cuda]

FACTORY() returns a torch.nn.Module that maps pictures f32 [B, 3, H, W] to patch features [B, P, D], row-major from the top
left. A mask is a PNG of class ids (indexed or gray) named as its picture. --binned takes what `denseval viewpoint bin --links`
made, with --masks: viewpoint bins, objects and classes come along, class 0 is background. Needs h5py, NumPy; for encoders
PyTorch and Pillow.
FeatureFile alone, the part that writes, needs neither of these two.
"""
import argparse
import importlib
import json
import os
import pathlib
import sys
import typing

import h5py
import numpy as np

PICTURES = {".jpg", ".jpeg", ".png"}


class View(typing.NamedTuple):
    """Where a picture of a multi-view set belongs."""
    object_id: str
    class_id: int  # of the pictured object
    view_bin: int  # degrees
    view_angle: float  # true angle, degrees


class Sample(typing.NamedTuple):
    image_id: str
    picture: pathlib.Path
    mask: typing.Optional[pathlib.Path] = None
    view: typing.Optional[View] = None  # with one, what is not 0 in the mask is its class


class FeatureFile:
    """A feature file that grows image by image; it appears under its name only when `with` ends well."""

    def __init__(self, path, grid, patch_size, encoder="", class_names=None, mean=None, std=None):
        """grid: (rows, columns) of patches. class_names: index = class id; given, each image brings labels."""
        self.path, self.part = os.fspath(path), os.fspath(path) + ".part"
        self.grid, self.patch_size = grid, patch_size
        self.class_names, self.ids, self.views = class_names, [], []
        self.attributes = {"schema": "denseval features v1", "grid_h": grid[0], "grid_w": grid[1],
                           "patch_size": patch_size, "input_h": grid[0] * patch_size, "input_w": grid[1] * patch_size}
        optional = {"encoder": encoder, "mean": mean, "std": std}
        self.attributes.update({name: value for name, value in optional.items() if value})

    def __enter__(self):
        self.file = h5py.File(self.part, "w")
        self.file.attrs.update(self.attributes)
        return self

    def __exit__(self, kind, *_):
        complete = False
        try:
            if kind is None:
                self._finish()
            self.file.close()
            complete = kind is None
        finally:
            if complete:
                os.replace(self.part, self.path)
            else:
                self.file.close()
                os.unlink(self.part)

    def _finish(self):
        if not self.ids:
            raise ValueError(f"{self.path}: no image was added")
        text = h5py.string_dtype("utf-8")
        self.file.create_dataset("image_id", data=self.ids, dtype=text)
        if self.class_names:
            self.file.create_dataset("class_names", data=self.class_names, dtype=text)
        for name, dtype in {"object_id": text, "class_id": "i4", "view_bin": "i4", "view_angle": "f8"}.items():
            if self.views:
                self.file.create_dataset(name, data=[getattr(view, name) for view in self.views], dtype=dtype)

    def _append(self, name, value, **storage):
        if name not in self.file:
            self.file.create_dataset(name, (0, *value.shape), value.dtype, maxshape=(None, *value.shape),
                                     chunks=(1, *value.shape), **storage)
        self.file[name].resize(len(self.ids) + 1, axis=0)
        self.file[name][-1] = value

    def add(self, image_id, features, labels=None, view=None):
        """features: [P, D], stored as float16. labels: whole numbers [H, W] at input size; 255 for void. view: a View."""
        features = np.asarray(features)
        n_patches = self.grid[0] * self.grid[1]
        if features.ndim != 2 or features.shape[0] != n_patches:
            raise ValueError(f"{image_id}: features {features.shape}, expected ({n_patches}, dim)")
        with np.errstate(over="ignore"):
            stored = features.astype(np.float16)
        if not np.isfinite(stored).all():
            raise ValueError(f"{image_id}: a feature is not finite as float16")
        if image_id in self.ids:
            raise ValueError(f"{image_id}: this id was added before")
        if self.ids and (view is not None) != bool(self.views):
            raise ValueError(f"{image_id}: all images have a view or none has one")
        if (labels is not None) != bool(self.class_names):
            raise ValueError(f"{image_id}: labels and class names come together or not at all")
        if labels is not None:
            size = self.grid[0] * self.patch_size, self.grid[1] * self.patch_size
            labels = np.asarray(labels)
            if labels.shape != size or labels.dtype.kind not in "ui":
                raise ValueError(f"{image_id}: labels {labels.shape} of {labels.dtype}, expected whole numbers {size}")
            kept = labels.astype(np.uint16 if len(self.class_names) > 255 else np.uint8)
            if (kept != labels).any():
                raise ValueError(f"{image_id}: label {labels[kept != labels][0]} does not fit {kept.dtype}")
            self._append("labels", kept, compression="gzip")
        self._append("features", stored)
        self.ids.append(image_id)
        if view is not None:
            self.views.append(view)


def load_picture(path, size, mean, std):
    """f32 [3, H, W]: Pillow's bilinear resize, then (x - mean) / std of values 0..1."""
    from PIL import Image, ImageOps

    with Image.open(path) as picture:
        picture = ImageOps.exif_transpose(picture).convert("RGB").resize(size[::-1], Image.BILINEAR)
    values = (np.asarray(picture, dtype=np.float32) / 255 - mean) / std
    return np.ascontiguousarray(values.transpose(2, 0, 1), dtype=np.float32)


def load_labels(path, size):
    """Class ids as stored, brought to size by the nearest pixel (an id between two ids would mean nothing)."""
    from PIL import Image

    with Image.open(path) as mask:
        if mask.mode not in ("P", "L", "I;16", "I", "1"):
            raise ValueError(f"{path}: mode {mask.mode}, expected an indexed or gray PNG")
        return np.array(mask.resize(size[::-1], Image.NEAREST)).astype(np.int64)


def folder_samples(images, masks):
    paths = sorted(path for path in pathlib.Path(images).iterdir() if path.suffix.lower() in PICTURES)
    return [Sample(path.stem, path, pathlib.Path(masks) / f"{path.stem}.png" if masks else None) for path in paths]


def binned_samples(folder):
    """Samples of a folder of `viewpoint bin --links`, by class, bin and file name, and the names of its classes."""
    folder = pathlib.Path(folder)
    images = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["images"]
    names = sorted({image["class"] for image in images},
                   key=lambda name: (0, int(name), name) if name.isdecimal() else (1, 0, name))
    class_ids = {name: place + 1 for place, name in enumerate(names)}
    samples = []
    for image in images:
        if image["mask"] is None:
            raise SystemExit(f"{folder}: {image['img']} has no mask: give --masks to viewpoint bin")
        picture = folder / image["img"]
        samples.append(Sample(f"{image['class']}/{image['bin']}/{picture.name}", picture, folder / image["mask"],
                              View(image["object"], class_ids[image["class"]], image["bin"], image["angle_deg"])))
    samples.sort(key=lambda sample: (sample.view.class_id, sample.view.view_bin, sample.picture.name))
    return samples, ["background", *names]


def sample_labels(sample, size):
    if sample.mask is None:
        return None
    labels = load_labels(sample.mask, size)
    return labels if sample.view is None else (labels > 0) * sample.view.class_id


def export(args):
    import torch

    sys.path.insert(0, os.getcwd())  # so that an encoder of the user's own folder is found
    module, factory = args.model.split(":")
    model = getattr(importlib.import_module(module), factory)().to(args.device).eval()
    size = tuple(map(int, args.size.lower().split("x")))
    if size[0] % args.patch_size or size[1] % args.patch_size:
        raise SystemExit(f"--size {args.size}: both sides must be multiples of --patch-size {args.patch_size}")
    grid = size[0] // args.patch_size, size[1] // args.patch_size
    mean, std = ([float(value) for value in text.split(",")] for text in (args.mean, args.std))
    if args.binned:
        samples, class_names = binned_samples(args.binned)
    else:
        class_names = pathlib.Path(args.class_names).read_text(encoding="utf-8").splitlines() if args.class_names else None
        samples = folder_samples(args.images, args.masks)
    with FeatureFile(args.out, grid, args.patch_size, args.encoder or args.model, class_names, mean, std) as out, \
            torch.inference_mode():
        for first in range(0, len(samples), args.batch):
            batch = samples[first:first + args.batch]
            pictures = np.stack([load_picture(sample.picture, size, mean, std) for sample in batch])
            features = model(torch.from_numpy(pictures).to(args.device)).float().cpu().numpy()
            for sample, rows in zip(batch, features):
                out.add(sample.image_id, rows, sample_labels(sample, size), sample.view)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True, metavar="MODULE:FACTORY")
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--images", metavar="DIR")
    source.add_argument("--binned", metavar="DIR", help="folder of viewpoint bin --links; brings its masks and class names")
    parser.add_argument("--out", required=True, metavar="F.h5")
    parser.add_argument("--size", required=True, metavar="HxW")
    parser.add_argument("--patch-size", required=True, type=int, metavar="N")
    parser.add_argument("--masks", metavar="DIR")
    parser.add_argument("--class-names", metavar="FILE", help="one name a line, line 1 = class 0; needed with --masks")
    parser.add_argument("--encoder", help="name to store [the model's]")
    parser.add_argument("--mean", default="0.485,0.456,0.406")
    parser.add_argument("--std", default="0.229,0.224,0.225")
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--device", default="cpu")
    args = parser.parse_args()
    if bool(args.masks) != bool(args.class_names):
        parser.error("--masks and --class-names come together")
    if args.binned and args.masks:
        parser.error("--binned brings its own masks")
    export(args)


if __name__ == "__main__":
    main()
