"""The peer of `denseval sweep`: each configuration on its own, one after the other in one process, by the code of
eval_torch_faiss.py: sample the bank, build IndexFlatIP, search every query patch, vote and upsample in float32.

Prints one JSON object: `cells`, one a configuration and viewpoint bin, with its confusion.
"""
import argparse
import json

import eval_torch_faiss as peer

import faiss
import h5py
import numpy as np
import torch


def bins_of(path):
    with h5py.File(path) as file:
        return file["view_bin"][:]


def score(args, memory, difficulty, stages):
    """The cells of one configuration."""
    images = np.flatnonzero(np.isin(bins_of(args.bank_features), difficulty["bins"]))
    rows, soft = peer.build_bank(args.bank_features, images, memory, args.bank_features, stages)
    index = peer.make_index(rows, stages)
    views, n_classes = bins_of(args.queries), soft.shape[1]
    confusions = {int(view): np.zeros((n_classes, n_classes), dtype=np.int64) for view in np.unique(views)}
    for first, truth, pred in peer.predictions(args.queries, index, soft, args, stages):
        for i, (one, other) in enumerate(zip(truth, pred)):
            confusions[int(views[first + i])] += peer.confusion_of(one, other, n_classes)
        stages.end("confusion")
    return [{"memory": memory, "difficulty": difficulty["name"], "bin": view, "bank_rows": len(rows),
             "confusion": confusion.tolist(), "miou": peer.miou_of(confusion)[0]}
            for view, confusion in confusions.items()]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bank-features", required=True, help="with /uniform and /view_bin")
    parser.add_argument("--queries", required=True, help="with /view_bin")
    parser.add_argument("--memory", required=True, type=json.loads, help="JSON list of rows in all")
    parser.add_argument("--difficulties", required=True, type=json.loads, help="JSON list of {name, bins}")
    peer.add_search_options(parser)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    faiss.omp_set_num_threads(args.faiss_threads or args.threads)
    stages = peer.Stages()
    cells = []
    for memory in args.memory:
        for difficulty in args.difficulties:
            cells += score(args, memory, difficulty, stages)
    peer.print_result({"cells": cells}, stages)


if __name__ == "__main__":
    main()
