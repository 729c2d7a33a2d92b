"""One engine that searches a bank for the nearest rows, for bench/search_vs_peers.py to time.

Rows come as .npy files of float32 unit rows. After loading, one line of JSON says how long the engine needed to take the
bank. Then each line "N OUT" on standard input searches the first N queries; the answer is a line of JSON with the
seconds of the search alone, and OUT, where it is not "-", gets the ids as .npy.
"""
import argparse
import importlib
import json
import os
import sys
import time

import numpy as np

SCORES = 1 << 24  # of a block of the tiled engines, at most: 64 MiB


class Faiss:
    def __init__(self, bank, args):
        faiss = importlib.import_module("faiss")
        self.version = "faiss-cpu " + faiss.__version__
        faiss.omp_set_num_threads(args.threads)
        self.index = faiss.IndexFlatIP(bank.shape[1])
        self.index.add(np.ascontiguousarray(bank))

    def search(self, queries, k):
        return self.index.search(queries, k)[1]


class Tiled:
    """Products of a block of queries with a tile of the bank, the best k of each tile, then the best of these."""

    def __init__(self, bank, args):
        self.bank, self.tile = bank, args.tile or len(bank)

    def search(self, queries, k):
        block = max(1, min(len(queries), SCORES // self.tile))
        return np.concatenate([self.block(queries[i:i + block], k) for i in range(0, len(queries), block)])

    def block(self, queries, k):
        scores, ids = [], []
        for first in range(0, len(self.bank), self.tile):
            score, row = self.best(queries, first, k)
            scores.append(score)
            ids.append(row + first)
        return self.merge(scores, ids, k)


class Numpy(Tiled):
    def __init__(self, bank, args):
        super().__init__(bank, args)
        self.version = "numpy " + np.__version__

    @staticmethod
    def largest(scores, k):
        k = min(k, scores.shape[1])
        part = np.argpartition(scores, scores.shape[1] - k, axis=1)[:, -k:]
        order = np.argsort(-np.take_along_axis(scores, part, 1), axis=1)
        return np.take_along_axis(part, order, 1)

    def best(self, queries, first, k):
        scores = queries @ self.bank[first:first + self.tile].T
        rows = self.largest(scores, k)
        return np.take_along_axis(scores, rows, 1), rows

    def merge(self, scores, ids, k):
        scores, ids = np.concatenate(scores, 1), np.concatenate(ids, 1)
        return np.take_along_axis(ids, self.largest(scores, k), 1)


class Torch(Tiled):
    def __init__(self, bank, args):
        self.torch = importlib.import_module("torch")
        self.version = "torch " + self.torch.__version__
        self.torch.set_num_threads(args.threads)
        super().__init__(self.torch.from_numpy(bank), args)

    def search(self, queries, k):
        with self.torch.inference_mode():
            return super().search(self.torch.from_numpy(np.ascontiguousarray(queries)), k)

    def best(self, queries, first, k):
        scores = queries @ self.bank[first:first + self.tile].T
        return scores.topk(min(k, scores.shape[1]), dim=1)

    def merge(self, scores, ids, k):
        scores, ids = self.torch.cat(scores, 1), self.torch.cat(ids, 1)
        return ids.gather(1, scores.topk(k, dim=1)[1]).numpy()


class Usearch:
    def __init__(self, bank, args):
        self.version = "usearch " + importlib.import_module("usearch").__version__
        self.module = importlib.import_module("usearch.index")
        self.threads, self.dtype = args.threads, np.dtype(args.dtype)
        self.bank = np.ascontiguousarray(bank, dtype=self.dtype)
        # It keeps two lists of all products of a call, 8 bytes each.
        self.block = max(1, min(1024, (1 << 28) // (16 * len(bank))))

    def search(self, queries, k):
        queries = np.ascontiguousarray(queries, dtype=self.dtype)
        found = []
        for i in range(0, len(queries), self.block):
            matches = self.module.search(self.bank, queries[i:i + self.block], k, self.module.MetricKind.IP, exact=True,
                                         threads=self.threads)
            found.append(np.asarray(matches.keys, dtype=np.int64).reshape(-1, k))
        return np.concatenate(found)


ENGINES = {"faiss": Faiss, "numpy": Numpy, "torch": Torch, "usearch": Usearch}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("engine", choices=ENGINES)
    parser.add_argument("--bank", required=True)
    parser.add_argument("--queries", required=True)
    parser.add_argument("--rows", type=int, help="only the first rows of the bank")
    parser.add_argument("-k", type=int, default=30)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--tile", type=int, default=0, help="bank rows of a product of numpy and torch, 0: all")
    parser.add_argument("--dtype", default="float32", help="numbers that usearch multiplies")
    args = parser.parse_args()
    # A bank that every peer of a run cannot hold at once is shared through the page cache.
    shared = "c" if os.path.getsize(args.bank) > 2 << 30 else None
    bank, queries = np.load(args.bank, mmap_mode=shared)[:args.rows], np.load(args.queries)
    importlib.import_module(args.engine)  # not a part of taking the bank
    started = time.perf_counter()
    engine = ENGINES[args.engine](bank, args)
    print(json.dumps({"version": engine.version, "build_s": time.perf_counter() - started}), flush=True)
    for line in sys.stdin:
        count, out = line.split()
        asked = queries[:int(count)]
        started = time.perf_counter()
        ids = engine.search(asked, args.k)
        seconds = time.perf_counter() - started
        if out != "-":
            np.save(out, ids)
        print(json.dumps({"seconds": seconds}), flush=True)


if __name__ == "__main__":
    main()
