#!/usr/bin/env python3
"""Writes a small "denseval features v1" file: 4 images of 1 x 2 patches of 2 x 2 pixels, 3 dimensions, f16.

Feature i of a patch is 1 + i, so that every row is finite and has a direction. Labels: the left patch is class 0, the
right one class 1, and the last pixel of the last image is 255.
"""
import argparse

import h5py
import numpy as np

N_IMAGES, GRID_H, GRID_W, PATCH, DIM = 4, 1, 2, 2, 3


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("path")
    many = {"nargs": 2, "type": int, "action": "append", "default": []}
    parser.add_argument("--nan", metavar=("IMAGE", "PATCH"), help="its first feature is no number", **many)
    parser.add_argument("--zero", metavar=("IMAGE", "PATCH"), help="all its features are 0", **many)
    parser.add_argument("--label", nargs=4, type=int, metavar=("IMAGE", "ROW", "COLUMN", "LABEL"), action="append",
                        default=[], help="the label of a pixel")
    parser.add_argument("--images", type=int, default=N_IMAGES, help="how many; other than 4 have no ids and bins")
    parser.add_argument("--bare", action="store_true", help="features alone, without what is optional")
    parser.add_argument("--schema", default="denseval features v1")
    arguments = parser.parse_args()
    n_images = arguments.images
    features = np.tile(np.arange(1, DIM + 1, dtype=np.float16), (n_images, GRID_H * GRID_W, 1))
    for image, patch in arguments.nan:
        features[image, patch, 0] = np.nan
    for image, patch in arguments.zero:
        features[image, patch] = 0
    labels = np.repeat(np.arange(GRID_W, dtype=np.uint8), PATCH)[None, None].repeat(n_images, 0).repeat(PATCH, 1)
    labels[-1, -1, -1] = 255
    for image, row, column, label in arguments.label:
        labels[image, row, column] = label
    with h5py.File(arguments.path, "w") as file:
        file.attrs.update(schema=arguments.schema, grid_h=GRID_H, grid_w=GRID_W, patch_size=PATCH,
                          input_h=GRID_H * PATCH, input_w=GRID_W * PATCH)
        file["features"] = features
        if arguments.bare:
            return
        file.attrs.update(encoder="toy", mean=[0.5, 0.25, 0.125], std=[1.0, 2.0, 4.0])
        file["labels"] = labels
        text = h5py.string_dtype("utf-8")
        file.create_dataset("class_names", data=["floor", "chair"], dtype=text)
        if n_images != N_IMAGES:
            return
        file.create_dataset("image_id", data=["w", "x", "y", "z"], dtype=text)
        file.create_dataset("object_id", data=["a", "a", "b", "a"], dtype=text)
        file["view_bin"] = np.array([90, 0, 0, 30], dtype=np.int32)


if __name__ == "__main__":
    main()
