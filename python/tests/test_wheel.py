"""Wheels: made without network, the same each time, and what is in them runs."""

import csv
import hashlib
import base64
import io
import os
import shutil
import subprocess
import sys
import zipfile

import adp_sparse
from conftest import ROOT

sys.path.insert(0, str(ROOT / "backend"))
import adp_build  # noqa: E402


def test_a_wheel_for_each_platform(tmp_path):
    dist = tmp_path / "dist"
    dist.mkdir()
    for platform in adp_build.TAGS:
        name = dist / f"adp-sparse-{platform}{'.exe' if platform.startswith('windows') else ''}"
        name.write_text(f"the program for {platform}")
    for out in ("a", "b"):
        subprocess.run([sys.executable, ROOT / "backend" / "adp_build.py", dist, tmp_path / out], check=True, capture_output=True)
    names = sorted(os.listdir(tmp_path / "a"))
    assert len(names) == 6 and all(f"adp_sparse-{adp_sparse.__version__}-py3-none-{tag}.whl" in names for tag in adp_build.TAGS.values())
    for name in names:
        content = (tmp_path / "a" / name).read_bytes()
        assert content == (tmp_path / "b" / name).read_bytes(), f"{name} is not the same twice"
        with zipfile.ZipFile(io.BytesIO(content)) as wheel:
            check_record(wheel)
            inside = "adp_sparse/bin/adp-sparse" + (".exe" if "win" in name.rsplit("-", 1)[1] and "macos" not in name else "")
            assert wheel.getinfo(inside).external_attr >> 16 & 0o111, f"{inside} of {name} is not executable"
            assert "adp_sparse/py.typed" in wheel.namelist()


def test_a_wheel_runs(tmp_path):
    """The wheel of this machine, installed without network, runs the program that is inside."""
    dist, out = tmp_path / "dist", tmp_path / "out"
    dist.mkdir()
    shutil.copy(adp_sparse.program(), dist / "adp-sparse-linux-amd64")
    subprocess.run([sys.executable, ROOT / "backend" / "adp_build.py", dist, out], check=True, capture_output=True)
    (wheel,) = out.iterdir()
    line = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--target", tmp_path / "site", wheel]
    subprocess.run(line, check=True, capture_output=True)
    code = "import adp_sparse as a, numpy as np; print(a.program()); print(a.label_vectors(np.arange(8.0).reshape(4, 2), [0, -1, -1, 1], k=1).labels)"
    environment = {k: v for k, v in os.environ.items() if k not in ("ADP_SPARSE", "PYTHONPATH")}
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, cwd=tmp_path / "site", env=environment)
    assert done.stdout.splitlines()[0] == str(tmp_path / "site" / "adp_sparse" / "bin" / "adp-sparse")


def check_record(wheel):
    """Each file is in RECORD with its hash, as pip asks for."""
    record = next(name for name in wheel.namelist() if name.endswith("/RECORD"))
    rows = {row[0]: row[1:] for row in csv.reader(io.TextIOWrapper(wheel.open(record), "utf-8"))}
    assert set(rows) == set(wheel.namelist())
    for name, (digest, size) in rows.items():
        if name != record:
            content = wheel.read(name)
            assert digest == "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode() and int(size) == len(content)


def test_no_programs(tmp_path):
    done = subprocess.run([sys.executable, ROOT / "backend" / "adp_build.py", tmp_path, tmp_path / "out"], capture_output=True, text=True)
    assert done.returncode == 1 and "make dist builds them" in done.stderr


def test_pip_install_in_a_clone(tmp_path):
    """`pip install ./python` with isolation and without network; the program is built before, to spare time."""
    line = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--target", tmp_path / "site", ROOT]
    subprocess.run(line, check=True, capture_output=True, env={**os.environ, "ADP_SPARSE_PROGRAM": adp_sparse.program()})
    assert os.access(tmp_path / "site" / "adp_sparse" / "bin" / "adp-sparse", os.X_OK)
    environment = {k: v for k, v in os.environ.items() if k not in ("ADP_SPARSE", "PYTHONPATH")}
    done = subprocess.run([sys.executable, "-m", "adp_sparse", "version"], check=True, capture_output=True, text=True, cwd=tmp_path / "site", env=environment)
    assert done.stdout.startswith("adp-sparse ")


def test_where_there_is_no_go(tmp_path):
    environment = {k: v for k, v in os.environ.items() if k != "ADP_SPARSE_PROGRAM"}
    code = "import adp_build; adp_build.build_wheel('.')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, env={**environment, "PATH": str(tmp_path), "PYTHONPATH": str(ROOT / "backend")})
    assert done.returncode == 1 and "Go is not on PATH" in done.stderr and "ADP_SPARSE_PROGRAM" in done.stderr
