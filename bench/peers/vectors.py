"""Whole default runs from vectors beside what Python offers: processor time, wall time, accuracy.

    python3 bench/peers/vectors.py --data DIR --sets coil20,usps [--program [NAME=]PATH ...] [--draws 10]

Each row is a process of its own that reads the features as .npy and the known labels, and writes a label
for each point. In each draw all rows see the same seeds (a fixed generator, --labels of each class) and
take turns, each draw another one first. CPU s is user and system time of the process with all its
threads, wall s has its start too. The tables have medians over the draws, of times and of their ratios
to the first --program, and the mean accuracy over the points without a known label.

- NAME: `adp-sparse run --features X --labels S` without other flags. --program may come several times, so
  that an older program runs beside a newer one.
- LabelSpreading 10 nn: scikit-learn's, kernel='knn', n_neighbors=10, alpha=0.99; and with its defaults
  (RBF, dense) up to 10,000 points.
- logistic regression: scikit-learn's, on standardised features, from the known labels alone.
- GraphLearning: the pipeline of jwcalder/GraphLearning at 280141b, gl.weightmatrix.knn(X, 10), then
  gl.ssl.poisson(W).fit_predict, written after its source; on usps all labels are those of its code.
  knnsearch for 11 points with the point itself (cKDTree up to 5 columns, else annoy: 10 trees, twice the
  neighbours, exact distances, a point at a time in Python); weights exp(-4 d^2/d_k^2), (W + W')/2, no
  diagonal; Poisson learning by its conjugate gradients on I - D^-1/2 W D^-1/2 to a residual of 1e-3, the
  largest score, class priors off. D of isolated points is 1, where it divides by 0. On graphs in
  parts (coil20's) its equations have no solution: most points get one label, or it goes on until --limit. Without annoy its
  search is faiss's, exact (IndexFlatL2), else scikit-learn's brute force; the row says which.

Needs numpy, scipy and scikit-learn (Debian: python3-sklearn), and for GraphLearning annoy, which is the
faster one there and is built from its source (spotify/annoy), or python3-faiss. Unix.
"""

import argparse
import gzip
import importlib.util
import math
import os
import pathlib
import signal
import statistics
import sys
import tempfile
import time

import numpy as np

MOST_DENSE = 10_000  # points of the defaults of LabelSpreading, whose kernel is n x n


def spreading(x, y, **options):
    from sklearn.semi_supervised import LabelSpreading

    return LabelSpreading(**options).fit(x, y).transduction_


def logistic(x, y):
    from sklearn.linear_model import LogisticRegression
    from sklearn.preprocessing import StandardScaler

    known = y >= 0
    scaler = StandardScaler().fit(x)
    model = LogisticRegression(max_iter=1000).fit(scaler.transform(x[known]), y[known])
    return model.predict(scaler.transform(x))


def search_name(dims):
    """What GraphLearning's search is done by."""
    found = [name for name in ("annoy", "faiss") if importlib.util.find_spec(name)]
    return "cKDTree" if dims <= 5 else (found + ["scikit-learn"])[0]


def knnsearch(x, k):
    """k points nearest to each, itself among them, and their distances: GraphLearning's knnsearch."""
    by = search_name(x.shape[1])
    if by == "cKDTree":
        from scipy.spatial import cKDTree

        dist, ind = cKDTree(x).query(x, k=k)
    elif by == "annoy":
        from annoy import AnnoyIndex

        index = AnnoyIndex(x.shape[1], "euclidean")
        for i in range(len(x)):
            index.add_item(i, x[i])
        index.build(10)
        ind, dist = np.zeros((len(x), k), dtype=int), np.zeros((len(x), k))
        for i in range(len(x)):
            near = np.array(index.get_nns_by_item(i, min(2 * k, len(x)), include_distances=True)[0])
            far = np.linalg.norm(x[i] - x[near], axis=1)
            first = np.argsort(far)[:k]
            ind[i], dist[i] = near[first], far[first]
    elif by == "faiss":
        import faiss

        index = faiss.IndexFlatL2(x.shape[1])
        index.add(np.ascontiguousarray(x, dtype="f4"))
        squares, ind = index.search(np.ascontiguousarray(x, dtype="f4"), k)
        dist = np.sqrt(np.maximum(squares, 0).astype(float))
    else:
        from sklearn.neighbors import NearestNeighbors

        dist, ind = NearestNeighbors(n_neighbors=k, algorithm="brute").fit(x).kneighbors(x)
    return ind, dist


