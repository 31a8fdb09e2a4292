"""What a command of the program works on: vectors, a graph or both, with labels, in a private folder."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence

import numpy as np

from . import _graphs, _program, _vectors
from ._labels import Labels
from ._progress import Progress


class Task:
    """Inputs of a command. The folder and all that is in it go with the `with` block, however it ends."""

    def __init__(self, x: Any = None, graph: Optional[_graphs.Graph] = None, labels: Optional[Labels] = None, nodes: Optional[Sequence[Any]] = None, named: bool = False) -> None:
        self.x, self.graph, self.labels = x, graph, labels
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
            self.class_names = self.labels.save(self.folder / "labels.npy")
            words.append("--labels=labels.npy")
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
        return _program.run(command, self.flags + words, self.folder, progress, quiet)

    def options(self, options: Dict[str, Any]) -> List[str]:
        """Options as flags; class_prior has the classes by the names that the program knows."""
        prior = options.get("class_prior")
        if isinstance(prior, dict) and self.labels is not None:
            name = dict(zip(self.labels.classes.tolist(), self.class_names))
            options = {**options, "class_prior": {name.get(label, label): share for label, share in prior.items()}}
        return _program.flags(options)

    def label_of(self, name: str) -> Any:
        """The label whose name in the file of labels this is; None for none."""
        assert self.labels is not None
        return self.labels.classes.tolist()[self.class_names.index(name)] if name else None


class Rows:
    """Labels that the program wrote, an array each."""

    def __init__(self, path: Path, class_names: List[str]) -> None:
        with np.load(path, allow_pickle=False) as archive:
            about = json.loads(bytes(archive["about"]))
            place = np.array([class_names.index(name) for name in about["classes"]] + [-1], np.int32)
            self.codes = place[archive["label"]]  # −1 is the last
            self.confidence, self.margin = archive["confidence"], archive["margin"]
            self.status_codes, self.statuses = archive["status"], about["statuses"]
            self.proba: Optional[np.ndarray] = None
            if "proba" in archive:
                order = np.full(len(class_names), -1)
                order[place[:-1]] = np.arange(len(place) - 1)
                found = archive["proba"]
                self.proba = found if np.array_equal(order, np.arange(found.shape[1])) else found[:, order]
