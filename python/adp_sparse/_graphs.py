"""Graphs of other libraries, as arrays. Nothing is changed in what was given."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, Optional, Sequence, Tuple

import numpy as np

from . import errors


@dataclass
class Graph:
    """A graph of n nodes, as the arrays of a scipy matrix in the format csr or coo."""

    n: int
    format: str
    arrays: Dict[str, np.ndarray]
    names: Optional[Sequence[Any]] = None  # of the nodes; None for rows 0 to n−1
    directed: bool = False

    def save(self, path: Path) -> None:
        """Writes what scipy.sparse.save_npz writes, without compression."""
        with open(path, "wb") as to:
            np.savez(to, **self.arrays, format=np.array(self.format.encode()), shape=np.array([self.n, self.n]))

    def onto(self, n: int, index: Any = None, ordered: bool = True) -> "Graph":
        """The graph whose nodes are n rows, as rows_of finds them. Rows that are no nodes have no edges."""
        at = rows_of(self.names, index, n, ordered)
        if at is None:
            if self.n != n:
                raise ValueError(f"{self.n} nodes of the graph, and {n} rows")
            return Graph(n, self.format, self.arrays, None, self.directed)
        a = self.arrays
        row, col = (a["row"], a["col"]) if self.format == "coo" else (np.repeat(np.arange(self.n), np.diff(a["indptr"])), a["indices"])
        return Graph(n, "coo", {"row": at[row], "col": at[col], "data": a["data"]}, None, self.directed)


def rows_of(names: Optional[Sequence[Any]], index: Any, n: int, ordered: bool = True) -> Optional[np.ndarray]:
    """The row of each node among n; None where nodes are in the order of the rows.

    Nodes are found by their names in the index of a frame. Else names that are whole numbers below n are rows, unless
    the index has other numbers. Else nodes are in the order of the rows, if they may be; a warning says so where
    they are numbers.
    """
    if names is None:
        return None
    lost = next((name for name in names if not _is_row(name, n)), None)
    if index is not None:
        row = {name: i for i, name in enumerate(index)}
        missing = next((name for name in names if name not in row), None)
        if missing is None and len(row) == n:
            return np.array([row[name] for name in names], np.int64)
        if not is_default(index) and (lost is not None or any(str(name).isdigit() for name in index)):
            what = f"node {missing!r} of the graph is not in the index" if len(row) == n else "the index has a name twice, by which nodes of the graph cannot be told"
            raise ValueError(what + "; without index, as by to_numpy(), rows are in the order of the nodes")
    if lost is None:
        return np.array(names).astype(np.int64)
    if not ordered:
        raise ValueError(f"edges have the end {lost!r}, expected rows 0 to {n - 1}" + (", or names of the index of X" if index is not None else ""))
    if len(names) == n and all(isinstance(name, (int, np.integer)) for name in names):
        errors.warn(f"nodes of the graph are not called 0 to {n - 1}: row i was taken for node i of list(graph), {list(names[:3])} …", "order-of-nodes", n)
    return None


def _is_row(name: Any, n: int) -> bool:
    return isinstance(name, (int, float, np.integer, np.floating)) and not isinstance(name, bool) and 0 <= float(name) < n and float(name).is_integer()


def is_default(index: Any) -> bool:
    """Whether an index is 0 to n−1, as pandas makes it."""
    return list(index) == list(range(len(index)))


def of_edges(n: int, a: np.ndarray, b: np.ndarray, weights: Optional[np.ndarray], names: Optional[Sequence[Any]], directed: bool) -> Graph:
    """The graph of edges between rows: weights of an edge that is given more than once add up, with a warning."""
    _tell_alike(names)
    a, b = np.asarray(a, np.int64), np.asarray(b, np.int64)
    w: np.ndarray = np.ones(len(a)) if weights is None else np.asarray(weights, np.float64)
    wrong = np.flatnonzero(~(np.isfinite(w) & (w >= 0)))
    if len(wrong):
        k = wrong[0]
        raise ValueError(f"edge {k}, {_name(names, a[k])!r} to {_name(names, b[k])!r}: weight {w[k]:g}, expected a finite number of at least 0")
    if not directed:
        a, b = np.minimum(a, b), np.maximum(a, b)
    key, first, place = np.unique(a * n + b, return_index=True, return_inverse=True)
    if len(key) < len(w):
        errors.warn(f"{len(w) - len(key)} further edges between the same nodes, whose weights were added", "duplicates", len(w) - len(key))
        w = np.bincount(place.ravel(), w, len(key))
    else:
        w = w[first]
    a, b = a[first], b[first]
    if not directed:
        other = a != b
        a, b, w = np.r_[a, b[other]], np.r_[b, a[other]], np.r_[w, w[other]]
    return Graph(n, "coo", {"row": a, "col": b, "data": w}, names, directed)


def _tell_alike(names: Optional[Sequence[Any]]) -> None:
    """Warns where nodes are one text in two types, as 2 and "2", which pandas makes of parts of a table."""
    if names is None or len({isinstance(name, str) for name in names}) < 2:
        return
    text = {name for name in names if isinstance(name, str)}
    alike = [name for name in names if not isinstance(name, str) and str(name) in text]
    if alike:
        message = f"{len(alike)} nodes are the same text in two types, as {alike[0]!r} and {str(alike[0])!r}, and are two nodes each; give the ends of edges one type"
        errors.warn(message, "similar-ids", len(alike))


def _name(names: Optional[Sequence[Any]], row: int) -> Any:
    return int(row) if names is None else names[row]


def _of_networkx(g: Any, weight: Optional[str], directed: bool) -> Graph:
    names = list(g)
    at = {node: i for i, node in enumerate(names)}
    if g.is_directed() and not directed:
        raise ValueError("the graph is directed: say directed=True, which takes (W+Wᵀ)/2, or give G.to_undirected()")
    ends = np.fromiter((at[node] for edge in g.edges() for node in edge[:2]), np.int64).reshape(-1, 2)  # number_of_edges() of a view can be another number
    attributes: Dict[Any, Any] = {}  # each with a value
    for *_, data in g.edges(data=True):
        attributes.update(data)
    weight = _weight_of(weight, attributes, [k for k, v in attributes.items() if isinstance(v, (int, float, np.number)) and not isinstance(v, bool)], "attributes")
    weights = None
    if weight is not None:
        weights = np.fromiter((_number(w, u, v) for u, v, w in g.edges(data=weight, default=1.0)), np.float64, len(ends))
    return of_edges(len(names), ends[:, 0], ends[:, 1], weights, names, bool(g.is_directed()))


def _weight_of(weight: Optional[str], columns: Any, numbers: Sequence[Any], kind: str) -> Any:
    """The column or attribute of edges that has their weights, in any case; None for none, with a warning where another may have them."""
    if weight is None or weight in columns:
        return weight
    alike = [c for c in columns if str(c).lower() == str(weight).lower()]
    if len(alike) == 1:
        return alike[0]
    if alike or weight != "weight":
        raise ValueError(f"edges have no {weight!r} for their weights, but {kind} {list(columns)[:8]}: name one with weight=, or say weight=None")
    if numbers:
        errors.warn(f"{kind} {list(numbers)[:8]} of edges were not read: name one with weight= if it has weights, else say weight=None", f"ignored-{kind}", len(numbers))
    return None


def _number(value: Any, a: Any, b: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise ValueError(f"edge {a!r} to {b!r}: weight {value!r}, expected a number") from None


#: Titles of the ends of edges, as the program knows them.
_ENDS = (("source", "target"), ("src", "dst"), ("from", "to"))


def ends_of(frame: Any) -> Optional[Tuple[str, str]]:
    """The columns of a frame that are the ends of edges."""
    columns = {str(c).lower(): c for c in frame.columns}
    for a, b in _ENDS:
        if a in columns and b in columns:
            return columns[a], columns[b]
    return None


def _of_frame(frame: Any, weight: Optional[str], directed: bool) -> Graph:
    ends = ends_of(frame)
    if ends is None:
        raise ValueError(f"a frame with the columns {list(frame.columns)[:8]}, expected source and target (or src and dst, from and to) and, for weights, {weight!r}")
    others = {c: getattr(kind, "kind", "O") for c, kind in zip(frame.columns, frame.dtypes) if c not in ends}
    weight = _weight_of(weight, others, [c for c, kind in others.items() if kind in "uif"], "columns")
    for column in frame.columns[frame.columns.duplicated()]:
        if column in ends or column == weight:
            raise ValueError(f"edges have two columns {column!r}, expected one")
    weights = None
    if weight is not None:
        if others[weight] not in "buif":
            raise ValueError(f"column {weight!r} of weights has dtype {frame[weight].dtype}, expected numbers")
        weights = frame[weight].to_numpy(dtype=np.float64, na_value=np.nan)  # NA of Int64 too
    for column in ends:
        missing = np.flatnonzero(frame[column].isna())
        if len(missing):
            raise ValueError(f"row {missing[0]} has no node in column {column!r}")
    at: Dict[Any, int] = {}
    a, b = (np.fromiter((at.setdefault(node, len(at)) for node in frame[column].tolist()), np.int64, len(frame)) for column in ends)
    return of_edges(len(at), a, b, weights, list(at), directed)


def of_rows(n: int, ends: np.ndarray, weights: Optional[np.ndarray], directed: bool) -> Graph:
    """The graph of edges whose ends are rows 0 to n−1."""
    if ends.dtype.kind not in "iu":
        whole = ends.dtype.kind == "f" and bool(np.all(ends == np.floor(ends)))
        if not whole:
            raise ValueError(f"ends of edges have dtype {ends.dtype}, expected row numbers")
        ends = ends.astype(np.int64)
    wrong = np.flatnonzero((ends < 0) | (ends >= n))
    if len(wrong):
        k = wrong[0]
        raise ValueError(f"edge {k // 2} has the end {ends.ravel()[k]}, expected rows 0 to {n - 1}")
    return of_edges(n, ends[:, 0], ends[:, 1], weights, None, directed)


def _of_matrix(matrix: Any, directed: bool) -> Graph:
    if matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"the matrix of a graph has the shape {matrix.shape}, expected as many rows as columns")
    m = matrix.tocsr()
    if m.dtype.kind not in "buif":
        raise ValueError(f"the matrix has dtype {m.dtype}, expected numbers")
    if not m.has_canonical_format:
        m = m.copy() if m is matrix else m
        m.sum_duplicates()
    data = m.data if m.dtype.kind != "b" else m.data.astype(np.float32)
    return Graph(m.shape[0], "csr", {"indices": m.indices, "indptr": m.indptr, "data": data}, None, directed)


def is_anndata(g: Any) -> bool:
    return hasattr(g, "obsp") and hasattr(g, "obs") and hasattr(g, "obs_names")


def is_networkx(g: Any) -> bool:
    return hasattr(g, "adj") and hasattr(g, "is_directed") and hasattr(g, "number_of_edges")


def is_sparse(g: Any) -> bool:
    return hasattr(g, "tocsr") and hasattr(g, "nnz")


def is_frame(g: Any) -> bool:
    return hasattr(g, "columns") and hasattr(g, "iloc")


def index_of(x: Any) -> Any:
    """The index of a frame or a series; None for what has none."""
    return x.index if hasattr(x, "iloc") else None


def of(g: Any, weight: Optional[str] = "weight", directed: bool = False, key: str = "connectivities", rows: Optional[int] = None) -> Graph:
    """The graph of anything that :func:`adp_sparse.label_graph` takes. Edges whose ends are rows need their number."""
    if isinstance(g, Graph):
        return g
    if is_anndata(g):
        if key not in g.obsp:
            raise ValueError(f"obsp has no {key!r}, but {sorted(map(str, g.obsp.keys()))}; scanpy.pp.neighbors makes connectivities")
        graph = _of_matrix(g.obsp[key], directed)
        graph.names = list(g.obs_names)
        return graph
    if is_networkx(g):
        return _of_networkx(g, weight, directed)
    if is_sparse(g):
        return _of_matrix(g, directed)
    if is_frame(g):
        return _of_frame(g, weight, directed)
    a = np.asarray(g)
    if rows is not None and a.ndim == 2 and a.shape[1] in (2, 3):
        if a.dtype.kind == "O":
            raise ValueError("edges have dtype object, expected row numbers")
        return of_rows(rows, a[:, :2], a[:, 2] if a.shape[1] == 3 else None, directed)
    if rows is not None:
        raise ValueError(f"edges have the shape {a.shape}, expected (m, 2), or (m, 3) with weights")
    raise TypeError(f"{type(g).__name__} is no graph: expected one of networkx, a scipy sparse matrix, a pandas frame of edges, or AnnData")


def between(g: Any, n: int, index: Any = None, weight: Optional[str] = "weight", directed: bool = False, edges: bool = True) -> Graph:
    """The graph between n rows: of edges, whose ends are rows or names of the index, or of a graph, whose nodes may be in the order of the rows."""
    return of(g, weight, directed, rows=n if edges else None).onto(n, index, ordered=not (edges and is_frame(g)))
