"""Labels points that were held back, by predict and by a run on all points.

    python3 bench/peers/held_out.py --program ./adp-sparse --data DIR --set mnist

For each draw, some points are held back at random and labelled nodes are drawn
from the rest. A run on the rest keeps a model; predict labels the held ones from
it. The same run on all points, with the same labels, is what it is compared with.
Then ten more labels come in: a run from nothing against one with --warm.
"""

import argparse
import gzip
import json
import os
import subprocess
import tempfile

import numpy as np


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True)
    parser.add_argument("--data", required=True, help="folder with NAME.features.npy.gz and NAME.labels.tsv")
    parser.add_argument("--set", required=True)
    parser.add_argument("--held", type=int, default=10000, help="points held back")
    parser.add_argument("--labels", type=int, default=10, help="labelled nodes a class")
    parser.add_argument("--more", type=int, default=10, help="labels that come in")
    parser.add_argument("--draws", type=int, default=3)
    parser.add_argument("--method", default="lgc")
    parser.add_argument("--knn", default="auto")
    return parser.parse_args()


def column(path, k):
    with open(path, encoding="utf-8") as lines:
        return np.array([line.rstrip("\n").split("\t")[k] for line in lines][1:])


def write_labels(path, nodes, classes):
    with open(path, "w", encoding="utf-8") as f:
        f.writelines(f"{i}\t{classes[i]}\n" for i in nodes)


def main():
    args = arguments()
    base = os.path.join(args.data, args.set)
    with gzip.open(base + ".features.npy.gz") as f:
        x = np.load(f)
    with open(base + ".labels.tsv", encoding="utf-8") as lines:
        y = np.array([line.split("\t")[1].strip() for line in lines])
    print("draw  predict  run on all  difference  agree  points a second  products  from nothing  labels that differ")
    for draw in range(1, args.draws + 1):
        rng = np.random.default_rng(draw)
        order = rng.permutation(len(y))
        held, rest = np.sort(order[: args.held]), np.sort(order[args.held :])
        truth, known = y[held], y[rest]
        seeds = [i for c in np.unique(known) for i in rng.choice(np.flatnonzero(known == c), args.labels, replace=False)]
        more = [i for i in rng.permutation(len(rest)) if i not in set(seeds)][: args.more]
        with tempfile.TemporaryDirectory() as folder:
            path = lambda name: os.path.join(folder, name)
            np.save(path("rest.npy"), x[rest])
            np.save(path("held.npy"), x[held])
            np.save(path("all.npy"), np.concatenate([x[rest], x[held]]))
            write_labels(path("seeds.tsv"), seeds, known)
            write_labels(path("more.tsv"), seeds + more, known)

            def program(command, *flags):
                subprocess.run([args.program, command, "--quiet", "--report", path("report.json"), *flags], check=True)
                with open(path("report.json"), encoding="utf-8") as f:
                    return json.load(f)

            how = ["--method", args.method, "--knn", args.knn]
            program("run", "--features", path("rest.npy"), "--labels", path("seeds.tsv"), *how, "--model", path("model"), "--out", path("rest.tsv"))
            report = program("predict", "--model", path("model"), "--points", path("held.npy"), "--out", path("held.tsv"))
            program("run", "--features", path("all.npy"), "--labels", path("seeds.tsv"), *how, "--out", path("all.tsv"))
            program("run", "--features", path("rest.npy"), "--labels", path("more.tsv"), *how, "--out", path("cold.tsv"))
            warm = program("run", "--features", path("rest.npy"), "--labels", path("more.tsv"), *how, "--warm", path("model"), "--out", path("warm.tsv"))
            new, whole = column(path("held.tsv"), 1), column(path("all.tsv"), 1)[len(rest) :]
            a, b = np.mean(new == truth), np.mean(whole == truth)
            changed = np.sum(column(path("cold.tsv"), 1) != column(path("warm.tsv"), 1))
            print(f"{draw:4}  {a:7.4f}  {b:10.4f}  {a - b:+10.4f}  {np.mean(new == whole):5.3f}  {report['points_per_second']:15.0f}"
                  f"  {warm['warm']['products']:8}  {warm['warm']['products_from_nothing']:12}  {changed:18}", flush=True)


if __name__ == "__main__":
    main()
