"""The estimator, as scikit-learn checks it and as LabelSpreading is used."""

import pickle
import subprocess
import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.neighbors import kneighbors_graph
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import estimator_checks

import adp_sparse
from adp_sparse import ADPClassifier, _classifier


def checks():
    for estimator, check in estimator_checks.check_estimator(ADPClassifier(), generate_only=True):
        yield pytest.param(estimator, check, id=check.func.__name__)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("estimator, check", checks())
def test_check_estimator(estimator, check):
    """All of check_estimator, but for those that the estimator names, which must fail."""
    if check.func.__name__ in _classifier.XFAIL_CHECKS:
        with pytest.raises(AssertionError):  # by its name: check itself would skip it
            getattr(estimator_checks, check.func.__name__)("ADPClassifier", estimator)
    else:
        check(estimator)


class LabelSpreading(ADPClassifier):
    """By this name scikit-learn takes -1 for no label."""


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", sorted(_classifier.XFAIL_CHECKS))
def test_exceptions_hold_by_the_name_of_label_spreading(name):
    getattr(estimator_checks, name)("LabelSpreading", LabelSpreading())


def test_attributes_of_label_spreading(points):
    X, true, y = points
    model = ADPClassifier().fit(X, y)
    assert np.mean(model.transduction_ == true) > 0.95 and model.transduction_.dtype == y.dtype
    assert list(model.classes_) == [0, 1, 2] and model.label_distributions_.shape == (120, 3)
    assert np.allclose(model.label_distributions_.sum(1), 1) and np.array_equal(model.X_, X) and model.n_features_in_ == 3
    assert np.array_equal(model.confidence_, model.label_distributions_.max(1)) and model.n_iter_ >= 1
    assert sp.issparse(model.learned_graph_) and model.learned_graph_.shape == (120, 120)
    assert model.report_["status"] == {"predicted": 114, "seed": 6}


@pytest.mark.parametrize("ending", ["npy", "npz"])
def test_new_points_are_labelled_by_the_program(points, tmp_path, ending):
    X, true, y = points
    new = X[::3] + np.float32(0.01)
    if ending == "npz":
        X, new = sp.csr_matrix(np.maximum(X, 0)), sp.csr_matrix(np.maximum(new, 0))
    model = ADPClassifier().fit(X, y)
    for name, array in (("x", X), ("new", new)):
        (sp.save_npz if ending == "npz" else np.save)(tmp_path / f"{name}.{ending}", array)
    np.save(tmp_path / "y.npy", y)
    program, x, points = adp_sparse.program(), f"x.{ending}", f"new.{ending}"
    subprocess.run([program, "run", "--features", x, "--labels", "y.npy", "--model", "m", "--out", "o", "--quiet"], check=True, cwd=tmp_path)
    subprocess.run([program, "predict", "--model", "m", "--points", points, "--proba", "--out", "o", "--quiet"], check=True, cwd=tmp_path)
    rows = np.loadtxt(tmp_path / "o", dtype=str, delimiter="\t", skiprows=1)
    assert np.allclose(model.predict_proba(new), rows[:, 5:].astype(float), atol=1e-6)
    assert np.array_equal(model.predict(new), rows[:, 1].astype(int)) and model.score(new, true[::3]) > 0.9


def test_new_points_without_a_stored_run(points):
    X, true, y = points
    sparse = sp.csr_matrix(X)
    for model, new in ((ADPClassifier(inductive=False).fit(X, y), X), (ADPClassifier(inductive=False).fit(sparse, y), sparse)):
        proba = model.predict_proba(new)
        assert np.allclose(proba.sum(1), 1) and np.mean(model.predict(new) == true) > 0.95
        near = np.argsort(((X[7] - X) ** 2).sum(1), kind="stable")[:10]
        assert np.allclose(proba[7], model.label_distributions_[near].mean(0), atol=1e-6)


