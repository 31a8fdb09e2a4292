"""Options: what they change in the results, what is said of them, and in which words."""

import warnings

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.datasets import load_wine
from sklearn.exceptions import NotFittedError

import adp_sparse
from adp_sparse import ADPClassifier, _flags, errors, label_graph, label_vectors


@pytest.fixture
def wine():
    X, true = load_wine(return_X_y=True)
    return X, true, np.where(np.random.RandomState(0).rand(len(true)) < 0.15, true, -1)


@pytest.mark.parametrize("combine", ["auto", "none"])
@pytest.mark.parametrize(
    "spelt, option, classes",
    [
        (["a", "b", "c", "NA"], {"missing": "NA"}, ["a", "b", "c"]),
        (["a", "A", "c", ""], {"match": "case"}, ["a", "c"]),
        (["Big  one", "big one", "C", ""], {"match": "case"}, ["big one", "c"]),
        (["1.0", "1.00", "2", "?"], {"match": "number", "missing": ["?", "NA"]}, ["1", "2"]),
    ],
)
def test_classes_are_as_the_run_took_them(points, spelt, option, classes, combine):
    X, _, y = points
    y = np.array(spelt)[y]
    model = ADPClassifier(options={"combine": combine, **option}).fit(X, y)
    found = label_vectors(X, y, probabilities=True, combine=combine, **option)
    assert list(model.classes_) == list(found.classes) == classes and set(model.transduction_) <= set(classes)
    assert model.label_distributions_.shape == found.probabilities.shape == (120, len(classes))
    for shares in (model.label_distributions_, found.probabilities, model.predict_proba(X)):
        assert np.allclose(shares.sum(1), 1, atol=1e-5)
    assert np.array_equal(found.labels, model.transduction_) and np.mean(model.predict(X) == model.transduction_) > 0.95
    for i in (0, 60, 119):
        why = model.explain(i)
        assert why.label == model.transduction_[i] and list(why.scores) == classes


def test_score_leaves_out_what_missing_names(points):
    X, true, y = points
    names = np.array(["a", "b", "c", "?", "NA"])
    for missing in ("?,NA", ["?", "NA"]):
        model = ADPClassifier("lgc", options={"missing": missing}).fit(X, names[y])
        truth = names[true]
        truth[::3] = "?"
        right = model.predict(X) == names[true]
        assert model.score(X, truth) == np.mean(right[truth != "?"])


def test_numbers_and_truth_values_in_another_spelling(points):
    X, true, _ = points
    known = np.arange(120) % 5 == 0
    found = label_vectors(X, np.where(known, np.array([1e-5, 0.25, 2.5])[true], np.nan), match="number")
    assert found.classes.tolist() == [1e-5, 0.25, 2.5] and found.labels.dtype == np.float64
    truth = np.where(known, true == 0, None)
    found = label_vectors(X, truth, match="case")
    assert found.classes.tolist() == [False, True] and np.mean(found.labels == (true == 0)) > 0.95


def test_suggest_knows_merged_classes(points):
    X, _, y = points
    assert {s.label for s in adp_sparse.suggest(X, np.array(["One", "oNe", "Two", ""])[y], 3, match="case")} <= {"one", "two"}


@pytest.mark.parametrize("kind", [None, "l1"])
def test_nearest_fitted_points_by_scaled_columns(wine, kind):
    X, true, y = wine
    model = ADPClassifier(graph_kind=kind, inductive=False).fit(X, y)
    scaling = model.report_["graph"]["built"]["scaling"]
    assert model._model is None and np.allclose(scaling["middle"], X.mean(0), rtol=1e-5) and scaling["limit"] == 3
    assert model.score(X, true) > 0.93
    assert np.array_equal(model.predict(sp.csr_matrix(X)), model.predict(X))


