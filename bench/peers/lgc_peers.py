"""Runs networkx and scikit-learn to convergence and keeps what they say.

    python3 bench/peers/lgc_peers.py [--out testdata] [--data DIR] [--alpha 0.99]

For every graph of OUT/graphs, and with --data for karate, football and cora
read from DIR (NAME.edges.tsv.gz, NAME.labels.tsv, cora.split.tsv), it labels
all nodes from the same seeds and the same W by

    networkx   local_and_global_consistency, a fixed number of iterations
    sklearn    LabelSpreading with a kernel that returns W
    scipy      (I - alpha S)^-1 Y in float64, a dense solve, with the margin
               (top - second) / top of each row

and writes OUT/golden/lgc_peers/NAME.labels.tsv; for the sets in DIR also
NAME.seeds.tsv (karate is in both places: its files must not change).

The fixed number of iterations is checked: the same iteration made here must
have a residual below 1e-10 in every row, relative to the row, and must agree
with the solve to 1e-8.

A component without a seed has F = 0. Both peers give it their first class;
the column scipy is empty there.
"""

import argparse
import glob
import os

import networkx as nx
import numpy as np
from networkx.algorithms import node_classification
from sklearn.semi_supervised import LabelSpreading

from edgelist import draw_seeds, find, one_hot, read_graph, read_labels, write_rows

ITERATIONS = 5000
RESIDUAL = 1e-10
PER_CLASS = {"karate": 1, "football": 2}
LCG_SEED = {"karate": 39, "football": 7}  # karate: its two leaders; most draws put all nodes in one class


def networkx_labels(graph, seeds, alpha):
    g = nx.from_scipy_sparse_array(graph.W)
    for name, label in seeds.items():
        g.nodes[graph.row[name]]["label"] = label
    return node_classification.local_and_global_consistency(g, alpha=alpha, max_iter=ITERATIONS)


def sklearn_labels(graph, classes, y, alpha):
    w = graph.W.toarray()
    target = np.where(y.any(axis=1), y.argmax(axis=1), -1)
    model = LabelSpreading(kernel=lambda a, b: w.copy(), alpha=alpha, max_iter=20 * ITERATIONS, tol=1e-13)
    model.fit(np.arange(len(w))[:, None], target)
    return [classes[k] for k in model.transduction_]


def iterate(s, y, alpha):
    """The paper's plain iteration, as networkx makes it, and its residual."""
    f = np.zeros_like(y)
    for _ in range(ITERATIONS):
        f = alpha * (s @ f) + (1 - alpha) * y
    rest = np.abs(alpha * (s @ f) + (1 - alpha) * y - f).max(axis=1)
    return f, (rest / np.maximum(f.max(axis=1), 1e-300)).max()


def solve(s, y, alpha):
    """(1-alpha) (I - alpha S)^-1 Y, dense, float64."""
    return np.linalg.solve(np.eye(len(y)) - alpha * s.toarray(), (1 - alpha) * y)


def margins(f):
    top2 = np.sort(f, axis=1)[:, -2:]
    return (top2[:, 1] - top2[:, 0]) / np.where(top2[:, 1] > 0, top2[:, 1], 1)


def run(name, graph, seeds, alpha, out):
    classes, y = one_hot(graph, seeds)
    s, reached = graph.S(), graph.reached(seeds)
    f = solve(s, y, alpha)
    plain, residual = iterate(s, y, alpha)
    gap = (np.abs(plain - f).max(axis=1)[reached] / f.max(axis=1)[reached]).max()
    assert residual < RESIDUAL, (name, residual)
    assert gap < 1e-8, (name, gap)

    nx_says = networkx_labels(graph, seeds, alpha)
    sk_says = sklearn_labels(graph, classes, y, alpha)
    ours = [classes[k] if ok else "" for k, ok in zip(f.argmax(axis=1), reached)]
    shown = [f"{m:.6e}" if ok else "" for m, ok in zip(margins(f), reached)]
    rows = zip(graph.names, nx_says, sk_says, ours, shown)
    write_rows(os.path.join(out, name + ".labels.tsv"), [("node", "networkx", "sklearn", "scipy", "margin"), *rows])

    differ = sum(len(set(t)) > 1 for t, ok in zip(zip(nx_says, sk_says, ours), reached) if ok)
    print(f"{name}: {len(graph.names)} nodes, {graph.W.nnz // 2} edges, {len(seeds)} seeds, "
          f"{len(classes)} classes, {(~reached).sum()} unreached, residual {residual:.1e}, "
          f"plain-solve {gap:.1e}, rows where the three differ: {differ}, smallest margin {margins(f)[reached].min():.1e}")


def published(folder, name):
    """The seeds of a set in DIR: the published train split, else a draw."""
    labels = read_labels(os.path.join(folder, name + ".labels.tsv"))
    if name == "cora":
        split = read_labels(os.path.join(folder, "cora.split.tsv"))
        return {node: labels[node] for node, part in split.items() if part == "train"}
    return draw_seeds(labels, PER_CLASS[name], LCG_SEED[name])


def main():
    args = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    args.add_argument("--out", default="testdata")
    args.add_argument("--data", help="folder of the public sets")
    args.add_argument("--alpha", type=float, default=0.99)
    args = args.parse_args()
    golden = os.path.join(args.out, "golden/lgc_peers")
    for path in sorted(glob.glob(os.path.join(args.out, "graphs/*.edges.tsv"))):
        name = os.path.basename(path).removesuffix(".edges.tsv")
        run(name, read_graph(path), read_labels(os.path.join(golden, name + ".seeds.tsv")), args.alpha, golden)
    for name in ("karate", "football", "cora") if args.data else ():
        seeds = published(args.data, name)
        write_rows(os.path.join(golden, name + ".seeds.tsv"), seeds.items())
        run(name, read_graph(find(args.data, name + ".edges.tsv")), seeds, args.alpha, golden)


if __name__ == "__main__":
    main()
