"""What stands for what: labels, names and weights mean the same in every container."""

import warnings

import networkx as nx
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.exceptions import DataConversionWarning

import adp_sparse
from adp_sparse import ADPClassifier, AdpSparseWarning, _flags, _graphs, _labels

NAN, NA = float("nan"), pd.NA


def codes(y, **more):
    """The codes and classes of labels, without any warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = _labels.of(y, more.pop("n", len(y)), **more)
    return found.codes.tolist(), found.classes.tolist()


@pytest.mark.parametrize(
    "y, want",
    [
        ([0, 1, -1, None, NAN, NA, ""], [0, 1]),
        ([0.5, 1, -1.0, None, NAN, NA, np.float32(-1)], [0.5, 1]),
        ([0.0, 1.0, -1.0, -1, np.int8(-1), NA, None], [0.0, 1.0]),
        (["a", "b", -1, -1.0, NAN, None, ""], ["a", "b"]),
        ([False, True, -1, None, NAN, NA, ""], [False, True]),
    ],
)
def test_no_label_in_every_container(y, want):
    """A list, an array and a series of objects, a dictionary, attributes and a column of obs: one rule."""
    none = [0, 1] + [-1] * 5
    series = pd.Series(y, index=list("abcdefg"))
    G = nx.path_graph(7)
    nx.set_node_attributes(G, dict(enumerate(y)), "y")
    assert codes(y) == codes(np.array(y, object)) == codes(pd.Series(y)) == codes(np.array(y, object)[:, None]) == codes(pd.DataFrame({"y": y})) == (none, want)
    assert codes(dict(zip("abcdefg", y)), nodes=list("abcdefg")) == codes(series[::-1], nodes=list("abcdefg")) == (none, want)
    assert adp_sparse._functions._task(G, "y", None, None, "", {}, graph=True).labels.classes.tolist() == want
    if want != [0.5, 1]:  # of which scikit-learn says that they are no classes
        assert ADPClassifier(method="lgc").fit(None, y, graph=G).classes_.tolist() == want


def test_no_label_in_every_kind_of_array():
    for y in (np.array([0, 1, -1], "i1"), np.array([0.0, 1.0, -1.0]), pd.array([0, 1, NA], "Int64"), pd.array([0, 1, NA], "Float64"), pd.Series([0, 1, NA], dtype="UInt8"), np.ma.array([0, 1, 1], mask=[0, 0, 1])):
        assert codes(y) == ([0, 1, -1], [0, 1]), y
    for y in (np.array(["a", "b", ""]), pd.Series(["a", "b", NA], dtype="string"), pd.Series(["a", "b", None], dtype="category"), pd.Series(["a", "b", NAN])):
        assert codes(y) == ([0, 1, -1], ["a", "b"]), y
    assert codes(pd.Series([True, False, NA], dtype="boolean")) == ([1, 0, -1], [False, True])
    assert codes(np.array([0.0, 1.0, NAN]))[1] == [0, 1] and codes(np.array([0.5, 1.0, -1.0]))[0] == [0, 1, -1]


def test_minus_one_that_numpy_made_text():
    for unknown, text in ((-1, "-1"), (-1.0, "-1.0"), (NAN, "nan")):
        y = np.where([True, True, False], ["a", "b", "b"], unknown)
        for given in (y, pd.Series(y), y.tolist()):
            with pytest.warns(AdpSparseWarning, match=f"1 labels are the text '{text}'.*numpy.where") as found:
                assert _labels.of(given, 3).classes.tolist() == ["a", "b"]
            assert found[0].message.code == "no-labels"
    assert codes(["1", "-1", "2"])[1] == ["-1", "1", "2"]  # numbers as text: the user's own
    assert codes(["nancy", "-1a", "b"])[0] == [2, 0, 1]


def test_minus_one_of_unsigned_arrays():
    for kind in ("u1", "u2", "u4", "u8"):
        y = np.array([0, 1, -1]).astype(kind)
        with pytest.warns(AdpSparseWarning, match=rf"1 labels are {np.iinfo(kind).max}.*y.astype\(int\)") as found:
            labels = _labels.of(y, 3)
        assert found[0].message.code == "wrapped-labels"
        assert adp_sparse._functions.named(labels, np.array([2, -1])).tolist() == [np.iinfo(kind).max, -1]
    assert codes(np.arange(256, dtype="u1"))[1] == list(range(256))


def test_large_whole_numbers():
    assert codes([2**60 + 1, 2**60, -1])[1] == [2**60, 2**60 + 1]
    for wrong in ([2**64 + 1, 5], [2**60 + 1, 2**60, 1.0]):
        with pytest.raises(ValueError, match=rf"label {wrong[0]} is past what .*as text"):
            _labels.of(wrong, len(wrong))


def test_fit_takes_what_label_vectors_takes(points):
    X, _, y = points
    want = ADPClassifier(method="lgc").fit(X, y).transduction_
    names = np.array(["zero", "one", "two", None], object)
    for given in (pd.Series(names[y]).fillna(NAN), pd.Series(names[y], dtype="string"), pd.Series(names[y], dtype="category"), [names[k] if k >= 0 else -1 for k in y]):
        assert np.array_equal(ADPClassifier(method="lgc").fit(X, given).transduction_, names[want])
    assert ADPClassifier(method="lgc").fit(X, pd.Series(y).where(y >= 0).astype("Int64")).transduction_.dtype == "i8"
    with pytest.raises(ValueError, match="labels are of int, str, expected one kind"):
        ADPClassifier().fit(X, ["a", 1] * 60)


def test_column_of_labels(points):
    X, _, y = points
    W = nx.to_scipy_sparse_array(nx.cycle_graph(120))
    with pytest.warns(DataConversionWarning, match="column-vector"):
        assert ADPClassifier(method="lgc").fit(X, y[:, None]).transduction_.shape == (120,)
    with pytest.warns(DataConversionWarning):
        ADPClassifier(method="lgc").fit(None, y[:, None], graph=W)
    assert len(adp_sparse.label_graph(W, y[:, None], method="lgc")) == len(adp_sparse.label_vectors(X, y[:, None], method="lgc")) == 120
    for call in (adp_sparse.label_vectors, ADPClassifier().fit):
        with pytest.raises(ValueError, match=r"labels have the shape \(120, 2\)"):
            call(X, np.c_[y, y])


def mixed(G, seed=1):
    """The same graph, with its nodes in another order."""
    nodes = np.random.default_rng(seed).permutation(len(G)).tolist()
    other = nx.Graph()
    other.add_nodes_from(nodes)
    other.add_edges_from(G.edges())
    return other


def test_nodes_called_by_rows_are_rows(karate):
    G, known = karate
    H, edges = mixed(G), nx.to_pandas_edgelist(G)[["source", "target"]].sample(frac=1, random_state=0)
    y = np.array([known.get(i, "") for i in range(34)])
    x = np.random.default_rng(0).normal(size=(34, 2))
    W = nx.to_scipy_sparse_array(H, nodelist=range(34))
    for X in (None, x):
        want = ADPClassifier(method="lgc").fit(X, y, graph=W).label_distributions_
        for how in ({"graph": H}, {"graph": edges}, {"edges": edges}):
            assert np.allclose(ADPClassifier(method="lgc").fit(X, y, **how).label_distributions_, want, atol=1e-5), how
    for beside in (H, edges):
        assert np.allclose(adp_sparse.label_vectors(x, y, edges=beside, method="lgc", probabilities=True).probabilities, want, atol=1e-5)
        for features in (x, pd.DataFrame(x), pd.DataFrame(x).iloc[::-1]):
            found = adp_sparse.label_graph(beside, y, features=features, method="lgc", probabilities=True, write=None)
            assert np.allclose(found.probabilities[np.argsort(found.nodes)], want, atol=1e-5)


def test_order_of_nodes():
    """Other numbers as names are told, and text is in the order of the nodes."""
    for names, warns in (([5, 3, 9], True), (["b", "a", "c"], False)):
        G = nx.path_graph(names)
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            assert _labels.of(["x", "", "y"], 3, names).codes.tolist() == [0, -1, 1]
            assert _graphs.between(G, 3, edges=False).names is None
        assert [w.message.code for w in found] == ["order-of-nodes"] * 2 * warns
    with pytest.raises(ValueError, match="edges have the end 'b', expected rows 0 to 2"):
        _graphs.between(nx.to_pandas_edgelist(G), 3)


def test_rows_without_edges():
    W = _graphs.between(nx.Graph([(3, 1)]), 5, edges=False)
    assert W.n == 5 and sorted(zip(W.arrays["row"], W.arrays["col"])) == [(1, 3), (3, 1)]


def test_index_of_features_names_nodes(karate):
    G, known = karate
    x = pd.DataFrame(np.arange(68.0).reshape(34, 2), index=[f"w{i}" for i in range(34)])
    named = nx.relabel_nodes(mixed(G), {i: f"w{i}" for i in range(34)})
    labels = {f"w{i}": c for i, c in known.items()}
    want = adp_sparse.label_vectors(x.to_numpy(), known, edges=mixed(G), method="lgc").labels.tolist()
    for edges in (named, nx.to_pandas_edgelist(named)):
        assert adp_sparse.label_vectors(x, labels, edges=edges, method="lgc").to_dict() == dict(zip(x.index, want))
    assert ADPClassifier(method="lgc").fit(x, pd.Series(labels), graph=named).transduction_.tolist() == want
    assert adp_sparse.label_graph(named, labels, features=x, method="lgc", write=None).to_dict() == dict(zip(x.index, want))
    with pytest.raises(ValueError, match=r"node \d+ of the graph is not in the index; without index, as by to_numpy\(\)"):
        adp_sparse.label_graph(mixed(G), known, features=x.set_index(np.arange(34) + 29))
    assert _graphs.rows_of([2, 0, 1], x.index[:3], 3).tolist() == [2, 0, 1]  # the index has no numbers: rows


def test_labels_align_on_the_index_of_x(points):
    X, true, y = points
    order = np.random.default_rng(0).permutation(120)
    x, series = pd.DataFrame(X).iloc[order], pd.Series(y)
    want = adp_sparse.label_vectors(X[order], y[order], method="lgc").labels
    part = series[series >= 0].sample(frac=1, random_state=1)
    for labels in (part, part.to_dict(), series.iloc[order], series.to_numpy()[order]):
        found = adp_sparse.label_vectors(x, labels, method="lgc")
        assert np.array_equal(found.labels, want) and list(found.nodes) == list(order) == list(found.to_frame().index)
    with pytest.warns(AdpSparseWarning, match="aligned on it") as warned:
        assert np.array_equal(ADPClassifier(method="lgc").fit(x, series).transduction_, want)
    assert warned[0].message.code == "aligned-labels"
    assert np.array_equal(ADPClassifier(method="lgc").fit(x, part).transduction_, want)
    assert {s.node for s in adp_sparse.suggest(x.set_index("w" + x.index.astype(str)), count=2)} <= {f"w{i}" for i in range(120)}


def test_index_of_labels():
    text, twice = pd.Index(["a", "b", "c"]), pd.Index([4, 4, 7])
    y = pd.Series([0, -1, 1])
    for index in (text, twice, pd.RangeIndex(3)):
        assert codes(y, index=index) == codes(y.set_axis(index), index=index) == ([0, -1, 1], [0, 1])
    assert codes(y.set_axis([7, 8, 9]), index=pd.RangeIndex(3)) == codes(y.set_axis([7, 8, 9])) == ([0, -1, 1], [0, 1])
    assert codes(pd.Series([5, 6], ["c", "a"]), n=3, index=text) == ([1, -1, 0], [5, 6])
    for labels, index, says in (
        (y.set_axis([7, 8, 9]), text, "label of 7, which is not in the index of X of 3 nodes; X.to_numpy"),
        ({0: 1}, text, "label of 0, which is not in the index of X"),
        ({4: 1}, twice, "the index of X has a name twice"),
        (pd.Series([1, 2], [0, 0]), text, "labels have 0 twice in their index"),
        (pd.DataFrame({"a": y, "b": y}), text, r"labels have the shape \(3, 2\), expected one column"),
        (None, text, "the target y is None"),
    ):
        with pytest.raises(ValueError, match=says):
            _labels.of(labels, 3, index=index)
    with pytest.raises(ValueError, match="labels have 0 twice"):
        _labels.of(pd.Series(["a", "b"], [0, 0]), 3, [0, 1, 2])


def weights(graph, **more):
    return sorted(set(_graphs.of(graph, **more).arrays["data"].tolist()))


def test_weights():
    edges = pd.DataFrame({"Source": [0, 1, 2], "Target": [1, 2, 3], "Weight": pd.array([9, 1, 9], "Int64")})
    for frame, more in ((edges, {}), (edges.rename(columns={"Weight": "Strength"}), {"weight": "strength"}), (edges.assign(other=2), {})):
        assert weights(frame, **more) == [1, 9]
        G = nx.from_pandas_edgelist(frame, "Source", "Target", edge_attr=True)
        assert weights(G, **more) == [1, 9] and weights(G, weight=None) == weights(frame, weight=None) == [1]
    edges = edges.rename(columns={"Weight": "value"})
    G = nx.from_pandas_edgelist(edges, "Source", "Target", edge_attr=True)
    for graph, kind in ((edges, "columns"), (G, "attributes")):
        with pytest.warns(AdpSparseWarning, match=rf"{kind} \['value'\] of edges were not read: .*weight=") as found:
            assert weights(graph) == [1]
        assert found[0].message.code == f"ignored-{kind}"
        with pytest.raises(ValueError, match=rf"edges have no 'valu' for their weights, but {kind} \['value'\]"):
            _graphs.of(graph, weight="valu")
    x, y = np.arange(8.0).reshape(4, 2), [0, -1, -1, 1]
    assert adp_sparse.label_vectors(x, y, edges=edges, weight="value", learned_graph=True, method="lgc").learned_graph.max() > 9
    assert ADPClassifier("lgc", options={"weight": "value"}).fit(None, y, edges=edges).learned_graph_.max() == 9
    with pytest.raises(ValueError, match="weight nan, expected a finite number"):
        _graphs.of(edges.assign(value=pd.array([1, NA, 2], "Int64")), weight="value")


@pytest.mark.parametrize("ends", [pd.Series(["a", None]), pd.array([1, NA], "Int64"), pd.Series([1, NAN]), pd.Series([("a", 1), pd.NaT])])
def test_missing_ends(ends):
    with pytest.raises(ValueError, match="row 1 has no node in column 'source'"):
        _graphs.of(pd.DataFrame({"source": ends, "target": ["b", "c"]}))


def test_nodes_that_are_tuples():
    G = nx.grid_2d_graph(3, 3)
    frame = adp_sparse.label_graph(G, {(0, 0): "a", (2, 2): "b"}, write=None).to_frame()
    assert list(frame.index) == list(G) and frame.index.name == "node" and frame.index.nlevels == 1


def test_frames_of_several_kinds(points):
    X, _, y = points
    x = pd.DataFrame(X)
    want = adp_sparse.label_vectors(np.c_[X, X[:, 0] > 3], y, method="lgc").labels
    for frame in (x.assign(b=x[0] > 3), x.astype("Float64").assign(b=(x[0] > 3).astype("boolean")), x.assign(b=pd.array(x[0] > 3, "Int8"))):
        assert np.array_equal(adp_sparse.label_vectors(frame, y, method="lgc").labels, want)
    with pytest.raises(ValueError, match="features, row 5, column 1: nan"):
        adp_sparse.label_vectors(x.astype("Float64").mask(x == x.iloc[5, 1]), y)


def test_sparse_features_are_no_graph(points):
    X, true, y = points
    sparse = sp.csr_matrix(X)
    assert "<h1" in adp_sparse.report(sparse, y, method="lgc").html and len(adp_sparse.suggest(sparse, y, 2)) == 2
    assert adp_sparse.tune(sparse, np.where(np.arange(120) % 6, -1, true), methods=["lgc"], alphas=[0.9]).settings
    square = sp.csr_matrix(np.triu(np.ones((6, 6))))
    assert len(adp_sparse.suggest(square, [0, 0, 0, 1, 1, -1], 1, graph=False)) == 1
    with pytest.raises(adp_sparse.DataError, match="symmetric"):
        adp_sparse.suggest(square, [0, 0, 0, 1, 1, -1], 1)


def test_class_sizes_of_whole_fractions(points):
    X, _, y = points
    sizes = {0.0: 0.5, 1.0: 0.25, 2.0: 0.25}
    model = ADPClassifier(options={"class_prior": sizes, "combine": "none"}).fit(X, y.astype(float))
    assert model.report_["options"]["class_prior"] == {"0": 0.5, "1": 0.25, "2": 0.25} and model.explain(5).label == 0.0
    odd = np.array([" a", "b", "c", ""])[y]  # names that the file of labels cannot have
    adp_sparse.label_vectors(X, odd, class_prior={" a": 0.5, "b": 0.25, "c": 0.25}, combine="none")


def test_names_that_no_file_of_labels_has(points):
    """One class with a blank or a line break, or too long, leaves the others their names: options and the page have them."""
    X, true, y = points
    known = lambda *names: np.array([*names, ""])[y]  # noqa: E731
    assert _labels.of([" a", "a", "b\n", "  ", "c\td", "x" * 2000, "", "a'"], 8).names() == ["'", "a''", "a", "a'", "b", "c d", "x" * 200 + "…"]
    assert adp_sparse.label_vectors(X, known(" a", "b", "?"), missing="?").classes.tolist() == [" a", "b"]
    assert adp_sparse.label_vectors(X, known(" a", "b", "c"), missing="1").classes.tolist() == [" a", "b", "c"]
    for missing in (" ?", ["?"], np.array([" ?"])):
        assert adp_sparse.label_vectors(X, known(" a", "b", " ?"), missing=missing).classes.tolist() == [" a", "b"]
    assert adp_sparse.label_vectors(X, known("A", "a", "c\n"), match="case").classes.tolist() == ["a", "c\n"]
    found = adp_sparse.label_vectors(X, known(" north", "south", "x" * 257), page=True)
    assert all(name in found.page.html for name in ("north", "south")) and found.labels.dtype == "<U257"
    assert np.mean(found.labels == np.array([" north", "south", "x" * 257])[true]) > 0.9
    assert adp_sparse.label_vectors(X, np.array([1e300, 1, 2, -1])[y]).classes.tolist() == [1, 2, 1e300]


def test_labels_are_written_by_blocks(tmp_path):
    codes_ = np.random.default_rng(0).integers(-1, 2, 200_000).astype(np.int32)
    names = _labels.Labels(codes_, np.array(["ä", "b"])).save(tmp_path)[0]
    assert np.array_equal(np.load(tmp_path / "labels.npy"), np.array(["ä".encode(), b"b", b""])[codes_]) and names == ["ä", "b"]


def test_several_names_in_one_option(points):
    X, true, y = points
    names = np.array(["a", "b", "a,b", "c\"", ""])
    for missing, classes in ((["a,b"], ["a", "b"]), ('"a,b"', ["a", "b"]), (["a", "b"], ["a,b"])):
        assert adp_sparse.label_vectors(X, names[:4][np.where(y < 0, 3, y)], missing=[*_flags.words_of(missing), 'c"']).classes.tolist() == classes
        model = ADPClassifier("lgc", options={"missing": missing}).fit(X, names[np.where(y < 0, 4, y)])
        assert model.classes_.tolist() == classes and model.score(X, names[true]) == np.mean((model.predict(X) == names[true])[np.isin(names[true], classes)])
    with pytest.raises(ValueError, match="no label is known"):
        model.score(X, ["a"] * 120)
    with pytest.raises(ValueError, match="expected names with commas between them"):
        adp_sparse.label_vectors(X, y, missing='"a')


def test_labels_by_position_beside_some_shared_names(points):
    X, _, y = points
    labels = pd.Series(y, index=range(1, 121))
    with pytest.warns(AdpSparseWarning, match=r"119 of 120 names in the index of the labels are in the index of X, .*by position; labels.to_numpy\(\)") as found:
        assert np.array_equal(ADPClassifier("lgc").fit(pd.DataFrame(X), labels).transduction_, ADPClassifier("lgc").fit(X, y).transduction_)
    assert found[0].message.code == "labels-by-position"


@pytest.mark.parametrize("y", [np.array([np.inf, 0, -1]), [-np.inf, 2.0, None], np.array([np.inf, 0, np.nan])])
def test_infinite_labels(y):
    with pytest.raises(ValueError, match="a label is -?inf, expected finite numbers, or text"):
        codes(y)


def test_dictionary_of_nodes_alone(karate):
    G, known = karate
    want = ADPClassifier("lgc").fit(None, [known.get(i, "") for i in range(34)], graph=G).transduction_
    assert np.array_equal(ADPClassifier("lgc").fit(None, known, graph=mixed(G)).transduction_, want)
    named = nx.relabel_nodes(mixed(G), {i: f"w{i}" for i in G})
    found = ADPClassifier("lgc").fit(None, {f"w{i}": c for i, c in known.items()}, graph=named).transduction_
    assert dict(zip(named, found)) == {f"w{i}": c for i, c in enumerate(want)}
    with pytest.raises(ValueError, match="label of 99, which is not in the graph"):
        ADPClassifier("lgc").fit(None, {0: "a", 99: "b"}, graph=G)
    with pytest.raises(ValueError, match="edges do not say how many nodes there are"):
        ADPClassifier("lgc").fit(None, known, edges=[(0, 1)])
    for call in (adp_sparse.label_graph, adp_sparse.tune):
        with pytest.raises(ValueError, match="labels are None"):
            call(G, None)


def test_nodes_of_two_types():
    edges = pd.DataFrame({"source": [0, 1, "2"], "target": [1, 2, 3]})
    for graph in (edges, nx.from_pandas_edgelist(edges)):
        with pytest.warns(AdpSparseWarning, match='1 nodes are the same text in two types, as 2 and \'2\', and are two nodes each') as found:
            assert _graphs.of(graph).n == 5
        assert found[0].message.code == "similar-ids"


def test_two_columns_of_one_name(points):
    X, _, y = points
    with pytest.raises(ValueError, match="column 'e' of features has dtype object"):
        adp_sparse.label_vectors(pd.DataFrame(X, columns=list("abc")).assign(e="u")[["e", "e", "a"]], y)
    for columns in (["source", "target", "target", "w"], ["source", "target", "Weight", "Weight"]):
        with pytest.raises(ValueError, match="edges have two columns '(target|Weight)', expected one|name one with weight="):
            _graphs.of(pd.DataFrame([["a", "b", 1, 2]], columns=columns))


def test_masked_features(points):
    X, _, y = points
    masked = np.ma.array(X, mask=X == X[5, 1])
    for call in (lambda: adp_sparse.label_vectors(masked, y), lambda: ADPClassifier().fit(masked, y), lambda: ADPClassifier("lgc").fit(X, y).predict(masked)):
        with pytest.raises(ValueError, match=r"features have no value at \[5, 1\], which is masked"):
            call()
    assert len(adp_sparse.label_vectors(np.ma.array(X), y)) == 120


def test_attribute_that_no_node_has(karate):
    with pytest.raises(ValueError, match=r"no node has the attribute 'clubs', but \['club'\]"):
        adp_sparse.label_graph(karate[0], "clubs")


def test_number_of_features_of_an_earlier_fit(points):
    X, _, y = points
    model = ADPClassifier(method="lgc").fit(pd.DataFrame(X, columns=list("abc")), y)
    assert model.n_features_in_ == 3 and list(model.feature_names_in_) == list("abc")
    model.fit(None, y, graph=nx.cycle_graph(120))
    assert not hasattr(model, "n_features_in_") and not hasattr(model, "feature_names_in_")