def test_nearest_fitted_points_by_the_metric_of_the_run():
    rng = np.random.default_rng(1)
    true = np.repeat([0, 1, 2], 40)
    X = rng.poisson((0.1 + np.repeat(np.eye(3), 20, 1)[true]) * rng.choice([0.3, 3], 120)[:, None]).astype(np.float32)  # words in texts, long and short
    y = np.where(np.arange(120) % 4 == 0, true, -1)
    model = ADPClassifier(inductive=False).fit(X, y)
    assert model.report_["graph"]["built"]["knn"]["search"]["metric"] in {"cosine", "hellinger", "hellinger-idf"}  # nobody said so
    assert model.score(X, true) > 0.97
    idf = np.log((1 + (X.sum(1) > 0).sum()) / np.maximum(1, (X > 0).sum(0)))
    for metric, Z in {"cosine": X, "hellinger": np.sqrt(X), "hellinger-idf": np.sqrt(X * idf)}.items():
        model = ADPClassifier(metric=metric, inductive=False).fit(X, y)
        cosines = Z @ Z[7] / np.maximum(np.linalg.norm(Z, axis=1), 1e-9)
        assert np.allclose(model.predict_proba(X[7:8])[0], model.label_distributions_[np.argsort(-cosines)[:10]].mean(0), atol=1e-5)
    X = rng.normal(size=(120, 4))
    model = ADPClassifier("lgc", metric="ip", n_neighbors=3, inductive=False).fit(X, y)
    near = np.argsort(-(X @ X[7]) / np.linalg.norm(X, axis=1))[:3]
    for form in (X, sp.csr_matrix(X)):
        shares = model.fit(form, y).predict_proba(form[7:8])[0]
        assert np.allclose(shares, model.label_distributions_[near].mean(0), atol=1e-6)


def test_score_takes_answers_as_they_are(points):
    X, true, y = points
    model = ADPClassifier().fit(X, np.array(["A", "B", "C", ""])[y])
    assert model.score(X, np.array(["A", "B", "C"])[true]) > 0.95 and model.score(X, np.array(["Apple", "Bean", "Corn"])[true]) == 0
    model = ADPClassifier().fit(X, y)
    right = model.score(X, true)
    assert right > 0.95 and model.score(X, true.astype(float)) == right
    with pytest.raises(ValueError, match="Unknown label type"):
        model.score(X, true + 0.4)
    assert model.score(X, true[:, None]) == right
    with pytest.raises(ValueError, match="50 labels, and 120 nodes"):
        model.score(X, true[:50, None])
    weights = np.where(model.predict(X) == true, 0.0, 1.0)
    weights[0] = weights.sum() or 1
    assert model.score(X, true, weights) == (0.5 if weights.sum() > 1 else 1)


@pytest.mark.filterwarnings("ignore::adp_sparse.AdpSparseWarning")
def test_explanation_is_of_the_method_that_ran(points):
    X, true, _ = points
    y = np.where(np.arange(120) % 5 == 0, true, -1)
    for method in ("dense", "poisson", "gfhf"):
        with pytest.raises(ValueError, match=f"method='{method}' cannot be explained, expected adp, adp1 or lgc"):
            ADPClassifier(method).fit(X, y).explain(3)
    model = ADPClassifier("lgc").fit(X, y)
    assert model.explain(3).label == model.transduction_[3]
    model.transduction_[3] = 2  # as the mean over rounds can be
    with pytest.warns(adp_sparse.AdpSparseWarning, match="gave point 3 the label 2, and the explanation gives 0: label spreading on learned_graph_"):
        model.explain(3)
    X = X.copy()
    model = ADPClassifier().fit(X, y)
    X[[1, 119]] = X[[119, 1]]
    with pytest.warns(adp_sparse.AdpSparseWarning, match="changed after fit"):
        model.explain(1)


def test_explain_without_features(karate):
    import networkx as nx

    G, known = karate
    model = ADPClassifier().fit(None, [known.get(i, "") for i in G], graph=nx.to_scipy_sparse_array(G))
    for i in (3, 20):
        why = model.explain(i)
        assert len(why.methods) > 1 and why.label == model.transduction_[i]
        assert np.allclose([why.scores[c] for c in model.classes_], model.label_distributions_[i], atol=1e-6)


@pytest.mark.filterwarnings("ignore")
def test_best_of_tune_keeps_the_options_of_the_call(points):
    X, true, _ = points
    y = np.where(np.arange(120) % 6, -1, true)
    for more, kept in (({"methods": ["adp"]}, {}), ({"methods": ["lgc"], "alphas": [0.5]}, {"method": "lgc", "alpha": "0.5"})):
        found = adp_sparse.tune(X, y, k=3, metric="cosine", **more)
        assert found.best == {"k": "3", "metric": "cosine", **kept}
        assert "features.npy" not in found.command and "--features=FILE" in found.command and "--k=3" in found.command
        built = label_vectors(X, y, **found.best).report["graph"]["built"]["knn"]
        assert built["neighbors"] == 3 and built["search"]["metric"] == "cosine"


