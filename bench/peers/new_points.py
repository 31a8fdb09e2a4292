"""Labels nodes that were held back, by predict from their features and edges.

    python3 bench/peers/new_points.py --program ./adp-sparse --data DIR --sets cora,texas --labels 5,20 --draws 10

For each draw, a fifth of the labelled nodes is held back at random with its edges, and known labels are
drawn from the rest. The default runs on the rest and keeps a model. Columns are shares of the held nodes
that are right:

    features   predict --points
    edges      predict --points --edges; nothing for a set without edges
    no points  predict --edges, without the features; a node without edges is wrong
    all nodes  a run on all nodes and edges, with the same labels
    t=0, t=0.5 as features and edges, with that share of the ridge in place of the model's (--shares)
    1-NN, logistic  of scikit-learn, by the rows of the known labels alone, at unit length (--peers)

A class with fewer nodes than labels are asked for gives all that it has.
"""

import argparse
import gzip
import json
import os
import subprocess
import tempfile
import zipfile

import numpy as np
import scipy.sparse as sp


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True)
    parser.add_argument("--data", required=True, help="folder with NAME.labels.tsv, NAME.features.npy, .npy.gz or .csr.npz, NAME.edges.tsv.gz")
    parser.add_argument("--sets", required=True)
    parser.add_argument("--labels", default="5,20", help="known labels a class")
    parser.add_argument("--draws", type=int, default=10)
    parser.add_argument("--shares", default="", help="shares of the ridge that are tried, such as 0,0.5,1")
    parser.add_argument("--peers", action="store_true")
    parser.add_argument("--no-edges", action="store_true", help="features alone")
    parser.add_argument("--no-all", action="store_true", help="no run on all nodes")
    return parser.parse_args()


