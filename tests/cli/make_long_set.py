#!/usr/bin/env python3
"""make_long_set.py PATH N_IMAGES: a feature file of N pictures of 64 x 64 pixels, 8 x 8 patches, 64 dimensions, 2 classes. All
pictures are alike, so only their number costs memory."""
import sys

import h5py
import numpy as np

GRID, PATCH, DIM, N_CLASSES = 8, 8, 64, 2


def main():
    path, n_images = sys.argv[1], int(sys.argv[2])
    patches = np.arange(GRID * GRID)
    features = np.cos(np.outer(patches + 1, np.arange(DIM) + 1)).astype(np.float16)
    labels = np.kron((patches % N_CLASSES).reshape(GRID, GRID), np.ones((PATCH, PATCH))).astype(np.uint8)
    with h5py.File(path, "w") as file:
        file.attrs.update(schema="denseval features v1", grid_h=GRID, grid_w=GRID, patch_size=PATCH,
                          input_h=GRID * PATCH, input_w=GRID * PATCH)
        file["features"] = np.broadcast_to(features, (n_images, *features.shape))
        file["labels"] = np.broadcast_to(labels, (n_images, *labels.shape))


if __name__ == "__main__":
    main()
