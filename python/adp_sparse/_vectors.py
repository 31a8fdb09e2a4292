"""Feature vectors, as a file for the program."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from ._graphs import is_frame, is_sparse

#: Bytes of a block of rows that are checked and converted at a time.
_BLOCK = 8 << 20


def of(x: Any) -> Any:
    """A matrix of numbers, a row a point: an array, or a scipy matrix in the format csr. It is no copy where it need not be one."""
    check_mask(x)
    if is_sparse(x):
        x = x.tocsr()
    elif is_frame(x):
        for column, kind in zip(x.columns, x.dtypes):
            if getattr(kind, "kind", "O") not in "buif":
                raise ValueError(f"column {column!r} of features has dtype {kind}, expected numbers: leave it out, or encode it")
        mixed = any(not isinstance(kind, np.dtype) for kind in x.dtypes) or len({kind.kind == "b" for kind in x.dtypes}) > 1
        x = x.to_numpy(dtype=np.float64, na_value=np.nan) if mixed else x.to_numpy()  # pandas makes objects of these
    elif not isinstance(x, np.memmap):
        x = np.asarray(x)
    if x.ndim != 2:
        raise ValueError(f"features have the shape {x.shape}, expected two dimensions, a row a point")
    if x.dtype.kind not in "buif":
        raise ValueError(f"features have dtype {x.dtype}, expected numbers")
    return x


def check_mask(x: Any) -> None:
    """Refuses a masked array, whose mask numpy would drop."""
    if np.ma.is_masked(x):
        place = ", ".join(map(str, np.argwhere(np.ma.getmaskarray(x))[0]))
        raise ValueError(f"features have no value at [{place}], which is masked, expected numbers: X.filled(…) puts some there")


def save(x: Any, path: Path) -> Path:
    """Writes vectors, and returns the file: .npy, or .npz of sparse ones.

    Short integers stay what they are, other numbers become float32, as which the program reads all. A matrix
    that is a whole .npy file, mapped, is not written again.
    """
    if is_sparse(x):
        if not x.has_canonical_format:
            x = x.copy()
            x.sum_duplicates()
        with np.errstate(over="ignore"):
            data = x.data.astype(np.float32, copy=False)
        _check(data, lambda k: f"row {np.searchsorted(x.indptr, k, 'right') - 1}, column {x.indices[k]}", x.data)
        path = path.with_suffix(".npz")
        with open(path, "wb") as to:
            np.savez(to, indices=x.indices, indptr=x.indptr, data=data, format=np.array(b"csr"), shape=np.array(x.shape))
        return path
    kind = x.dtype.newbyteorder("<") if x.dtype.kind in "bui" and x.dtype.itemsize <= 2 else np.dtype("<f4")
    rows = max(1, _BLOCK // max(1, kind.itemsize * x.shape[1]))
    file = _file_of(x) if x.dtype == kind else None
    out = open(path, "wb") if file is None else None
    try:
        if out is not None:
            header = {"descr": np.lib.format.dtype_to_descr(kind), "fortran_order": False, "shape": tuple(map(int, x.shape))}
            np.lib.format.write_array_header_1_0(out, header)
        for first in range(0, x.shape[0], rows):
            with np.errstate(over="ignore"):
                block = np.ascontiguousarray(x[first : first + rows], kind)
            _check(block, lambda k: "row {}, column {}".format(*np.add(divmod(k, x.shape[1]), (first, 0))), x[first : first + rows])
            if out is not None:
                out.write(block.data)
            elif not np.array_equal(block, file[first : first + rows]):  # another file has the name now
                return save(x.view(np.ndarray), path)
    finally:
        if out is not None:
            out.close()
    return path if file is None else Path(x.filename).absolute()


def _check(values: np.ndarray, place: Any, given: Any = None) -> None:
    """Refuses values that are not finite, also past float32; place names one by its number."""
    with np.errstate(over="ignore", invalid="ignore"):
        if values.dtype.kind != "f" or np.isfinite(values.sum()):  # the sum of finite ones may be past float32
            return
    wrong = np.flatnonzero(~np.isfinite(values.astype(np.float32, copy=False)))
    if len(wrong):
        k = int(wrong[0])
        value = np.asarray(values if given is None else given).ravel()[k]
        raise ValueError(f"features, {place(k)}: {value}, expected finite numbers in the range of float32 (input contains NaN or infinity)")


def _file_of(x: Any) -> Any:
    """The file that has the name of the one that an array maps, where that is all of a .npy file, as numpy.load(file, mmap_mode="r") gives it; else None."""
    if not isinstance(x, np.memmap) or x.filename is None or Path(x.filename).suffix != ".npy" or x.mode == "c" or not x.flags.c_contiguous:
        return None
    try:
        file = np.load(x.filename, mmap_mode="r")
    except (OSError, ValueError):
        return None
    like = isinstance(file, np.memmap) and file.shape == x.shape and file.flags.c_contiguous and file.dtype == x.dtype and file.offset == x.offset
    return file if like else None
