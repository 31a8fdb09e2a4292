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
    if is_sparse(x):
        x = x.tocsr()
    elif is_frame(x):
        text = [c for c, kind in zip(x.columns, x.dtypes) if getattr(kind, "kind", "O") not in "buif"]
        if text:
            raise ValueError(f"column {text[0]!r} of features has dtype {x[text[0]].dtype}, expected numbers: leave it out, or encode it")
        mixed = any(not isinstance(kind, np.dtype) for kind in x.dtypes) or len({kind.kind == "b" for kind in x.dtypes}) > 1
        x = x.to_numpy(dtype=np.float64, na_value=np.nan) if mixed else x.to_numpy()  # pandas makes objects of these
    elif not isinstance(x, np.memmap):
        x = np.asarray(x)
    if x.ndim != 2:
        raise ValueError(f"features have the shape {x.shape}, expected two dimensions, a row a point")
    if x.dtype.kind not in "buif":
        raise ValueError(f"features have dtype {x.dtype}, expected numbers")
    return x


def save(x: Any, path: Path) -> Path:
    """Writes vectors, and returns the file: .npy, or .npz of sparse ones.

    Short integers stay what they are, other numbers become float32, as which the program reads all. A matrix
    that is a whole .npy file, mapped, is not written again.
    """
    if is_sparse(x):
        with np.errstate(over="ignore"):
            data = x.data.astype(np.float32, copy=False)
        _check(data, lambda k: f"row {np.searchsorted(x.indptr, k, 'right') - 1}, column {x.indices[k]}", x.data)
        path = path.with_suffix(".npz")
        with open(path, "wb") as to:
            np.savez(to, indices=x.indices, indptr=x.indptr, data=data, format=np.array(b"csr"), shape=np.array(x.shape))
        return path
    kind = x.dtype.newbyteorder("<") if x.dtype.kind in "bui" and x.dtype.itemsize <= 2 else np.dtype("<f4")
    rows = max(1, _BLOCK // max(1, kind.itemsize * x.shape[1]))
    mapped = x.dtype == kind and _is_file(x)
    out = None
    if not mapped:
        out = open(path, "wb")
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
    finally:
        if out is not None:
            out.close()
    return Path(x.filename).absolute() if mapped else path


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


def _is_file(x: Any) -> bool:
    """Whether an array is all of a .npy file as it is, as numpy.load(file, mmap_mode="r") gives it."""
    if not isinstance(x, np.memmap) or x.filename is None or x.mode == "c" or not x.flags.c_contiguous:
        return False
    try:
        with open(x.filename, "rb") as file:
            if np.lib.format.read_magic(file) != (1, 0):
                return False
            shape, fortran, dtype = np.lib.format.read_array_header_1_0(file)
            return bool(shape == x.shape and not fortran and dtype == x.dtype and x.offset == file.tell())
    except (OSError, ValueError):
        return False
