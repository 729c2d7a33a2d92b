"""The peer of `denseval eval`: dense evaluation by retrieval with h5py, PyTorch and faiss-cpu, as it is usually written.

Search is IndexFlatIP over unit float32 rows, votes and upsampling are float32. Needs the environment of setup.sh.
Prints one JSON object. Rules: void pixels (255) are no class; a patch of void only is no row; every query image counts.
"""
import argparse
import json
import resource
import time

started = time.perf_counter()
import faiss
import h5py
import numpy as np
import torch

VOID = 255


class Stages:
    """Wall seconds by stage; a stage that is entered again adds up."""

    def __init__(self):
        self.seconds = {"import": time.perf_counter() - started}
        self.since = time.perf_counter()

    def end(self, name):
        now = time.perf_counter()
        self.seconds[name] = self.seconds.get(name, 0.0) + now - self.since
        self.since = now


def unit_rows(features):
    """float16 [n, dim] to unit float32 rows."""
    return torch.nn.functional.normalize(torch.from_numpy(features).float(), dim=-1)


def patch_counts(labels, grid_h, grid_w, n_classes):
    """Pixels of each class in each patch: u8 [H, W] to float32 [P, n_classes]."""
    height, width = labels.shape
    rows = np.arange(height)[:, None] // (height // grid_h)
    columns = np.arange(width)[None, :] // (width // grid_w)
    patch = rows * grid_w + columns
    seen = labels != VOID
    cell = patch[seen] * n_classes + labels[seen]
    counts = np.bincount(cell, minlength=grid_h * grid_w * n_classes)
    return counts.reshape(grid_h * grid_w, n_classes).astype(np.float32)


def sampled(counts, uniform, n):
    """The n patches of lowest score: uniform number times the frequencies of the classes in the patch."""
    present = counts > 0
    score = (present * present.sum(axis=0)).sum(axis=1) * uniform
    candidates = np.flatnonzero(present.any(axis=1))
    return candidates[np.argsort(score[candidates], kind="stable")[:n]]


def build_bank(path, images, memory_size, uniform_path, stages):
    """Unit rows [R, D] and soft labels [R, C], float32. images: those of the bank, rising; None: all"""
    rows, soft = [], []
    with h5py.File(path) as file:
        if images is None:
            images = range(file["features"].shape[0])
        n_classes = len(file["class_names"])
        grid_h, grid_w = int(file.attrs["grid_h"]), int(file.attrs["grid_w"])
        if memory_size:
            with h5py.File(uniform_path) as other:
                uniform = other["uniform"][:]
        for image in images:
            features, labels = file["features"][image], file["labels"][image]
            stages.end("read")
            counts = patch_counts(labels, grid_h, grid_w, n_classes)
            if memory_size:
                kept = sampled(counts, uniform[image], memory_size // len(images))
            else:
                kept = np.flatnonzero(counts.any(axis=1))
            counts = torch.from_numpy(counts[kept])
            rows.append(unit_rows(features[kept]))
            soft.append(counts / counts.sum(dim=1, keepdim=True))
            stages.end("bank")
    rows, soft = torch.cat(rows), torch.cat(soft)
    stages.end("bank")
    return rows, soft


def make_index(rows, stages):
    index = faiss.IndexFlatIP(rows.shape[1])
    index.add(rows.numpy())
    stages.end("index")
    return index


def predict(cosines, ids, soft, beta, n_images, grid, size):
    """Votes of the neighbours, upsampled: class per pixel, i64 [n_images, H, W]."""
    weights = torch.softmax(cosines / beta, dim=1)
    votes = torch.einsum("nk,nkc->nc", weights, soft[ids])
    votes = votes.reshape(n_images, *grid, -1).permute(0, 3, 1, 2)
    return torch.nn.functional.interpolate(votes, size=size, mode="bilinear").argmax(dim=1)


def predictions(path, index, soft, args, stages):
    """Batch by batch: number of the first image, truth u8 and predicted class i64, both [n, H, W]."""
    with h5py.File(path) as file:
        n_images = file["features"].shape[0]
        grid = int(file.attrs["grid_h"]), int(file.attrs["grid_w"])
        for first in range(0, n_images, args.batch):
            features = file["features"][first:first + args.batch]
            truth = file["labels"][first:first + args.batch]
            stages.end("read")
            queries = unit_rows(features.reshape(-1, features.shape[-1]))
            cosines, ids = index.search(queries.numpy(), args.k)
            stages.end("search")
            pred = predict(torch.from_numpy(cosines), torch.from_numpy(ids), soft, args.beta, len(features), grid,
                           truth.shape[1:]).numpy()
            stages.end("vote")
            yield first, truth, pred


def confusion_of(truth, pred, n_classes):
    seen = truth != VOID
    cell = truth[seen].astype(np.int64) * n_classes + pred[seen]
    return np.bincount(cell, minlength=n_classes * n_classes).reshape(n_classes, n_classes)


def miou_of(confusion):
    """The mean over the classes that are there, and the IoU of each."""
    true_positive = np.diag(confusion)
    union = confusion.sum(axis=0) + confusion.sum(axis=1) - true_positive
    iou = [float(tp / all_) if all_ else None for tp, all_ in zip(true_positive, union)]
    return float(np.mean([value for value in iou if value is not None])), iou


def evaluate(args, stages):
    rows, soft = build_bank(args.bank_features, None, args.memory_size, args.uniform, stages)
    index = make_index(rows, stages)
    n_classes = soft.shape[1]
    confusion = np.zeros((n_classes, n_classes), dtype=np.int64)
    for _, truth, pred in predictions(args.queries, index, soft, args, stages):
        confusion += confusion_of(truth, pred, n_classes)
        stages.end("confusion")
    return confusion, len(rows)


def add_search_options(parser):
    parser.add_argument("--k", type=int, default=30)
    parser.add_argument("--beta", type=float, default=0.02)
    parser.add_argument("--threads", type=int, default=1, help="of PyTorch")
    parser.add_argument("--faiss-threads", type=int, default=0, help="of faiss; 0: as --threads")
    parser.add_argument("--batch", type=int, default=8, help="query images searched at once")


def print_result(result, stages):
    """The result of a run with what it took."""
    print(json.dumps({
        **result, "stage_s": stages.seconds, "work_s": sum(stages.seconds.values()) - stages.seconds["import"],
        "max_rss_bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
        "versions": {"torch": torch.__version__, "faiss": faiss.__version__, "numpy": np.__version__}}))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bank-features", required=True)
    parser.add_argument("--queries", required=True)
    parser.add_argument("--memory-size", type=int, default=0, help="rows in all; 0: every patch")
    parser.add_argument("--uniform", help="file with /uniform, needed with --memory-size")
    add_search_options(parser)
    args = parser.parse_args()
    if args.memory_size and not args.uniform:
        parser.error("--memory-size needs --uniform")
    torch.set_num_threads(args.threads)
    faiss.omp_set_num_threads(args.faiss_threads or args.threads)
    stages = Stages()
    confusion, n_rows = evaluate(args, stages)
    miou, iou = miou_of(confusion)
    print_result({"miou": miou, "iou": iou, "confusion": confusion.tolist(), "rows": n_rows}, stages)


if __name__ == "__main__":
    main()
