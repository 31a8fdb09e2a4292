#!/usr/bin/env python3
"""Compare exact neighbours with faiss IndexFlatL2 and scikit-learn's brute force.

usage: knn_exact.py --data DIR --set NAME --ids OURS.npy [--queries M] [--peer faiss|sklearn]

Reads DIR/NAME.features.npy[.gz] (n x d) and OURS.npy, the n x k neighbours to
check. A row that differs from the peer's is looked at in float64:

  tie      both rows have the same distances
  peer     the peer's row has a larger distance: its float32 sums misled it
  ours     our row has a larger distance: an error of ours

and the exit status is 1 if there is one of ours. Needs numpy, and faiss or
scikit-learn (Debian: python3-faiss, python3-sklearn).
"""
import argparse
import gzip
import io
import os
import sys
import time

import numpy as np


def features(data, name):
    path = os.path.join(data, name + ".features.npy")
    if os.path.exists(path):
        x = np.load(path)
    else:
        x = np.load(io.BytesIO(gzip.open(path + ".gz").read()))
    return np.ascontiguousarray(x, dtype=np.float32)


def faiss_rows(x, queries, k):
    import faiss

    index = faiss.IndexFlatL2(x.shape[1])
    index.add(x)
    return index.search(x[queries], k)[1]


def sklearn_rows(x, queries, k):
    from sklearn.neighbors import NearestNeighbors

    x = x.astype(np.float64)
    index = NearestNeighbors(algorithm="brute").fit(x)
    return index.kneighbors(x[queries], k, return_distance=False)


def without_self(rows, queries, k):
    """The first k of each row, the query itself removed wherever it stands."""
    kept = np.empty((len(rows), k), dtype=np.int64)
    for r, (row, q) in enumerate(zip(rows, queries)):
        kept[r] = row[row != q][:k]
    return kept


def distances(x, q, ids):
    d = x[ids].astype(np.float64) - x[q].astype(np.float64)
    return np.sort((d * d).sum(1))


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("--data", required=True)
    args.add_argument("--set", required=True)
    args.add_argument("--ids", required=True)
    args.add_argument("--queries", type=int, default=0, help="check M points spread over the set; 0 means all")
    args.add_argument("--peer", choices=["faiss", "sklearn"], action="append")
    args = args.parse_args()
    x, ours = features(args.data, args.set), np.load(args.ids).astype(np.int64)
    n, k = ours.shape
    queries = np.arange(n) if args.queries == 0 else np.linspace(0, n - 1, args.queries).astype(int)
    failed = False
    for peer in args.peer or ["faiss", "sklearn"]:
        start = time.process_time()
        rows = {"faiss": faiss_rows, "sklearn": sklearn_rows}[peer](x, queries, k + 1)
        seconds = time.process_time() - start
        theirs = without_self(rows, queries, k)
        count = {"same": 0, "tie": 0, "peer": 0, "ours": 0}
        for q, a, b in zip(queries, ours[queries], theirs):
            if np.array_equal(np.sort(a), np.sort(b)):
                count["same"] += 1
                continue
            da, db = distances(x, q, a), distances(x, q, b)
            close = 1e-13 * np.maximum(da, db)
            if (da > db + close).any():
                count["ours"] += 1
            elif (db > da + close).any():
                count["peer"] += 1
            else:
                count["tie"] += 1
        print(args.set, f"n={n} d={x.shape[1]} k={k} queries={len(queries)}", peer, count, f"cpu={seconds:.1f}s", flush=True)
        failed = failed or count["ours"] > 0
    sys.exit(failed)


if __name__ == "__main__":
    main()
