"""What a command of the program works on: vectors, a graph or both, with labels, in a private folder."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Sequence

import numpy as np

from . import _flags, _graphs, _program, _vectors
from ._labels import Labels
from ._progress import Progress


class Task:
    """Inputs of a command. The folder and all that is in it go with the `with` block, however it ends.

    nodes are the names of the rows, for the program where named; parameters those of the caller for flags (:func:`_flags.in_python`).
    """

    def __init__(
        self, x: Any = None, graph: Optional[_graphs.Graph] = None, labels: Optional[Labels] = None, nodes: Optional[Sequence[Any]] = None,
        named: bool = False, parameters: Optional[Mapping[str, str]] = None,
    ) -> None:  # fmt: skip
        self.x, self.graph, self.labels, self.parameters = x, graph, labels, parameters
        self.n = graph.n if graph is not None else x.shape[0]
        self.nodes = range(self.n) if nodes is None else nodes
        self.names = nodes if named else None  # for the program
        if graph is not None and x is not None and x.shape[0] != graph.n:
            raise ValueError(f"{x.shape[0]} rows of features, and {graph.n} nodes of the graph")
        self.class_names: List[str] = []

    def __enter__(self) -> "Task":
        self._held = tempfile.TemporaryDirectory(prefix="adp-sparse-")  # mode 700
        self.folder = Path(self._held.name)
        try:
            self.flags = self._write()
        except BaseException:
            self._held.cleanup()
            raise
        return self

    def __exit__(self, *why: Any) -> None:
        self._held.cleanup()

    def _write(self) -> List[str]:
        words = []
        if self.graph is not None:
            self.graph.save(self.folder / "graph.npz")
            words.append("--graph=graph.npz")
            if self.graph.directed:
                words.append("--directed")
        if self.x is not None:
            words.append(f"--features={self.path(_vectors.save(self.x, self.folder / 'features.npy'))}")
        if self.labels is not None:
            self.class_names, of_labels = self.labels.save(self.folder)
            words += of_labels
        if self.names is not None:
            names = [str(name) for name in self.names]
            if len(set(names)) == len(names) and all(name.isprintable() and name.strip() == name != "" for name in names):
                (self.folder / "names.txt").write_text("".join(name + "\n" for name in names), "utf-8")
                words.append("--nodes=names.txt")
        return words

    def path(self, path: Path) -> str:
        """The name of a file for the program, which runs in the folder."""
        return path.name if path.parent == self.folder else str(path)

    def run(self, command: str, words: List[str], progress: Progress = None, quiet: bool = False) -> "tuple[str, Dict[str, Any]]":
        return _program.run(command, self.flags + words, self.folder, progress, quiet, self.parameters)

    def options(self, options: Mapping[str, Any]) -> List[str]:
        """Options as flags: the classes in class_prior and missing by their names in the file of labels."""
        prior, missing = options.get("class_prior"), options.get("missing")
        if isinstance(prior, Mapping) and self.labels is not None:
            names = dict(zip(self.labels.classes.tolist(), self.class_names))
            options = {**options, "class_prior": {names.get(label, label): share for label, share in prior.items()}}
        if missing is not None and self.labels is not None:
            names = dict(zip(self.labels.texts(), self.class_names))
            options = {**options, "missing": [names.get(text, text) for text in _flags.words_of(missing)]}
        return _flags.of(options)

    def label_of(self, name: str) -> Any:
        """The label whose name in the file of labels this is; None for none."""
        assert self.labels is not None
        return class_of(name, dict(zip(self.class_names, self.labels.classes.tolist()))) if name else None


def class_of(name: str, given: Mapping[str, Any]) -> Any:
    """The class that the program calls by a name: the one given by this name, or what `match` made of some."""
    if name in given:
        return given[name]
    kind = type(next(iter(given.values())))
    return name == "true" if kind is bool else kind(name)


class Rows:
    """Labels that the program wrote, an array each.

    `labels` are the known ones as the run took them: without those that `missing` dropped, and with those that
    `match` merged as one. `names` are what the program calls the classes.
    """

    def __init__(self, path: Path, labels: Labels, names: Sequence[str]) -> None:
        with np.load(path, allow_pickle=False) as archive:
            about = json.loads(bytes(archive["about"]))
            told, kind, given = about["classes"], labels.classes.dtype, dict(zip(names, labels.classes.tolist()))
            classes = np.array([class_of(name, given) for name in told], str if kind.kind == "U" else kind)
            order = np.argsort(classes, kind="stable")
            place = np.append(np.argsort(order), -1).astype(np.int32)  # −1 is the last
            self.codes = place[archive["label"]]
            self.confidence, self.margin = archive["confidence"], archive["margin"]
            self.status_codes, self.statuses = archive["status"], about["statuses"]
            known = self.status_codes == self.statuses.index("seed")
            self.labels, self.names = Labels(np.where(known, self.codes, np.int32(-1)), classes[order]), [told[k] for k in order]
            self.proba: Optional[np.ndarray] = None
            if "proba" in archive:
                found = archive["proba"]
                self.proba = found if np.array_equal(order, np.arange(found.shape[1])) else found[:, order]
