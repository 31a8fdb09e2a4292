#!/usr/bin/env python3
"""Measure scikit-learn's LabelSpreading on the draws of `adp-bench accuracy`.

usage: labelspreading.py --data DIR --set NAME --draws DIR [--labels 1,5]
                         [--neighbors 7,10] [--alpha 0.2,0.99] [--max-draws N]

Reads DIR/NAME.features.npy[.gz] (n x d), DIR/NAME.labels.tsv (`row class`) and
the drawn labels that

    adp-bench accuracy --sets NAME --labels 1,5 --draws-out DRAWS

wrote, DRAWS/NAME-LABELS-DRAW.seeds.tsv (`row class`). Prints a Markdown row for
each number of labels, neighbours and alpha: mean and standard deviation (n-1)
of the accuracy on the nodes with a true label that were not drawn, and the
mean seconds of a fit, without the neighbour search: the graph does not depend on
the labels and is made once for all draws.

LabelSpreading(kernel="knn"): binary weights, each point its own neighbour, the
graph not made symmetric. At its default of 30 iterations it warns that it has
not converged; `iterations` is the largest number that a fit took.
Needs numpy and scikit-learn (Debian: python3-sklearn).
"""
import argparse
import glob
import os
import re
import time
import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.semi_supervised import LabelSpreading

from edgelist import find, read_labels
from knn_exact import features


classes = {}  # the numbers of the labels so far


def column(path, n):
    """The classes of a label file as integers: n of them, -1 where none is given."""
    out = np.full(n, -1)
    for row, label in read_labels(path).items():
        out[int(row)] = classes.setdefault(label, len(classes))
    return out


def draws(folder, name, labels, most):
    """The files of a set's draws with so many labels, in the order of their numbers."""
    pattern = re.compile(re.escape(f"{name}-{labels}-") + r"(\d+)\.seeds\.tsv$")
    found = [(int(m[1]), path) for path in glob.glob(os.path.join(glob.escape(folder), "*")) if (m := pattern.match(os.path.basename(path)))]
    if not found:
        raise SystemExit(f"no files {name}-{labels}-*.seeds.tsv in {folder}, expected those of adp-bench accuracy --draws-out")
    return [path for _, path in sorted(found)][:most]


class OneGraph(LabelSpreading):
    """LabelSpreading that makes the graph of its number of neighbours once."""

    graphs = {}

    def _get_kernel(self, X, y=None):
        if y is not None:
            return super()._get_kernel(X, y)
        if self.n_neighbors not in self.graphs:
            self.nn_fit = None  # as fit sets it
            self.graphs[self.n_neighbors] = super()._get_kernel(X)
        return self.graphs[self.n_neighbors]


def fit(x, truth, seeds, model):
    """Accuracy on the nodes that were not drawn, and what the fit took."""
    assert (truth[seeds >= 0] == seeds[seeds >= 0]).all(), "a drawn label is not the true one"
    start = time.perf_counter()
    model.fit(x, seeds)
    seconds = time.perf_counter() - start
    tested = (truth >= 0) & (seeds < 0)
    return (model.transduction_[tested] == truth[tested]).mean(), seconds, model.n_iter_


def numbers(kind):
    return lambda text: [kind(word) for word in text.split(",")]


def main():
    args = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    args.add_argument("--data", required=True)
    args.add_argument("--set", required=True, help="NAME, without part or kind")
    args.add_argument("--draws", required=True)
    args.add_argument("--labels", type=numbers(int), default=[1, 5])
    args.add_argument("--neighbors", type=numbers(int), default=[7, 10])
    args.add_argument("--alpha", type=numbers(float), default=[0.2, 0.99])
    args.add_argument("--max-iter", type=int, default=30)
    args.add_argument("--max-draws", type=int)
    args.add_argument("--jobs", type=int, default=1)
    args = args.parse_args()

    x = features(args.data, args.set)
    truth = column(find(args.data, args.set + ".labels.tsv"), len(x))
    warnings.simplefilter("ignore", ConvergenceWarning)  # the table has the iterations
    print("| set | labels a class | neighbours | alpha | draws | accuracy | iterations | seconds a fit |")
    print("|---|---|---|---|---|---|---|---|")
    for labels in args.labels:
        seeds = [column(path, len(x)) for path in draws(args.draws, args.set, labels, args.max_draws)]
        for k in args.neighbors:
            for alpha in args.alpha:
                model = OneGraph(kernel="knn", n_neighbors=k, alpha=alpha, max_iter=args.max_iter, n_jobs=args.jobs)
                model._get_kernel(x)
                rows = np.array([fit(x, truth, y, model) for y in seeds])
                accuracy, seconds, iterations = rows.T
                spread = accuracy.std(ddof=1) if len(rows) > 1 else 0
                print(f"| {args.set} | {labels} | {k} | {alpha:g} | {len(rows)} | {accuracy.mean():.3f} ± {spread:.3f} | "
                      f"{iterations.max():.0f} | {seconds.mean():.1f} |", flush=True)


if __name__ == "__main__":
    main()
