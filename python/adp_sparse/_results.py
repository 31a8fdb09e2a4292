"""What the functions return."""

from __future__ import annotations

import html
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np


class Page:
    """The page of a run (docs/report.md): one HTML file without network, shown inline by Jupyter."""

    def __init__(self, text: str, report: Dict[str, Any]) -> None:
        self.html, self.report = text, report

    def save(self, path: Union[str, Path]) -> None:
        Path(path).write_text(self.html, "utf-8")

    def _repr_html_(self) -> str:
        return f'<iframe srcdoc="{html.escape(self.html, quote=True)}" style="width:100%;height:700px;border:1px solid #ccc" sandbox="allow-scripts"></iframe>'

    def __repr__(self) -> str:
        return f"<Page of {len(self.html):,} characters; page.save(path)>"


@dataclass
class Result:
    """The label of each node, in the order of ``nodes``, which are the index of X where X is a frame.

    ``labels`` has the values that were given; a node that no known label reaches has −1 beside whole
    numbers, NaN beside other numbers, empty text beside text, and None beside truth values and objects.
    """

    nodes: Sequence[Any]
    labels: np.ndarray
    #: Share of the label among all classes, and its lead over the next one.
    confidence: np.ndarray
    margin: np.ndarray
    #: What the program reports (docs/report.md): the rounds, warnings, times and more.
    report: Dict[str, Any] = field(repr=False)
    classes: np.ndarray
    #: n×classes, rows sum to 1 (or are 0 where there is no label); if ``probabilities=True``.
    probabilities: Optional[np.ndarray] = field(default=None, repr=False)
    #: The learned graph in scipy's format csr; if ``learned_graph=True``.
    learned_graph: Any = field(default=None, repr=False)
    page: Optional[Page] = field(default=None, repr=False)
    status_codes: np.ndarray = field(default_factory=lambda: np.array([], np.uint8), repr=False)
    statuses: Sequence[str] = ()

    @property
    def status(self) -> np.ndarray:
        """``seed``, ``predicted``, ``uncertain`` or ``unreached``."""
        return np.array(self.statuses)[self.status_codes]

    def __len__(self) -> int:
        return len(self.labels)

    def to_dict(self) -> Dict[Any, Any]:
        """The label of each node."""
        return dict(zip(self.nodes, self.labels.tolist()))

    def to_frame(self) -> Any:
        """A pandas frame with a row a node."""
        import pandas as pd

        table = {"label": self.labels, "confidence": self.confidence, "margin": self.margin, "status": pd.Categorical.from_codes(self.status_codes, list(self.statuses))}
        index = self.nodes if isinstance(self.nodes, pd.Index) else pd.Index(self.nodes, name="node", tupleize_cols=False)
        return pd.DataFrame(table, index=index)

    def __repr__(self) -> str:
        counts = np.bincount(self.status_codes, minlength=len(self.statuses))
        by = ", ".join(f"{n:,} {name}" for name, n in zip(self.statuses, counts) if n)
        return f"<Result: {len(self):,} nodes in {len(self.classes)} classes: {by}>"

    def _repr_html_(self) -> str:
        if self.page is not None:
            return self.page._repr_html_()
        rows = "".join(
            f"<tr><td>{html.escape(str(c['label']))}</td><td>{c['seeds']:,}</td><td>{c['predicted']:,}</td><td>{c.get('mean_confidence', 0):.3f}</td></tr>"
            for c in self.report.get("classes", [])
        )
        return f"<p>{html.escape(repr(self)[1:-1])}</p><table><tr><th>class</th><th>known</th><th>predicted</th><th>mean confidence</th></tr>{rows}</table>"


class Suggestion(NamedTuple):
    """A node to label next (docs/formats.md): value and coverage are shares of the largest ones."""

    node: Any
    value: float
    uncertainty: float
    coverage: float
    label: Any
    runner_up: Any


@dataclass
class Tuning:
    """Settings that left-out labels compared, the best first."""

    settings: List[Dict[str, Any]]
    left_out: int
    #: Options of :func:`label_vectors` and :func:`label_graph` for the best, those of the call among them; empty where the default is.
    best: Dict[str, Any]
    #: The same as a command, with FILE for data.
    command: str

    def to_frame(self) -> Any:
        import pandas as pd

        return pd.DataFrame(self.settings)

    def _repr_html_(self) -> str:
        columns = ["setting", "graph", "accuracy", "standard_error", "won", "lost"]
        columns = [c for c in columns if any(c in s for s in self.settings)]
        head = "".join(f"<th>{c.replace('_', ' ')}</th>" for c in columns)
        cell = lambda v: f"{v:.4f}" if isinstance(v, float) else html.escape(str(v))  # noqa: E731
        body = "".join("<tr>" + "".join(f"<td>{cell(s.get(c, ''))}</td>" for c in columns) + "</tr>" for s in self.settings)
        return f"<table><tr>{head}</tr>{body}</table><p>of {self.left_out:,} left-out labels</p>"


