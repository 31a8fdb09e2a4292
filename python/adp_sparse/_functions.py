"""The functions of the package: each is one command of the program."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional, TypeVar

import numpy as np

from . import _flags, _graphs, _vectors, errors
from ._labels import Labels
from ._labels import of as labels_of
from ._progress import Progress
from ._results import Page, Result, Suggestion, Tuning
from ._task import Rows, Task

Out = TypeVar("Out")


def label_graph(
    graph: Any,
    labels: Any,
    *,
    features: Any = None,
    weight: Optional[str] = "weight",
    key: str = "connectivities",
    write: Optional[str] = "adp",
    probabilities: bool = False,
    learned_graph: bool = False,
    page: bool = False,
    progress: Progress = None,
    **options: Any,
) -> Result:
    """Labels every node of a graph from the labels of a few.

    graph
        A networkx graph; a square scipy sparse matrix; a pandas frame with columns source and target (or
        src and dst, from and to) and maybe ``weight``; or AnnData, whose ``obsp[key]`` is taken.
    labels
        A dictionary or series of nodes and labels, or an array of one a node. −1, NaN, None and empty text
        are unknown. For networkx and AnnData also the name of an attribute of nodes, or of a column of ``obs``.
    features
        Vectors beside the graph, a row a node; for AnnData also the name of an ``obsm``. A frame whose index
        has the nodes is taken by it. Row i of an array of labels or features is of node i where nodes are
        called 0 to n−1, in whatever order, else of the node at place i.
    weight
        The column or attribute of edges that has their weights, in any case; None where all weigh 1.
    write
        networkx and AnnData get the results as attributes of nodes or columns of ``obs`` that begin so:
        ``adp_label``, ``adp_confidence``, ``adp_status``, and with ``learned_graph`` ``obsp["adp_learned"]``.
        None writes nothing.
    options
        Flags of ``adp-sparse run``: ``method="lgc"``, ``directed=True``, ``select="none"``, ``threads=4``, …
    """
    if write is not None and not isinstance(write, str):
        raise TypeError(f"write={write!r}, expected text, or None, which writes nothing")
    task = _task(graph, labels, features, weight, key, options, graph=True, named=page)
    result = _label(task, probabilities, learned_graph, page, progress, options)
    if write is not None:
        _write_back(graph, result, write)
    return result


def label_vectors(
    X: Any,
    labels: Any,
    *,
    edges: Any = None,
    weight: Optional[str] = "weight",
    probabilities: bool = False,
    learned_graph: bool = False,
    page: bool = False,
    progress: Progress = None,
    **options: Any,
) -> Result:
    """Labels every row of X from the labels of a few, by the graph of their nearest neighbours.

    X is an array, a pandas frame of numbers or a scipy sparse matrix, a row a point; labels are as in
    :func:`label_graph`, nodes being rows, or what the index of a frame names: a series or a dictionary of some
    rows is taken by it. ``edges`` between rows, (m, 2) or with weights (m, 3), a frame or a graph, are
    combined with the features. An array that is a whole .npy file, mapped, is not written again.
    """
    x, index = _vectors.of(X), _graphs.index_of(X)
    graph = None
    if edges is not None:
        graph = _graphs.between(edges, x.shape[0], index, weight, _flags.truth("directed", options.pop("directed", False)))
    task = Task(x, graph, labels_of(labels, x.shape[0], index=index), index, named=page)
    return _label(task, probabilities, learned_graph, page, progress, options)


def report(data: Any, labels: Any, *, graph: Optional[bool] = None, **settings: Any) -> Page:
    """The page of a run: ``report(X, y)`` or ``report(G, labels)``, with the settings of these functions. Jupyter shows it.

    A square scipy matrix is a graph; ``graph=False`` says that it has vectors.
    """
    if _is_graph(data, graph):
        settings.setdefault("write", None)
        page = label_graph(data, labels, page=True, **settings).page
    else:
        page = label_vectors(data, labels, page=True, **settings).page
    assert page is not None
    return page


def suggest(
    data: Any,
    labels: Any = None,
    count: int = 10,
    *,
    features: Any = None,
    graph: Optional[bool] = None,
    weight: Optional[str] = "weight",
    key: str = "connectivities",
    learned: Any = None,
    progress: Progress = None,
    **options: Any,
) -> List[Suggestion]:
    """Which nodes to label next, the best first; without labels, which to label first.

    data is a graph or vectors, as in :func:`report`; ``learned`` is the ``learned_graph`` of a result.
    """
    with _task(data, labels, features, weight, key, options, graph=graph, needed=False) as task:
        words = task.options(options) + [f"--count={count}", "--out=suggested.tsv"]
        if learned is not None:
            _graphs.of(learned).save(task.folder / "learned.npz")
            words.append("--learned=learned.npz")
        task.run("suggest", words, progress)
        with open(task.folder / "suggested.tsv", encoding="utf-8", newline="") as text:
            rows = list(csv.DictReader(text, delimiter="\t", quoting=csv.QUOTE_NONE))
        found = []
        for row in rows:
            i = int(row["node"])
            first, second = (task.label_of(row[c]) if task.labels is not None else None for c in ("label", "runner_up"))
            found.append(Suggestion(task.nodes[i], float(row["value"]), float(row["uncertainty"]), float(row["coverage"]), first, second))
        return found


def tune(
    data: Any,
    labels: Any,
    *,
    features: Any = None,
    graph: Optional[bool] = None,
    weight: Optional[str] = "weight",
    key: str = "connectivities",
    progress: Progress = None,
    **options: Any,
) -> Tuning:
    """Compares settings on labels that are left out: ``tune(X, y, ks=[5, 10], metrics=["l2", "cosine"])``.

    options are the flags of ``adp-sparse tune``. ``label_vectors(X, y, **tune(X, y).best)`` runs the best.
    """
    with _task(data, labels, features, weight, key, options, graph=graph) as task:
        text, _ = task.run("tune", task.options(options) + ["--json"], progress)
    found = json.loads(text)
    for warning in found["warnings"]:
        errors.warn(_flags.in_python(warning), "tune")
    command = found["command"].replace(" --log=json", "")
    for flag in task.flags:  # their files are gone
        command = command.replace(flag, flag.split("=")[0] + "=FILE" * ("=" in flag))
    best = _flags.to_options(command)
    if task.graph is not None:
        best.update({name: value for name, value, default in (("weight", weight, "weight"), ("key", key, "connectivities")) if value != default})
    return Tuning(found["settings"], found["left_out_seeds"], best, command)


def _is_graph(data: Any, graph: Optional[bool]) -> bool:
    if graph is not None:
        return graph
    if _graphs.is_frame(data):
        return _graphs.ends_of(data) is not None
    return _graphs.is_anndata(data) or _graphs.is_networkx(data) or _graphs.is_sparse(data) and data.shape[0] == data.shape[1]


def _task(
    data: Any, labels: Any, features: Any, weight: Optional[str], key: str, options: Dict[str, Any], *, graph: Optional[bool],
    named: bool = False, needed: bool = True, made: Callable[..., Labels] = labels_of,
) -> Task:  # fmt: skip
    """The task of a graph, or of vectors; labels may be None where they are not needed, else they are made by `made`. `directed` is taken out of the options."""
    directed = _flags.truth("directed", options.pop("directed", False))
    if not _is_graph(data, graph):
        if features is not None:
            raise TypeError(f"features are beside a graph, and {type(data).__name__} is none")
        x, index = _vectors.of(data), _graphs.index_of(data)
        return Task(x, None, made(labels, x.shape[0], index=index) if needed or labels is not None else None, index)
    edges = _graphs.of(data, weight, directed, key)
    if isinstance(features, str):
        if not hasattr(data, "obsm") or features not in data.obsm:
            raise ValueError(f"there is no obsm {features!r}")
        features = data.obsm[features]
    if isinstance(labels, str):
        labels = _attribute(data, labels)
    x = None
    if features is not None:
        x = _vectors.of(features)
        at = _graphs.rows_of(edges.names, _graphs.index_of(features), edges.n) if x.shape[0] == edges.n else None
        x = x if at is None else x[at]
    return Task(x, edges, made(labels, edges.n, edges.names) if needed or labels is not None else None, edges.names, named)


def _attribute(data: Any, name: str) -> Any:
    """Labels that the graph itself has: of nodes in networkx, a column in AnnData."""
    if _graphs.is_anndata(data):
        if name not in data.obs:
            raise ValueError(f"obs has no column {name!r}, but {list(data.obs.columns)[:8]}")
        return data.obs[name]
    if _graphs.is_networkx(data):
        values = {node: value for node, value in data.nodes(data=name) if value is not None}
        if not values:
            raise ValueError(f"no node has the attribute {name!r}, but {sorted({key for _, has in data.nodes(data=True) for key in has}, key=str)[:8]}")
        return values
    raise TypeError(f"labels are the text {name!r}, expected a dictionary, a series or an array")


def _label(task: Task, probabilities: bool, learned_graph: bool, page: bool, progress: Progress, options: Dict[str, Any]) -> Result:
    assert task.labels is not None
    labels: Labels = task.labels
    rows, done, learned, shown = _run(task, lambda out: Rows(out, labels, task.class_names), probabilities, learned_graph, page, progress, options)
    return Result(
        nodes=task.nodes, labels=named(rows.labels, rows.codes), confidence=rows.confidence, margin=rows.margin, report=done, classes=rows.labels.classes,
        probabilities=rows.proba, learned_graph=learned, page=shown, status_codes=rows.status_codes, statuses=rows.statuses,
    )  # fmt: skip


def _run(
    task: Task, read: Callable[[Path], Out], probabilities: bool, learned_graph: bool, page: bool, progress: Progress, options: Dict[str, Any],
) -> "tuple[Out, Dict[str, Any], Any, Optional[Page]]":  # fmt: skip
    """Runs `run`: what `read` makes of its labels in arrays, its report, and the learned graph and the page where they are wanted."""
    wanted = {"probabilities": probabilities, "learned_graph": learned_graph, "page": page}
    probabilities, learned_graph, page = (_flags.truth(name, value) for name, value in wanted.items())
    if learned_graph:
        import scipy.sparse as sp
    words = ["--out=out.npz"] + ["--proba"] * probabilities + ["--report=page.html"] * page
    words += ["--graph-out=learned.npz", "--nodes-out=nodes.txt"] * learned_graph  # the format has no names
    with task:
        _, done = task.run("run", task.options(options) + words, progress, quiet=True)
        rows = read(task.folder / "out.npz")
        learned = sp.load_npz(task.folder / "learned.npz") if learned_graph else None
        shown = Page((task.folder / "page.html").read_text("utf-8"), done) if page else None
    errors.warn_all(done["warnings"])
    return rows, done, learned, shown


def named(labels: Labels, codes: np.ndarray) -> np.ndarray:
    """The labels of classes; −1 is none, for which a place is made in arrays that have none."""
    classes = labels.classes
    if (codes >= 0).all():
        return classes[codes]
    if classes.dtype.kind in "ub":
        whole = classes.dtype.kind == "u" and classes.max() <= np.iinfo(np.int64).max
        classes = classes.astype(np.int64 if whole else object)
    return np.append(classes, np.array([labels.missing()], classes.dtype))[codes]


def _write_back(data: Any, result: Result, prefix: str) -> None:
    if _graphs.is_anndata(data):
        import pandas as pd

        labels = pd.Series(result.labels, index=data.obs_names).astype("category")
        data.obs[f"{prefix}_label"] = labels
        data.obs[f"{prefix}_confidence"] = result.confidence
        data.obs[f"{prefix}_status"] = pd.Categorical.from_codes(result.status_codes, list(result.statuses))
        if result.learned_graph is not None:
            data.obsp[f"{prefix}_learned"] = result.learned_graph
    elif _graphs.is_networkx(data):
        for node, label, confidence, status in zip(result.nodes, result.labels.tolist(), result.confidence.tolist(), result.status.tolist()):
            data.nodes[node].update({f"{prefix}_label": label, f"{prefix}_confidence": confidence, f"{prefix}_status": status})