def graph_learning(x, y):
    from scipy import sparse

    n, k = len(x), 11
    ind, dist = knnsearch(x, k)
    squares = dist * dist
    # Where a point and its k neighbours are one, all weights are 1 (there: 0/0).
    weights = np.exp(-4 * squares / np.maximum(squares[:, -1:], 1e-300))
    w = sparse.coo_matrix((weights.ravel(), (np.repeat(np.arange(n), k), ind.ravel())), shape=(n, n)).tocsr()
    w = ((w + w.T) / 2).tocsr()
    w.setdiag(0)
    w.eliminate_zeros()

    known = np.flatnonzero(y >= 0)
    classes, of = np.unique(y[known], return_inverse=True)
    onehot = np.eye(len(classes))[of]
    source = np.zeros((n, len(classes)))
    source[known] = onehot - onehot.mean(0)
    degrees = np.asarray(w.sum(1)).ravel()
    root = sparse.diags(np.where(degrees > 0, degrees, 1) ** -0.5)
    laplacian = (sparse.identity(n) - root @ w @ root).tocsr()

    u, r, error = np.zeros_like(source), root @ source, 1.0
    p, old = r.copy(), (r * r).sum(0)
    while error > 1e-3:  # numbers that are none end it too
        product = laplacian @ p
        alpha = old / (p * product).sum(0)
        u += alpha * p
        r -= alpha * product
        new = (r * r).sum(0)
        error = np.sqrt(new.sum())
        p, old = r + new / old * p, new
    return classes[(root @ u).argmax(1)]


PEERS = {
    "LabelSpreading 10 nn": lambda x, y: spreading(x, y, kernel="knn", n_neighbors=10, alpha=0.99),
    "LabelSpreading": spreading,
    "logistic regression": logistic,
    "GraphLearning": graph_learning,
}


def child(peer, folder, limit):
    """One run of a peer, in a process of its own, that an alarm ends after the limit."""
    signal.alarm(limit)
    x, y = np.load(folder / "x.npy"), np.load(folder / "y.npy")
    if x.dtype == np.uint8:
        x = x.astype("f4")
    np.save(folder / "found.npy", PEERS[peer](x, y))


def timed(command):
    """Wall and processor seconds of a process with its threads; None where its alarm ended it."""
    begun = time.perf_counter()
    pid = os.posix_spawnp(command[0], [str(word) for word in command], os.environ)
    _, status, used = os.wait4(pid, 0)
    if os.waitstatus_to_exitcode(status) == -signal.SIGALRM:
        return None
    if status:
        sys.exit(f"{' '.join(map(str, command))}: status {os.waitstatus_to_exitcode(status)}")
    return time.perf_counter() - begun, used.ru_utime + used.ru_stime


def load(data, name):
    """Features and classes of a set: NAME.features.npy[.gz] and NAME.labels.tsv."""
    path = data / f"{name}.features.npy"
    if path.exists():
        x = np.load(path)
    else:
        with gzip.open(f"{path}.gz") as file:
            x = np.load(file)
    truth = np.full(len(x), -1)
    names = []
    for line in (data / f"{name}.labels.tsv").read_text().splitlines():
        node, label = line.split("\t")[:2]
        if label not in names:
            names.append(label)
        truth[int(node)] = names.index(label)
    return x, truth


def draw(truth, per_class, number):
    """The known labels of a draw, -1 for the others."""
    random = np.random.default_rng(number)
    y = np.full(len(truth), -1)
    for c in range(truth.max() + 1):
        of = np.flatnonzero(truth == c)
        y[random.permutation(of)[: min(per_class, len(of) - 1)]] = c
    return y


def ours(folder, n):
    found = np.full(n, -1)
    for line in (folder / "found.tsv").read_text().splitlines()[1:]:
        node, label = line.split("\t")[:2]
        if label:
            found[int(node)] = int(label)
    return found


