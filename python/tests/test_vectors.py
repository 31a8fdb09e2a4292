"""Vectors: how they come to the program."""

import resource
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

import adp_sparse
from adp_sparse import _vectors


def test_kinds(points):
    """Arrays of all kinds, frames and sparse matrices give the same labels."""
    X, true, y = points
    X = np.round(X * 8)  # the same numbers in all kinds
    want = adp_sparse.label_vectors(X, y, probabilities=True)
    assert np.mean(want.labels == true) > 0.9
    for x in (X.astype("i1"), X.astype("i8"), X.astype(">i2"), X.astype("f8"), np.asfortranarray(X), X.astype(">f4"), X.astype("i2"), np.repeat(X, 2, 0)[::2], pd.DataFrame(X)):
        got = adp_sparse.label_vectors(x, y, probabilities=True)
        assert np.array_equal(got.probabilities, want.probabilities), x
    got = adp_sparse.label_vectors(sp.csc_matrix(X), y)
    assert np.mean(got.labels == want.labels) > 0.95


def test_labels(points):
    """Labels of all kinds come back in their own."""
    X, true, y = points
    want = adp_sparse.label_vectors(X, y).labels
    text = np.array(["zero", "one", "two", ""])[y]
    assert list(adp_sparse.label_vectors(X, text).labels) == [["zero", "one", "two"][k] for k in want]
    for labels in (y.astype(float), np.where(y < 0, np.nan, y), pd.Series(y), pd.Series(y).where(y >= 0).astype("Int64"), [None if k < 0 else k for k in y]):
        got = adp_sparse.label_vectors(X, labels)
        assert np.array_equal(got.labels, want), labels
    got = adp_sparse.label_vectors(X, {i: bool(y[i]) for i in np.flatnonzero(y >= 0)}).labels
    assert set(got.tolist()) == {False, True}
    with pytest.warns(adp_sparse.AdpSparseWarning, match="taken for no label"):
        adp_sparse.label_vectors(X, np.where(y == 1, 1, -1))


def test_classes_keep_their_columns(points):
    """The program puts numbers in their order, and numpy text: "10" before "9"."""
    X, true, y = points
    y = np.array(["9", "10", "2", ""])[y]
    result = adp_sparse.label_vectors(X, y, probabilities=True)
    assert list(result.classes) == ["10", "2", "9"]
    assert np.array_equal(result.labels[y != ""], y[y != ""])
    assert np.array_equal(result.classes[result.probabilities.argmax(1)], result.labels)
    assert np.allclose(result.probabilities.max(1), result.confidence)


def test_large_numbers(points, tmp_path):
    """Numbers whose sum is past float32 are finite all the same."""
    x = np.full((4, 3), 3e38, np.float32)
    assert np.array_equal(np.load(_vectors.save(x, tmp_path / "x.npy")), x)


def test_mapped_file_is_passed_on(points, tmp_path):
    X, _, y = points
    np.save(tmp_path / "x.npy", X)
    mapped = np.load(tmp_path / "x.npy", mmap_mode="r")
    out = tmp_path / "folder"
    out.mkdir()
    assert _vectors.save(mapped, out / "f.npy") == tmp_path / "x.npy" and not list(out.iterdir())
    assert np.array_equal(adp_sparse.label_vectors(mapped, y).labels, adp_sparse.label_vectors(X, y).labels)
    small = np.arange(6, dtype=">u2").reshape(2, 3)
    assert np.load(_vectors.save(small, out / "small.npy")).dtype == "<u2"  # two bytes, not four
    (out / "small.npy").unlink()
    for part in (mapped[1:], mapped[::-1], mapped[:, 1:], mapped[np.arange(120)[::-1]], mapped + 1, np.load(tmp_path / "x.npy", mmap_mode="c")):
        path = _vectors.save(part, out / "f.npy")
        assert path == out / "f.npy" and np.array_equal(np.load(path), part)


def test_mapped_file_of_another_name_or_content(points, tmp_path):
    """A mapped file is passed on by its name where the program knows its format by that, and it still is the file that is mapped."""
    X, _, y = points
    want = adp_sparse.label_vectors(X, y).labels
    for name in ("q.dat", "q.csv", "q"):
        np.save(tmp_path / "x.npy", X)
        (tmp_path / "x.npy").rename(tmp_path / name)
        assert np.array_equal(adp_sparse.label_vectors(np.load(tmp_path / name, mmap_mode="r"), y).labels, want)
    np.save(tmp_path / "x.npy", X)
    mapped = np.load(tmp_path / "x.npy", mmap_mode="r")
    np.save(tmp_path / "other.npy", X[::-1])
    (tmp_path / "other.npy").rename(tmp_path / "x.npy")
    path = _vectors.save(mapped, tmp_path / "f.npy")
    assert path == tmp_path / "f.npy" and np.array_equal(np.load(path), X)