class Set:
    """Features, classes ('' for none) and edges, or None, of the nodes 0 to n-1."""

    def __init__(self, folder, name):
        base = os.path.join(folder, name)
        if os.path.exists(base + ".features.csr.npz"):
            self.x = sp.load_npz(base + ".features.csr.npz").tocsr()
        elif os.path.exists(base + ".features.npy"):
            self.x = np.load(base + ".features.npy")
        else:
            with gzip.open(base + ".features.npy.gz") as f:
                self.x = np.load(f)
        self.y = np.full(self.x.shape[0], "", dtype=object)
        with open(base + ".labels.tsv", encoding="utf-8") as lines:
            for line in lines:
                node, label = line.rstrip("\n").split("\t")
                self.y[int(node)] = label
        self.edges = None
        if os.path.exists(base + ".edges.tsv.gz"):
            with gzip.open(base + ".edges.tsv.gz", "rt") as f:
                self.edges = np.array([line.split()[:2] for line in f if line[0] not in "#%"], dtype=np.int64)

    def split(self, rng, labels):
        """Returns the nodes held back, the others, and those of the others that are known."""
        labelled = np.flatnonzero(self.y != "")
        held = np.sort(rng.permutation(labelled)[: len(labelled) // 5])
        rest = np.setdiff1d(np.arange(len(self.y)), held)
        known = self.y[rest]
        seeds = []
        for c in np.unique(known[known != ""]):
            of = np.flatnonzero(known == c)
            seeds.extend(rng.choice(of, min(labels, len(of)), replace=False))
        return held, rest, np.sort(seeds)


def save(path, x):
    if sp.issparse(x):
        sp.save_npz(path + ".npz", x.tocsr())
        return path + ".npz"
    np.save(path + ".npy", x)
    return path + ".npy"


def save_pairs(path, pairs):
    np.savetxt(path, pairs, fmt="%s", delimiter="\t")
    return path


def with_share(model, to, share):
    """Copies a model with another share of what the features say alone."""
    with zipfile.ZipFile(model) as old, zipfile.ZipFile(to, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if name == "about.npy":
                with old.open(name) as f:
                    about = json.loads(np.lib.format.read_array(f).tobytes())
                if "guess" not in about:
                    return False
                about["guess"]["share"] = share
                with tempfile.TemporaryFile() as f:
                    np.save(f, np.frombuffer(json.dumps(about).encode(), dtype=np.uint8))
                    f.seek(0)
                    content = f.read()
            new.writestr(name, content)
    return True


def peers(x, y, seeds, new):
    from sklearn.linear_model import LogisticRegression
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.preprocessing import normalize

    train, test, known = normalize(x[seeds].astype(float)), normalize(new.astype(float)), y[seeds].astype(str)
    nearest = KNeighborsClassifier(1).fit(train, known).predict(test)
    logistic = LogisticRegression(C=10, max_iter=2000).fit(train, known).predict(test)
    return {"1-NN": nearest, "logistic": logistic}


def draw(args, data, labels, number):
    """Returns the accuracy of each column, in one draw."""
    held, rest, seeds = data.split(np.random.default_rng(number), labels)
    truth, known = data.y[held], data.y[rest]
    at = np.empty(len(data.y), dtype=np.int64)
    at[rest], at[held] = np.arange(len(rest)), len(rest) + np.arange(len(held))
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        path = lambda name: os.path.join(folder, name)

        def label(column, rows, command, *flags):
            done = subprocess.run([args.program, command, "--quiet", "--out", path("out.tsv"), *flags], stderr=subprocess.PIPE, text=True)
            if done.returncode:
                raise SystemExit(f"{command}: {done.stderr}")
            with open(path("out.tsv"), encoding="utf-8") as lines:
                table = [line.rstrip("\n").split("\t")[1] for line in lines][1:]
            if rows is not None:
                found[column] = np.array(table[rows:], dtype=object)

        x, new = data.x[rest], data.x[held]
        given = ["--features", save(path("rest"), x), "--labels", save_pairs(path("seeds.tsv"), [(i, known[i]) for i in seeds])]
        points, edges = ["--points", save(path("new"), new)], []
        if data.edges is not None:
            moved = at[data.edges]
            old = (moved < len(rest)).all(axis=1)
            given += ["--edges", save_pairs(path("old.tsv"), moved[old])]
            edges = ["--edges", save_pairs(path("new.tsv"), moved[~old])]
        model = path("model")
        label("", None, "run", *given, "--model", model)
        label("features", 0, "predict", "--model", model, *points)
        if edges:
            label("edges", 0, "predict", "--model", model, *points, *edges)
            label("no points", None, "predict", "--model", model, *edges)
            with open(path("out.tsv"), encoding="utf-8") as lines:
                named = dict(line.split("\t")[:2] for line in lines)
            found["no points"] = np.array([named.get(str(len(rest) + k), "") for k in range(len(held))], dtype=object)
        for share in filter(None, args.shares.split(",")):
            if with_share(model, path("other"), float(share)):
                label(f"t={share}", 0, "predict", "--model", path("other"), *points)
                if edges:
                    label(f"t={share}+edges", 0, "predict", "--model", path("other"), *points, *edges)
        if not args.no_all:
            both = sp.vstack([x, new]) if sp.issparse(x) else np.concatenate([x, new])
            whole = ["--features", save(path("all"), both), *given[2:4]]
            if edges:
                whole += ["--edges", save_pairs(path("all.tsv"), moved)]
            label("all nodes", len(rest), "run", *whole)
        if args.peers:
            found.update(peers(x, known, seeds, new))
    return {column: np.mean(labels == truth) for column, labels in found.items()}


def main():
    args = arguments()
    for name in args.sets.split(","):
        data = Set(args.data, name)
        if args.no_edges:
            data.edges = None
        for labels in map(int, args.labels.split(",")):
            draws = [draw(args, data, labels, number) for number in range(1, args.draws + 1)]
            print(name, labels, "  ".join(f"{c} {np.mean([d[c] for d in draws]):.3f} ± {np.std([d[c] for d in draws], ddof=1) if args.draws > 1 else 0:.3f}" for c in draws[0]), flush=True)


if __name__ == "__main__":
    main()
