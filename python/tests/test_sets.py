"""label_sets: nodes with several labels."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

import adp_sparse


@pytest.fixture
def corners():
    """400 points, and whether each is right, above, or neither; 40 of them are known."""
    rng = np.random.default_rng(1)
    X = rng.uniform(-1, 1, (400, 2))
    X += 0.2 * np.sign(X)
    true = np.stack([X[:, 0] > 0, X[:, 1] > 0, (X < 0).all(1)], axis=1).astype(int)
    return X, true, np.where(np.arange(400)[:, None] % 10, 0, true)


def test_matrix(corners):
    X, true, known = corners
    found = adp_sparse.label_sets(X, known, probabilities=True)
    assert found.indicator.shape == (400, 3) and np.mean(found.indicator == true) > 0.95
    assert found.probabilities.shape == (400, 3) and ((found.probabilities >= 0) & (found.probabilities <= 1)).all()
    for i in (0, 7, 399):
        assert sorted(found.labels[i]) == np.flatnonzero(found.indicator[i]).tolist()
        assert i == 0 or found.confidence[i] == sorted(found.confidence[i], reverse=True)
        assert np.allclose(found.probabilities[i][found.labels[i]], found.confidence[i])
    assert found.status[0] == "seed" and found.status[1] == "predicted" and (found.indicator[::10] == true[::10]).all()
    assert found.report["options"]["multilabel"] and "micro_f1" in found.report["combination"]["several_labels"]["left_out"]
    unknown = np.where(np.arange(400)[:, None] % 10, -1, known)
    for Y in (unknown, unknown.astype(float), np.where(unknown < 0, np.nan, unknown), sp.csr_matrix(known), known.astype(bool), pd.DataFrame(known)):
        assert (adp_sparse.label_sets(X, Y).indicator == found.indicator).all()
    named = adp_sparse.label_sets(X, pd.DataFrame(known, columns=["right", '"above" it', "#neither"]))
    assert named.classes.tolist() == ['"above" it', "#neither", "right"] and (named.indicator[:, [2, 0, 1]] == found.indicator).all()
    some = pd.DataFrame(known[390::-10], index=np.arange(400)[390::-10])
    assert (adp_sparse.label_sets(pd.DataFrame(X), some).indicator == found.indicator).all()


def test_lists(corners):
    X, true, known = corners
    names = np.array(["right", "above", "neither"])
    lists = [names[row == 1].tolist() for row in known]
    found = adp_sparse.label_sets(X, lists)
    by_matrix = adp_sparse.label_sets(X, pd.DataFrame(known, columns=names))
    assert found.labels == by_matrix.labels and found.classes.tolist() == ["above", "neither", "right"]
    for labels in ({i: set(one) for i, one in enumerate(lists) if one}, [tuple(one) or None for one in lists], pd.Series(lists)):
        assert adp_sparse.label_sets(X, labels).labels == found.labels
    frame = found.to_frame()
    assert len(frame) == found.indicator.sum() and frame[frame.node == 0].label.tolist() == found.labels[0] and "labels a node" in repr(found)


def test_graph(karate):
    G, _ = karate
    found = adp_sparse.label_sets(G, {0: ["Mr. Hi", "old"], 33: "Officer", 32: ["Officer", "old"]}, learned_graph=True)
    assert found.to_dict()[0] == ["Mr. Hi", "old"] or found.to_dict()[0] == ["old", "Mr. Hi"]
    assert all("Officer" in found.to_dict()[i] for i in (26, 29)) and all("Mr. Hi" in found.to_dict()[i] for i in (4, 5, 6))
    assert found.learned_graph.shape == (34, 34)
    alone = adp_sparse.label_sets(G, {0: "Mr. Hi", 33: "Officer"}, method="lgc", label_share=1.0)
    assert [len(one) for one in alone.labels] == [1] * 34


@pytest.mark.parametrize(
    "labels, says",
    [
        (None, "labels are None"),
        (np.zeros((120, 2)), "no label is known"),
        (np.full((120, 2), 2.0), "has 2.0, expected 0 and 1"),
        (np.array([[1, -1]] + [[0, 0]] * 119), "row 0 of the labels is known in part"),
        (np.ones((7, 2)), "7 rows of labels, and 120 nodes"),
        ([["a"]] * 7, "7 lists of labels, and 120 nodes"),
        ([[]] * 120, "all lists are empty"),
        ({500: ["a"]}, "label of 500, which is not in the graph"),
        ({5: ["a", None]}, "a list of labels has None"),
    ],
)
def test_refusals(points, labels, says):
    with pytest.raises(ValueError, match=says):
        adp_sparse.label_sets(points[0], labels)


def test_rows_of_zeros_beside_unknown_ones(points):
    Y = np.full((120, 2), -1)
    Y[0], Y[60], Y[61] = [1, 0], [0, 1], [0, 0]
    with pytest.warns(adp_sparse.AdpSparseWarning, match="1 rows of the labels are 0 beside others of -1"):
        adp_sparse.label_sets(points[0], Y)


def test_class_without_a_label(corners):
    X, _, known = corners
    wide = np.concatenate([known, np.zeros((400, 1), int)], axis=1)
    with pytest.warns(adp_sparse.AdpSparseWarning, match="1 of 4 classes have no known label"):
        found = adp_sparse.label_sets(X, wide)
    assert found.indicator.shape == (400, 4) and not found.indicator[:, 3].any()
