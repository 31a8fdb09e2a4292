#!/usr/bin/env python3
"""scikit-learn's LabelSpreading(kernel="knn") on labels that come one draw a line.

usage: spreading.py FILE N D NEIGHBORS ALPHA

FILE has N x D float32, row by row. Prints `ready`, then reads lines
`row class row class …` and answers each with the N classes it gives. The graph
does not depend on the labels and is made once. max_iter is 1000 in place of 30,
so that no result is of a solve that was cut off. A point that no label reaches
gets the first class, as scikit-learn has it.
Needs numpy and scikit-learn (Debian: python3-sklearn).
"""
import sys

import numpy as np

from labelspreading import OneGraph


def main():
    file, n, d, neighbors, alpha = sys.argv[1:]
    x = np.fromfile(file, dtype="<f4").reshape(int(n), int(d))
    model = OneGraph(kernel="knn", n_neighbors=int(neighbors), alpha=float(alpha), max_iter=1000)
    print("ready labels", flush=True)
    for line in sys.stdin:
        numbers = np.array(line.split(), dtype=int)
        y = np.full(len(x), -1)
        y[numbers[0::2]] = numbers[1::2]
        model._get_kernel(x)
        model.fit(x, y)
        print(*model.transduction_, flush=True)


if __name__ == "__main__":
    main()
