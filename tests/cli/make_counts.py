#!/usr/bin/env python3
"""Writes sweeps with counts of objects into the current folder: both/ (encoders good, bad), good/ and bad/ (one each).

usage: make_counts.py
Five objects of one class and a background, bins 0, 15 and 30, a bank of bin 0. Each folder has results.json and
object_counts.h5. In every object "good" is above "bad", which loses half of its pixels at 15 degrees and again at 30.
"""
import json
import os

import h5py
import numpy as np

OBJECTS = [f"mug/{i}" for i in range(5)]
FOUND = {"good": (90, 88, 86), "bad": (80, 40, 20)}  # of 100 pixels of the first object


def counts_of(encoder, view):
    """[objects, classes] of each kind: what is missed of an object counts as background."""
    truth = np.array([[400, 100 + 10 * i] for i in range(5)], np.uint64)
    found = np.array([FOUND[encoder][view] + 2 * i for i in range(5)], np.uint64)
    missed = truth[:, 1] - found
    intersections = np.stack([truth[:, 0], found], 1)
    return intersections, truth + np.stack([missed, 0 * missed], 1), truth


def write(folder, encoders):
    cells, counts = [], []
    for encoder in encoders:
        for view, bin_ in enumerate((0, 15, 30)):
            counts.append(counts_of(encoder, view))
            intersections, unions, _ = (part.sum(0, dtype=np.uint64) for part in counts[-1])
            iou = [float(a / b) for a, b in zip(intersections, unions)]
            cells.append({
                "encoder": encoder, "memory": 100, "difficulty": "extreme", "bin": bin_, "reference": bin_ == 0, "images": 5,
                "bank_rows": 100, "miou": sum(iou) / 2, "miou_objects": iou[1], "confusion": None,
                "classes": [{"id": i, "name": name, "iou": iou[i]} for i, name in enumerate(("background", "mug"))]})
    os.makedirs(folder)
    with open(f"{folder}/results.json", "w", encoding="ascii") as f:
        json.dump({"schema": "denseval sweep v1", "settings": {"absent": "skip"}, "cells": cells}, f)
    with h5py.File(f"{folder}/object_counts.h5", "w") as f:
        f.attrs["schema"] = "denseval counts v1"
        for i, name in enumerate(("intersections", "unions", "truths")):
            f[name] = np.stack([cell[i] for cell in counts])
        f.create_dataset("object_id", data=OBJECTS, dtype=h5py.string_dtype("utf-8"))


write("both", ["good", "bad"])
write("good", ["good"])
write("bad", ["bad"])
