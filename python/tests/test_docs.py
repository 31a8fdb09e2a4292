"""The Python of docs/python-r.md runs as it stands, one piece after the other."""

import re

import pytest

from conftest import ROOT


@pytest.mark.filterwarnings("ignore")
def test_guide(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = (ROOT.parent / "docs" / "python-r.md").read_text("utf-8")
    pieces = re.findall(r"^```python\n(.*?)^```", text, re.M | re.S)
    assert len(pieces) == 4
    space = {}
    for piece in pieces:
        exec(piece, space)
    assert list(tmp_path.iterdir()) == [tmp_path / "tmp"]
