"""Writes the small test graphs and their seeds from networkx's generators.

    python3 bench/peers/make_graphs.py [--out testdata]

writes graphs/NAME.edges.tsv and golden/lgc_peers/NAME.seeds.tsv. Nothing here
comes from a file: every graph is a generator of networkx with the arguments
below, or is spelled out.
"""

import argparse
import os

import networkx as nx

from edgelist import LCG, draw_seeds, write_rows


def unweighted(graph):
    return [(str(u), str(v)) for u, v in graph.edges() if u != v]


def weighted(graph, lcg):
    """Log-uniform weights from 0.001 to 1000, four digits each."""
    return [(u, v, f"{10 ** (6 * lcg.uniform() - 3):.4g}") for u, v in unweighted(graph)]


def les_miserables():
    graph = nx.les_miserables_graph()
    return [(u, v, str(w)) for u, v, w in graph.edges(data="weight")]


def blocks(graph):
    """The planted class of each node, from the generator's partition."""
    return {str(v): f"c{b}" for b, part in enumerate(graph.graph["partition"]) for v in part}


def lfr():
    """The example of networkx's manual: power-law degrees and communities."""
    graph = nx.LFR_benchmark_graph(250, 3, 1.5, 0.1, average_degree=5, min_community=20, seed=10)
    parts = sorted({frozenset(graph.nodes[v]["community"]) for v in graph}, key=min)
    return graph, {str(v): f"c{b}" for b, part in enumerate(parts) for v in part}


RAW_NOTE = """# One line of each kind that a reader has to settle: repeated (a b), reversed
# (d c), a self-loop on a node with edges (b b) and on one without (lonely), and
# a component (x y z) that no seed reaches."""

RAW = """a b
a b 2
b c 0.5
c d 1
d c 1
b b 7
d e 3
e f 1e-2
f g 4
g a 0.25
lonely lonely
x y 2
y z 1"""


def graphs():
    """Yields name, rows of edges, seeds."""
    yield "path4", [("a", "b"), ("b", "c"), ("c", "d")], {"a": "A", "d": "B"}

    club = nx.karate_club_graph()
    clubs = {str(v): club.nodes[v]["club"].replace(". ", "") for v in club}
    yield "karate", unweighted(club), draw_seeds(clubs, 1, 39)  # the two leaders, 0 and 33

    yield "lesmiserables", les_miserables(), {
        "Myriel": "bishop", "MmeMagloire": "bishop",
        "Fantine": "paris", "Tholomyes": "paris",
        "Valjean": "valjean", "Javert": "valjean",
        "Enjolras": "barricade", "Gavroche": "barricade",
    }
    yield "davis", unweighted(nx.davis_southern_women_graph()), {
        "Evelyn Jefferson": "first", "Theresa Anderson": "first",
        "Katherina Rogers": "second", "Nora Fayette": "second",
    }

    families = nx.florentine_families_graph()
    sides = {"Albizzi": "first", "Bischeri": "second"}
    yield "florentine", unweighted(families), sides
    yield "florentine-weighted", weighted(families, LCG(2)), sides

    caves = nx.connected_caveman_graph(6, 5)
    yield "caveman", unweighted(caves), draw_seeds({str(v): f"c{v // 5}" for v in caves}, 1, 3)

    planted = nx.planted_partition_graph(4, 25, 0.3, 0.03, seed=4)
    seeds = draw_seeds(blocks(planted), 2, 4)
    yield "planted", unweighted(planted), seeds
    yield "planted-weighted", weighted(planted, LCG(5)), seeds

    graph, parts = lfr()
    yield "lfr", unweighted(graph), draw_seeds(parts, 2, 6)

    rows = [(RAW_NOTE,)] + [line.split() + ["1"] * (3 - len(line.split())) for line in RAW.splitlines()]
    yield "raw", rows, {"a": "A", "e": "B"}


def main():
    args = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    args.add_argument("--out", default="testdata")
    out = args.parse_args().out
    for name, edges, seeds in graphs():
        write_rows(os.path.join(out, "graphs", name + ".edges.tsv"), edges)
        write_rows(os.path.join(out, "golden/lgc_peers", name + ".seeds.tsv"), seeds.items())
        print(f"{name}: {len(edges)} lines, {len(seeds)} seeds")


if __name__ == "__main__":
    main()
