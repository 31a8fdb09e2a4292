"""The estimator for scikit-learn."""

from __future__ import annotations

import io
import json
import numbers
import warnings
from typing import Any, Dict, Mapping, Optional

import numpy as np

try:
    import scipy.sparse as sp
    from sklearn.base import BaseEstimator, ClassifierMixin
    from sklearn.exceptions import DataConversionWarning
    from sklearn.utils.multiclass import check_classification_targets
    from sklearn.utils.validation import check_is_fitted
except ImportError as missing:
    raise ImportError("ADPClassifier needs scikit-learn; adp_sparse.label_vectors and label_graph do not") from missing

from . import _flags, _graphs, _vectors, errors
from ._functions import named
from ._labels import Labels, is_whole
from ._labels import of as labels_of
from ._results import Explanation
from ._task import Rows, Task


class ADPClassifier(ClassifierMixin, BaseEstimator):
    """Labels of all points from those of a few, and a learned graph, by the alternating diffusion process.

    It takes the place of ``sklearn.semi_supervised.LabelSpreading``: y is −1 where no label is known; None,
    NaN, NA and empty text are none too.

    Parameters
    ----------
    method : str, default="adp"
        adp, or lgc (label spreading), gfhf, poisson, adp1, dense.
    n_neighbors : int, default=None
        Neighbours of each point; None is the program's default, 10.
    metric : str, default=None
        l2 (or euclidean), manhattan (or l1, cityblock), cosine, hellinger, hellinger-idf or ip; None looks at the values.
    graph_kind : str, default=None
        knn, l1 or lle; None lets left-out labels choose.
    alpha : float, default=None
        Diffusion weight of the labels between 0 and 1; None is 0.99.
    inductive : bool, default=True
        Keep what labels new points as the run labels its own. Graphs that new points cannot join (ℓ1) are
        then not tried. False tries them: `transduction_` can be better, and new points get their labels
        from their nearest fitted points, by the columns and the metric of the run (of ip by cosine).
    options : dict, default=None
        More flags of ``adp-sparse run``, such as ``{"select": "none", "class_prior": "seeds"}``. "weight" is
        the column or attribute of the weights of edges, as in `label_vectors`.
    n_jobs : int, default=None
        Threads; None and negative numbers are all cores. The result does not depend on it.
    verbose : bool, default=False
        Show progress.

    Attributes
    ----------
    classes_ : the classes, in order, as the run took them: without those that the option ``missing`` drops.
    transduction_ : the label of each point; −1 (text: empty, objects: None) where no known label reaches.
    label_distributions_ : n×classes, rows sum to 1, or are 0 where no known label reaches.
    confidence_ : share of the label of each point in ``label_distributions_``; of a mixture, the default, and with the option
        ``calibrate``, the probability that it is right.
        A known label stands, and can have a smaller share than another where the method contradicts it.
    learned_graph_ : scipy matrix in the format csr. It is the graph as given where the result is of that
        graph, ``report_["learned_graph"]["learned"]`` says which.
    report_ : what the program reports of the run.
    n_iter_ : rounds of the run.
    X_ : the points, not copied where they need not be: `predict` and `explain` need them unchanged.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> X, y = load_digits(return_X_y=True)
    >>> y[50:] = -1
    >>> ADPClassifier().fit(X, y).transduction_[:5]
    array([0, 1, 2, 3, 4])
    """

    def __init__(
        self,
        method: str = "adp",
        *,
        n_neighbors: Optional[int] = None,
        metric: Optional[str] = None,
        graph_kind: Optional[str] = None,
        alpha: Optional[float] = None,
        inductive: bool = True,
        options: Optional[Dict[str, Any]] = None,
        n_jobs: Optional[int] = None,
        verbose: bool = False,
    ) -> None:
        self.method = method
        self.n_neighbors = n_neighbors
        self.metric = metric
        self.graph_kind = graph_kind
        self.alpha = alpha
        self.inductive = inductive
        self.options = options
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(self, X: Any, y: Any, edges: Any = None, graph: Any = None) -> "ADPClassifier":
        """Labels all points.

        y has the labels of the rows of X, in their order; a series beside a frame is taken by its index. edges are
        pairs of rows, (m, 2), or (m, 3) with weights, or a frame; graph is a square scipy matrix, a networkx
        graph or a frame of edges, whose nodes are in the index of X, or called 0 to n−1, or in the order of the
        rows. With X both are combined; X may be None beside one of them.
        """
        if edges is not None and graph is not None:
            raise ValueError("edges and graph are given, expected one of them")
        if X is None and edges is None and graph is None:
            raise ValueError("X is None, expected points, edges or a graph")
        given, index, inductive = X, _graphs.index_of(X), _flags.truth("inductive", self.inductive)
        X, options = self._check_fit(X), self._options()
        if isinstance(given, np.memmap) and isinstance(X, np.ndarray) and given.dtype == X.dtype and given.shape == X.shape and np.may_share_memory(given, X):
            X = given  # the file itself is passed on
        weight, directed = options.get("weight", "weight"), _flags.truth("directed", options.get("directed", False))
        n, nodes = X.shape[0] if X is not None else 0 if y is None else len(y), None
        if X is None and isinstance(y, Mapping):
            if graph is None:
                raise ValueError("labels are a dictionary and edges do not say how many nodes there are: give y as an array, one a node")
            graph = _graphs.of(graph, weight, directed)
            n = graph.n
            nodes = None if _graphs.rows_of(graph.names, None, n) is not None else graph.names
        labels = labels_of(y, n, nodes, index=index)
        if len(getattr(y, "shape", ())) == 2:
            warnings.warn("A column-vector y was passed when a 1d array was expected: y.ravel() is one", DataConversionWarning, stacklevel=2)
        check_classification_targets(labels.classes)
        if getattr(y, "dtype", None) == object and labels.classes.dtype.kind == "U":
            labels.classes = labels.classes.astype(object)  # text in objects stays so
        joined = None
        if edges is not None or graph is not None:
            rows = _graphs.index_of(y) if X is None else index
            joined = _graphs.between(graph if edges is None else edges, n, rows, weight, directed, edges=edges is not None)
        task = Task(X, joined, labels, parameters=_flags.ESTIMATOR)
        words = ["--out=out.npz", "--proba", "--graph-out=learned.npz"]
        keeps = inductive and X is not None
        words += ["--model=model.npz"] * keeps
        with task:
            _, done = task.run("run", task.options(self._settings()) + words, self.verbose, quiet=True)
            rows = Rows(task.folder / "out.npz", labels, task.class_names)
            self.learned_graph_ = sp.load_npz(task.folder / "learned.npz")
            model = (task.folder / "model.npz").read_bytes() if keeps else None
        errors.warn_all(done["warnings"], leave=("graph-as-given",))
        self.classes_ = rows.labels.classes
        self.X_, self.graph_, self._codes, self._names = X, joined, rows.labels.codes, rows.names
        self._model = model if model is not None and "joins" in _about(model) else None
        self.report_, self.n_iter_ = done, max(len(done["rounds"]) - 1, 1)
        assert rows.proba is not None
        self.label_distributions_, self.confidence_ = rows.proba, rows.confidence
        self.transduction_ = named(rows.labels, rows.codes)
        return self

    def predict_proba(self, X: Any) -> np.ndarray:
        """Shares of the classes for new points: each is labelled as if it were the only new one.

        By the stored run, as ``adp-sparse predict`` does; where there is none (``inductive=False``, ℓ1), the
        mean of the `label_distributions_` of the nearest fitted points. The row of a point that no known
        label reaches is 0.
        """
        return self._shares(self._check_points(X))

    def _shares(self, X: Any) -> np.ndarray:
        """Of checked points."""
        if self._model is None:
            return self._from_neighbours(X)
        with Task(X, parameters=_flags.ESTIMATOR) as task:
            (task.folder / "model.npz").write_bytes(self._model)
            fitted = task.path(_vectors.save(self.X_, task.folder / "fitted.npy"))
            points = task.flags[0].partition("=")[2]
            words = ["--model=model.npz", f"--features={fitted}", f"--points={points}", "--out=out.npz", "--proba"]
            task.flags = []  # points are no features
            task.run("predict", words + task.options(self._threads()), quiet=True)
            proba = Rows(task.folder / "out.npz", self._known(), self._names).proba
        assert proba is not None
        return proba

    def predict(self, X: Any) -> np.ndarray:
        """The labels of new points; −1 (text: empty, objects: None) where no known label reaches."""
        return self._labels(self._check_points(X))

    def _labels(self, X: Any) -> np.ndarray:
        """Of checked points."""
        shares = self._shares(X)
        return named(self._known(), np.where(shares.any(1), shares.argmax(1), -1))

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Accuracy on the points of X whose label is known: −1 and the like, and what the option ``missing`` names, are left out, as in `fit`."""
        index, X = _graphs.index_of(X), self._check_points(X)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="-1 beside 1 alone")  # fit knows the classes
            labels = labels_of(y, X.shape[0], index=index)
        check_classification_targets(labels.classes)
        dropped = self._options().get("missing")
        dropped = set() if dropped is None else set(_flags.words_of(dropped))
        known = (labels.codes >= 0) & np.array([not {text, name} & dropped for text, name in zip(labels.texts(), labels.names())])[labels.codes]
        if not known.any():
            raise ValueError("no label is known: all are what the option missing names")
        truth = labels.classes[labels.codes[known]].tolist()
        right = np.array([a == b for a, b in zip(self._labels(X)[known].tolist(), truth)])  # as they are: "Apple" is not "A"
        return float(np.average(right, weights=None if sample_weight is None else _weights(sample_weight, len(known), index)[known]))

    def explain(self, i: int) -> Explanation:
        """Why point i has its label.

        A default run mixes methods, and `methods` of the explanation has what each says, its weight and its
        reasons: known labels, features and neighbours. The mixture is made again, which takes as long as
        `fit`. With ``options={"combine": "none"}`` and with ``alpha`` the label is by label spreading on
        `learned_graph_`: known labels gave it, by their paths, and some would flip it. Where the run, a mean of
        rounds, gave another label, a warning says so. Of gfhf, poisson and dense nothing can be explained. The
        fields are those of ``adp-sparse explain --json`` (docs/report.md).
        """
        check_is_fitted(self)
        n = len(self._codes)
        if not is_whole(i):
            raise TypeError(f"point {i!r}, expected the number of a row")
        if not -n <= i < n:
            raise IndexError(f"point {i} of {n}")
        method = self.report_["options"]["method"]
        if method in ("gfhf", "poisson", "dense"):
            raise ValueError(f"method={method!r} cannot be explained, expected adp, adp1 or lgc")
        with Task(self.X_, self.graph_, self._known(), parameters=_flags.ESTIMATOR) as task:
            settings, words = {k: v for k, v in self._settings().items() if k in _EXPLAINED}, [f"--node={i % n}", "--json"]
            if self.report_.get("combination"):
                settings.update(self._graph_of_run())
                settings["class_prior"] = self._settings().get("class_prior")
            else:
                sp.save_npz(task.folder / "learned.npz", self.learned_graph_, compressed=False)
                words.append("--learned=learned.npz")
                settings["alpha"] = (self.report_.get("trial") or {}).get("alpha") or self.alpha
                settings["class_prior"], settings["combine"] = self.report_["options"].get("class_prior"), "none"
            text, _ = task.run("explain", task.options(settings) + words)
            why = Explanation.of(json.loads(text), task.label_of)
        if why.label is not None and why.label != self.transduction_[i]:
            reason = "label spreading on learned_graph_ is explained, which is not all that the run did"
            if self._codes[i] >= 0:
                reason = "it is a known label, which stands"
            elif why.methods:
                reason = "X or the graph was changed after fit"
            errors.warn(f"the run gave point {i} the label {self.transduction_[i]}, and the explanation gives {why.label}: {reason}")
        return why

    def _graph_of_run(self) -> Dict[str, Any]:
        """The flags of the graph of neighbours that the run took, which is not chosen again; none where it made none."""
        built = self.report_["graph"].get("built")
        if built is None:
            return {}
        flags: Dict[str, Any] = {"graph_kind": built["kind"], "scale": "columns" if built.get("scaled") else "none"}
        if built["kind"] == "knn":
            found = built["knn"]
            flags.update(metric=found["search"]["metric"], k=found["neighbors"], weights=found["weights"])
        return flags

    def _settings(self) -> Dict[str, Any]:
        metric = {"euclidean": "l2", "l1": "manhattan", "cityblock": "manhattan"}.get(self.metric or "", self.metric)  # as scikit-learn calls it
        given: Dict[str, Any] = {"method": self.method, "k": self.n_neighbors, "metric": metric, "graph_kind": self.graph_kind, "alpha": self.alpha}
        return {**given, **self._threads(), **{k: v for k, v in self._options().items() if k not in ("directed", "weight")}}

    def _options(self) -> Dict[str, Any]:
        """The options, none of which may be a parameter with another value than its default."""
        if not isinstance(self.options, (Mapping, type(None))):
            raise TypeError(f'options={self.options!r}, expected a dictionary such as {{"select": "none"}}')
        options = {name.replace("-", "_"): value for name, value in (self.options or {}).items()}
        for flag, name in _flags.ESTIMATOR.items():
            if flag in options and getattr(self, name) not in (None, "adp"):
                raise ValueError(f"{name}={getattr(self, name)!r} and options={{{flag!r}: {options[flag]!r}}} are given, expected one of them")
        return options

    def _threads(self) -> Dict[str, Any]:
        n = self.n_jobs
        if n is not None and (not isinstance(n, numbers.Integral) or n == 0):
            raise ValueError(f"n_jobs={n!r}, expected a number of threads, or -1 or None for all cores")
        return {"threads": None if n is None or n < 0 else n}

    def _known(self) -> Labels:
        return Labels(self._codes, self.classes_)

    def _check_fit(self, X: Any) -> Any:
        _vectors.check_mask(X)
        if X is None:
            for name in ("n_features_in_", "feature_names_in_"):  # of a fit before
                self.__dict__.pop(name, None)
            return None
        wants = {"accept_sparse": "csr", "ensure_min_samples": 2, "dtype": "numeric"}
        try:
            from sklearn.utils.validation import validate_data  # from 1.6 on
        except ImportError:
            return self._validate_data(X, **wants)
        return validate_data(self, X, **wants)

    def _check_points(self, X: Any) -> Any:
        check_is_fitted(self)
        _vectors.check_mask(X)
        if self.X_ is None:
            raise ValueError("fitted on a graph without X: new points have nothing to be joined by; transduction_ has the labels of its nodes")
        try:
            from sklearn.utils.validation import validate_data
        except ImportError:
            X = self._validate_data(X, accept_sparse="csr", reset=False)
        else:
            X = validate_data(self, X, accept_sparse="csr", reset=False)
        return X.toarray() if sp.issparse(X) and not sp.issparse(self.X_) else X

    def _from_neighbours(self, X: Any) -> np.ndarray:
        from sklearn.neighbors import NearestNeighbors

        fitted, built = self.X_, self.report_["graph"].get("built") or {}
        if "scaling" in built:
            s = built["scaling"]
            fitted, X = (np.clip((x - np.array(s["middle"])) / s["spread"], -s["limit"], s["limit"]) for x in (fitted, X))
        found = built.get("knn") or {"search": {}}
        metric = found["search"].get("metric") or self._settings()["metric"] or "l2"
        k = min(found.get("neighbors") or self._settings()["k"] or 10, fitted.shape[0])
        if metric == "hellinger-idf":  # columns weighted by the idf of the fitted points
            counts = np.asarray((fitted != 0).sum(0)).ravel()
            points = np.count_nonzero(np.asarray((fitted != 0).sum(1)))
            idf = sp.diags(np.log((1 + points) / np.maximum(1, counts)))
            fitted, X = fitted @ idf, X @ idf
        if metric.startswith("hellinger"):  # the cosine of the roots
            fitted, X = (x.sign().multiply(abs(x).sqrt()) if sp.issparse(x) else np.sign(x) * np.sqrt(abs(x)) for x in (fitted, X))
        # Of ip by cosine, as the program joins new points: the longest vectors have the largest products with nearly all.
        near = NearestNeighbors(n_neighbors=k, metric="manhattan" if metric == "manhattan" else "cosine" if metric in COSINES else "euclidean", n_jobs=self.n_jobs)
        at = near.fit(fitted).kneighbors(X, return_distance=False)
        shares = self.label_distributions_[at].sum(1)
        total = shares.sum(1, keepdims=True)
        return np.divide(shares, total, out=np.zeros_like(shares), where=total > 0)

    def __sklearn_tags__(self) -> Any:  # from 1.6 on
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def _more_tags(self) -> Dict[str, Any]:  # before
        return {"_xfail_checks": XFAIL_CHECKS}


#: Metrics by which the nearest fitted points are those of the largest cosine.
COSINES = {"cosine", "hellinger", "hellinger-idf", "ip"}

#: Checks of scikit-learn that do not hold, and why.
XFAIL_CHECKS = {
    "check_classifiers_classes": "it takes -1 for a class, and here -1 is no label; scikit-learn leaves LabelSpreading out of that part by its name",
}

#: Options of run that explain has too.
_EXPLAINED = {
    "k", "metric", "graph_kind", "scale", "weights", "knn", "recall", "symmetrize", "connect", "gamma", "feature_share", "balance",
    "threads", "memory_limit", "seed",
}  # fmt: skip


def _weights(weights: Any, n: int, index: Any) -> np.ndarray:
    """Weights of n points: an array, or a series, which is taken by the index of X as labels are."""
    own = _graphs.index_of(weights)
    if own is not None and index is not None and own.is_unique and len(own) == n and set(own) == set(index):
        weights = weights.reindex(index)
    weights = np.asarray(weights, np.float64)
    if weights.shape != (n,):
        raise ValueError(f"sample_weight has the shape {weights.shape}, expected a weight for each of {n} points")
    return weights


def _about(model: bytes) -> Dict[str, Any]:
    with np.load(io.BytesIO(model)) as archive:
        return dict(json.loads(bytes(archive["about"])))