def test_edges_and_graphs(points):
    X, true, y = points
    W = kneighbors_graph(X, 4)
    W = W.maximum(W.T)
    edges = np.stack(sp.triu(W).nonzero(), 1)
    by_graph, by_edges = ADPClassifier().fit(X, y, graph=W), ADPClassifier().fit(X, y, edges=edges)
    assert np.array_equal(by_graph.label_distributions_, by_edges.label_distributions_)
    assert np.mean(by_graph.transduction_ == true) > 0.95 and by_graph.predict(X).shape == (120,)
    alone = ADPClassifier().fit(None, y, graph=W)
    assert np.mean(alone.transduction_ == true) > 0.95
    with pytest.raises(ValueError, match="fitted on a graph without X"):
        alone.predict(X)
    for message, arguments in {
        "X is None": {"X": None}, "edges and graph are given": {"X": X, "edges": edges, "graph": W}, "119 nodes of the graph, and 120 rows": {"X": X, "graph": W[1:, 1:]},
    }.items():  # fmt: skip
        with pytest.raises(ValueError, match=message):
            ADPClassifier().fit(y=y, **arguments)


def test_unreached_nodes_have_no_label():
    W = sp.block_diag([np.ones((4, 4)) - np.eye(4)] * 2).tocsr()
    for labels, none in (([0, 1] + [-1] * 6, -1), (["a", "b"] + [""] * 6, ""), (np.array(["a", "b"] + [None] * 6, object), None)):
        with pytest.warns(adp_sparse.AdpSparseWarning, match="unreached"):
            model = ADPClassifier().fit(None, labels, graph=W)
        assert all(label == none for label in model.transduction_[4:]) and not model.label_distributions_[4:].any()


def test_pipeline_clone_and_pickle(points):
    X, true, y = points
    model = ADPClassifier(n_neighbors=6, method="lgc", options={"weights": "uniform"})
    again = clone(model)
    assert again.get_params() == model.get_params() and again is not model
    pipe = make_pipeline(StandardScaler(), again).fit(X, y)
    assert np.mean(pipe.predict(X) == true) > 0.95 and pipe[-1].report_["graph"]["built"]["knn"]["neighbors"] == 6
    loaded = pickle.loads(pickle.dumps(pipe))
    assert np.array_equal(loaded.predict_proba(X), pipe.predict_proba(X))


def test_grid_search(points):
    X, true, _ = points
    known = np.where(np.arange(120) % 4 == 0, true, -1)
    search = GridSearchCV(ADPClassifier(method="lgc", n_jobs=1), {"n_neighbors": [3, 8], "alpha": [0.5, 0.99]}, cv=StratifiedKFold(3))
    search.fit(X, known)
    assert search.best_score_ > 0.9 and np.mean(search.best_estimator_.transduction_ == true) > 0.95


def test_explain(points):
    X, true, y = points
    model = ADPClassifier(options={"combine": "none"}).fit(X, y)
    why = model.explain(-1)
    assert why.node == 119 and why.label == model.transduction_[119] == 2 and why.runner_up in (0, 1) and why.methods == []
    assert {c[0] for c in why.contributions} == set(np.flatnonzero(y >= 0))
    assert np.isclose(sum(c[2] for c in why.contributions if c[1] == 2), why.scores[2])
    assert why.contributions[0][3][0] == 119 and "119: 2, " in str(why)
    with pytest.raises(IndexError):
        model.explain(120)