@pytest.mark.filterwarnings("ignore")
def test_best_of_tune_keeps_directions(karate):
    best = adp_sparse.tune(karate[0].to_directed(), "club", directed=True, methods=["lgc"], alphas=[0.5]).best
    assert best.pop("directed") is True and best.keys() == {"method", "alpha"}


@pytest.mark.parametrize(
    "parameters, says",
    [
        ({"n_neighbors": 0}, "^n_neighbors=0, expected at least 1$"),
        ({"n_neighbors": 2.5}, "^n_neighbors=2.5, expected a whole number such as 3$"),
        ({"n_neighbors": True}, "^n_neighbors=True, expected a whole number such as 3$"),
        ({"n_neighbors": 500}, "^n_neighbors: k = 500 for 120 points"),
        ({"alpha": "x"}, '^alpha="x", expected a number such as 0.5$'),
        ({"alpha": 2}, "^alpha=2, expected between 0 and 1"),
        ({"n_jobs": 1.5}, "^n_jobs=1.5, expected a number of threads"),
        ({"n_jobs": 0}, "^n_jobs=0, expected"),
        ({"n_jobs": "a"}, "^n_jobs='a', expected"),
        ({"metric": "taxi"}, '^metric "taxi", expected l2, cosine, hellinger, hellinger-idf, ip or manhattan, or auto, the default$'),
        ({"graph_kind": "ring"}, '^graph_kind="ring" is not one of its values'),
        ({"options": {"seed": -1}}, r'^options=\{"seed": -1\}, expected a whole number of at least 0, such as 3$'),
        ({"options": {"select": "all"}}, r'^options=\{"select": "all"\} is not one of its values'),
        ({"options": {"checkpoint_every": 3}}, "expected a time such as 90s or 5m"),
        ({"options": {"folds": 3}}, "^option 'folds' is not known, expected a flag of adp-sparse run$"),
        ({"options": {"alpa": 3}}, r"^option 'alpa' is not known, .*; did you mean alpha\?$"),
    ],
)
def test_messages_name_parameters(points, parameters, says):
    X, _, y = points
    with pytest.raises(ValueError, match=says) as raised:
        ADPClassifier(**parameters).fit(X, y)
    assert "--" not in str(raised.value) and "strconv" not in str(raised.value)


@pytest.mark.parametrize(
    "options, kind, says",
    [
        ({"n_jobs": 2}, TypeError, "'n_jobs' is not known: say threads"),
        ({"n_neighbors": 2}, TypeError, "'n_neighbors' is not known: say k"),
        ({"verbose": True}, TypeError, "'verbose' is set by adp_sparse itself: say progress=True"),
        ({"scratch": True}, TypeError, "scratch=True, expected the name of a folder"),
        ({"k": 2.5}, ValueError, "^k=2.5, expected a whole number such as 3$"),
        ({"method": "lgc", "rounds": 3}, ValueError, '^rounds is for method="adp", adp1 or dense'),
    ],
)
def test_messages_name_options(points, options, kind, says):
    X, _, y = points
    with pytest.raises(kind, match=says):
        label_vectors(X, y, **options)


@pytest.mark.parametrize(
    "options, says",
    [
        ({"page": "x.html"}, "^page='x.html', expected True or False$"),
        ({"learned_graph": 2}, "^learned_graph=2, expected True or False$"),
        ({"probabilities": "no"}, "^probabilities='no', expected True or False$"),
        ({"write": False}, "^write=False, expected text, or None, which writes nothing$"),
        ({"directed": "no"}, "^directed='no', expected True or False$"),
        ({"duplicates": "max"}, "^option 'duplicates' is for files: edges that are given twice add up"),
        ({"unknown_labels": "skip"}, "^option 'unknown_labels' is for files: leave out labels of other nodes"),
    ],
)
def test_parameters_of_another_type(karate, options, says):
    G, known = karate
    before = dict(G.nodes[5])
    with pytest.raises(TypeError, match=says):
        label_graph(G, known, **options)
    assert G.nodes[5] == before


