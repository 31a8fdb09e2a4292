"""Writes float64 rows of F for the small test graphs, by dense linear algebra.

    python3 bench/peers/dense_golden.py [--out testdata]

    OUT/golden/lgc/NAME.alphaA.tsv  F = (1-A) (I - A S)^-1 Y, by the inverse
    OUT/golden/gfhf/NAME.tsv        harmonic function: F_l = Y_l and
                                    F_u = (D_uu - W_uu)^-1 W_ul Y_l, and the
                                    labels of networkx's harmonic_function
    OUT/golden/scores.tsv           networkx's modularity, and the mean share
                                    of a class's weight that stays inside, of
                                    the labels in lgc_peers (column scipy)

Rows of nodes that no seed reaches are 0. Numbers have 17 digits: the float64
itself. networkx's labels must be the argmax of F wherever that is no tie.
"""

import argparse
import glob
import os

import networkx as nx
import numpy as np
from networkx.algorithms import node_classification

from edgelist import one_hot, read_graph, read_header, read_labels, write_rows

LGC_GRAPHS = ("path4", "karate", "lesmiserables", "raw")
ALPHAS = (0.5, 0.9, 0.99)
ITERATIONS = 50000


def digits(row):
    return [f"{v:.17g}" for v in row]


def lgc(graph, y, alpha):
    return (1 - alpha) * np.linalg.inv(np.eye(len(y)) - alpha * graph.S().toarray()) @ y


def harmonic(graph, y, reached):
    w = graph.W.toarray()
    seed = y.any(axis=1)
    free = reached & ~seed
    laplacian = np.diag(w.sum(axis=1)) - w
    f = np.where(seed[:, None], y, 0)
    f[free] = np.linalg.inv(laplacian[np.ix_(free, free)]) @ (w[np.ix_(free, seed)] @ y[seed])
    return f


def networkx_harmonic(graph, seeds):
    g = nx.from_scipy_sparse_array(graph.W)
    for name, label in seeds.items():
        g.nodes[graph.row[name]]["label"] = label
    return node_classification.harmonic_function(g, max_iter=ITERATIONS)


def write_lgc(path, graph, seeds):
    classes, y = one_hot(graph, seeds)
    for alpha in ALPHAS:
        rows = [(name, *digits(f)) for name, f in zip(graph.names, lgc(graph, y, alpha))]
        write_rows(f"{path}.alpha{alpha}.tsv", [("node", *classes), *rows])


def write_harmonic(path, graph, seeds):
    classes, y = one_hot(graph, seeds)
    reached = graph.reached(seeds)
    f = harmonic(graph, y, reached)
    top2 = np.sort(f, axis=1)[:, -2:]
    said = networkx_harmonic(graph, seeds)
    for i, label in enumerate(said):
        tie = top2[i, 1] - top2[i, 0] < 1e-9
        assert tie or not reached[i] or label == classes[f[i].argmax()], (path, graph.names[i])
    rows = [(name, label, *digits(row)) for name, label, row in zip(graph.names, said, f)]
    write_rows(path + ".tsv", [("node", "networkx", *classes), *rows])


def scores(name, graph, labels):
    """Modularity, and the mean over classes of weight inside / weight."""
    d, w = graph.degrees(), graph.W.toarray()
    of = np.array([labels[node]["scipy"] for node in graph.names])
    parts = [np.flatnonzero(of == label) for label in sorted(set(of))]
    modularity = nx.community.modularity(nx.from_numpy_array(w), [set(p) for p in parts])
    inside = [w[np.ix_(p, p)].sum() / d[p].sum() for p in parts]
    return name, *digits((modularity, np.mean(inside)))


def main():
    args = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    args.add_argument("--out", default="testdata")
    out = args.parse_args().out
    table = [("graph", "modularity", "inside")]
    for path in sorted(glob.glob(os.path.join(out, "graphs/*.edges.tsv"))):
        name = os.path.basename(path).removesuffix(".edges.tsv")
        graph, golden = read_graph(path), os.path.join(out, "golden")
        seeds = read_labels(os.path.join(golden, "lgc_peers", name + ".seeds.tsv"))
        write_harmonic(os.path.join(golden, "gfhf", name), graph, seeds)
        if name in LGC_GRAPHS:
            write_lgc(os.path.join(golden, "lgc", name), graph, seeds)
        if graph.reached(seeds).all():
            labels = read_header(os.path.join(golden, "lgc_peers", name + ".labels.tsv"))
            table.append(scores(name, graph, labels))
    write_rows(os.path.join(out, "golden/scores.tsv"), table)


if __name__ == "__main__":
    main()
