"""Sparse-dense product by SciPy, to compare adp-sparse with; one thread.

    spmm.py DIR n nnz c threads

Reads the arrays and answers as spmm.c does; `adp-bench kernels` runs it.
"""

import sys
import time

import numpy as np
import scipy.sparse as sp


def main():
    folder, n, nnz, c, _ = sys.argv[1], *map(int, sys.argv[2:6])
    indptr = np.fromfile(f"{folder}/indptr.i64", np.int64)
    indices = np.fromfile(f"{folder}/indices.u32", np.uint32).astype(np.int32)  # SciPy's own width
    data = np.fromfile(f"{folder}/data.f32", np.float32)
    a = sp.csr_matrix((data, indices, indptr.astype(np.int32)), shape=(n, n))
    x = np.fromfile(f"{folder}/x.f32", np.float32, n * c).reshape(n, c)
    weight = np.arange(n * c) % 97 + 1.0
    print("ready scipy", flush=True)
    for _ in sys.stdin:
        wall, cpu = time.perf_counter(), time.process_time()
        y = a @ x
        cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
        assert y.dtype == np.float32
        print(f"{cpu:.9f} {wall:.9f} {float(y.ravel() @ weight):.17g}", flush=True)


if __name__ == "__main__":
    main()
