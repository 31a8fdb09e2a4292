#!/usr/bin/env python3
"""Compare what `tune` picks with the best setting of its grid on the true labels.

usage: tune_regret.py --program ./adp-sparse --data DIR --set NAME --draws DIR
                      [--labels 10] [--max-draws N] [-- tune's flags]

DIR/NAME.features.npy[.gz] and DIR/NAME.labels.tsv are the set, DRAWS the folder
of `adp-bench accuracy --draws-out`. For each draw `tune` sees the drawn labels only;
then every setting of its table is run with all of them, and scored (`eval`) on
the other nodes. Prints a Markdown row a draw: the accuracy of the pick, of the
best setting and of the worst, and what the pick loses to the best.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

from edgelist import find
from labelspreading import draws


def output(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def main():
    own, grid = sys.argv[1:], []
    if "--" in own:
        at = own.index("--")
        own, grid = own[:at], own[at + 1:]
    args = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    args.add_argument("--program", required=True)
    args.add_argument("--data", required=True)
    args.add_argument("--set", required=True)
    args.add_argument("--draws", required=True)
    args.add_argument("--labels", type=int, default=10)
    args.add_argument("--max-draws", type=int)
    args = args.parse_args(own)

    truth = find(args.data, args.set + ".labels.tsv")
    features = next(path for ending in (".features.npy.gz", ".features.npy") if os.path.exists(path := os.path.join(args.data, args.set + ending)))
    print("| draw | settings | pick | accuracy of the pick | of the best | of the worst | lost |")
    print("|---|---|---|---|---|---|---|")
    for k, seeds in enumerate(draws(args.draws, args.set, args.labels, args.max_draws)):
        given = ["--features", features, "--labels", seeds]
        table = output(args.program, "tune", *given, *grid)
        settings = [re.split(r"\s{2,}", line)[0] for line in table.splitlines() if line.startswith("--")]
        scores = []
        with tempfile.TemporaryDirectory() as folder:
            labels = os.path.join(folder, "labels.tsv")
            for setting in settings:
                output(args.program, "run", *given, *setting.split(), "--out", labels, "--quiet")
                scores.append(json.loads(output(args.program, "eval", "--predictions", labels, "--truth", truth, "--json"))["accuracy"])
        print(f"| {k} | {len(settings)} | `{settings[0]}` | {scores[0]:.4f} | {max(scores):.4f} | {min(scores):.4f} | {max(scores) - scores[0]:.4f} |", flush=True)


if __name__ == "__main__":
    main()
