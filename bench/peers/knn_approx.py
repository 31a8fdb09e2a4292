#!/usr/bin/env python3
"""Measure hnswlib or faiss on the neighbours of all points: build and query.

usage: knn_approx.py --data DIR --set NAME [--peer hnswlib|faiss-hnsw|faiss-ivf] [--recall 0.98] [--k 10]
                     [--threads 2] [--ids OURS.npy]

Builds an index of the set, then raises the query effort (ef, nprobe) until
recall@k on 1,000 points reaches --recall, and times the query of all points
with that effort. Recall is against brute force in float64, ties counted as
right; with --ids the recall of a given n x k result is printed too. Prints
wall and CPU seconds of build and query. Needs numpy and hnswlib or faiss
(Debian: python3-hnswlib, python3-faiss).
"""
import argparse
import time

import numpy as np

from knn_exact import features, without_self


def farthest(x, queries, k):
    """The float64 squared distance of each query's k-th nearest other point."""
    x = x.astype(np.float64)
    norms = (x * x).sum(1)
    limit = np.empty(len(queries))
    for r, q in enumerate(queries):
        d = norms - 2 * (x @ x[q])
        d[q] = np.inf
        near = np.argpartition(d, k + 20)[: k + 20]
        limit[r] = np.sort(((x[near] - x[q]) ** 2).sum(1))[k - 1]
    return limit


def recall(x, queries, rows, limit):
    hits = 0
    for q, row, most in zip(queries, rows, limit):
        d = x[row].astype(np.float64) - x[q].astype(np.float64)
        hits += int(((d * d).sum(1) <= most * (1 + 1e-12)).sum())
    return hits / rows.size


class Clock:
    def __init__(self):
        self.wall, self.cpu = time.perf_counter(), time.process_time()

    def __str__(self):
        return f"wall={time.perf_counter() - self.wall:.2f}s cpu={time.process_time() - self.cpu:.2f}s"


def hnswlib_index(x, threads):
    import hnswlib

    index = hnswlib.Index("l2", x.shape[1])
    index.init_index(len(x), ef_construction=100, M=16, random_seed=1)
    index.set_num_threads(threads)
    index.add_items(x, num_threads=threads)

    def query(points, k, effort):
        index.set_ef(max(effort, k))
        return index.knn_query(points, k, num_threads=threads)[0].astype(np.int64)

    return query, [k for k in (12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 512)]


def faiss_index(x, threads, kind):
    import faiss

    faiss.omp_set_num_threads(threads)
    if kind == "faiss-hnsw":
        index = faiss.IndexHNSWFlat(x.shape[1], 16)
        index.hnsw.efConstruction = 100
        efforts = (12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 512)
    else:
        cells = int(4 * np.sqrt(len(x)))
        index = faiss.IndexIVFFlat(faiss.IndexFlatL2(x.shape[1]), x.shape[1], cells)
        index.train(x)
        efforts = (2, 4, 8, 12, 16, 24, 32, 48, 64, 96, 128, 256)
    index.add(x)

    def query(points, k, effort):
        if kind == "faiss-hnsw":
            index.hnsw.efSearch = effort
        else:
            index.nprobe = effort
        return index.search(points, k)[1]

    return query, efforts


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("--data", required=True)
    args.add_argument("--set", required=True)
    args.add_argument("--peer", choices=["hnswlib", "faiss-hnsw", "faiss-ivf"], default="hnswlib")
    args.add_argument("--recall", type=float, default=0.98)
    args.add_argument("--k", type=int, default=10)
    args.add_argument("--threads", type=int, default=2)
    args.add_argument("--ids")
    args = args.parse_args()
    x = features(args.data, args.set)
    sample = np.linspace(0, len(x) - 1, 1000).astype(int)
    limit = farthest(x, sample, args.k)
    if args.ids:
        print(args.set, "given", f"recall@{args.k}={recall(x, sample, np.load(args.ids)[sample].astype(np.int64), limit):.4f}")
    clock = Clock()
    if args.peer == "hnswlib":
        query, efforts = hnswlib_index(x, args.threads)
    else:
        query, efforts = faiss_index(x, args.threads, args.peer)
    print(args.set, args.peer, "build", clock, flush=True)
    for effort in efforts:
        got = recall(x, sample, without_self(query(x[sample], args.k + 1, effort), sample, args.k), limit)
        if got >= args.recall:
            break
    clock = Clock()
    query(x, args.k + 1, effort)
    print(args.set, args.peer, f"query effort={effort} recall@{args.k}={got:.4f}", clock, flush=True)


if __name__ == "__main__":
    main()
