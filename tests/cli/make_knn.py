#!/usr/bin/env python3
"""Writes a small "denseval knn v1" file: 2 images of 2 patches, the 2 nearest of 5 bank rows; the last patch found one."""
import argparse

import h5py
import numpy as np


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("path")
    parser.add_argument("--id", type=int, help="the first id of the second image")
    parser.add_argument("--cosine", type=float, help="the second cosine of the second image's first patch")
    arguments = parser.parse_args()
    ids = np.array([[[0, 1], [4, 2]], [[3, 0], [2, -1]]], dtype=np.int64)
    cosines = np.array([[[1, 0.5], [0.25, 0.25]], [[0.75, -0.5], [0, -2]]], dtype=np.float32)
    if arguments.id is not None:
        ids[1, 0, 0] = arguments.id
    if arguments.cosine is not None:
        cosines[1, 0, 1] = arguments.cosine
    with h5py.File(arguments.path, "w") as file:
        file.attrs.update(schema="denseval knn v1", k=2, bank_rows=5, first_image=7)
        file["ids"] = ids
        file["cosines"] = cosines
        file.create_dataset("image_id", data=["p", "q"], dtype=h5py.string_dtype("utf-8"))


if __name__ == "__main__":
    main()
