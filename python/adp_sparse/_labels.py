"""Known labels, as a class for each node."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Mapping, Optional, Sequence

import numpy as np

from . import errors

#: Bytes of the file of labels up to which it has their names.
_MOST_TEXT = 256 << 20


@dataclass
class Labels:
    """The class of each node, −1 where it is not known, and the classes in order."""

    codes: np.ndarray
    classes: np.ndarray

    def save(self, path: Path) -> "list[str]":
        """Writes the labels, and returns the names of the classes in the file: their own, or their places where those are no good names."""
        whole = self.classes.dtype.kind == "f" and _are_whole(self.classes)
        names = [str(int(c) if whole else c) for c in self.classes.tolist()]
        width = max(map(len, names), default=1)
        good = len(set(names)) == len(names) and all(name.isprintable() and name.strip() == name != "" for name in names)
        if good and 4 * width * len(self.codes) <= _MOST_TEXT:
            np.save(path, np.array(names + [""], f"U{width}")[self.codes])  # −1 is the last
            return names
        np.save(path, self.codes.astype(np.int32, copy=False))
        return [str(k) for k in range(len(names))]

    def missing(self) -> Any:
        """What stands for no label: −1 beside whole numbers, NaN beside others, None beside truth values and objects, else empty text."""
        kind = self.classes.dtype.kind
        if kind == "f":
            return -1.0 if _are_whole(self.classes) else np.nan
        return {"i": -1, "u": -1, "b": None, "O": None}.get(kind, "")


def _are_whole(values: np.ndarray) -> bool:
    return bool(np.all(values == np.floor(values)))


def _is_missing(value: Any) -> bool:
    return value is None or type(value).__name__ == "NAType" or value == "" or value != value  # NAType: of pandas


def known_of(y: np.ndarray) -> np.ndarray:
    """Where a label is known: −1, NaN, None and empty text are none."""
    kind = y.dtype.kind
    if kind in "iu":
        return y != -1
    if kind == "f":
        return (y == y) & (y != -1)
    if kind in "US":
        return y != y.dtype.type()
    if kind == "O":
        return np.fromiter((not _is_missing(v) and not (_is_whole(v) and v == -1) for v in y), bool, len(y))
    if kind == "b":
        return np.ones(len(y), bool)
    raise ValueError(f"labels have dtype {y.dtype}, expected numbers or text")


def warn_of_one(y: np.ndarray, known: np.ndarray, classes: np.ndarray) -> None:
    """Warns where −1 may have been a class."""
    if y.dtype.kind in "if" and not known.all() and len(classes) == 1 and classes[0] == 1:
        errors.warn("-1 beside 1 alone was taken for no label; if it is a class, call it otherwise", "no-labels", int(len(y) - known.sum()))


def of_array(y: Any, n: int) -> Labels:
    """Labels in the order of the nodes: −1, NaN, None and empty text are unknown."""
    y = np.asarray(y.to_numpy() if hasattr(y, "to_numpy") else y)
    if y.ndim != 1:
        raise ValueError(f"labels have the shape {y.shape}, expected one dimension")
    if len(y) != n:
        raise ValueError(f"{len(y)} labels, and {n} nodes")
    known = known_of(y)
    values = y[known]
    if values.dtype.kind == "O":
        values = _of_one_kind(values)
    if len(values) == 0:
        raise ValueError("no label is known: all are -1, NaN, None or empty")
    if values.dtype.kind == "f" and y.dtype.kind == "f" and np.isnan(y).any() and _are_whole(values):
        values = values.astype(np.int64)  # pandas makes fractions of whole numbers where one is missing
    classes, place = np.unique(values, return_inverse=True)
    warn_of_one(y, known, classes)
    codes = np.full(n, -1, np.int32)
    codes[known] = place
    return Labels(codes, classes)


def _of_one_kind(values: np.ndarray) -> np.ndarray:
    """Objects as text, whole numbers, numbers or truth values."""
    for kinds, dtype in ((str, str), ((bool, np.bool_), bool), ((int, np.integer), np.int64), ((int, float, np.integer, np.floating), np.float64)):
        if all(isinstance(v, kinds) and (dtype is bool or not isinstance(v, (bool, np.bool_))) for v in values):  # type: ignore[arg-type]
            return values.astype(dtype)
    found = sorted({type(v).__name__ for v in values})
    raise ValueError(f"labels are of {', '.join(found)}, expected one kind: text or numbers")


def _is_whole(v: Any) -> bool:
    return isinstance(v, (int, np.integer)) and not isinstance(v, bool)


def of(labels: Any, names: Optional[Sequence[Any]], n: int) -> Labels:
    """Labels of nodes: by their names in a dictionary or a series, or in the order of the nodes."""
    if hasattr(labels, "index") and hasattr(labels, "to_dict") and not isinstance(labels, Mapping):  # a series
        if names is None and len(labels) == n:
            return of_array(labels, n)
        labels = labels.to_dict()
    if not isinstance(labels, Mapping):
        if names is not None and isinstance(labels, (set, frozenset)):
            raise TypeError("labels are a set, expected a dictionary of nodes and labels")
        return of_array(labels, n)
    row = {} if names is None else {node: i for i, node in enumerate(names)}
    values = np.full(n, None, object)
    for node, label in labels.items():
        if names is None:
            if not _is_whole(node) or not 0 <= node < n:
                raise ValueError(f"label of {node!r}, which is not in the graph: expected rows 0 to {n - 1}")
            values[node] = label
        else:
            try:
                values[row[node]] = label
            except KeyError:
                raise ValueError(f"label of {node!r}, which is not in the graph of {n} nodes{_alike(node, row)}") from None
    return of_array(values, n)


def _alike(node: Any, row: Any) -> str:
    """A hint where a node has the same text and another type."""
    for name in row:
        if str(name) == str(node):
            return f"; it has {name!r} of type {type(name).__name__}"
    return ""
