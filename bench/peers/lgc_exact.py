"""Compares LGC by adp-sparse with the exact solution, by scipy's sparse LU in float64.

    adp-sparse convert --edges G --out G.npz --nodes-out G.nodes
    adp-sparse run --graph G.npz --nodes G.nodes --labels SEEDS --method lgc --out LABELS
    python3 bench/peers/lgc_exact.py --graph G.npz --nodes G.nodes --seeds SEEDS LABELS [...]

solves (I - alpha S) F = Y with balanced classes, directly: each entry is right to its
own size, however small, for which the printed residual of single entries speaks. For
each LABELS it prints how many labels differ, the largest margin of these in the exact
solution (one near 0 is a tie), and the worst error of a confidence, over nodes that are
no seeds and that a seed reaches. Exit status 1 when a margin is above --tie.
Fill-in limits it to graphs that are small or thin: some 50,000 nodes of a kNN graph of
few dimensions.
"""

import argparse
import sys

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import splu


def fields(path):
    """The lines of a file without comments, split at tabs."""
    with open(path, encoding="utf-8") as lines:
        return [line.rstrip("\n").split("\t") for line in lines if line.strip() and line[0] not in "#%"]


def exact(w, seeds, classes, alpha):
    """F, n×c, and the largest relative residual of an entry."""
    degrees = np.asarray(w.sum(1)).ravel()
    root = sp.diags(1 / np.sqrt(np.where(degrees > 0, degrees, 1)))
    s = root @ w @ root
    y = np.zeros((w.shape[0], len(classes)))
    for node, label in seeds:
        y[node, classes.index(label)] = 1
    y /= (y * np.sqrt(degrees)[:, None]).sum(0)  # balanced classes
    lu = splu((sp.identity(w.shape[0]) - alpha * s).tocsc(), permc_spec="MMD_AT_PLUS_A",
              diag_pivot_thresh=0.0, options={"SymmetricMode": True})
    f = lu.solve(y)
    size = np.where(f > 0, f, 1)
    return f, (np.abs(f - alpha * (s @ f) - y) / size).max()


def compare(path, number, f, classes, tie):
    """Prints how the labels of a file differ from those of f; true where they are fine."""
    share = f / np.maximum(f.sum(1, keepdims=True), np.finfo(float).tiny)
    differ, margin, error, seen = 0, 0.0, 0.0, 0
    for node, label, confidence, _, status in (row[:5] for row in fields(path)[1:]):
        row = share[number[node]]
        if status == "seed" or row.max() == 0:
            continue
        seen += 1
        error = max(error, abs(float(confidence) - row.max()))
        if label != classes[row.argmax()]:
            differ += 1
            two = np.sort(row)[-2:]
            margin = max(margin, two[1] - two[0])
    print(f"{path}: {differ} of {seen} labels differ, of margins up to {margin:.4f}; confidences within {error:.4f}")
    return margin <= tie


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("labels", nargs="+")
    parser.add_argument("--graph", required=True)
    parser.add_argument("--nodes", help="names of the rows, a line each; without it 0 to n-1")
    parser.add_argument("--seeds", required=True)
    parser.add_argument("--alpha", type=float, default=0.99)
    parser.add_argument("--tie", type=float, default=0.01)
    given = parser.parse_args()
    w = sp.load_npz(given.graph).astype(np.float64).tocsr()
    names = [row[0] for row in fields(given.nodes)] if given.nodes else [str(i) for i in range(w.shape[0])]
    number = {name: i for i, name in enumerate(names)}
    seeds = [(number[node], label) for node, label, *_ in fields(given.seeds)]
    classes = sorted({label for _, label in seeds})
    f, residual = exact(w, seeds, classes, given.alpha)
    print(f"exact: entries down to {f[f > 0].min():.1e}, residual of each within {residual:.0e} of it")
    return 0 if all([compare(path, number, f, classes, given.tie) for path in given.labels]) else 1


if __name__ == "__main__":
    sys.exit(main())
