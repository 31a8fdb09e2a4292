"""What can go wrong. Each error of the program is an exception with its message."""

from __future__ import annotations

import os
import sys
import warnings
from typing import List, Optional


class AdpSparseError(RuntimeError):
    """The program failed. The message is the program's; ``exit_code`` is in docs/errors.md."""

    exit_code: Optional[int] = None


class DataError(AdpSparseError, ValueError):
    """The data or an option is wrong (exit 1 and 2)."""


class FileError(AdpSparseError, OSError):
    """A file cannot be read or written, as where the disk is full (exit 3)."""


class MemoryLimitError(AdpSparseError, MemoryError):
    """The run would need more memory than there is, or than ``memory_limit`` (exit 4)."""


class InternalError(AdpSparseError):
    """A fault of the program (exit 5, 134). Please report it."""


class NotConverged(AdpSparseError):
    """The run stopped at a limit, and ``require_converged`` was asked for (exit 6). Without it the run has a result, with a warning."""


class ProgramKilled(AdpSparseError):
    """A signal ended the program."""


class ProgramNotFound(AdpSparseError, FileNotFoundError):
    """The program is not there. The message says how to get it."""


class AdpSparseWarning(UserWarning):
    """What a run did not take as it was, or what there is to know about its result.

    ``code`` does not change (docs/errors.md has them all), ``count`` is of nodes, edges or the like.
    """

    def __init__(self, message: str, code: str = "", count: int = 1) -> None:
        super().__init__(message)
        self.code, self.count = code, count

    def __str__(self) -> str:
        text = str(self.args[0])
        return f"{text} [{self.code}]" if self.code else text


def of_exit(code: int, text: str) -> AdpSparseError:
    """The exception for a failure of the program."""
    if code < 0:
        import signal

        try:
            name = signal.Signals(-code).name
        except ValueError:
            name = str(-code)
        end = "; the system does that where memory is short" if name == "SIGKILL" else ""
        error: AdpSparseError = ProgramKilled(f"adp-sparse was ended by the signal {name}{end}" + (f": {text}" if text else ""))
    else:
        kind = {1: DataError, 2: DataError, 3: FileError, 4: MemoryLimitError, 5: InternalError, 6: NotConverged, 134: InternalError}.get(code, AdpSparseError)
        error = kind(text or f"adp-sparse ended with exit code {code}")
    error.exit_code = code
    return error


_HERE = os.path.dirname(os.path.abspath(__file__)) + os.sep


def warn(message: str, code: str = "", count: int = 1) -> None:
    """Warn at the line that called this package."""
    level, frame = 1, sys._getframe()
    while frame is not None and os.path.abspath(frame.f_code.co_filename).startswith(_HERE):
        frame, level = frame.f_back, level + 1  # type: ignore[assignment]
    warnings.warn(AdpSparseWarning(message, code, count), stacklevel=level)


def warn_all(found: List[dict], leave: tuple = ()) -> None:
    """Warn of what a report of the program lists, but for the codes to leave."""
    for one in found:
        if one["code"] not in leave:
            warn(one["message"], one["code"], one.get("count", 1))
