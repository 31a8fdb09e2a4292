"""Graphs of other libraries: the same graph gives the same labels, whatever holds it."""

import networkx as nx
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

import adp_sparse


class AnnData:
    """As much of anndata.AnnData as is looked at."""

    def __init__(self, W, names):
        self.obs = pd.DataFrame(index=pd.Index(names))
        self.obs_names = self.obs.index
        self.obsp, self.obsm = {"connectivities": W}, {}


def test_same_labels(karate):
    G, known = karate
    want = adp_sparse.label_graph(G, known, write=None)
    assert np.mean([want.labels[i] == G.nodes[i]["club"] for i in G]) >= 32 / 34
    W = nx.to_scipy_sparse_array(G, weight="weight")
    frame = nx.to_pandas_edgelist(G)
    column = np.full(34, "", "U8")
    column[[0, 33]] = "Mr. Hi", "Officer"
    names = [f"cell{i}" for i in range(34)]
    results = {
        "csr": adp_sparse.label_graph(W, known),
        "coo": adp_sparse.label_graph(sp.coo_matrix(W), column),
        "csc": adp_sparse.label_graph(sp.csc_matrix(W), pd.Series(known)),
        "frame": adp_sparse.label_graph(frame, known),
        "anndata": adp_sparse.label_graph(AnnData(W, names), {names[i]: label for i, label in known.items()}),
    }
    for name, result in results.items():
        order = [list(result.nodes).index(f"cell{i}" if name == "anndata" else i) for i in range(34)]
        assert (result.labels[order] == want.labels).all(), name
        assert np.allclose(result.confidence[order], want.confidence, atol=1e-5), name


def test_attributes(karate):
    G, known = karate
    result = adp_sparse.label_graph(G, "club")
    assert set(result.status) == {"seed"} and G.nodes[0]["adp_label"] == "Mr. Hi" and G.nodes[0]["adp_status"] == "seed"
    for node in set(G) - set(known):
        del G.nodes[node]["club"]
    result = adp_sparse.label_graph(G, "club", write="found")
    assert G.nodes[1]["found_label"] == result.to_dict()[1] == "Mr. Hi" and G.nodes[1]["found_status"] == "predicted"
    before = dict(G.nodes[5])
    adp_sparse.label_graph(G, "club", write=None)
    assert G.nodes[5] == before


def test_anndata(karate):
    G, known = karate
    cells = AnnData(nx.to_scipy_sparse_array(G), [f"cell{i}" for i in range(34)])
    cells.obs["kind"] = pd.Categorical([known.get(i) for i in range(34)])
    cells.obsm["X_pca"] = np.random.default_rng(0).normal(size=(34, 4))
    result = adp_sparse.label_graph(cells, "kind", features="X_pca", learned_graph=True)
    assert list(cells.obs["adp_label"]) == list(result.labels) and cells.obs["adp_label"].dtype == "category"
    assert cells.obs["adp_confidence"].between(0, 1).all() and cells.obsp["adp_learned"].shape == (34, 34)
    with pytest.raises(ValueError, match="obsp has no 'distances'"):
        adp_sparse.label_graph(cells, "kind", key="distances")
    with pytest.raises(ValueError, match="obs has no column 'no'"):
        adp_sparse.label_graph(cells, "no")


def test_edges_twice():
    """Parallel edges add up, with a warning; loops and what else the program tells is a warning too."""
    G = nx.MultiGraph([("a", "b"), ("b", "a"), ("b", "c"), ("c", "c"), ("d", "e")])
    with pytest.warns(adp_sparse.AdpSparseWarning) as found:
        result = adp_sparse.label_graph(G, {"a": 1, "c": 2})
    codes = {w.message.code for w in found}
    assert {"duplicates", "self-loops", "unreached"} <= codes
    assert result.to_dict()["d"] == -1 and result.labels.dtype.kind == "i" and result.status[3] == "unreached"
    assert all(w.filename == __file__ for w in found), "the warning is not of the line that called"


def test_weights_of_edges_add_up():
    once = nx.Graph()
    once.add_weighted_edges_from([("a", "b", 5), ("b", "c", 2), ("c", "d", 1)])
    twice = nx.MultiGraph()
    twice.add_weighted_edges_from([("a", "b", 1), ("c", "b", 2), ("b", "a", 4), ("c", "d", 1)])
    known = {"a": 0, "d": 1}
    with pytest.warns(adp_sparse.AdpSparseWarning, match="1 further edges"):
        got = adp_sparse.label_graph(twice, known)
    want = adp_sparse.label_graph(once, known).to_frame()["confidence"]
    assert np.allclose(got.to_frame()["confidence"][list(want.index)], want, atol=1e-6)
    assert not np.allclose(adp_sparse.label_graph(nx.path_graph(["a", "b", "c", "d"]), known).to_frame()["confidence"], want, atol=1e-3)


def test_no_label_in_each_kind():
    """A node that no label reaches has what its kind of labels has for none, and never one of them."""
    G = nx.Graph([(0, 1), (2, 3)])
    for given, none in ((np.uint8(7), -1), (True, None), ("x", ""), (2.5, np.nan), (-3, -1)):
        with pytest.warns(adp_sparse.AdpSparseWarning):
            found = adp_sparse.label_graph(G, {0: given}).to_dict()
        assert found[1] == given and (found[2] == none or found[2] != found[2] and none != none), given
        assert type(found[1]) is type(np.asarray(given).item())


