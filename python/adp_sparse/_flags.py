"""Options of Python as flags of the program, and what the program says of flags in words of Python."""

from __future__ import annotations

import csv
import os
import re
import shlex
from typing import Any, Callable, Dict, List, Mapping, Optional, Tuple, Union

Flag = Union[None, bool, str, int, float, os.PathLike, List[Any], Tuple[Any, ...], Dict[Any, Any]]

#: Flags that this package sets itself.
_OWN = {
    "out", "graph_out", "nodes_out", "model", "report", "labels", "edges", "graph", "features", "points", "neighbors", "distances",
    "similarities", "nodes", "node", "learned", "log", "quiet", "verbose", "json", "config", "index_base", "multilabel", "proba", "checkpoint",
    "resume", "warm", "pictures", "format", "array", "help", "csv_safe",
}  # fmt: skip

#: Flags of files alone, and what does the same here.
_OF_FILES = {
    "duplicates": "edges that are given twice add up; for others give the graph with each edge once",
    "unknown_labels": "leave out labels of other nodes, as by {node: label for node, label in labels.items() if node in G}",
}  # fmt: skip

#: What else to say, for names that other packages or the program have.
_INSTEAD = {
    "n_jobs": "threads", "n_neighbors": "k", "verbose": "progress=True (of ADPClassifier verbose=True)", "proba": "probabilities=True",
    "graph_out": "learned_graph=True", "report": "page=True",
}  # fmt: skip

#: Flags that are parameters of ADPClassifier. All others are in its options.
ESTIMATOR = {"method": "method", "k": "n_neighbors", "metric": "metric", "graph_kind": "graph_kind", "alpha": "alpha", "threads": "n_jobs"}


def of(options: Mapping[str, Flag]) -> List[str]:
    """Options as flags: graph_kind="l1" is --graph-kind=l1, directed=True is --directed=true."""
    words = []
    for name, value in options.items():
        key = name.replace("-", "_")
        if key in _OWN or key in _INSTEAD:
            why = "is set by adp_sparse itself" if key in _OWN else "is not known"
            raise TypeError(f"option {name!r} {why}" + (f": say {_INSTEAD[key]}" if key in _INSTEAD else ""))
        if key in _OF_FILES:
            raise TypeError(f"option {name!r} is for files: {_OF_FILES[key]}")
        value = getattr(value, "tolist", lambda value=value: value)()  # of numpy and pandas
        if value is None:
            continue
        if key == "scratch" and not isinstance(value, (str, os.PathLike)):
            raise TypeError(f"{name}={value!r}, expected the name of a folder")
        if isinstance(value, os.PathLike) or key == "scratch":
            value = os.path.abspath(value)  # type: ignore[arg-type]
        elif isinstance(value, bool):
            value = "true" if value else "false"
        elif isinstance(value, dict):
            value = ",".join(_pair(f"{k}={v}") for k, v in value.items())
        elif isinstance(value, (list, tuple, range)):
            value = ",".join(_pair(str(v)) for v in value)
        words.append(f"--{name.replace('_', '-')}={value}")
    return words


def words_of(value: Any) -> List[str]:
    """The words of an option that takes several, given as one text with commas or as a list."""
    if not isinstance(value, str):
        return [str(v) for v in (value if hasattr(value, "__iter__") else [value])]
    try:
        return next(csv.reader([value], strict=True), [])
    except csv.Error as wrong:
        raise ValueError(f"{value!r}, expected names with commas between them, or a list of names: {wrong}") from None


def truth(name: str, value: Any) -> bool:
    """A parameter that is True or False, which a text is not."""
    if type(value).__name__ not in ("bool", "bool_"):  # bool_: of numpy
        raise TypeError(f"{name}={value!r}, expected True or False")
    return bool(value)


def _pair(text: str) -> str:
    return '"' + text.replace('"', '""') + '"' if any(c in text for c in ',"') else text


def _unknown(m: "re.Match[str]") -> str:
    return f"option {m[1].replace('-', '_')!r} is not known, expected a flag of adp-sparse {m[3]}" + (f"; did you mean {m[2]}?" if m[2] else "")


#: Texts of the program that are of its files or its command line, and what they mean for a caller of this package.
_TEXTS: List[Tuple[str, Union[str, Callable[["re.Match[str]"], str]]]] = [
    (r'invalid argument "([^"]*)" for "--([\w-]+)" flag: ', r"--\2 '\1', "),
    (r"unknown flag: --([\w-]+)(?:; did you mean (--[\w-]+))?.* adp-sparse help (\w+)", _unknown),
    (r"^fitted\.np[yz]: .*other values than those.*", "X was changed in place after fit: fit again, or give fit a copy"),
    (r"\b(graph|features|labels|learned)\.np[yz]\b", r"\1"),
    (r"\b[a-z]+: invalid (?:options|features): ", ""),
    (r"leave it out of the file(?:, and name the points with --nodes FILE)?", "leave it out of X"),
    (r"leave it out with --drop-columns", "leave it out of X"),
    (r"without --model it does", "with inductive=False it does"),
    (r"--graph-out is", "the learned graph is"),
]

#: A flag, with the value where one follows that cannot be read as a verb.
_FLAG = re.compile(
    r'"[^"]*"|'  # what users call things stays
    r"""(?<![\w-])--(?P<flag>[a-z][a-z-]*)(?:[ =](?P<value>"[^"]*"|'[^']*'|-?\d+(?:\.\d+)?\b|(?<=--missing.)\S+|\S+(?=,\ expected)|"""
    r"""(?:none|auto|seeds|equal|columns|case|number|solve|leave|mst|lgc|gfhf|adp1?|dense|poisson|knn|l1|lle|l2|manhattan|cosine(?:-idf)?|ip|exact|approx|fast|full)\b))?"""
)


def in_python(text: str, parameters: Optional[Mapping[str, str]] = None) -> str:
    """A text of the program for a caller in Python: `--select none` is select="none".

    parameters name the flags that are parameters; other flags are in `options` then. Without them all
    flags are keywords.
    """

    def said(m: "re.Match[str]") -> str:
        if m["flag"] is None:
            return m[0]
        name, value = m["flag"].replace("-", "_"), m["value"]
        if name == "directed":
            value = "true"
        if value is not None:
            value = value.strip("'\"")
            value = {"true": "True", "false": "False"}.get(value) or (value if re.fullmatch(r"-?\d+(\.\d+)?", value) else f'"{value}"')
        if parameters is None or name in parameters or name in _OWN:
            name = (parameters or {}).get(name, name)
            return name if value is None else f"{name}={value}"
        return f'options["{name}"]' if value is None else f'options={{"{name}": {value}}}'

    for pattern, to in _TEXTS:
        text = re.sub(pattern, to, text)
    return _FLAG.sub(said, text)


def to_options(command: str) -> Dict[str, Any]:
    """The flags of a command as options, but for those that this package sets: --graph-kind knn --k=5."""
    words = [part for word in shlex.split(command) for part in (word.split("=", 1) if word.startswith("--") else [word])]
    found: Dict[str, Any] = {}
    for name, value in zip(words, words[1:] + ["--"]):
        if name.startswith("--") and name[2:].replace("-", "_") not in _OWN:
            found[name[2:].replace("-", "_")] = True if value == "true" or value.startswith("--") else value
    return found
