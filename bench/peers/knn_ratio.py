#!/usr/bin/env python3
"""Time adp-sparse's approximate neighbours against hnswlib at the same recall.

usage: knn_ratio.py --program adp-sparse --data DIR --set NAME [--k 10] [--threads 2] [--repeats 3]

Runs `adp-sparse knn --knn approx` (a whole process: reading, search, tuning,
measuring recall, graph, writing) and hnswlib (M = 16, ef_construction = 100,
build and query of all points, in this process, data in memory) in turn, and
prints the median wall and CPU seconds of each and their ratios. hnswlib
queries with the least effort that reaches the recall of adp-sparse, or its
largest. Recall is on 1,000 points, against brute force in float64. Needs numpy
and hnswlib (Debian: python3-hnswlib).
"""
import argparse
import os
import resource
import statistics
import subprocess
import tempfile
import time

import numpy as np

from knn_approx import farthest, hnswlib_index, recall
from knn_exact import features, without_self


def ours(args, path, out):
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(
        [args.program, "knn", "--features", path, "--k", str(args.k), "--knn", "approx", "--threads", str(args.threads),
         "--neighbors-out", out, "--quiet"], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.perf_counter() - start, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def theirs(args, x, effort):
    start, cpu = time.perf_counter(), time.process_time()
    query, _ = hnswlib_index(x, args.threads)
    query(x, args.k + 1, effort)
    return time.perf_counter() - start, time.process_time() - cpu


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("--program", required=True)
    args.add_argument("--data", required=True)
    args.add_argument("--set", required=True)
    args.add_argument("--k", type=int, default=10)
    args.add_argument("--threads", type=int, default=2)
    args.add_argument("--repeats", type=int, default=3)
    args = args.parse_args()
    x = features(args.data, args.set)
    path = os.path.join(args.data, args.set + ".features.npy")
    if not os.path.exists(path):
        path += ".gz"
    sample = np.linspace(0, len(x) - 1, 1000).astype(int)
    limit = farthest(x, sample, args.k)
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "ids.npy")
        ours(args, path, out)
        mine = recall(x, sample, np.load(out)[sample].astype(np.int64), limit)
        query, efforts = hnswlib_index(x, args.threads)
        for effort in efforts:
            peer = recall(x, sample, without_self(query(x[sample], args.k + 1, effort), sample, args.k), limit)
            if peer >= mine:
                break
        del query
        times = [(ours(args, path, out), theirs(args, x, effort)) for _ in range(args.repeats)]
    wall, cpu = ([[t[who][what] for t in times] for who in (0, 1)] for what in (0, 1))
    print(f"{args.set}: recall@{args.k} {mine:.4f}, hnswlib {peer:.4f} (effort {effort}); {args.threads} threads, {args.repeats} turns")
    for name, (a, b) in (("wall", wall), ("cpu", cpu)):
        ratio = statistics.median(q / p for p, q in zip(a, b))
        print(f"  {name}: ours {statistics.median(a):.2f} s, hnswlib {statistics.median(b):.2f} s, hnswlib/ours {ratio:.2f}")


if __name__ == "__main__":
    main()
