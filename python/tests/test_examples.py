"""The examples run as they stand."""

import json
import warnings

import numpy as np
import pytest

from conftest import ROOT


@pytest.mark.filterwarnings("ignore")
def test_tour(monkeypatch):
    """The cells of the notebook, one after the other."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    shown = []
    monkeypatch.setattr(plt, "show", lambda: shown.append(len(plt.gcf().axes)) or plt.close("all"))
    cells = json.loads((ROOT / "examples" / "tour.ipynb").read_text("utf-8"))["cells"]
    space = {}
    for cell in cells:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), space)
    assert shown == [2, 2, 1]
    assert space["accuracy"] > 0.85
    assert space["scores"]["both"] > max(space["scores"]["edges"], space["scores"]["words"])
    assert np.mean(space["curves"]["suggested"][2:]) > np.mean(space["curves"]["at random"][2:])


def test_label_spreading(capsys):
    """Beside LabelSpreading: no worse on digits and iris, and on the circles by the same neighbours."""
    import label_spreading

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        scores = label_spreading.main()
    assert scores["digits", "ADPClassifier"] > scores["digits", "LabelSpreading"] + 0.05
    assert scores["iris", "ADPClassifier"] > scores["iris", "LabelSpreading"]
    assert scores["circles", "n_neighbors=6"] == scores["circles", "LabelSpreading"] == 1
    assert "circles" in capsys.readouterr().out
