"""Neighbours by faiss or hnswlib, to compare adp-sparse with.

    knn.py PROGRAM DIR n d k threads recall

PROGRAM is faiss (IndexFlatL2: exact) or hnswlib (M = 16, ef_construction =
100). DIR holds x.f32, n rows of d, little-endian. `adp-bench knn` runs
it; the protocol is that of peer.h. A run builds the index and queries all
points for k neighbours besides themselves; its checksum is recall@k on 1,000
points against brute force in float64. hnswlib queries with the least effort
(ef) that reached the recall asked for, or the largest: which one that is is
found in the first run, and not timed.
"""

import sys

import numpy as np

from knn_approx import farthest, hnswlib_index, recall
from knn_exact import without_self
from peer import serve


def main():
    program, folder = sys.argv[1:3]
    n, d, k, threads = map(int, sys.argv[3:7])
    goal = float(sys.argv[7])
    x = np.fromfile(f"{folder}/x.f32", np.float32).reshape(n, d)
    sample = np.linspace(0, n - 1, min(n, 1000)).astype(int)
    limit = farthest(x, sample, k)

    def found(rows):
        return recall(x, sample, without_self(rows, sample, k), limit)

    def faiss_flat(clock):
        import faiss

        faiss.omp_set_num_threads(threads)
        with clock:
            index = faiss.IndexFlatL2(d)
            index.add(x)
            rows = index.search(x, k + 1)[1]
        return found(rows[sample])

    effort = None

    def hnsw(clock):
        nonlocal effort
        with clock:
            query, efforts = hnswlib_index(x, threads)
        if effort is None:
            for effort in efforts:
                if effort > k and found(query(x[sample], k + 1, effort)) >= goal:
                    break
        with clock:
            rows = query(x, k + 1, effort)
        return found(rows[sample])

    serve({"faiss": {"flat": faiss_flat}, "hnswlib": {"hnsw": hnsw}}[program])


if __name__ == "__main__":
    main()
