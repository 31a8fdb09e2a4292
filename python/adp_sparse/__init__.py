"""Labels for all nodes of a graph from the labels of a few, by the program adp-sparse.

>>> import adp_sparse
>>> labels = adp_sparse.label_graph(G, {"anna": "red", "ben": "blue"})    # networkx, scipy, pandas, AnnData
>>> labels = adp_sparse.label_vectors(X, y)                              # y: -1 where unknown
>>> model = adp_sparse.ADPClassifier().fit(X, y)                         # an estimator of scikit-learn

The work is done by the program, which this package starts: see :func:`program` for where it is looked for.
"""

from __future__ import annotations

from typing import Any

from ._functions import label_graph, label_vectors, report, suggest, tune
from ._program import program, version
from ._sets import SetResult, label_sets
from ._results import Explanation, Method, Page, Result, Suggestion, Tuning
from .errors import (
    AdpSparseError,
    AdpSparseWarning,
    DataError,
    FileError,
    InternalError,
    MemoryLimitError,
    NotConverged,
    ProgramKilled,
    ProgramNotFound,
)

__version__ = "0.1.0"

__all__ = [
    "ADPClassifier",
    "AdpSparseError",
    "AdpSparseWarning",
    "DataError",
    "Explanation",
    "FileError",
    "InternalError",
    "MemoryLimitError",
    "Method",
    "NotConverged",
    "Page",
    "ProgramKilled",
    "ProgramNotFound",
    "Result",
    "SetResult",
    "Suggestion",
    "Tuning",
    "label_graph",
    "label_sets",
    "label_vectors",
    "program",
    "report",
    "suggest",
    "tune",
    "version",
]


def __getattr__(name: str) -> Any:
    if name == "ADPClassifier":  # it needs scikit-learn, and the rest does not
        from ._classifier import ADPClassifier

        return ADPClassifier
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
