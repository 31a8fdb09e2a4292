"""Nodes with several labels each."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence

import numpy as np

from . import errors
from ._functions import _run, _task
from ._graphs import index_of, is_frame
from ._labels import Labels, _places, array_of, known_of, of_array
from ._progress import Progress
from ._task import class_of


@dataclass
class Sets(Labels):
    """Known labels: the class of each in codes, its node in rows."""

    rows: np.ndarray = field(default_factory=lambda: np.array([], np.int64))

    def save(self, folder: Path) -> "tuple[list[str], list[str]]":
        names = self.names()
        with open(folder / "labels.tsv", "w", encoding="utf-8", newline="") as to:  # names have no tabs or line ends
            to.writelines(f"{row}\t{names[code]}\n" for row, code in zip(self.rows.tolist(), self.codes.tolist()))
        return names, ["--labels=labels.tsv", "--multilabel"]


@dataclass
class SetResult:
    """The labels of each node, in the order of ``nodes``; known ones in the order of classes, others the most probable first, none where no known label reaches."""

    nodes: Sequence[Any]
    labels: List[List[Any]]
    classes: np.ndarray
    #: n×classes: whether a node has a label.
    indicator: np.ndarray = field(repr=False)
    #: The probability of each label, in the order of ``labels``, and by how much it is above the least that counts.
    confidence: List[List[float]] = field(repr=False)
    margin: List[List[float]] = field(repr=False)
    status_codes: np.ndarray = field(repr=False)
    statuses: Sequence[str] = field(repr=False)
    #: What the program reports (docs/report.md), with micro- and macro-F1 of left-out nodes.
    report: Dict[str, Any] = field(repr=False)
    #: n×classes: the probability that a node has a label; if ``probabilities=True``.
    probabilities: Optional[np.ndarray] = field(default=None, repr=False)
    learned_graph: Any = field(default=None, repr=False)

    @property
    def status(self) -> np.ndarray:
        """``seed``, ``predicted``, ``uncertain`` or ``unreached``."""
        return np.array(self.statuses)[self.status_codes]

    def __len__(self) -> int:
        return len(self.labels)

    def to_dict(self) -> Dict[Any, List[Any]]:
        """The labels of each node."""
        return dict(zip(self.nodes, self.labels))

    def to_frame(self) -> Any:
        """A pandas frame with a row for each label of each node."""
        import pandas as pd

        status = self.status
        rows = [(node, *one, status[i]) for i, node in enumerate(self.nodes) for one in zip(self.labels[i], self.confidence[i], self.margin[i])]
        return pd.DataFrame(rows, columns=["node", "label", "confidence", "margin", "status"])

    def __repr__(self) -> str:
        return f"<SetResult: {len(self):,} nodes in {len(self.classes)} classes, {self.indicator.sum() / max(len(self), 1):.2f} labels a node>"


def label_sets(
    data: Any,
    labels: Any,
    *,
    features: Any = None,
    graph: Optional[bool] = None,
    weight: Optional[str] = "weight",
    key: str = "connectivities",
    probabilities: bool = False,
    learned_graph: bool = False,
    progress: Progress = None,
    **options: Any,
) -> SetResult:
    """Gives each node or row its labels, of which it may have several: ``label_sets(G, known)`` or ``label_sets(X, Y)``.

    data
        A graph or vectors, as in :func:`report`; ``features`` beside a graph.
    labels
        A dictionary of nodes and lists of labels; a list of them for each node, None where unknown; or a matrix of 0
        and 1 with a column for each class, whose rows are 0, −1 or NaN where nothing is known. The columns of a
        frame name the classes. Nodes that have none of the labels need a label that says so.
    probabilities
        Whether the result has the probability of each class at each node.
    options
        Flags of ``adp-sparse run``, as in :func:`label_graph`.
    """
    task = _task(data, labels, features, weight, key, options, graph=graph, made=of)
    given = task.labels
    assert given is not None
    arrays, done, learned, _ = _run(task, _arrays, probabilities, learned_graph, False, progress, options)
    about = json.loads(bytes(arrays["about"]))
    named = dict(zip(task.class_names, given.classes.tolist()))
    told = [class_of(name, named) for name in about["classes"]]
    where = {label: j for j, label in enumerate(given.classes.tolist())}
    place = np.array([where[label] for label in told] + [-1])  # −1 is the last
    codes, node = place[arrays["label"]], arrays["node"]
    result = SetResult(
        nodes=task.nodes, labels=[[] for _ in range(task.n)], classes=given.classes, indicator=np.zeros((task.n, len(given.classes)), bool),
        confidence=[[] for _ in range(task.n)], margin=[[] for _ in range(task.n)], status_codes=np.zeros(task.n, np.uint8),
        statuses=about["statuses"], report=done, learned_graph=learned,
    )  # fmt: skip
    result.status_codes[node] = arrays["status"]
    known = codes >= 0
    result.indicator[node[known], codes[known]] = True
    values = given.classes.tolist()
    for i, code, confidence, margin in zip(node[known].tolist(), codes[known].tolist(), arrays["confidence"][known].tolist(), arrays["margin"][known].tolist()):
        result.labels[i].append(values[code])
        result.confidence[i].append(confidence)
        result.margin[i].append(margin)
    if "proba" in arrays:
        result.probabilities = np.zeros((task.n, len(given.classes)), np.float32)
        result.probabilities[:, place[:-1]] = arrays["proba"]
    return result


def _arrays(path: Path) -> Dict[str, np.ndarray]:
    with np.load(path, allow_pickle=False) as archive:
        return {name: archive[name] for name in archive.files}


def of(labels: Any, n: int, nodes: Optional[Sequence[Any]] = None, index: Any = None) -> Sets:
    """The known labels of n nodes; nodes and index are as in :func:`_labels.of`."""
    if labels is None:
        raise ValueError("labels are None, expected lists of labels, or a matrix with a column for each class")
    if is_frame(labels) or len(getattr(labels, "shape", ())) == 2:
        return _of_matrix(labels, n, nodes, index)
    if isinstance(labels, Mapping):
        rows, lists = _places(list(labels), index if nodes is None else nodes, n, "graph" if index is None else "index of X"), list(labels.values())
    else:
        lists, own = list(labels), index_of(labels)
        if own is not None:
            return of(dict(zip(own, lists)), n, nodes, index)
        if len(lists) != n:
            raise ValueError(f"{len(lists)} lists of labels, and {n} nodes")
        rows = np.arange(n)
    at: List[int] = []
    flat: List[Any] = []
    for row, one in zip(rows.tolist(), lists):
        for label in _listed(one):
            at.append(row)
            flat.append(label)
    if not flat:
        raise ValueError("no label is known: all lists are empty, or None")
    values = array_of(flat)
    if not known_of(values).all():
        raise ValueError(f"a list of labels has {values[~known_of(values)][0]!r}, expected labels; a node of which nothing is known has an empty list, or None")
    found = of_array(values, len(values))
    return _once(Sets(found.codes, found.classes, np.array(at, np.int64)))


def _listed(one: Any) -> Iterator[Any]:
    """The labels of a node: of a list, a tuple, a set or an array, or one by itself."""
    if isinstance(one, (list, tuple, set, frozenset, np.ndarray)):
        return iter(sorted(one, key=str) if isinstance(one, (set, frozenset)) else list(one))
    single = array_of([one])
    return iter([one] if known_of(single).all() else [])


def _of_matrix(labels: Any, n: int, nodes: Optional[Sequence[Any]], index: Any) -> Sets:
    classes, own = None, index_of(labels)
    if is_frame(labels):
        classes = of_array(array_of(list(labels.columns)), labels.shape[1]).classes
        order = [classes.tolist().index(c) for c in labels.columns.tolist()]
        values = np.empty(labels.shape, np.float64)
        values[:, order] = labels.to_numpy(np.float64)
    else:
        values = np.asarray(labels.toarray() if hasattr(labels, "toarray") else labels, np.float64)
    if values.shape[1] < 1 or classes is not None and len(classes) != values.shape[1]:
        raise ValueError(f"labels have the shape {values.shape}, expected a column for each class, of another name each")
    rows: Any = np.arange(n)
    names = index if nodes is None else nodes
    if own is not None and (len(values) != n or names is not None and list(own) != list(names)):
        rows = _places(own, names, n, "graph" if index is None else "index of X")
    elif len(values) != n:
        raise ValueError(f"{len(values)} rows of labels, and {n} nodes")
    unknown = (values == -1) | np.isnan(values)
    if not (unknown | (values == 0) | (values == 1)).all():
        raise ValueError(f"a matrix of labels has {values[~(unknown | (values == 0) | (values == 1))][0]}, expected 0 and 1, and -1 or NaN where nothing is known")
    part = unknown.any(1) & ~unknown.all(1)
    if part.any():
        raise ValueError(f"row {int(np.flatnonzero(part)[0])} of the labels is known in part, expected 0 and 1, or -1 or NaN in the whole row")
    at, codes = np.nonzero(values == 1)
    if len(at) == 0:
        raise ValueError("no label is known: no row has a 1")
    empty = int((values == 0).all(1).sum())
    if empty and unknown.any():
        errors.warn(f"{empty} rows of the labels are 0 beside others of -1 or NaN, and nothing was taken to be known of them; nodes that have none of the labels need a label that says so", "no-labels", empty)
    without = np.flatnonzero(~(values == 1).any(0))
    if len(without):
        errors.warn(f"{len(without)} of {values.shape[1]} classes have no known label, and no node gets them: the first is column {without[0]}", "no-labels", len(without))
    return Sets(codes.astype(np.int32), np.arange(values.shape[1]) if classes is None else classes, rows[at])


def _once(sets: Sets) -> Sets:
    """Each label of a node once, in the order of nodes."""
    pairs = np.unique(np.stack([sets.rows, sets.codes]), axis=1)
    return Sets(pairs[1].astype(np.int32), sets.classes, pairs[0])

