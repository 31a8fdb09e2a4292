"""Label spreading by scikit-learn or networkx, to compare adp-sparse with.

    fstep.py sklearn DIR n d k alpha tolerance threads
    fstep.py networkx EDGES LABELS alpha tolerance

sklearn: DIR holds x.f32 (n rows of d) and labels.i64 (-1 where unknown).
networkx: an edge list, `src dst` a line, and `id label` lines.
`adp-bench fstep` runs it; the protocol is that of peer.h. Variants:

    iterate   the diffusion on a graph that there is. networkx makes a sparse
              matrix of its graph in every call, which is counted.
    whole     sklearn: fit, neighbours included, from an array in memory;
              networkx: the edge list read, and the labels of all nodes

The checksum is the sum of the labels' columns, which nobody compares.

Neither can stop at a relative residual: scikit-learn stops at the sum of all
changes, networkx after a number of iterations. So the number of iterations
that takes the largest relative residual of a class column,
|b - (I - alpha S) F| / |b| with b = (1 - alpha) Y, to the tolerance is found
beforehand, on the peer's own matrix, and each does just as many.
"""

import sys
import warnings

import numpy as np

from peer import serve

MOST = 100_000


def iterations(s, y, alpha, tolerance):
    """Iterations F <- alpha S F + (1 - alpha) Y from F = Y to the tolerance."""
    b = (1 - alpha) * y
    norm = np.sqrt((b * b).sum(axis=0))
    f = y.copy()
    for count in range(MOST):
        after = alpha * (s @ f) + b
        rest = after - f  # the residual of f
        if (np.sqrt((rest * rest).sum(axis=0)) <= tolerance * norm).all():
            return count
        f = after
    raise SystemExit(f"residual {(np.sqrt((rest * rest).sum(axis=0)) / norm).max()} after {MOST} iterations")


def one_hot(labels):
    classes = np.unique(labels[labels >= 0])
    return (labels[:, None] == classes[None, :]).astype(np.float64)


def sklearn_variants(folder, n, d, k, alpha, tolerance, threads):
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.semi_supervised import LabelSpreading

    warnings.simplefilter("ignore", ConvergenceWarning)  # it is told when to stop
    x = np.fromfile(f"{folder}/x.f32", np.float32).reshape(n, d)
    labels = np.fromfile(f"{folder}/labels.i64", np.int64)

    class Prepared(LabelSpreading):
        """LabelSpreading with the graph made beforehand."""

        def _build_graph(self):
            return graph

    options = dict(kernel="knn", n_neighbors=k, alpha=alpha, tol=0, n_jobs=threads)
    made = LabelSpreading(max_iter=1, **options)
    made.X_ = x
    graph = made._build_graph()
    options["max_iter"] = iterations(graph.tocsr(), one_hot(labels), alpha, tolerance)
    print(f"scikit-learn: {graph.nnz} entries, {options['max_iter']} iterations", file=sys.stderr)

    def fit(model):
        def run(clock):
            with clock:
                model(**options).fit(x, labels)
            return 0

        return run

    return {"iterate": fit(Prepared), "whole": fit(LabelSpreading)}


def networkx_variants(edges, labels, alpha, tolerance):
    import networkx as nx
    from networkx.algorithms.node_classification import local_and_global_consistency

    from edgelist import read_labels

    seeds = read_labels(labels)

    def read():
        g = nx.read_edgelist(edges, data=(("weight", float),))
        g.remove_edges_from(nx.selfloop_edges(g))
        for name, label in seeds.items():
            g.nodes[name]["label"] = label
        return g

    g = read()
    w = nx.to_scipy_sparse_array(g, format="csr")
    degrees = np.asarray(w.sum(axis=0)).ravel()
    scale = np.where(degrees > 0, 1 / np.sqrt(np.where(degrees > 0, degrees, 1)), 0)
    s = w.multiply(scale[:, None]).multiply(scale[None, :]).tocsr()
    number = {label: k for k, label in enumerate(sorted(set(seeds.values())))}
    y = one_hot(np.array([number[seeds[name]] if name in seeds else -1 for name in g]))
    count = iterations(s, y, alpha, tolerance)
    print(f"networkx: {s.nnz} entries, {count} iterations", file=sys.stderr)

    def iterate(clock):
        with clock:
            local_and_global_consistency(g, alpha=alpha, max_iter=count)
        return 0

    def whole(clock):
        with clock:
            local_and_global_consistency(read(), alpha=alpha, max_iter=count)
        return 0

    return {"iterate": iterate, "whole": whole}


def main():
    program, *rest = sys.argv[1:]
    if program == "sklearn":
        folder, n, d, k, alpha, tolerance, threads = rest
        serve(sklearn_variants(folder, int(n), int(d), int(k), float(alpha), float(tolerance), int(threads)))
    else:
        edges, labels, alpha, tolerance = rest
        serve(networkx_variants(edges, labels, float(alpha), float(tolerance)))


if __name__ == "__main__":
    main()
