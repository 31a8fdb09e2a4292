import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parent.parent
for folder in (ROOT, ROOT / "examples"):
    sys.path.insert(0, str(folder))


@pytest.fixture(autouse=True)
def temporary(tmp_path, monkeypatch):
    """Each test has a folder of its own for temporary files, and leaves none there."""
    folder = tmp_path / "tmp"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield folder
    assert [f for f in folder.iterdir() if f.name.startswith("adp-sparse")] == []  # scikit-learn leaves some of its own


@pytest.fixture
def points():
    """Three clouds of 40 points, the true classes, and y with two labels a class."""
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(3.2 * k, 1, (40, 3)) for k in range(3)]).astype(np.float32)
    true = np.repeat([0, 1, 2], 40)
    y = np.full(120, -1)
    y[[3, 20, 43, 70, 85, 110]] = true[[3, 20, 43, 70, 85, 110]]
    return X, true, y


@pytest.fixture
def karate():
    import networkx as nx

    G = nx.karate_club_graph()
    return G, {0: "Mr. Hi", 33: "Officer"}
