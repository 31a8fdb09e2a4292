"""Progress of a run, from the events of the program."""

from __future__ import annotations

import contextlib
import sys
from typing import Any, Callable, Dict, Iterator, Union

Event = Dict[str, Any]
#: True shows a bar (by tqdm where it is installed); a function is called with each event of docs/errors.md.
Progress = Union[None, bool, Callable[[Event], None]]


@contextlib.contextmanager
def observer(progress: Progress, command: str) -> Iterator[Callable[[Event], None]]:
    if callable(progress):
        yield progress
        return
    if not progress:
        yield lambda event: None
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:
        yield _line
        return
    with tqdm(desc=f"adp-sparse {command}", unit=" rounds") as bar:

        def show(event: Event) -> None:
            if event["event"] == "round":
                bar.set_postfix(_facts(event["data"]), refresh=False)
                bar.update()

        yield show


def _facts(data: Dict[str, Any]) -> Dict[str, str]:
    return {"products": str(data["solve"]["iterations"]), "changed": str(data["changed"]), "entries": f"{data['entries']:,}"}


def _line(event: Event) -> None:
    if event["event"] == "round":
        print("adp-sparse: round", ", ".join(f"{k} {v}" for k, v in _facts(event["data"]).items()), file=sys.stderr)