def measure(flags, name, folder):
    """Rows of a set: [wall, CPU, accuracy] of each draw, by contestant."""
    x, truth = load(flags.data, name)
    np.save(folder / "x.npy", x)
    words = {program: [path, "run", "--features", folder / "x.npy", "--labels", folder / "y.npy", "--out", folder / "found.tsv", "--quiet"]
             for program, path in flags.programs.items()}
    for peer in PEERS:
        if peer in flags.peers and (peer != "LabelSpreading" or len(x) <= MOST_DENSE):
            words[peer] = [sys.executable, __file__, "--child", peer, "--data", folder, "--limit", flags.limit]
    title = {p: f"{p} ({search_name(x.shape[1])})" if p == "GraphLearning" else p for p in words}
    rows = {title[p]: [] for p in words}
    order = list(words)
    for number in range(flags.draws):
        y = draw(truth, flags.labels, number)
        np.save(folder / "y.npy", y)
        tested = (y < 0) & (truth >= 0)
        for k in range(len(order)):
            who = order[(k + number) % len(order)]
            if (took := timed(words[who])) is None:
                rows[title[who]].append([math.nan] * 3)
                print(f"{name}, draw {number}, {title[who]}: over {flags.limit} s", file=sys.stderr, flush=True)
                continue
            wall, cpu = took
            found = ours(folder, len(x)) if who in flags.programs else np.load(folder / "found.npy")
            rows[title[who]].append([wall, cpu, (found == truth)[tested].mean()])
            print(f"{name}, draw {number}, {title[who]}: {wall:.2f} s, CPU {cpu:.2f} s, {rows[title[who]][-1][2]:.4f}", file=sys.stderr, flush=True)
    return len(x), x.shape[1], {who: np.array(values) for who, values in rows.items()}


def main():
    flags = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    flags.add_argument("--data", type=pathlib.Path, required=True, help="folder of the sets")
    flags.add_argument("--sets", default="coil20,usps")
    flags.add_argument("--program", action="append", help="adp-sparse, or NAME=PATH; may come several times")
    flags.add_argument("--peers", default=",".join(PEERS), help="rows beside it, by name")
    flags.add_argument("--labels", type=int, default=10, help="known labels a class")
    flags.add_argument("--draws", type=int, default=10)
    flags.add_argument("--tsv", type=pathlib.Path, help="all runs, one a line")
    flags.add_argument("--limit", type=int, default=600, help="seconds after which a peer's run is given up")
    flags.add_argument("--child", help=argparse.SUPPRESS)
    flags = flags.parse_args()
    if flags.child:
        return child(flags.child, flags.data, flags.limit)
    flags.peers = [p for p in flags.peers.split(",") if p]
    if unknown := [p for p in flags.peers if p not in PEERS]:
        sys.exit(f"--peers {','.join(unknown)}: expected some of {', '.join(PEERS)}")
    named = [p.split("=", 1) if "=" in p else ["adp-sparse", p] for p in flags.program or ["adp-sparse"]]
    flags.programs = dict(named)
    if len(flags.programs) < len(named) or set(flags.programs) & set(PEERS):
        sys.exit(f"--program: two rows of one name, say NAME=PATH: {', '.join(n for n, _ in named)}")
    lines = ["set\tpoints\tprogram\tdraw\twall_s\tcpu_s\taccuracy"]
    first = next(iter(flags.programs))
    print("| set | points | program | CPU s | wall s | accuracy | CPU / ours | wall / ours |\n|---|---|---|---|---|---|---|---|")
    for name in flags.sets.split(","):
        with tempfile.TemporaryDirectory() as folder:
            n, dims, rows = measure(flags, name, pathlib.Path(folder))
        for who, values in rows.items():
            if np.isnan(values).any():
                print(f"| {name} | {n}×{dims} | {who}, {np.isnan(values[:, 0]).sum()} of {len(values)} over {flags.limit} s | – | – | – | – | – |", flush=True)
                continue
            ratios = [statistics.median(values[:, k] / rows[first][:, k]) for k in (1, 0)]
            wall, cpu = statistics.median(values[:, 0]), statistics.median(values[:, 1])
            print(f"| {name} | {n}×{dims} | {who} | {cpu:.2f} | {wall:.2f} | {values[:, 2].mean():.4f} | {ratios[0]:.2f} | {ratios[1]:.2f} |", flush=True)
            lines += [f"{name}\t{n}\t{who}\t{k}\t{v[0]:.4f}\t{v[1]:.4f}\t{v[2]:.6f}" for k, v in enumerate(values)]
    if flags.tsv:
        flags.tsv.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
