"""Compares labels of adp-sparse with those of networkx and scikit-learn.

    adp-sparse run --edges G --labels OUT/golden/lgc_peers/NAME.seeds.tsv \\
        --method lgc --class-prior none --out NAME.tsv
    python3 bench/peers/lgc_compare.py NAME=NAME.tsv [...] [--out testdata] [--at-least 0.999]

compares each NAME.tsv (header `node label confidence margin status`, a row a
node) with OUT/golden/lgc_peers/NAME.labels.tsv. It prints the agreement with
each peer over the nodes that a seed reaches, then every disagreement with the
float64 margin of that row: a margin near 0 is a tie. Nodes that no seed
reaches are checked on their own: they must have no label and say unreached,
where both peers give them their first class. Exit status 1 when a peer agrees
on less than --at-least of the nodes, when an unreached node has a label, or
when the two files do not hold the same nodes; 2 for wrong arguments.

With --data DIR the golden files are first made again from DIR, in a folder
that is removed afterwards, and must equal those kept.
"""

import argparse
import filecmp
import os
import shutil
import subprocess
import sys
import tempfile

from edgelist import read_header

PEERS = ("networkx", "sklearn")


def remade(out, data):
    """The names of golden label files that differ when made again from data."""
    with tempfile.TemporaryDirectory() as fresh:
        shutil.copytree(out, fresh, dirs_exist_ok=True)
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "lgc_peers.py")
        subprocess.run([sys.executable, script, "--out", fresh, "--data", data], check=True, stdout=subprocess.DEVNULL)
        old, new = (os.path.join(folder, "golden/lgc_peers") for folder in (out, fresh))
        _, differ, failed = filecmp.cmpfiles(old, new, sorted(os.listdir(new)), shallow=False)
        return differ + failed


def missing(name, ours, golden):
    """Reports nodes that only one of the files has; true when there are any."""
    lost, extra = sorted(golden.keys() - ours.keys()), sorted(ours.keys() - golden.keys())
    if lost or extra:
        print(f"{name}: {len(lost)} nodes missing {lost[:5]}, {len(extra)} unknown {extra[:5]}")
    return bool(lost or extra)


def agreement(name, ours, golden, peer):
    """The share of reached nodes on which ours and peer agree; lists the rest."""
    reached = [node for node, row in golden.items() if row["scipy"]]
    differ = [node for node in reached if ours[node]["label"] != golden[node][peer]]
    share = 1 - len(differ) / len(reached)
    print(f"{name}: {peer} agrees on {100 * share:.3f} % ({len(reached) - len(differ)} of {len(reached)})")
    for node in sorted(differ, key=lambda node: float(golden[node]["margin"])):
        row = golden[node]
        print(f"    node {node}: ours {ours[node]['label'] or '(none)'}, {peer} {row[peer]}, "
              f"float64 {row['scipy']}, margin {float(row['margin']):.2e}")
    return share


def unreached(name, ours, golden):
    """The number of nodes that no seed reaches and that still have a label."""
    nodes = [node for node, row in golden.items() if not row["scipy"]]
    wrong = [node for node in nodes if ours[node]["label"] or ours[node]["status"] != "unreached"]
    print(f"{name}: {len(nodes) - len(wrong)} of {len(nodes)} nodes without a seed in their component have no label")
    return len(wrong)


def compare(name, path, golden, at_least):
    """Prints the comparison of one file; true when it passes."""
    ours = read_header(path)
    if missing(name, ours, golden):
        return False
    shares = [agreement(name, ours, golden, peer) for peer in PEERS]
    return unreached(name, ours, golden) == 0 and min(shares) >= at_least


def main():
    args = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    args.add_argument("pairs", nargs="*", metavar="NAME=LABELS.tsv")
    args.add_argument("--out", default="testdata")
    args.add_argument("--data", help="folder of the public sets")
    args.add_argument("--at-least", type=float, default=0.999)
    given = args.parse_args()
    if any("=" not in pair for pair in given.pairs) or not (given.pairs or given.data):
        args.error("give NAME=LABELS.tsv pairs, or --data DIR, or both")
    passed = True
    if given.data:
        differ = remade(given.out, given.data)
        print("golden files made again:", f"these differ: {differ}" if differ else "the same")
        passed = not differ
    for pair in given.pairs:
        name, path = pair.split("=", 1)
        golden = read_header(os.path.join(given.out, "golden/lgc_peers", name + ".labels.tsv"))
        passed = compare(name, path, golden, given.at_least) and passed
    sys.exit(0 if passed else 1)


if __name__ == "__main__":
    main()
