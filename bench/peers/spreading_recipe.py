"""How near the recipe of docs/comparison.md is to scikit-learn's LabelSpreading by neighbours.

    python3 bench/peers/spreading_recipe.py --program ./adp-sparse [--draws 10]

For scikit-learn's iris and digits and 400 points of two moons, over draws of five labels a
class, mean and standard deviation (n-1) of: the share of the points without a label that get
the same one from both; of those among them that both reach; of those that our graph reaches,
the share with the label of scikit-learn's equations, solved to the end, on our graph (the
directed one made symmetric, without loops); the accuracies of both; and the share that
scikit-learn does not reach, and gives the first class.
Needs numpy and scikit-learn (Debian: python3-sklearn).
"""

import argparse
import pathlib
import subprocess
import tempfile

import numpy as np
from sklearn.datasets import load_digits, load_iris, make_moons
from sklearn.neighbors import kneighbors_graph
from sklearn.semi_supervised import LabelSpreading

RECIPE = "--metric l2 --k 6 --weights uniform --alpha 0.2 --method lgc --class-prior none".split()


def ours(program, folder, x, y):
    """The labels of the recipe, -1 where no seed reaches."""
    np.save(folder / "x.npy", x.astype("f4"))
    np.save(folder / "y.npy", y)
    subprocess.run([program, "run", "--features", folder / "x.npy", "--labels", folder / "y.npy",
                    "--out", folder / "out.tsv", "--quiet", *RECIPE], check=True)
    rows = [line.split("\t") for line in (folder / "out.tsv").read_text().splitlines()[1:]]
    found = np.full(len(y), -1)
    for row in rows:
        found[int(row[0])] = int(row[1]) if row[1] else -1
    return found


def on_our_graph(x, y):
    """LabelSpreading's iteration, to the end, on the graph of the recipe."""
    w = kneighbors_graph(x, 6, include_self=False)
    w = ((w + w.T) / 2).toarray()
    d = np.maximum(w.sum(1), 1e-300) ** -0.5
    given = np.eye(y.max() + 1)[np.maximum(y, 0)] * (y >= 0)[:, None]
    return np.linalg.solve(np.eye(len(y)) - 0.2 * d[:, None] * w * d, given)


def main():
    flags = argparse.ArgumentParser(description=__doc__)
    flags.add_argument("--program", default="adp-sparse")
    flags.add_argument("--draws", type=int, default=10)
    flags = flags.parse_args()
    sets = {"iris": load_iris(return_X_y=True), "digits": load_digits(return_X_y=True),
            "moons": make_moons(400, noise=0.1, random_state=0)}
    print("| set | same label | of those that both reach | its equations on our graph | scikit-learn | recipe | not reached by scikit-learn |")
    print("|---|---|---|---|---|---|---|")
    for name, (x, truth) in sets.items():
        rows = []
        for draw in range(flags.draws):
            random = np.random.default_rng(draw)
            y = np.full(len(truth), -1)
            for c in np.unique(truth):
                y[random.permutation(np.flatnonzero(truth == c))[:5]] = c
            free = y < 0
            peer = LabelSpreading(kernel="knn", n_neighbors=7, alpha=0.2).fit(x, y)
            reached = peer.label_distributions_.sum(1) > 0
            theirs = peer.transduction_
            with tempfile.TemporaryDirectory() as folder:
                found = ours(flags.program, pathlib.Path(folder), x, y)
            f = on_our_graph(x, y)
            same = free & reached & (found >= 0)
            known = free & (f.max(1) > 0) & (found >= 0)
            rows.append([(found == theirs)[free].mean(), (found == theirs)[same].mean(), (found == f.argmax(1))[known].mean(),
                         (theirs == truth)[free].mean(), (found == truth)[free].mean(), 1 - reached[free].mean()])
        rows = np.array(rows)
        print(f"| {name} | " + " | ".join(f"{m:.3f} ± {s:.3f}" for m, s in zip(rows.mean(0), rows.std(0, ddof=1))) + " |", flush=True)


if __name__ == "__main__":
    main()
