"""The program: where it is, and how it is run."""

from __future__ import annotations

import errno
import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any, Callable, Dict, List, Mapping, Optional, Tuple

from . import _flags, errors
from ._progress import Progress, observer

_NAME = "adp-sparse.exe" if os.name == "nt" else "adp-sparse"
_INSIDE = Path(__file__).parent / "bin" / _NAME
#: What tells the program that its standard input ends with this Python, and the folder that is to go then.
_HELD = "ADPSPARSE_HELD"


def program() -> str:
    """The path of the program.

    It is what the environment variable ``ADP_SPARSE`` says; else the one inside the package, as wheels
    have it; else the one on ``PATH``.
    """
    named = os.environ.get("ADP_SPARSE")
    if named:
        found = shutil.which(named)
        if not found:
            raise errors.ProgramNotFound(f"ADP_SPARSE is {named!r}, expected the path of the program adp-sparse")
        return os.path.abspath(found)  # it runs in another folder
    if os.access(_INSIDE, os.X_OK):
        return str(_INSIDE)
    found = shutil.which("adp-sparse")
    if not found:
        raise errors.ProgramNotFound(
            "the program adp-sparse is not in this package, and not on PATH. Install the wheel of your system, or with Go "
            "`go install github.com/adp-sparse/adp-sparse/cmd/adp-sparse@latest` (in a clone: `pip install ./python`), or set "
            "ADP_SPARSE to its path"
        )
    return os.path.abspath(found)


def version() -> str:
    """What ``adp-sparse version`` says."""
    process = _started([program(), "version"], stdout=subprocess.PIPE)
    text, _ = process.communicate()
    if process.returncode:
        raise errors.of_exit(process.returncode, "")
    return str(text.decode("utf-8", "replace").strip())


def _started(line: List[str], **how: Any) -> "subprocess.Popen[bytes]":
    try:
        return subprocess.Popen(line, stdin=subprocess.PIPE, stderr=subprocess.PIPE, **how)
    except OSError as wrong:
        if wrong.errno not in (errno.ENOEXEC, errno.EACCES, errno.ENOENT):
            raise
        raise errors.ProgramNotFound(f"{line[0]} is no program of this system ({wrong.strerror}), expected adp-sparse") from None


def run(
    command: str, words: List[str], folder: Path, progress: Progress = None, quiet: bool = False, parameters: Optional[Mapping[str, str]] = None
) -> Tuple[str, Dict[str, Any]]:
    """Runs a command in a folder. Returns its standard output, and what its event `done` reports.

    The program ends with what ends this call, such as Ctrl-C, and with Python, however that ends. Its messages are in words of Python, where
    parameters have other names than flags (:func:`_flags.in_python`).
    """
    told = lambda text: _flags.in_python(text.replace(str(folder) + os.sep, ""), parameters)  # noqa: E731
    line = [program(), command, *words, "--log=json"] + (["--quiet"] if quiet else [])
    output = folder / "stdout"
    failure, text, done, started = "", [], {}, False  # type: str, List[str], Dict[str, Any], bool
    with observer(progress, command) as observe, open(output, "wb") as to:
        process = _started(line, stdout=to, cwd=folder, env={**os.environ, _HELD: str(folder)})
        try:
            assert process.stderr is not None
            for raw in process.stderr:
                event = _event(raw)
                if event is None:
                    text.append(raw.decode("utf-8", "replace"))
                    continue
                observe(event)
                started = True
                data = event.get("data") or {}
                if event["event"] == "done":
                    done = data
                elif event["event"] == "error":
                    failure = data["text"]
                elif event["event"] == "message":
                    _message(data["text"], told)
            code = process.wait()
        except BaseException:
            _stop(process)
            raise
        finally:
            for pipe in (process.stdin, process.stderr):
                if pipe is not None:
                    pipe.close()
    if code:
        raise errors.of_exit(code, told(failure or "".join(text[-30:]).strip()))
    if not started:
        raise errors.ProgramNotFound(f"{line[0]} ended without a word, expected the program adp-sparse: is ADP_SPARSE its path?")
    for warning in done.get("warnings", ()):
        warning["message"] = told(warning["message"])
    return output.read_text("utf-8"), done


def _event(raw: bytes) -> Optional[Dict[str, Any]]:
    try:
        event = json.loads(raw)
    except ValueError:
        return None
    return event if isinstance(event, dict) and "event" in event else None


def _message(text: str, told: Callable[[str], str]) -> None:
    """Warns of a line for people that is a warning: `warning [code]: text`."""
    if not text.startswith("warning"):
        return
    head, _, rest = text.partition(": ")
    errors.warn(told(rest), head[len("warning") :].strip(" []"))


def _stop(process: "subprocess.Popen[bytes]") -> None:
    """Ends the program: in its order, else at once."""
    if process.poll() is None:
        if os.name == "nt":
            process.terminate()
        else:
            process.send_signal(signal.SIGINT)
        try:
            process.wait(5)
        except BaseException:  # a second Ctrl-C too
            process.kill()
            process.wait()


def main() -> None:
    """The command ``adp-sparse`` of an installed wheel."""
    path = program()
    if os.name == "nt":
        sys.exit(subprocess.call([path, *sys.argv[1:]]))
    os.execv(path, [path, *sys.argv[1:]])