@pytest.mark.parametrize("form", ["dense", "sparse", "scaled", "graph", "l1", "text"])
def test_explain_mixture(points, form):
    """With features the explanation is of the answer of the run: the same shares, made of what the methods say."""
    X, true, _ = points
    y = np.where(np.arange(120) % 5 == 0, true, -1)
    names, more = None, {}
    if form == "sparse":
        X = sp.csr_matrix(np.maximum(X, 0))
    elif form == "scaled":
        X = X * np.array([1, 50, 1], np.float32)
    elif form == "graph":
        W = kneighbors_graph(X, 4)
        more = {"graph": W.maximum(W.T)}
    elif form == "text":
        names = np.array(["no", "one", "two", ""])
        y = names[y]
    model = ADPClassifier(graph_kind="l1" if form == "l1" else None).fit(X, y, **more)
    model.n_neighbors = None if form == "l1" else 3  # the explanation is of the fitted graph
    for i in (1, 57, 119):
        why = model.explain(i)
        assert why.label == model.transduction_[i] and why.label in model.classes_ and why.runner_up in model.classes_
        assert np.allclose([why.scores[c] for c in model.classes_], model.label_distributions_[i], atol=1e-6)
        assert [(m.name.split(" on ")[0], m.weight) for m in why.methods] == [(m["method"], m["weight"]) for m in model.report_["combination"]["members"]]
        mixed = {c: sum(m.weight * m.scores[c] for m in why.methods) for c in model.classes_}
        assert np.isclose(sum(m.lead for m in why.methods), mixed[why.label] - mixed[why.runner_up], atol=1e-5)
        known = set(np.flatnonzero(y != ("" if form == "text" else -1)))
        assert any(m.contributions for m in why.methods) and any(m.features and m.nodes for m in why.methods)
        assert all({c[0] for c in m.contributions} <= known for m in why.methods)
        assert why.contributions == [] and f"{i}: {why.label}, " in str(why) and len(str(why).splitlines()) == 1 + len(why.methods)


def test_explain_text(points):
    X, _, y = points
    for names in (["no", "one", "two", ""], np.array(["no", "one", "two", None], object)):
        why = ADPClassifier(options={"combine": "none"}).fit(X, np.asarray(names)[y]).explain(5)
        assert why.label == "no" and why.contributions[0][1] == "no" and set(why.scores) == {"no", "one", "two"}


def test_options_are_flags_of_run(points):
    X, _, y = points
    model = ADPClassifier(alpha=0.9, metric="cosine", graph_kind="knn", n_jobs=1, options={"class_prior": {0: 2, 1: 1, 2: 1}, "select": "none"}).fit(X, y)
    options = model.report_["options"]
    assert options["alpha"] == 0.9 and options["threads"] == 1 and options["select"] == "none" and options["class_prior"] == {"0": 2, "1": 1, "2": 1}
    scores = model.explain(0).scores  # by the classes' sizes of the run
    assert model.report_["options"].pop("class_prior") and model.explain(0).scores != scores
    with pytest.raises(adp_sparse.DataError, match="option 'no_such' is not known, expected a flag of adp-sparse run"):
        ADPClassifier(options={"no_such": 1}).fit(X, y)
    with pytest.raises(TypeError, match="option 'out' is set by adp_sparse itself"):
        ADPClassifier(options={"out": "x"}).fit(X, y)


@pytest.mark.parametrize(
    "change, says",
    [
        (lambda X, y: (np.where(X == X[5, 1], np.nan, X), y), "contains NaN"),
        (lambda X, y: (np.where(X == X[5, 1], 1e300, X.astype(float)), y), "in the range of float32"),
        (lambda X, y: (np.full(X.shape, "a", object), y), "could not convert string to float"),
        (lambda X, y: (X, y[1:]), "119 labels, and 120 nodes"),
        (lambda X, y: (X, np.full(120, -1)), "no label is known"),
        (lambda X, y: (X, y + 0.5), "Unknown label type"),
        (lambda X, y: (X[0], y), "Expected 2D array"),
    ],
)  # fmt: skip
def test_wrong(points, change, says):
    X, _, y = points
    with pytest.raises(ValueError, match=says):
        ADPClassifier().fit(*change(X, y))


def test_minus_one_beside_one(points):
    X, true, _ = points
    with pytest.warns(adp_sparse.AdpSparseWarning, match="taken for no label"):
        ADPClassifier().fit(X, np.where(true == 1, 1, -1))


def test_no_warnings_where_all_is_well(points):
    X, _, y = points
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ADPClassifier().fit(X, y).predict(X)
