"""Reads and writes the edge lists and label files that the peers are run on.

The rules are those of adp-sparse, written a second time and independently:
the graph is undirected, repeated lines are summed whichever way round they
are written, self-loops are dropped (their node stays), a missing weight is 1.
Nodes are numbered by sorted id, numerically where all ids are integers.
"""

import gzip
import os

import numpy as np
import scipy.sparse as sp


def open_text(path):
    """Opens a text file, through gzip when its name ends in .gz."""
    return gzip.open(path, "rt", encoding="utf-8") if path.endswith(".gz") else open(path, encoding="utf-8")


def find(folder, name):
    """The path of folder/name, or of its gzip form."""
    path = os.path.join(folder, name)
    return path if os.path.exists(path) else path + ".gz"


def data_lines(path):
    """Yields the tab-separated fields of each line that is not a comment."""
    with open_text(path) as lines:
        for line in lines:
            line = line.rstrip("\r\n")
            if line and line[0] not in "#%":
                yield line.split("\t")


def id_key(ids):
    """The sort key of ids: the number where all are integers, else the bytes."""
    digits = all(name.lstrip("-").isdigit() for name in ids)
    return int if digits else lambda name: name.encode("utf-8")


class Graph:
    """An undirected weighted graph: names (n), W (n×n sparse, float64)."""

    def __init__(self, triples):
        ids = {name for src, dst, _ in triples for name in (src, dst)}
        self.names = sorted(ids, key=id_key(ids))
        self.row = {name: i for i, name in enumerate(self.names)}
        n = len(self.names)
        kept = [(self.row[s], self.row[d], w) for s, d, w in triples if s != d]
        i, j, w = (np.array(column) for column in zip(*kept))
        half = sp.coo_matrix((w.astype(np.float64), (i, j)), shape=(n, n)).tocsr()
        self.W = (half + half.T).tocsr()

    def degrees(self):
        return np.asarray(self.W.sum(axis=1)).ravel()

    def S(self):
        """D^-1/2 W D^-1/2, with empty rows for nodes without edges."""
        d = self.degrees()
        scale = sp.diags(np.where(d > 0, 1 / np.sqrt(np.where(d > 0, d, 1)), 0))
        return (scale @ self.W @ scale).tocsr()

    def reached(self, seeds):
        """Which nodes have a seed in their component, n booleans."""
        _, component = sp.csgraph.connected_components(self.W, directed=False)
        return np.isin(component, component[[self.row[name] for name in seeds]])


def read_graph(path):
    """Reads `src dst [weight]` lines."""
    return Graph([(f[0], f[1], float(f[2]) if len(f) > 2 else 1.0) for f in data_lines(path)])


def read_labels(path):
    """Reads `id label` lines into a dict, in the order of the file."""
    return {fields[0]: fields[1] for fields in data_lines(path)}


def write_rows(path, rows):
    """Writes tab-separated rows."""
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "w", encoding="utf-8", newline="\n") as out:
        for row in rows:
            out.write("\t".join(row) + "\n")


def read_header(path):
    """Reads a table with a header into a dict: first column -> row as a dict."""
    lines = data_lines(path)
    header = next(lines)
    return {fields[0]: dict(zip(header, fields)) for fields in lines}


def one_hot(graph, seeds):
    """The sorted classes and Y (n×c), one-hot rows at the seeds."""
    classes = sorted(set(seeds.values()), key=id_key(set(seeds.values())))
    y = np.zeros((len(graph.names), len(classes)))
    for name, label in seeds.items():
        y[graph.row[name], classes.index(label)] = 1
    return classes, y


class LCG:
    """x <- (1103515245 x + 12345) mod 2^31; numbers come from the high bits.

    Written out so that a choice of seeds can be made again in any language.
    """

    def __init__(self, seed):
        self.x = seed

    def below(self, n):
        self.x = (1103515245 * self.x + 12345) % 2**31
        return (self.x >> 8) * n >> 23

    def uniform(self):
        return (self.below(1 << 20) + 0.5) / (1 << 20)


def draw_seeds(labels, per_class, seed):
    """Draws per_class nodes of each class: classes in sorted order, the nodes
    of a class in id order, then a Fisher-Yates shuffle with one LCG for all,
    of which the first per_class are taken."""
    lcg, ids, drawn = LCG(seed), id_key(labels), {}
    for label in sorted(set(labels.values()), key=id_key(set(labels.values()))):
        nodes = sorted((name for name in labels if labels[name] == label), key=ids)
        for i in range(per_class):
            j = i + lcg.below(len(nodes) - i)
            nodes[i], nodes[j] = nodes[j], nodes[i]
            drawn[nodes[i]] = label
    return drawn
