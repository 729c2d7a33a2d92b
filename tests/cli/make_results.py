#!/usr/bin/env python3
"""Writes result files of a small sweep into the current folder: a_memory100.csv, a_memory200.csv, results.json.

usage: make_results.py [--without BIN] [--resources]
Two encoders of one class and a background; "flat" never breaks, "steep" breaks at 15 and, tested without the first step, at
30. --without leaves that bin out of the runs of "steep". --resources adds a resources.json.
"""
import json
import sys

BINS = (0, 15, 30, 45)
CURVES = {"flat": (0.8, 0.8, 0.8, 0.8), "steep": (0.8, 0.6, 0.4, 0.4)}
DIFFICULTIES = {"0": "extreme", "0_45": "0_45"}


def option(name):
    return int(sys.argv[sys.argv.index(name) + 1]) if name in sys.argv else None


cells = []
for memory, gain in ((100, 0), (200, 0.05)):
    with open(f"a_memory{memory}.csv", "w", encoding="ascii") as f:
        f.write("model,train_bins,val_bin,jac_mean,jac0,jac1\n")
        for encoder, curve in CURVES.items():
            for reference in DIFFICULTIES:
                for bin_, value in zip(BINS, curve):
                    if encoder == "steep" and bin_ == option("--without"):
                        continue
                    objects = round(value - 0.1 + gain, 3)
                    f.write(f"{encoder},{reference},{bin_},{value},{round(value + 0.1, 3)},{objects}\n")
                    cells.append({
                        "encoder": encoder, "memory": memory, "difficulty": DIFFICULTIES[reference], "bin": bin_,
                        "reference": str(bin_) in reference.split("_"), "images": 3, "bank_rows": memory, "miou": value,
                        "miou_objects": objects,
                        "classes": [{"id": 0, "name": "background", "iou": round(value + 0.1, 3)},
                                    {"id": 1, "name": "a_b", "iou": objects}],
                        "confusion": [[5, 0], [1, 2]],
                        "provenance": {"bins": [0], "from": [90], "same_class": 60, "same_object": 30, "unfilled": 10}})
with open("results.json", "w", encoding="ascii") as f:
    json.dump({"schema": "denseval sweep v1", "command": "sweep", "cells": cells}, f)
if "--resources" in sys.argv:
    with open("resources.json", "w", encoding="ascii") as f:
        json.dump({"resources": {"wall_s": 2.5, "cpu_s": 4, "cpu_efficiency": 0.8, "max_rss_bytes": 1000, "threads": 2}}, f)
