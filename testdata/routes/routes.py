"""Writes one graph with the programs of docs/python-r.md and docs/comparison.md, in the formats
that they have, and reads each file with adp-sparse:

    python3 routes.py ./adp-sparse [FOLDER] > routes.md

Each line of the table that it prints is a program, how it writes, how adp-sparse was called, and
what came of it: "right" (the same edges and weights as known), "refused, and right after its line"
(the message has a line of Python, which was run, and what that wrote was read right), or WRONG.
Programs that are not there are left out. Of Debian: python3-networkx python3-igraph python3-scipy
python3-pandas python3-sklearn python3-pydot r-base-core r-cran-igraph r-cran-matrix.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import numpy as np

NAMES = ["ann", "bob", "carl", "dora"]
EDGES = [(0, 1, 0.5), (1, 2, 2.0), (2, 3, 1.25), (0, 2, 3.0)]
HERE = pathlib.Path(__file__).resolve().parent
rows, wrong = [], []


def known(by, weighted):
    """The edges, called by "names", by "floats" as numpy.savetxt has them, or by numbers from that one."""
    name = {"names": lambda i: NAMES[i], "floats": lambda i: "%.18e" % i}.get(by, lambda i: str(i + by))
    return {frozenset((name(a), name(b))): (w if weighted else 1.0) for a, b, w in EDGES}


def run(*args):
    done = subprocess.run([PROGRAM, *args], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def edges(text):
    out = {}
    for line in text.splitlines():
        a, b, *w = line.split("\t")
        out[frozenset((a, b))] = float(w[0]) if w else 1.0
    return out


def warned(errs):
    return sorted(set(re.findall(r"warning \[([a-z-]+)\]", errs)))


def read(file, flags, want):
    flag = flags[0]
    code, out, errs = run("convert", flag, file, "--out", "-", *flags[1:])
    return code, code == 0 and edges(out) == want, errs.replace(PROGRAM, "adp-sparse")


def converted(file, errs, by, weighted):
    """Runs the line of Python in a message and reads what it wrote."""
    line = re.search(r"in Python: (.*)", errs)
    in_r = re.search(r"in R: (.*) of a graph, or", errs)
    if not line and not in_r:
        return False
    code = in_r.group(1) if in_r else re.sub(r", then --.*| of an n×n.*", "", line.group(1)).strip()
    code = code.replace("NAME OF THE MATRIX", "W").replace("FILE", repr(file))
    written = lambda: sorted([*pathlib.Path().glob("graph.*"), *pathlib.Path().glob("matrix.*")])
    for old in written():
        old.unlink()
    program = ["Rscript", "-e"] if in_r else [sys.executable, "-c"]
    done = subprocess.run([*program, code], capture_output=True, text=True)
    new = written()
    if done.returncode != 0 or not new:
        print(done.stderr[-800:], file=sys.stderr)
        return False
    file = str(new[0])
    flags = ["--edges" if file.endswith((".tsv", ".csv", ".parquet")) else "--graph"]
    then = re.search(r", then (?:--edges graph.csv )?(--\S+ \S+)", errs)
    extra = then.group(1).split() if then and weighted else []
    for more in [[], ["--name-key", "name"], ["--name-key", "label"], ["--name-key", "id"], ["--header", "yes"]]:
        code, out, _ = run("convert", flags[0], file, "--out", "-", *flags[1:], *extra, *more)
        if isinstance(by, int):  # of graphs without names GraphML has n0, n1, …
            out = re.sub(r"\bn(\d+)", r"\1", out)
        if code == 0 and edges(out) == known(by, weighted):
            return True
    return False


def check(program, call, file, flags, by="names", weighted=True):
    """One row of the table."""
    if not os.path.exists(file):
        return
    code, right, errs = read(file, flags, known(by, weighted))
    if code == 0:
        outcome = "right" if right else "WRONG"
    elif converted(file, errs, by, weighted):
        outcome = "refused, and right after its line"
    elif "in Python" not in errs and ("say --" in errs or "write the file with" in errs or "expected" in errs):
        outcome = "refused: " + errs.strip().splitlines()[-1].removeprefix("adp-sparse: ").replace("|", "\\|")
    else:
        outcome = "WRONG: refused without advice"
    note = ", ".join(warned(errs)) if code == 0 else ""
    if outcome.startswith("WRONG"):
        wrong.append((program, call, outcome, errs))
    rows.append((program, call, " ".join([flags[0], file, *flags[1:]]), outcome, note))


def networkx():
    import networkx as nx

    g = nx.Graph()
    g.add_weighted_edges_from((NAMES[a], NAMES[b], w) for a, b, w in EDGES)
    bare = nx.Graph(g.edges())
    n = "networkx " + nx.__version__
    files = [
        ("write_weighted_edgelist(g, f)", nx.write_weighted_edgelist, g, "nx.weighted.edgelist", ["--edges"], True),
        ("write_edgelist(g, f, data=False)", lambda g, f: nx.write_edgelist(g, f, data=False), g, "nx.plain.edgelist", ["--edges"], False),
        ("write_edgelist(g, f, data=['weight'])", lambda g, f: nx.write_edgelist(g, f, data=["weight"]), g, "nx.data.edgelist", ["--edges"], True),
        ("write_edgelist(g, f)", nx.write_edgelist, g, "nx.dict.edgelist", ["--edges"], True),
        ("write_adjlist(g, f)", nx.write_adjlist, bare, "nx.adjlist", ["--edges"], False),
        ("write_adjlist(g, f), called .txt", nx.write_adjlist, bare, "nx.adjlist.txt", ["--edges"], False),
        ("write_multiline_adjlist(g, f)", nx.write_multiline_adjlist, g, "nx.multiline_adjlist", ["--edges"], True),
        ("write_graphml(g, f)", nx.write_graphml, g, "nx.graphml", ["--graph"], True),
        ("write_graphml(g, f), without weights", nx.write_graphml, bare, "nx.bare.graphml", ["--graph"], False),
        ("write_gexf(g, f)", nx.write_gexf, g, "nx.gexf", ["--graph"], True),
        ("write_gexf(g, f), as edges", nx.write_gexf, g, "nx2.gexf", ["--edges"], True),
        ("write_pajek(g, f)", nx.write_pajek, g, "nx.net", ["--graph"], True),
        ("write_gml(g, f)", nx.write_gml, g, "nx.gml", ["--graph"], True),
        ("write_gml(g, f), as edges", nx.write_gml, g, "nx2.gml", ["--edges"], True),
        ("to_pandas_edgelist(g).to_csv(f, index=False)", lambda g, f: nx.to_pandas_edgelist(g).to_csv(f, index=False), g, "nx.csv", ["--edges", "--header", "yes"], True),
        ("to_pandas_edgelist(g).to_csv(f)", lambda g, f: nx.to_pandas_edgelist(g).to_csv(f), g, "nx.index.csv", ["--edges", "--header", "yes"], True),
        ("json.dump(node_link_data(g), f)", lambda g, f: json.dump(nx.node_link_data(g), open(f, "w")), g, "nx.json", ["--edges"], True),
        ("nx_pydot.write_dot(g, f)", lambda g, f: nx.nx_pydot.write_dot(g, f), g, "nx.dot", ["--graph"], True),
    ]
    for call, write, of, file, flags, weighted in files:
        try:
            write(of, file)
        except ImportError:
            continue
        check(n, call, file, flags, "names", weighted)
    ints = nx.relabel_nodes(g, {name: i for i, name in enumerate(NAMES)})
    nx.write_graphml(ints, "nx.int.graphml")
    check(n, "write_graphml, whole numbers as nodes", "nx.int.graphml", ["--graph"], 0)
    nx.write_graphml(nx.convert_node_labels_to_integers(g, label_attribute="name"), "nx.label.graphml")
    check(n, "convert_node_labels_to_integers(g, label_attribute='name')", "nx.label.graphml", ["--graph", "--name-key", "name"])
    import pickle

    pickle.dump(g, open("nx.gpickle", "wb"))
    check(n, "pickle.dump(g, f)", "nx.gpickle", ["--graph"])
    import scipy.sparse as sp

    for make in (nx.to_scipy_sparse_array,):
        a = make(g, nodelist=NAMES)
        sp.save_npz("nx.npz", a)
        check(n, "scipy.sparse.save_npz(f, to_scipy_sparse_array(g))", "nx.npz", ["--graph"], 0)
    np.save("nx.npy", nx.to_numpy_array(g, nodelist=NAMES))
    check(n, "numpy.save(f, to_numpy_array(g))", "nx.npy", ["--graph"], 0)


def igraph():
    import igraph as ig

    g = ig.Graph.TupleList([(NAMES[a], NAMES[b], w) for a, b, w in EDGES], weights=True)
    n = "python-igraph " + ig.__version__
    strength = g.copy()
    strength.es["strength"] = strength.es["weight"]
    del strength.es["weight"]
    for call, write, file, flags, by, weighted in [
        ("write_graphml(f)", g.write_graphml, "ig.graphml", ["--graph", "--name-key", "name"], "names", True),
        ("write_graphml(f), weights called strength", strength.write_graphml, "ig2.graphml", ["--graph", "--name-key", "name", "--weight-key", "strength"], "names", True),
        ("write_edgelist(f)", g.write_edgelist, "ig.edgelist", ["--edges"], 0, False),
        ("write_ncol(f)", g.write_ncol, "ig.ncol", ["--edges"], "names", True),
        ("write_lgl(f)", g.write_lgl, "ig.lgl", ["--edges"], "names", True),
        ("write_lgl(f), called .txt", g.write_lgl, "ig.lgl.txt", ["--edges"], "names", True),
        ("write_gml(f)", g.write_gml, "ig.gml", ["--graph"], "names", True),
        ("write_pajek(f)", g.write_pajek, "ig.net", ["--graph"], 0, True),
        ("write_leda(f)", lambda f: g.write_leda(f, names="name", weights="weight"), "ig.lgr", ["--graph"], "names", True),
        ("write_dot(f)", g.write_dot, "ig.dot", ["--graph"], "names", True),
        ("write_pickle(f)", g.write_pickle, "ig.pickle", ["--graph"], "names", True),
    ]:
        write(file)
        check(n, call, file, flags, by, weighted)


def scipy():
    import scipy
    import scipy.io
    import scipy.sparse as sp

    a, b, w = (np.array(x) for x in zip(*EDGES))
    m = sp.coo_matrix((w, (a, b)), shape=(4, 4))
    m = (m + m.T).tocsr()
    n = "scipy " + scipy.__version__
    for f in ["csr", "csc", "coo", "bsr", "dia"]:
        file = f"sp.{f}.npz"
        sp.save_npz(file, m.asformat(f))
        check(n, f"save_npz(f, W.to{f}())", file, ["--graph"], 0)
    sp.save_npz("sp.bsr2.npz", sp.bsr_matrix(m, blocksize=(2, 2)))
    check(n, "save_npz(f, bsr_matrix(W, blocksize=(2, 2)))", "sp.bsr2.npz", ["--graph"], 0)
    twice = sp.coo_matrix((np.tile(m.tocoo().data / 2, 2), (np.tile(m.tocoo().row, 2), np.tile(m.tocoo().col, 2))), shape=(4, 4))
    sp.save_npz("sp.twice.npz", twice)
    check(n, "save_npz(f, W), of coo with entries given twice", "sp.twice.npz", ["--graph"], 0)
    for call, matrix, options in [
        ("mmwrite(f, W)", m, {}),
        ("mmwrite(f, W), general", m, {"symmetry": "general"}),
        ("mmwrite(f, W.toarray())", m.toarray(), {}),
        ("mmwrite(f, W.toarray()), general", m.toarray(), {"symmetry": "general"}),
        ("mmwrite(f, W.astype(complex))", m.astype(complex), {}),
    ]:
        file = f"sp{len(rows)}.mtx"
        scipy.io.mmwrite(file, matrix, **options)
        check(n, call, file, ["--graph"], 0)
    scipy.io.mmwrite("sp.pattern.mtx", m, field="pattern")
    check(n, "mmwrite(f, W), pattern", "sp.pattern.mtx", ["--graph"], 0, False)
    check(n, "mmwrite(f, W), nodes from 1", "sp.pattern.mtx", ["--graph", "--index-base", "1"], 1, False)
    scipy.io.savemat("sp.mat", {"W": m})
    check(n, "savemat(f, {'W': W})", "sp.mat", ["--graph"], 0)
    np.save("sp.npy", m.toarray())
    check("numpy " + np.__version__, "save(f, W.toarray())", "sp.npy", ["--graph"], 0)
    np.savez("dense.npz", W=m.toarray())
    check("numpy " + np.__version__, "savez(f, W=W.toarray())", "dense.npz", ["--graph"], 0)
    np.savetxt("sp.txt", np.array(EDGES))
    check("numpy " + np.__version__, "savetxt(f, edges), whose ids are 0.000000000000000000e+00", "sp.txt", ["--edges"], "floats")
    np.savetxt("spd.txt", np.array(EDGES), fmt="%g")
    check("numpy " + np.__version__, "savetxt(f, edges, fmt='%g')", "spd.txt", ["--edges"], 0)


def pandas():
    import pandas as pd

    n = "pandas " + pd.__version__
    df = pd.DataFrame([(NAMES[a], NAMES[b], w) for a, b, w in EDGES], columns=["source", "target", "weight"])
    for call, write, file, flags in [
        ("to_csv(f, index=False)", lambda f: df.to_csv(f, index=False), "pd.csv", ["--edges", "--header", "yes"]),
        ("to_csv(f)", df.to_csv, "pd.index.csv", ["--edges", "--header", "yes"]),
        ("to_csv(f, sep='\\t', index=False, header=False)", lambda f: df.to_csv(f, sep="\t", index=False, header=False), "pd.tsv", ["--edges"]),
        ("to_csv(f, sep=';', index=False)", lambda f: df.to_csv(f, sep=";", index=False), "pd2.csv", ["--edges", "--header", "yes"]),
        ("to_json(f, orient='records', lines=True)", lambda f: df.to_json(f, orient="records", lines=True), "pd.jsonl", ["--edges"]),
        ("to_parquet(f)", df.to_parquet, "pd.parquet", ["--edges"]),
        ("to_feather(f)", df.to_feather, "pd.feather", ["--edges"]),
        ("to_stata(f)", lambda f: df.to_stata(f, write_index=False), "pd.dta", ["--edges"]),
        ("to_pickle(f)", df.to_pickle, "pd.pkl", ["--edges"]),
    ]:
        try:
            write(file)
        except ImportError:
            continue
        check(n, call, file, flags)


def points(program, call, file, *flags):
    """A row for features: their graph of neighbours is that of the array."""
    np.save("want.npy", X)
    want = edges(run("knn", "--k", "2", "--metric", "l2", "--features", "want.npy", "--out", "-")[1])
    code, out, errs = run("knn", "--k", "2", "--metric", "l2", "--features", file, "--out", "-", *flags)
    right = code == 0 and edges(out) == want
    rows.append((program, call, "--features " + " ".join([file, *flags]), "right" if right else "WRONG", ", ".join(warned(errs))))
    if not right:
        wrong.append((program, call, rows[-1][3], errs))


X = np.array([[0, 0.5, 1], [0, 0.25, 2], [3, 0, 0], [3, 4, 0.5], [0, 1, 1.5], [2.5, 3, 0]], dtype="f4")


def sklearn():
    import scipy.sparse as sp
    import sklearn
    from sklearn.datasets import dump_svmlight_file

    n = "scikit-learn " + sklearn.__version__
    y = np.array([0, 1, 0, 1, 0, 1])
    dump_svmlight_file(X, y, "sk0.libsvm")
    points(n, "dump_svmlight_file(X, y, f)", "sk0.libsvm")
    dump_svmlight_file(X, y, "sk1.libsvm", zero_based=False)
    points(n, "dump_svmlight_file(X, y, f, zero_based=False)", "sk1.libsvm")
    dump_svmlight_file(X, y, "skq.libsvm", query_id=y)
    points(n, "dump_svmlight_file(X, y, f, query_id=q)", "skq.libsvm")
    for f in ["csr", "csc", "coo"]:
        sp.save_npz(f"X.{f}.npz", sp.csr_matrix(X).asformat(f))
        points("scipy", f"save_npz(f, X.to{f}()), of features", f"X.{f}.npz")


def labels(program, call, file, *flags, rows_are_nodes=False):
    """A row for labels: the known nodes have them."""
    if not os.path.exists(file):
        return
    graph = ["--graph", "labelled.npz"] if rows_are_nodes else ["--edges", "labelled.tsv"]
    name = (lambda i: str(i)) if rows_are_nodes else (lambda i: NAMES[i])
    code, out, errs = run("run", *graph, "--labels", file, *flags, "--method", "lgc")
    seeds = {f[0]: f[1] for f in (line.split("\t") for line in out.splitlines()) if f[-1] == "seed"}
    right = code == 0 and seeds in ({name(0): "left", name(3): "right"}, {name(0): "0", name(3): "1"})
    outcome = "right" if right else "WRONG"
    rows.append((program, call, "--labels " + " ".join([file, *flags]), outcome, ", ".join(warned(errs))))
    if not right:
        wrong.append((program, call, outcome, errs))


def labelled():
    import pandas as pd
    import scipy.sparse as sp

    a, b, w = (np.array(x) for x in zip(*EDGES))
    m = sp.coo_matrix((w, (a, b)), shape=(4, 4))
    sp.save_npz("labelled.npz", (m + m.T).tocsr())
    with open("labelled.tsv", "w") as f:
        f.writelines(f"{NAMES[a]}\t{NAMES[b]}\t{w}\n" for a, b, w in EDGES)
    n = "pandas " + pd.__version__
    df = pd.DataFrame({"id": NAMES, "side": ["left", None, None, "right"]})
    df.to_csv("labels.csv", index=False)
    labels(n, "to_csv(f, index=False), empty where unknown", "labels.csv", "--label-column", "side")
    df.to_csv("labels.index.csv")
    labels(n, "to_csv(f), empty where unknown", "labels.index.csv", "--label-column", "side", "--label-id", "id")
    df.dropna().set_index("id")["side"].to_csv("series.csv")
    labels(n, "to_csv(f) of a series", "series.csv", "--label-column", "side")
    df.dropna().to_csv("known.tsv", sep="\t", index=False, header=False)
    labels(n, "to_csv(f, sep='\\t', index=False, header=False)", "known.tsv")
    n = "numpy " + np.__version__
    for call, y in [("save(f, y), -1 where unknown", [0, -1, -1, 1]), ("save(f, y), nan where unknown", [0, np.nan, np.nan, 1]), ("save(f, y), of text", ["left", "", "", "right"])]:
        file = f"y{len(rows)}.npy"
        np.save(file, np.array(y))
        labels(n, call, file, rows_are_nodes=True)


def r():
    if not shutil.which("Rscript"):
        return
    done = subprocess.run(["Rscript", str(HERE / "routes.R")], capture_output=True, text=True)
    version = (done.stdout.strip().splitlines() or ["R"])[-1]
    print(done.stderr[-500:], file=sys.stderr)
    for file, call, flags, by, weighted in [
        ("r.graphml", 'write_graph(g, f, "graphml")', ["--graph", "--name-key", "name"], "names", True),
        ("r.edgelist", 'write_graph(g, f, "edgelist")', ["--edges"], 0, False),
        ("r.ncol", 'write_graph(g, f, "ncol")', ["--edges"], "names", True),
        ("r.lgl", 'write_graph(g, f, "lgl")', ["--edges"], "names", True),
        ("r.gml", 'write_graph(g, f, "gml")', ["--graph"], "names", True),
        ("r.net", 'write_graph(g, f, "pajek")', ["--graph"], 0, True),
        ("r.leda", 'write_graph(g, f, "leda")', ["--graph"], 1, False),
        ("r.dot", 'write_graph(g, f, "dot")', ["--graph"], "names", True),
        ("r.mtx", "Matrix::writeMM(W, f)", ["--graph"], 0, True),
        ("r1.mtx", "Matrix::writeMM(W, f), nodes from 1", ["--graph", "--index-base", "1"], 1, True),
        ("r2.mtx", "Matrix::writeMM(W, f), general", ["--graph"], 0, True),
        ("r.rds", "saveRDS(g, f)", ["--graph"], "names", True),
        ("r.csv", "write.csv(edges, f, row.names = FALSE)", ["--edges", "--header", "yes"], "names", True),
        ("r2.csv", "write.csv(edges, f)", ["--edges", "--header", "yes"], "names", True),
        ("r.tsv", "write.table(edges, f, sep = '\\t', quote = FALSE, row.names = FALSE, col.names = FALSE)", ["--edges"], "names", True),
    ]:
        check(version, call, file, flags, by, weighted)
    labels(version, "write.csv(labels, f, row.names = FALSE), NA where unknown", "r.labels.csv", "--label-column", "side", "--missing", "NA")
    labels(version, "write.table(labels, f, sep = '\\t', quote = FALSE, row.names = FALSE, col.names = FALSE)", "r.labels.tsv")


def main():
    for part in (networkx, igraph, scipy, pandas, sklearn, labelled, r):
        try:
            part()
        except ImportError as missing:
            print(missing, file=sys.stderr)
    print("| written by | how | read by | outcome | warnings |\n|---|---|---|---|---|")
    for row in rows:
        print("| %s | `%s` | `%s` | %s | %s |" % row)
    for fault in wrong:
        print(*fault, sep="\n  ", file=sys.stderr)
    print(f"{len(rows)} routes, {len(wrong)} wrong", file=sys.stderr)


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        folder = sys.argv[2] if len(sys.argv) > 2 else folder
        os.makedirs(folder, exist_ok=True)
        os.chdir(folder)
        main()
    sys.exit(len(wrong) > 0)