def test_sparse_entries_that_are_given_twice(points):
    X, _, y = points
    once = sp.csr_matrix(X)
    twice = sp.csr_matrix((np.repeat(once.data / 2, 2), np.repeat(once.indices, 2), 2 * once.indptr), X.shape)
    assert np.array_equal(adp_sparse.label_vectors(twice, y).labels, adp_sparse.label_vectors(once, y).labels) and twice.nnz == 2 * once.nnz
    assert np.array_equal(adp_sparse.ADPClassifier().fit(twice, y).transduction_, adp_sparse.ADPClassifier().fit(once, y).transduction_)


def test_sparse_columns_of_unlike_units_are_told(points):
    X, _, y = points
    with pytest.warns(adp_sparse.AdpSparseWarning, match="if the columns have unlike units, give dense features: sparse ones are not scaled") as found:
        adp_sparse.label_vectors(sp.csr_matrix(X * [1, 1, 1000]), y)
    assert "one-column" in {w.message.code for w in found}


def test_edges_beside(points):
    X, true, y = points
    edges = np.array([(i, j) for k in range(3) for i in range(40 * k, 40 * k + 40) for j in (i + 1, i + 7) if j < 40 * k + 40])
    result = adp_sparse.label_vectors(X, y, edges=edges)
    assert np.mean(result.labels == true) > 0.97
    weighted = np.column_stack([edges, np.ones(len(edges))])
    assert np.array_equal(adp_sparse.label_vectors(X, y, edges=weighted).labels, result.labels)
    with pytest.raises(ValueError, match="edge 0 has the end 500, expected rows 0 to 119"):
        adp_sparse.label_vectors(X, y, edges=[(0, 500)])
    with pytest.raises(ValueError, match=r"edges have the shape \(1, 4\)"):
        adp_sparse.label_vectors(X, y, edges=[(0, 1, 2, 3)])


@pytest.mark.parametrize(
    "change, says",
    [
        (lambda x: np.where(x == x[5, 1], np.nan, x), "features, row 5, column 1: nan, expected finite numbers"),
        (lambda x: np.where(x == x[119, 2], np.inf, x), "features, row 119, column 2: inf"),
        (lambda x: np.where(x == x[7, 0], 1e300, x.astype("f8")), r"row 7, column 0: 1e\+300, expected finite numbers in the range of float32"),
        (lambda x: x.astype(object), "features have dtype object, expected numbers"),
        (lambda x: x.astype(str), "features have dtype <U32, expected numbers"),
        (lambda x: x.astype(complex), "features have dtype complex128"),
        (lambda x: x[:, 0], "two dimensions"),
        (lambda x: x[:50], "120 labels, and 50 nodes"),
        (lambda x: pd.DataFrame(x).assign(name="a"), "column 'name' of features has dtype object"),
        (lambda x: sp.csr_matrix(np.where(x == x[5, 1], np.nan, x)), "features, row 5, column 1: nan"),
    ],
)  # fmt: skip
def test_wrong(points, change, says):
    X, _, y = points
    with pytest.raises(ValueError, match=says):
        adp_sparse.label_vectors(change(X), y)


def test_memory(tmp_path):
    """Writing takes a block of rows and not a copy, also where numbers are converted."""
    code = """if True:
        import resource, sys, pathlib, numpy as np
        from adp_sparse import _vectors
        X = np.ones((60000, 200), sys.argv[1])[:, ::int(sys.argv[2])]
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        _vectors.save(X, pathlib.Path(sys.argv[3]))
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
    """
    for kind, step in (("f4", "1"), ("f8", "1"), ("f4", "2")):
        line = [sys.executable, "-c", code, kind, step, str(tmp_path / "x.npy")]
        more = int(subprocess.run(line, check=True, capture_output=True, text=True, cwd=_vectors.__file__.rsplit("/", 2)[0]).stdout)
        assert more < 30_000, f"{kind}: {more} KiB more, of 46,875 for a copy"
