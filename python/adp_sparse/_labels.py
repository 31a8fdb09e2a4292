"""Known labels, as a class for each node."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Number
from pathlib import Path
from typing import Any, Mapping, Optional, Sequence

import numpy as np

from . import errors
from ._graphs import index_of, is_default, is_frame, rows_of

#: Bytes of a name of a class that the program reads, and labels that are written at a time.
_LONGEST, _BLOCK = 1000, 1 << 16


@dataclass
class Labels:
    """The class of each node, −1 where it is not known, and the classes in order."""

    codes: np.ndarray
    classes: np.ndarray

    def texts(self) -> "list[str]":
        """The classes as text."""
        whole = self.classes.dtype.kind == "f" and _are_whole(self.classes)
        return [str(int(c) if whole else c) for c in self.classes.tolist()]

    def names(self) -> "list[str]":
        """What the program calls the classes: their texts, those that cannot be written as nearly as can be, and each another."""
        texts = self.texts()
        names = [_plain(text) for text in texts]
        taken = set(texts) & set(names)
        for k, text in enumerate(texts):
            if names[k] != text:
                while not names[k] or names[k] in taken:
                    names[k] += "'"
                taken.add(names[k])
        return names

    def save(self, folder: Path) -> "tuple[list[str], list[str]]":
        """Writes the labels to a file in the folder. It returns the names of their classes there, and the flags that name the file."""
        names = self.names()
        table = np.array([name.encode() for name in names] + [b""])  # −1 is the last
        with open(folder / "labels.npy", "wb") as to:
            np.lib.format.write_array_header_1_0(to, {"descr": table.dtype.str, "fortran_order": False, "shape": (len(self.codes),)})
            for first in range(0, len(self.codes), _BLOCK):
                to.write(table[self.codes[first : first + _BLOCK]].data)
        return names, ["--labels=labels.npy"]

    def missing(self) -> Any:
        """What stands for no label: −1 beside whole numbers, NaN beside others, None beside truth values and objects, else empty text."""
        kind = self.classes.dtype.kind
        if kind == "f":
            return -1.0 if _are_whole(self.classes) else np.nan
        return {"i": -1, "u": -1, "b": None, "O": None}.get(kind, "")


def _plain(text: str) -> str:
    """A text as a file of labels can have it: printable, without blanks at its ends, and not too long."""
    text = "".join(c if c.isprintable() else " " for c in text).strip()
    return text if len(text.encode()) <= _LONGEST else text[: _LONGEST // 5] + "…"


def _are_whole(values: np.ndarray) -> bool:
    return bool(np.all(values == np.floor(values)))


def _is_missing(value: Any) -> bool:
    return value is None or type(value).__name__ == "NAType" or value == "" or value != value or _is_minus_one(value)  # NAType: of pandas


def _is_minus_one(value: Any) -> bool:
    return isinstance(value, Number) and value == -1


def array_of(y: Any) -> np.ndarray:
    """Labels of any container as an array of one dimension. Lists keep their objects, of which numpy would make text."""
    if isinstance(y, np.ma.MaskedArray):
        y = y.tolist()  # None where masked
    a = np.asarray(y) if isinstance(getattr(y, "dtype", None), np.dtype) else np.array(y, dtype=object)
    if a.ndim == 2 and a.shape[1] == 1:
        a = a.ravel()
    if a.ndim != 1:
        raise ValueError(f"labels have the shape {a.shape}, expected one dimension")
    return a


def known_of(y: np.ndarray) -> np.ndarray:
    """Where a label is known: None, NaN, NA, empty text and the number −1 are none. It warns where −1 may have become something else."""
    kind = y.dtype.kind
    if kind == "O":
        known = np.fromiter((not _is_missing(v) for v in y), bool, len(y))
        if all(isinstance(v, str) for v in y[known]):
            known[known] = _not_of_numpy(y[known].astype(str))
        return known
    if kind == "U":
        return (y != "") & _not_of_numpy(y)
    if kind == "S":
        return y != b""
    if kind in "if":
        return (y == y) & (y != -1)
    if kind == "u":
        top = np.iinfo(y.dtype).max
        count = int((y == top).sum())
        if count and not (y == top - 1).any():
            message = f"{count} labels are {top}, as which {y.dtype} stores -1, and were read as a class; if they mean unknown, use y.astype(int) before -1 is put in"
            errors.warn(message, "wrapped-labels", count)
    elif kind != "b":
        raise ValueError(f"labels have dtype {y.dtype}, expected numbers or text")
    return np.ones(len(y), bool)


def _not_of_numpy(text: np.ndarray) -> np.ndarray:
    """Where text is not what numpy made of −1 or NaN, as numpy.where(known, names, -1) does: no other label is a number then."""
    made = np.isin(text, ["-1", "-1.0", "nan"])
    count = int(made.sum())
    if count and not any(map(_is_number, np.unique(text[~made]).tolist())):
        found = str(text[made][0])
        message = f"{count} labels are the text {found!r}, which numpy makes of {found}, and were taken for no label; numpy.where(known, y, '') prevents it"
        errors.warn(message, "no-labels", count)
        return ~made
    return np.ones(len(text), bool)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def of_array(y: np.ndarray, n: int) -> Labels:
    """Labels in the order of the nodes."""
    if len(y) != n:
        raise ValueError(f"{len(y)} labels, and {n} nodes")
    known = known_of(y)
    values, others = y[known], y[~known].tolist()
    if len(values) == 0:
        raise ValueError("no label is known: all are -1, NaN, None or empty")
    if values.dtype.kind == "O":
        values = _of_one_kind(values)
    if values.dtype.kind == "f" and np.isinf(values).any():
        raise ValueError(f"a label is {values[np.isinf(values)][0]}, expected finite numbers, or text (input contains infinity)")
    if values.dtype.kind == "f" and any(isinstance(v, float) and v != v for v in others) and _are_whole(values):
        values = values.astype(np.int64)  # pandas makes fractions of whole numbers where one is missing
    classes, place = np.unique(values, return_inverse=True)
    if classes.dtype.kind in "if" and len(classes) == 1 and classes[0] == 1 and any(map(_is_minus_one, others)):
        errors.warn("-1 beside 1 alone was taken for no label; if it is a class, call it otherwise", "no-labels", len(others))
    codes = np.full(n, -1, np.int32)
    codes[known] = place
    return Labels(codes, classes)


def _of_one_kind(values: np.ndarray) -> np.ndarray:
    """Objects as text, whole numbers, numbers or truth values."""
    found: np.ndarray
    for kinds, dtype in ((str, str), ((bool, np.bool_), bool), ((int, np.integer), np.int64), ((int, float, np.integer, np.floating), np.float64)):
        if all(isinstance(v, kinds) and (dtype is bool or not isinstance(v, (bool, np.bool_))) for v in values):  # type: ignore[arg-type]
            try:
                found = values.astype(dtype)
                exact = dtype is str or len(set(values)) == len(np.unique(found))
            except OverflowError:
                exact = False
            if not exact:
                raise ValueError(f"label {max(values, key=abs)!r} is past what {dtype.__name__} holds exactly: give such labels as text")
            return found
    names = sorted({type(v).__name__ for v in values})
    raise ValueError(f"labels are of {', '.join(names)}, expected one kind: text or numbers")


def is_whole(v: Any) -> bool:
    return isinstance(v, (int, np.integer)) and not isinstance(v, bool)


def of(labels: Any, n: int, nodes: Optional[Sequence[Any]] = None, index: Any = None) -> Labels:
    """Labels of n nodes: by their names in a dictionary or a series, or one a node in an array.

    nodes are the names in a graph, index is that of a frame of features. Without both names are row numbers.
    """
    if labels is None:
        raise ValueError("labels are None: this estimator requires y to be passed, but the target y is None")
    if isinstance(labels, (set, frozenset)):
        raise TypeError("labels are a set, expected a dictionary of nodes and labels")
    if is_frame(labels):
        if labels.shape[1] != 1:
            raise ValueError(f"labels have the shape {labels.shape}, expected one column")
        labels = labels.iloc[:, 0]
    names, own = index if nodes is None else nodes, None  # type: Any, Any
    if isinstance(labels, Mapping):
        own, values = list(labels), np.full(len(labels), None, object)
        for k, label in enumerate(labels.values()):
            values[k] = label
    else:
        values = array_of(labels)
        own = index_of(labels)
        if own is None or len(own) == n and _is_by_position(own, nodes, index):
            at = rows_of(nodes, None, n) if len(values) == n else None
            return of_array(values if at is None else values[at], n)
        if not own.is_unique:
            raise ValueError(f"labels have {own[own.duplicated()][0]!r} twice in their index, expected each node once")
    places = _places(own, names, n, "graph" if index is None else "index of X")
    if len(own) == n and index is not None and not isinstance(labels, Mapping):
        errors.warn("labels have the index of X in another order, and were aligned on it; labels.to_numpy() takes them by position", "aligned-labels", n)
    found = of_array(values, len(values))
    codes = np.full(n, -1, np.int32)
    codes[places] = found.codes
    return Labels(codes, found.classes)


def _is_by_position(own: Any, nodes: Optional[Sequence[Any]], index: Any) -> bool:
    """Whether a series of one label a node is in their order: it has no index that says more."""
    names = index if nodes is None else nodes
    if names is None or list(own) == list(names):
        return True
    shared = len(set(own) & set(names)) if own.is_unique else 0
    if shared == len(own) or not (is_default(own) or nodes is None and is_default(index)):
        return False
    if shared and nodes is None:
        message = f"{shared} of {len(own)} names in the index of the labels are in the index of X, and all labels were taken by position; labels.to_numpy() says that this is meant"
        errors.warn(message, "labels-by-position", len(own))
    return True


def _places(own: Sequence[Any], names: Optional[Sequence[Any]], n: int, where: str) -> np.ndarray:
    """The rows of the nodes that labels name."""
    if names is None:
        for node in own:
            if not is_whole(node) or not 0 <= node < n:
                raise ValueError(f"label of {node!r}, which is not in the graph: expected rows 0 to {n - 1}")
        return np.array(own, np.int64)
    row = {node: i for i, node in enumerate(names)}
    if len(row) < len(names):
        raise ValueError("the index of X has a name twice: labels cannot be told by it; give them as an array, one a row")
    for node in own:
        if node not in row:
            raise ValueError(f"label of {node!r}, which is not in the {where} of {n} nodes{_alike(node, row)}" + ("" if where == "graph" else "; X.to_numpy() has row numbers instead"))
    return np.array([row[node] for node in own], np.int64)


def _alike(node: Any, row: Any) -> str:
    """A hint where a node has the same text and another type."""
    for name in row:
        if str(name) == str(node):
            return f"; it has {name!r} of type {type(name).__name__}"
    return ""