def test_parameters_of_the_estimator(points):
    X, _, y = points
    for wrong, says in (({"options": ["select", "none"]}, "expected a dictionary such as"), ({"options": "select=none"}, "expected a dictionary"), ({"inductive": "no"}, "inductive='no', expected True or False")):
        with pytest.raises(TypeError, match=says):
            ADPClassifier(**wrong).fit(X, y)
    for twice in ({"n_neighbors": 5, "options": {"k": 3}}, {"method": "lgc", "options": {"method": "gfhf"}}, {"graph_kind": "knn", "options": {"graph-kind": "lle"}}):
        with pytest.raises(ValueError, match=r"=.* and options=\{.*\} are given, expected one of them"):
            ADPClassifier(**twice).fit(X, y)
    assert ADPClassifier(options={"k": 3, "method": "lgc"}).fit(X, y).report_["graph"]["built"]["knn"]["neighbors"] == 3
    model = ADPClassifier("lgc", inductive=np.False_).fit(X, y)
    for point in ("r3", 3.0, True):
        with pytest.raises(TypeError, match=f"point {point!r}, expected the number of a row"):
            model.explain(point)
    assert model.explain(np.int64(3)).label == model.transduction_[3]


def test_score_of_frames_and_weights(points):
    X, true, y = points
    frame = pd.DataFrame(X, columns=list("abc"), index=[f"r{i}" for i in range(120)])
    model = ADPClassifier("lgc").fit(frame, y)
    weights = np.where(model.predict(frame) == true, 1.0, 0.5) * np.arange(1, 121)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert model.score(frame, true) == np.mean(model.predict(frame) == true)
        series = pd.Series(weights, frame.index)[::-1]
        assert model.score(frame, true, series) == model.score(frame, true, weights)
    with pytest.raises(ValueError, match=r"sample_weight has the shape \(20,\), expected a weight for each of 120 points"):
        model.score(frame, true, np.ones(20))


@pytest.mark.filterwarnings("ignore")
def test_grids_of_tune(points, karate):
    X, true, _ = points
    y = np.where(np.arange(120) % 6, -1, true)
    want = adp_sparse.tune(X, y, ks=[3, 5], methods=["lgc"], alphas=[0.9])
    for ks in (range(3, 6, 2), np.array([3, 5]), (3, 5)):
        assert adp_sparse.tune(X, y, ks=ks, methods=["lgc"], alphas=np.array([0.9])).settings == want.settings
    for weight in (None, "strength"):
        for *_, data in karate[0].edges(data=True):
            data["strength"] = 2
        assert adp_sparse.tune(karate[0], "club", weight=weight, methods=["lgc"], alphas=[0.9]).best["weight"] == weight


def test_not_converged(points):
    with pytest.raises(adp_sparse.NotConverged) as raised:
        label_vectors(points[0], points[2], require_converged=True, max_iterations=1)
    assert raised.value.exit_code == 6


def test_message_of_a_matrix_that_is_not_symmetric(points):
    W = sp.random(120, 120, 0.1, "csr", random_state=0)
    with pytest.raises(ValueError, match=r"^graph: row .*; directed=True makes \(W"):
        label_graph(W, points[2])
    with pytest.raises(ValueError, match=r'options=\{"directed": True\} makes'):
        ADPClassifier().fit(None, points[2], graph=W)


def test_warnings_give_advice_for_python(points):
    X, _, y = points
    for column, code in ((np.arange(120), "counting-column"), (1.7e9 + 3 * np.arange(120), "coarse-column"), (np.random.RandomState(0).permutation(120), "shuffled-column")):
        with pytest.warns(adp_sparse.AdpSparseWarning, match="leave it out of X") as told:
            label_vectors(np.c_[X, column], y)
        assert code in {w.message.code for w in told} and not any("--" in str(w.message) for w in told)
    spelt = np.array(["a", "A", "b", ""])[y]
    with pytest.warns(adp_sparse.AdpSparseWarning, match='match="case" makes them one'):
        found = label_vectors(X, spelt)
    assert not any("--" in w["message"] for w in found.report["warnings"])
    with pytest.warns(adp_sparse.AdpSparseWarning, match='options={"match": "case"} makes them one'):
        ADPClassifier().fit(X, spelt)


@pytest.mark.parametrize(
    "text, said, of_estimator",
    [
        ("say --missing 'NA,?'", 'say missing="NA,?"', 'say options={"missing": "NA,?"}'),
        ("say --missing NA", 'say missing="NA"', 'say options={"missing": "NA"}'),
        ("--threads 5000, expected 0 to 4096", "threads=5000, expected 0 to 4096", "n_jobs=5000, expected 0 to 4096"),
        ("run without --combine none mixes", 'run without combine="none" mixes', 'run without options={"combine": "none"} mixes'),
        ("--rounds is for --method adp", 'rounds is for method="adp"', 'options["rounds"] is for method="adp"'),
        ("not tried; without --model it does", "not tried; with inductive=False it does", "not tried; with inductive=False it does"),
    ],
)
def test_words_of_python(text, said, of_estimator):
    assert _flags.in_python(text) == said and _flags.in_python(text, _flags.ESTIMATOR) == of_estimator


