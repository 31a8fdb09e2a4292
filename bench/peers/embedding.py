#!/usr/bin/env python3
"""Embeds nodes by their edges and trains logistic regression on the labelled nodes that adp-bench draws.

usage: embedding.py DATA DRAWS JOURNAL [--sets cora,texas] [--models netmf,prone] [--labels 1,3,5,10,20] [--draws 10] [--seed 1]

DATA has NAME.edges.tsv[.gz] and NAME.labels.tsv (docs/data.md). DRAWS has the files NAME-LABELS-DRAW.seeds.tsv of
`adp-bench accuracy --sets NAME --draws-out DRAWS`. JOURNAL gets lines NAME,labels,MODEL,seed,draw,score, added to a
file that is there. `adp-bench accuracy --journal JOURNAL --methods adp,journal:netmf` puts them beside its own. --seed is
that of the draws.

Edges are taken without direction and weight, each pair once, no loops. Settings are the published ones:

    netmf   Qiu et al. 2018: what DeepWalk factors, log max(1, vol/t sum of T^s D^-1), t = 10, 128 columns, exactly;
            sets of up to 11,000 nodes
    prone   Zhang et al. 2019: 128 columns, order 10, mu = .1, theta = .5

The regression is scikit-learn's LogisticRegression with its own settings. The score is the share of right labels among
the labelled nodes that are not seeds (for minesweeper and tolokers the mean of that share over classes).
Needs numpy, scipy and scikit-learn.
"""
import argparse
import gzip
import os
import sys
import time

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import svds
from scipy.special import iv
from sklearn.linear_model import LogisticRegression
from sklearn.utils.extmath import randomized_svd

BALANCED = {"minesweeper", "tolokers"}
COLUMNS = 128
LARGEST = {"netmf": 11000}  # nodes


def lines(path):
    opener, path = (open, path) if os.path.exists(path) else (gzip.open, path + ".gz")
    with opener(path, "rt") as f:
        return [line.rstrip("\n").split("\t") for line in f if line.strip() and line[0] != "#"]


def read(data, name):
    """A, n×n, and the places and classes of the labelled nodes."""
    labels = {node: label for node, label in lines(os.path.join(data, name + ".labels.tsv"))}
    pairs = [row[0].split()[:2] if len(row) == 1 else row[:2] for row in lines(os.path.join(data, name + ".edges.tsv"))]
    place = {}
    for node in [node for pair in pairs for node in pair] + list(labels):
        place.setdefault(node, len(place))
    ends = np.array([(place[a], place[b]) for a, b in pairs if a != b])
    a = sp.csr_matrix((np.ones(len(ends)), ends.T), (len(place), len(place)))
    return ((a + a.T) > 0).astype(float).tocsr(), place, labels


def roots(u, s):
    """U times the roots of S."""
    return u * np.sqrt(np.maximum(s, 0))


def unit(rows):
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)


def netmf(a):
    degrees = np.asarray(a.sum(1)).ravel()
    inverse = 1 / np.maximum(degrees, 1)
    walk = (sp.diags(inverse) @ a).astype(np.float32)
    power, total = np.eye(a.shape[0], dtype=np.float32), 0
    for _ in range(10):
        power = walk @ power
        total = total + power
    m = np.log(np.maximum(total * (degrees.sum() / 10) * inverse[None].astype(np.float32), 1))
    u, s, _ = svds(m.astype(float), k=min(COLUMNS, a.shape[0] - 2), random_state=0)
    return roots(u, s)


def prone(a):
    n = a.shape[0]
    columns = min(COLUMNS, n - 2)
    walk = sp.diags(1 / np.maximum(np.asarray(a.sum(1)).ravel(), 1)) @ a
    share = np.asarray(walk.sum(0)).ravel() ** 0.75
    share /= share.sum()
    m = walk.tocsr(copy=True)
    m.data = np.log(m.data) - np.log(share[m.indices])
    u, s, _ = randomized_svd(m, columns, n_iter=5, random_state=0)
    first = unit(roots(u, s))
    # The spectrum is filtered by a Gaussian, as a series of Chebyshev polynomials of modulated Laplacians.
    mu, theta = 0.1, 0.5
    loops = a + sp.identity(n)
    walk = sp.diags(1 / np.asarray(loops.sum(1)).ravel()) @ loops
    shifted = ((1 - mu) * sp.identity(n) - walk).tocsr()
    before, last = first, 0.5 * (shifted @ (shifted @ first)) - first
    total = iv(0, theta) * before - 2 * iv(1, theta) * last
    for k in range(2, 10):
        before, last = last, (shifted @ (shifted @ last) - 2 * last) - before
        total += (-1) ** k * 2 * iv(k, theta) * last
    filtered = loops @ (first - total)
    u, s, _ = np.linalg.svd(filtered, full_matrices=False)
    return unit(roots(u, s))


MODELS = {"netmf": netmf, "prone": prone}


def score(predicted, truth, balanced):
    right = predicted == truth
    if balanced:
        return np.mean([right[truth == c].mean() for c in np.unique(truth)])
    return right.mean()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data")
    parser.add_argument("draws_dir", metavar="DRAWS")
    parser.add_argument("journal")
    parser.add_argument("--sets", required=True)
    parser.add_argument("--models", default=",".join(MODELS))
    parser.add_argument("--labels", default="1,3,5,10,20", help="known labels a class")
    parser.add_argument("--draws", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    with open(args.journal, "a", encoding="utf-8") as journal:
        for name in args.sets.split(","):
            a, place, labels = read(args.data, name)
            nodes = np.array([place[node] for node in labels])
            truth = np.array(list(labels.values()))
            for model in args.models.split(","):
                if a.shape[0] > LARGEST.get(model, a.shape[0]):
                    print(f"{name}: {model} left out, {a.shape[0]} nodes", flush=True)
                    continue
                start, count = time.monotonic(), 0
                z = MODELS[model](a)
                for many in args.labels.split(","):
                    for draw in range(args.draws):
                        path = os.path.join(args.draws_dir, f"{name}-{many}-{draw}.seeds.tsv")
                        if not os.path.exists(path):
                            continue
                        seeds = lines(path)
                        own = np.array([place[node] for node, _ in seeds])
                        fit = LogisticRegression(max_iter=1000).fit(z[own], [label for _, label in seeds])
                        rest = ~np.isin(nodes, own)
                        value = score(fit.predict(z[nodes[rest]]), truth[rest], name in BALANCED)
                        method = model + (" balanced" if name in BALANCED else "")
                        journal.write(f"{name},{many},{method},{args.seed},{draw},{value:.6f}\n")
                        count += 1
                journal.flush()
                print(f"{name}: {model}, {count} draws, {time.monotonic() - start:.1f} s", flush=True)


if __name__ == "__main__":
    sys.exit(main())
