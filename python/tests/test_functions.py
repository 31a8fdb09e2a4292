"""suggest, tune, report and progress."""

import json
import sys

import numpy as np
import pandas as pd
import pytest

import adp_sparse


def test_suggest(points, karate):
    X, true, y = points
    first = adp_sparse.suggest(X, count=3)
    assert len(first) == 3 and len({true[s.node] for s in first}) >= 2 and first[0].value == 1 and first[0].label is None
    more = adp_sparse.suggest(X, y, 5)
    assert len(more) == 5 and not {s.node for s in more} & set(np.flatnonzero(y >= 0)) and {s.label for s in more} <= {0, 1, 2}
    G, known = karate
    found = adp_sparse.suggest(G, known, 2)
    assert all(s.node in G and s.label in known.values() and s.runner_up != s.label for s in found)
    learned = adp_sparse.label_graph(G, known, learned_graph=True, select="none", write=None).learned_graph
    assert adp_sparse.suggest(G, known, 2, learned=learned) != found
    assert list(pd.DataFrame(found).columns) == ["node", "value", "uncertainty", "coverage", "label", "runner_up"]


def test_suggest_loop(points):
    """A loop of suggestions and answers ends with all right."""
    X, true, _ = points
    y = np.full(120, -1)
    for _ in range(3):
        for s in adp_sparse.suggest(X, y if (y >= 0).any() else None, 3):
            y[s.node] = true[s.node]
    assert np.sum(y >= 0) == 9 and np.mean(adp_sparse.label_vectors(X, y).labels == true) > 0.97


@pytest.mark.filterwarnings("ignore")
def test_tune(points, karate):
    X, true, y = points
    found = adp_sparse.tune(X, np.where(np.arange(120) % 6, -1, true), ks=[3, 20], methods=["lgc"], alphas=[0.9])
    assert {"--graph-kind knn --k 3 --method lgc --alpha 0.9", "--graph-kind knn --k 20 --method lgc --alpha 0.9"} <= set(found.to_frame()["setting"])
    assert found.settings[0]["accuracy"] >= found.settings[-1]["accuracy"] and found.left_out == 20
    assert "--method lgc" in found._repr_html_()
    assert np.mean(adp_sparse.label_vectors(X, y, **found.best).labels == true) > 0.9
    G, _ = karate
    found = adp_sparse.tune(G, "club", methods=["lgc"], alphas=[0.5, 0.99])
    adp_sparse.label_graph(G, "club", write=None, **found.best)


def test_best_options_are_those_of_the_command():
    from adp_sparse._flags import to_options

    command = "adp-sparse run --features=FILE --graph-kind knn --k=5 --directed --method lgc --missing -1 --out labels.tsv"
    assert to_options(command) == {"graph_kind": "knn", "k": "5", "directed": True, "method": "lgc", "missing": "-1"}


def test_report(points, karate, tmp_path):
    X, _, y = points
    names = np.array(["north", "south", "west", ""])[y]
    page = adp_sparse.report(X, names)
    assert page.html.startswith("<!") and all(name in page.html for name in ("north", "south", "west"))
    shown = page._repr_html_()
    assert shown.startswith("<iframe srcdoc=") and "<script" not in shown and "north" in shown
    page.save(tmp_path / "p.html")
    assert (tmp_path / "p.html").read_text("utf-8") == page.html
    G, known = karate
    assert "adp_label" not in (adp_sparse.report(G, known), G.nodes[0])[1]
    named = adp_sparse.report(__import__("networkx").relabel_nodes(G, {i: f"member-{i}" for i in G}), {f"member-{i}": c for i, c in known.items()})
    assert "member-3" in named.html


def test_result_in_a_notebook(points):
    X, _, y = points
    result = adp_sparse.label_vectors(X, y)
    assert "120 nodes in 3 classes: 6 seed, 114 predicted" in result._repr_html_() and "<td>0</td><td>2</td>" in result._repr_html_()
    frame = result.to_frame()
    assert list(frame.columns) == ["label", "confidence", "margin", "status"] and len(frame) == len(result) == 120


def test_progress(points, capsys, monkeypatch):
    X, _, y = points
    events = []
    adp_sparse.label_vectors(X, y, progress=events.append)
    assert events[0]["event"] == "start" and events[-1]["event"] == "done" and any(e["event"] == "round" for e in events)
    adp_sparse.label_vectors(X, y, progress=True)
    assert "adp-sparse run" in capsys.readouterr().err  # tqdm's bar
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    adp_sparse.label_vectors(X, y, progress=True)
    assert "adp-sparse: round products" in capsys.readouterr().err