@pytest.mark.parametrize(("name", "same"), [("euclidean", "l2"), ("cityblock", "manhattan"), ("l1", "manhattan")])
def test_metrics_of_scikit_learn(points, name, same):
    X, _, y = points
    assert np.array_equal(ADPClassifier(metric=name).fit(X, y).label_distributions_, ADPClassifier(metric=same).fit(X, y).label_distributions_)


def test_class_prior_of_whole_floats_and_odd_names(points):
    X, true, _ = points
    known, prior = np.arange(120) % 5 == 0, [3, 1, 1]
    for classes, none in (([0.0, 1.0, 2.0], -1.0), ([" a", "b\n", "c"], "")):
        y = np.where(known, np.array(classes)[true], none)
        found = label_vectors(X, y, class_prior=dict(zip(classes, prior)))
        assert sorted(found.report["options"]["class_prior"].values()) == [1, 1, 3]
        model = ADPClassifier(alpha=0.9, options={"class_prior": dict(zip(classes, prior))}).fit(X, y)
        assert model.explain(1).label == model.transduction_[1]


def test_points_that_were_changed_after_fit(points):
    X, _, y = points
    X = X.copy()
    model = ADPClassifier().fit(X, y)
    X[:] = 0
    with pytest.raises(ValueError, match="^X was changed in place after fit: fit again, or give fit a copy$"):
        model.predict(X)


def test_sparse_points_after_dense_ones(points):
    X, _, y = points
    model = ADPClassifier().fit(X, y)
    assert np.array_equal(model.predict_proba(sp.csr_matrix(X[:9])), model.predict_proba(X[:9]))


def test_fit_without_features_forgets_their_number(points):
    X, _, y = points
    model = ADPClassifier().fit(X, y)
    model.fit(None, y, graph=sp.csr_matrix(np.ones((120, 120)) - np.eye(120)))
    assert not hasattr(model, "n_features_in_")


def test_attribute_that_no_node_has(karate):
    with pytest.raises(ValueError, match=r"no node has the attribute 'clubs', but \['club'\]"):
        label_graph(karate[0], "clubs", write=None)


def test_place_of_a_wrong_number_in_sparse_features(points):
    X = sp.csr_matrix(np.where(np.arange(360).reshape(120, 3) % 2, 0, 1.0))
    X.data[14] = np.inf
    row, column = np.argwhere(X.toarray() == np.inf)[0]
    with pytest.raises(ValueError, match=f"features, row {row}, column {column}: inf"):
        label_vectors(X, points[2])


def test_another_program(points, monkeypatch):
    monkeypatch.setenv("ADP_SPARSE", "true")
    with pytest.raises(adp_sparse.ProgramNotFound, match="true ended without a word, expected the program adp-sparse"):
        label_vectors(points[0], points[2])


def test_wrong_data_is_a_value_error_whoever_finds_it(points):
    """As the guide says: the program's errors are AdpSparseError, those of the package's own checks are Python's."""
    X, _, y = points
    assert issubclass(errors.DataError, ValueError) and issubclass(NotFittedError, ValueError)
    for wrong in (lambda: label_vectors(X, y, k=0), lambda: label_vectors(X, y[1:]), lambda: label_vectors(X, np.full(120, -1))):
        with pytest.raises(ValueError):
            wrong()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        label_vectors(X, y)


def test_names_of_classes_stay_in_messages(points):
    X, true, _ = points
    for name in ("pre--small", "x --k 5"):
        with pytest.warns(UserWarning, match=f'"{name}"'):
            label_vectors(X, {0: name, 5: name})


def test_what_stands_is_no_fault(points):
    X, true, y = points
    wrong = y.copy()
    at = np.flatnonzero(y >= 0)[0]
    wrong[at] = (y[at] + 1) % 3
    with pytest.warns(UserWarning, match="known label, which stands"):
        ADPClassifier("lgc").fit(X, wrong).explain(at)
    binary = ADPClassifier().fit(X, np.where(y < 0, -1, y > 0))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        binary.score(X[true > 0], np.where(np.arange((true > 0).sum()) % 2, 1, -1))