#: (known node, its label, its part of the score, the strongest path), the largest first.
Contributions = List[Tuple[Any, Any, float, List[Any]]]


def _contributions(record: Dict[str, Any], label: Callable[[str], Any]) -> Contributions:
    return [(int(p["seed"]), label(p["label"]), p["amount"], [int(j) for j in p.get("path") or []]) for p in record["contributions"]]


@dataclass
class Method:
    """What a method of a mixture says of a node, and why."""

    name: str
    weight: float
    #: None where it knows nothing of the node.
    label: Any
    #: The probability of each class.
    scores: Dict[Any, float]
    #: The weight times how much it prefers the label of the mixture to the runner-up. The sum is the mixture's.
    lead: float
    #: Of label spreading, as in :class:`Explanation`.
    contributions: Contributions
    #: Of regression: its preference as a sum over features, and over nodes; the largest first.
    features: List[Tuple[str, float]]
    nodes: List[Tuple[int, float]]
    #: Of degrees: those of the node, of its neighbours and of theirs, as geometric means.
    degrees: List[float]

    @classmethod
    def of(cls, record: Dict[str, Any], label: Callable[[str], Any]) -> "Method":
        parts = lambda key: [(p["name"], p["amount"]) for p in record.get(key, {"parts": []})["parts"]]  # noqa: E731
        graph = record.get("graph")
        return cls(
            name=record["method"] + (f" on {graph}" if graph else ""), weight=record["weight"], label=label(record["label"]), lead=record["lead"],
            scores={label(name): v for name, v in record["scores"].items()},
            contributions=_contributions(record["spread"], label) if "spread" in record else [],
            features=parts("columns"), nodes=[(int(name), v) for name, v in parts("nodes")],
            degrees=record.get("degrees", []),
        )  # fmt: skip

    def reasons(self, most: int = 3) -> str:
        """The largest parts, in one line."""
        told = [f"{node} ({label}) {amount:.3g}" for node, label, amount, _ in self.contributions[:most]]
        told += ["degrees " + ", ".join(f"{d:.3g}" for d in self.degrees)] if self.degrees else []
        told += [f"{name} {amount:+.3g}" for name, amount in self.features[:most]] + [f"{node} {amount:+.3g}" for node, amount in self.nodes[:most]]
        return ", ".join(told)


@dataclass
class Explanation:
    """Why a node has its label: by a mixture of methods, or by label spreading on the learned graph."""

    node: Any
    label: Any
    runner_up: Any
    #: The score of each class; of a mixture its probability, as in `label_distributions_`.
    scores: Dict[Any, float]
    #: Of label spreading; empty for a mixture, where `methods` have them.
    contributions: Contributions
    #: The fewest known labels without which another would win, and that one. Not told for a mixture.
    flip: List[Any]
    flip_to: Any
    #: Of a mixture, in the order of the report; else empty.
    methods: List[Method] = field(default_factory=list)
    record: Dict[str, Any] = field(repr=False, default_factory=dict)

    @classmethod
    def of(cls, record: Dict[str, Any], label: Callable[[str], Any]) -> "Explanation":
        """Of a record of the program, whose names of classes stand for labels."""
        return cls(
            node=int(record["node"]), label=label(record["label"]), runner_up=label(record.get("runner_up", "")),
            scores={label(name): v for name, v in record["scores"].items()},
            contributions=_contributions(record, label) if "contributions" in record else [],
            flip=[int(j) for j in record.get("flip", [])], flip_to=label(record.get("flip_to", "")),
            methods=[Method.of(m, label) for m in record.get("methods", [])], record=record,
        )  # fmt: skip

    def __str__(self) -> str:
        total = sum(self.scores.values()) or 1.0
        if self.methods:
            lines = [f"{self.node}: {self.label}, {self.scores.get(self.label, 0):.3f}; then {self.runner_up}, {self.scores.get(self.runner_up, 0):.3f}"]
            for m in sorted(self.methods, key=lambda m: -m.lead):
                reasons = m.reasons() if m.lead > 0 else ""
                lines.append(f"  {m.name}, weight {m.weight:.3f}: {m.label}, lead {m.lead:+.3f}" + (f"; {reasons}" if reasons else ""))
            return "\n".join(lines)
        lines = [f"{self.node}: {self.label}, {100 * self.scores.get(self.label, 0) / total:.1f} % of the score; then {self.runner_up}"]
        for node, label, amount, path in self.contributions[:5]:
            lines.append(f"  {node} ({label}) {100 * amount / total:.1f} %" + (f" by {' – '.join(map(str, path))}" if path else ""))
        if self.flip:
            lines.append(f"  without {len(self.flip)} of the known labels it would be {self.flip_to}")
        return "\n".join(lines)
