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


def of_edges(n: int, a: np.ndarray, b: np.ndarray, weights: Optional[np.ndarray], names: Optional[Sequence[Any]], directed: bool) -> Graph:
    """The graph of edges between rows: weights of an edge that is given more than once add up, with a warning."""
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


def _name(names: Optional[Sequence[Any]], row: int) -> Any:
    return int(row) if names is None else names[row]


def _of_networkx(g: Any, weight: Optional[str], directed: bool) -> Graph:
    names = list(g)
    at = {node: i for i, node in enumerate(names)}
    if g.is_directed() and not directed:
        raise ValueError("the graph is directed: say directed=True, which takes (W+Wᵀ)/2, or give G.to_undirected()")
    m = g.number_of_edges()
    ends = np.fromiter((at[node] for edge in g.edges() for node in edge[:2]), np.int64, 2 * m).reshape(m, 2)
    weights = None
    if weight is not None:
        weights = np.fromiter((_number(w, u, v) for u, v, w in g.edges(data=weight, default=1.0)), np.float64, m)
    return of_edges(len(names), ends[:, 0], ends[:, 1], weights, names, bool(g.is_directed()))


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


def _of_frame(frame: Any, weight: Optional[str], directed: bool, rows: Optional[int]) -> Graph:
    ends = ends_of(frame)
    if ends is None:
        raise ValueError(f"a frame with the columns {list(frame.columns)[:8]}, expected source and target (or src and dst, from and to) and, for weights, {weight!r}")
    weights = frame[weight].to_numpy() if weight is not None and weight in frame.columns else None
    if weights is not None and weights.dtype.kind not in "buif":
        raise ValueError(f"column {weight!r} of weights has dtype {weights.dtype}, expected numbers")
    both = [frame[c].to_numpy() for c in ends]
    for column, nodes in zip(ends, both):
        missing = np.flatnonzero(nodes != nodes) if nodes.dtype.kind in "fO" else np.array([], int)
        if len(missing):
            raise ValueError(f"row {missing[0]} has no node in column {column!r}")
    if rows is not None:
        return of_rows(rows, np.stack(both, 1), weights, directed)
    at: Dict[Any, int] = {}
    a, b = (np.fromiter((at.setdefault(node, len(at)) for node in column.tolist()), np.int64, len(frame)) for column in both)
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
        return _of_frame(g, weight, directed, rows)
    a = np.asarray(g)
    if rows is not None and a.ndim == 2 and a.shape[1] in (2, 3):
        if a.dtype.kind == "O":
            raise ValueError("edges have dtype object, expected row numbers")
        return of_rows(rows, a[:, :2], a[:, 2] if a.shape[1] == 3 else None, directed)
    if rows is not None:
        raise ValueError(f"edges have the shape {a.shape}, expected (m, 2), or (m, 3) with weights")
    raise TypeError(f"{type(g).__name__} is no graph: expected one of networkx, a scipy sparse matrix, a pandas frame of edges, or AnnData")
