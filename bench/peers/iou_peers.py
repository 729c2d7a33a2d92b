"""How NumPy and torchmetrics count confusion, each in the ways that people write it, on uint8 maps in memory.

A peer is made for a set of maps and a number of threads; `counts()` goes through the maps once and returns the matrix of all,
int64 [classes, classes], row = truth, as this program gives it. Threads share out the maps, or (torch) the work on each.
"""
import concurrent.futures
import warnings

import numpy as np
import torch
import torchmetrics
from torchmetrics.classification import MulticlassConfusionMatrix


def versions():
    return {"numpy": np.__version__, "torch": torch.__version__, "torchmetrics": torchmetrics.__version__}


def spread(work, n_items, n_workers):
    """Sums work(first, step) over n_workers threads; without a thread of its own where there is one."""
    if n_workers == 1:
        return work(0, 1)
    with concurrent.futures.ThreadPoolExecutor(n_workers) as pool:
        return sum(pool.map(lambda first: work(first, n_workers), range(min(n_workers, n_items))))


def bincount_kept(truth, pred, n):
    """fast_hist of the FCN repository, copied into most evaluators since."""
    kept = truth < n
    return np.bincount(n * truth[kept].astype(int) + pred[kept], minlength=n * n)


def bincount_wide(truth, pred, n):
    """Every pixel: the labels that are no class fall behind the matrix."""
    return np.bincount((n * truth.astype(np.intp) + pred).ravel(), minlength=n * n)[:n * n]


def bincount_narrow(truth, pred, n):
    """The same with cells of 16 bits, which holds for 255 x 256 of them."""
    return np.bincount((np.multiply(truth, n, dtype=np.uint16) + pred).ravel(), minlength=n * n)[:n * n]


NUMPY_WAYS = {"kept": bincount_kept, "wide": bincount_wide, "narrow": bincount_narrow}


class NumpyPeer:
    def __init__(self, pairs, n_classes, way, workers):
        self.pairs, self.n, self.count, self.workers = pairs, n_classes, NUMPY_WAYS[way], workers

    def counts(self):
        def work(first, step):
            total = np.zeros(self.n * self.n, np.int64)
            for truth, pred in self.pairs[first::step]:
                total += self.count(truth, pred, self.n)
            return total

        return spread(work, len(self.pairs), self.workers).reshape(self.n, self.n)


class TorchmetricsPeer:
    def __init__(self, pairs, n_classes, void, dtype, workers, threads):
        self.pairs = [tuple(torch.from_numpy(labels).to(getattr(torch, dtype)) for labels in pair) for pair in pairs]
        self.n, self.void, self.workers, self.threads = n_classes, void, workers, threads

    def counts(self):
        torch.set_num_threads(self.threads)

        def work(first, step):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                metric = MulticlassConfusionMatrix(num_classes=self.n, ignore_index=self.void, validate_args=False)
            for truth, pred in self.pairs[first::step]:
                metric.update(pred, truth)
            return metric.confmat

        return np.array(spread(work, len(self.pairs), self.workers))


def settings(most_threads):
    """Every way to run a peer: program, its name, and the peer of a set of maps."""
    counts = sorted({1, most_threads})
    for way in NUMPY_WAYS:
        for workers in counts:
            yield "numpy", f"{way}, {workers} threads", \
                lambda pairs, n, void, way=way, workers=workers: NumpyPeer(pairs, n, way, workers)
    for dtype in ("uint8", "int64"):
        for workers, threads in sorted({(1, 1), (1, most_threads), (most_threads, 1)}):
            yield "torchmetrics", f"{dtype}, {workers} x {threads} threads", \
                lambda pairs, n, void, dtype=dtype, workers=workers, threads=threads: \
                TorchmetricsPeer(pairs, n, void, dtype, workers, threads)