def test_directions():
    G = nx.DiGraph([(0, 1), (1, 2), (2, 3)])
    with pytest.raises(ValueError, match="directed=True"):
        adp_sparse.label_graph(G, {0: "a", 3: "b"})
    assert list(adp_sparse.label_graph(G, {0: "a", 3: "b"}, directed=True).labels) == ["a", "a", "b", "b"]
    W = nx.to_scipy_sparse_array(G)
    with pytest.raises(adp_sparse.DataError, match="symmetric"):
        adp_sparse.label_graph(W, {0: "a", 3: "b"})
    assert list(adp_sparse.label_graph(W, {0: "a", 3: "b"}, directed=True).labels) == ["a", "a", "b", "b"]


def test_names_of_all_kinds():
    """Nodes may be anything that a dictionary takes, and labels any text."""
    odd = ["tab\there", "line\nend", " blank", "ü", ("a", 1), 7, "7", frozenset([1]), None]
    G = nx.path_graph(8)
    G = nx.relabel_nodes(G, dict(enumerate(odd[:8])))
    labels = {odd[0]: "with\ttab", odd[7]: "x,y"}
    result = adp_sparse.label_graph(G, labels, page=True)
    assert set(result.labels) == {"with\ttab", "x,y"} and result.to_dict()[odd[0]] == "with\ttab"
    assert adp_sparse.suggest(G, labels, 1)[0].node in odd


def test_undirected_view():
    G = nx.DiGraph([(0, 1), (1, 2), (2, 1)]).to_undirected(as_view=True)  # whose number_of_edges() is 3
    want = adp_sparse.label_graph(nx.path_graph(3), {0: 0, 2: 1}, probabilities=True, write=None)
    assert np.array_equal(adp_sparse.label_graph(G, {0: 0, 2: 1}, probabilities=True, write=None).probabilities, want.probabilities)


@pytest.mark.filterwarnings("ignore")
def test_page_and_learned_graph(karate):
    for graph in (nx.path_graph(["a", "b", "c"]), nx.path_graph([3, 4, 5]), nx.path_graph(3)):
        first, _, last = graph
        found = adp_sparse.label_graph(graph, {first: 0, last: 1}, page=True, learned_graph=True)
        assert found.learned_graph.shape == (3, 3) and found.page is not None
    X = pd.DataFrame(np.arange(20.0).reshape(10, 2), index=list("abcdefghij"))
    found = adp_sparse.label_vectors(X, {"a": 0, "j": 1}, k=2, page=np.True_, learned_graph=np.True_)
    assert found.learned_graph.nnz and found.page


def test_input_is_not_changed(karate):
    G, known = karate
    W = sp.coo_matrix(([1.0, 1.0, 2.0, 2.0, 1.0, 1.0], ([0, 1, 0, 1, 1, 2], [1, 0, 1, 0, 2, 1])), shape=(3, 3))
    M = sp.csr_matrix((W.data[[0, 2, 1, 3, 4, 5]], [1, 1, 0, 0, 2, 1], [0, 2, 5, 6]), shape=(3, 3))
    copy = M.copy()
    adp_sparse.label_graph(M, {0: "a", 2: "b"})
    assert (M.indices == copy.indices).all() and (M.data == copy.data).all() and M.nnz == 6


@pytest.mark.parametrize(
    "graph, labels, says",
    [
        (nx.path_graph(3), {0: "a", 9: "b"}, "label of 9, which is not in the graph of 3 nodes"),
        (nx.path_graph(3), {0: "a", "1": "b"}, "label of '1', which is not in the graph of 3 nodes; it has 1 of type int"),
        (sp.eye(3, k=1) + sp.eye(3, k=-1), {3: "a"}, "label of 3, which is not in the graph: expected rows 0 to 2"),
        (sp.eye(3, k=1) + sp.eye(3, k=-1), ["a", ""], "2 labels, and 3 nodes"),
        (nx.path_graph(3), {0: None}, "no label is known"),
        (nx.path_graph(3), {0: ("a",), 1: ("b",)}, "expected one kind: text or numbers"),
        (sp.csr_matrix((2, 3)), [0, 1], "expected as many rows as columns"),
        (pd.DataFrame({"a": [1], "b": [2]}), {1: "x"}, "expected source and target"),
        (pd.DataFrame({"source": [1, 2], "target": [2, np.nan]}), {1: "x"}, "row 1 has no node in column 'target'"),
        (pd.DataFrame({"source": [1, 2], "target": [2, 3], "weight": [1, -1]}), {1: "x"}, "edge 1, 2 to 3.*: weight -1, expected a finite number of at least 0"),
        (pd.DataFrame({"source": [1], "target": [2], "weight": ["x"]}), {1: "x"}, "column 'weight' of weights has dtype object"),
        (nx.Graph([(0, 1, {"weight": "much"})]), {0: "x"}, "edge 0 to 1: weight 'much', expected a number"),
    ],
)  # fmt: skip
def test_wrong(graph, labels, says):
    with pytest.raises(ValueError, match=says):
        adp_sparse.label_graph(graph, labels)


def test_no_graph():
    with pytest.raises(TypeError, match="dict is no graph"):
        adp_sparse.label_graph({0: [1]}, {0: "a"})
