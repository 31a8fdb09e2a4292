#!/usr/bin/env python3
"""Nodes with several labels: adp-sparse beside scikit-learn and NetMF, micro- and macro-F1 on the nodes without a known label.

usage: several.py PROGRAM DATA --sets emotions,blogcatalog-multilabel [--known .1] [--draws 10] [--methods ...] [--run-args "--threads 2"]

PROGRAM is an adp-sparse. DATA has NAME.labels.tsv, a row a label, and NAME.edges.tsv[.gz], NAME.features.npy or
NAME.features.npz (docs/data.md). A draw knows all labels of some nodes: a share of those with labels, or a number
above 1. All methods get the same. Methods:

    adp         run --multilabel
    lgc         run --multilabel --method lgc
    logistic    a logistic regression a class on the features, columns standardised or, sparse, rows of unit length
    forest      100 trees on the same features
    netmf       a logistic regression a class on the embedding of embedding.py, of edges
    ...-told    the same, told how many labels each node has; else labels of a probability of at least 1/2

Prints Markdown: means over the draws with standard deviations, and labels a node.
Needs numpy, scipy and scikit-learn.
"""
import argparse
import csv
import os
import random
import subprocess
import sys
import tempfile
import warnings

import numpy as np
import scipy.sparse as sp
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsRestClassifier
from sklearn.preprocessing import MultiLabelBinarizer, StandardScaler, normalize

import embedding

OURS = {"adp": [], "lgc": ["--method", "lgc"]}


class Set:
    """Labels by node, and columns of the nodes: of features, or of an embedding where there are edges."""

    def __init__(self, data, name, embed):
        path = os.path.join(data, name)
        self.labels = {}
        for node, label in embedding.lines(path + ".labels.tsv"):
            self.labels.setdefault(node, []).append(label)
        edges = [path + ".edges.tsv" + end for end in ("", ".gz") if os.path.exists(path + ".edges.tsv" + end)]
        features = [path + ".features" + end for end in (".npy", ".npz") if os.path.exists(path + ".features" + end)]
        self.source = ["--edges", edges[0]] if edges else ["--features", features[0]]
        self.edges = bool(edges)
        if edges and embed:
            a, self.place, _ = embedding.read(data, name)
            self.columns = embedding.netmf(a)
        elif not edges:
            self.place = {node: int(node) for node in self.labels}
            x = sp.load_npz(features[0]).tocsr() if features[0].endswith("z") else np.load(features[0])
            self.columns = normalize(x) if sp.issparse(x) else StandardScaler().fit_transform(x)

    def draw(self, known, seed):
        nodes = sorted(self.labels)
        count = int(known if known > 1 else known * len(nodes))
        return sorted(random.Random(seed).sample(nodes, count))


def ours(program, of, known, rest, flags):
    with tempfile.TemporaryDirectory() as folder:
        seeds, out = os.path.join(folder, "seeds.tsv"), os.path.join(folder, "out.tsv")
        with open(seeds, "w", encoding="utf-8") as f:
            f.writelines(f"{node}\t{label}\n" for node in known for label in of.labels[node])
        subprocess.run([program, "run", *of.source, "--labels", seeds, "--multilabel", "--out", out, "--quiet", *flags], check=True)
        got = {node: [] for node in rest}
        with open(out, encoding="utf-8") as f:
            for row in csv.DictReader(f, delimiter="\t"):
                if row["node"] in got and row["label"]:
                    got[row["node"]].append(row["label"])
    return [got[node] for node in rest]


def probabilities(model, of, known, rest):
    classes = MultiLabelBinarizer()
    y = classes.fit_transform([of.labels[node] for node in known])
    at = lambda nodes: of.columns[[of.place[node] for node in nodes]]
    if model != "forest":
        return classes.classes_, OneVsRestClassifier(LogisticRegression(max_iter=500)).fit(at(known), y).predict_proba(at(rest))
    found = RandomForestClassifier(100, random_state=0).fit(at(known), y).predict_proba(at(rest))
    columns = [p[:, 1] if p.shape[1] > 1 else np.full(len(rest), y[:, j].max()) for j, p in enumerate(found)]
    return classes.classes_, np.stack(columns, 1)


def score(got, truth):
    """Micro-F1, macro-F1 over the classes that truth has, and labels a node."""
    hits, given, true = {}, {}, {}
    for some, all_ in zip(got, truth):
        for label in some:
            given[label] = given.get(label, 0) + 1
        for label in all_:
            true[label] = true.get(label, 0) + 1
        for label in set(some) & set(all_):
            hits[label] = hits.get(label, 0) + 1
    micro = 2 * sum(hits.values()) / (sum(given.values()) + sum(true.values()))
    macro = np.mean([2 * hits.get(label, 0) / (given.get(label, 0) + count) for label, count in true.items()])
    return micro, macro, sum(given.values()) / len(got)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("data")
    parser.add_argument("--sets", required=True)
    parser.add_argument("--known", type=float, default=0.1)
    parser.add_argument("--draws", type=int, default=10)
    parser.add_argument("--methods", default="adp,lgc,logistic,logistic-told,forest,forest-told,netmf,netmf-told")
    parser.add_argument("--run-args", default="")
    args = parser.parse_args()
    warnings.filterwarnings("ignore")  # classes without a known label
    methods = args.methods.split(",")
    print("| set | method | micro-F1 | macro-F1 | labels a node |\n|---|---|---|---|---|")
    for name in args.sets.split(","):
        of = Set(args.data, name, any(m.startswith("netmf") for m in methods))
        here = [m for m in methods if m in OURS or m.startswith("netmf") == of.edges]
        scores = {m: [] for m in here}
        for seed in range(args.draws):
            known = of.draw(args.known, seed)
            rest = [node for node in sorted(of.labels) if node not in set(known)]
            truth, fitted = [of.labels[node] for node in rest], {}
            for method in here:
                if method in OURS:
                    got = ours(args.program, of, known, rest, OURS[method] + args.run_args.split())
                else:
                    model = method.removesuffix("-told")
                    if model not in fitted:
                        fitted[model] = probabilities(model, of, known, rest)
                    classes, p = fitted[model]
                    if method == model:
                        got = [classes[row >= 0.5] for row in p]
                    else:
                        got = [classes[np.argsort(-row)[: len(all_)]] for row, all_ in zip(p, truth)]
                scores[method].append(score(got, truth))
        for method in here:
            mean, deviation = np.mean(scores[method], 0), np.std(scores[method], 0, ddof=1) if args.draws > 1 else np.zeros(3)
            print(f"| {name} | {method} | {mean[0]:.3f} ± {deviation[0]:.3f} | {mean[1]:.3f} ± {deviation[1]:.3f} | {mean[2]:.2f} |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
