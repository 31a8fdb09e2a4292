"""Nothing goes wrong in silence, and nothing is left behind (see conftest.temporary)."""

import os
import signal
import stat
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import numpy as np
import pytest

import adp_sparse
from adp_sparse import ADPClassifier, errors

PACKAGE = Path(adp_sparse.__file__).parent


def script(path, text):
    path.write_text("#!/bin/sh\n" + text)
    path.chmod(0o755)
    return str(path)


def test_no_program(points, monkeypatch, tmp_path):
    X, _, y = points
    monkeypatch.setenv("ADP_SPARSE", str(tmp_path / "nothing"))
    with pytest.raises(adp_sparse.ProgramNotFound, match="ADP_SPARSE is .*nothing"):
        adp_sparse.label_vectors(X, y)
    monkeypatch.delenv("ADP_SPARSE")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("adp_sparse._program._INSIDE", tmp_path / "bin" / "adp-sparse")
    with pytest.raises(FileNotFoundError, match="go install .*pip install ./python.*ADP_SPARSE"):
        ADPClassifier().fit(X, y)


def test_where_the_program_is_looked_for(monkeypatch, tmp_path):
    for folder in ("named", "inside", "path"):
        (tmp_path / folder).mkdir()
        script(tmp_path / folder / "adp-sparse", f"echo {folder}")
    monkeypatch.setenv("PATH", f"{tmp_path}/path:{os.environ['PATH']}")
    monkeypatch.setattr("adp_sparse._program._INSIDE", tmp_path / "inside" / "adp-sparse")
    monkeypatch.setenv("ADP_SPARSE", str(tmp_path / "named" / "adp-sparse"))
    assert adp_sparse.version() == "named"
    monkeypatch.delenv("ADP_SPARSE")
    assert adp_sparse.version() == "inside"
    (tmp_path / "inside" / "adp-sparse").unlink()
    assert adp_sparse.version() == "path"


def test_a_program_by_a_relative_path(points, monkeypatch, tmp_path):
    X, _, y = points
    os.symlink(adp_sparse.program(), tmp_path / "adp-sparse")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("adp_sparse._program._INSIDE", tmp_path / "nothing")
    monkeypatch.setenv("PATH", ".")
    for named in ("./adp-sparse", ""):
        monkeypatch.setenv("ADP_SPARSE", named)
        assert len(adp_sparse.label_vectors(X, y)) == 120 and adp_sparse.version().startswith("adp-sparse")


def test_no_program_of_this_system(points, monkeypatch, tmp_path):
    (tmp_path / "adp-sparse").write_bytes(b"MZ of another system")
    (tmp_path / "adp-sparse").chmod(0o755)
    monkeypatch.setenv("ADP_SPARSE", str(tmp_path / "adp-sparse"))
    for call in (adp_sparse.version, lambda: adp_sparse.label_vectors(points[0], points[2])):
        with pytest.raises(adp_sparse.ProgramNotFound, match="is no program of this system .*, expected adp-sparse"):
            call()


@pytest.mark.parametrize("code, kind", [(1, adp_sparse.DataError), (1, ValueError), (2, adp_sparse.DataError), (3, OSError), (4, MemoryError), (5, adp_sparse.InternalError), (134, adp_sparse.InternalError), (77, adp_sparse.AdpSparseError)])
def test_exit_codes(points, monkeypatch, tmp_path, code, kind):
    X, _, y = points
    event = f'{{"event":"error","data":{{"exit_code":{code},"text":"what it is"}}}}'
    monkeypatch.setenv("ADP_SPARSE", script(tmp_path / "adp-sparse", f"echo '{event}' >&2; exit {code}"))
    with pytest.raises(kind, match="^what it is$") as raised:
        adp_sparse.label_vectors(X, y)
    assert raised.value.exit_code == code and isinstance(raised.value, adp_sparse.AdpSparseError)


def test_a_crash_shows_its_last_lines(points, monkeypatch, tmp_path):
    X, _, y = points
    monkeypatch.setenv("ADP_SPARSE", script(tmp_path / "adp-sparse", "echo panic: at the disco >&2; exit 134"))
    with pytest.raises(adp_sparse.InternalError, match="panic: at the disco"):
        adp_sparse.label_vectors(X, y)


def test_killed(points, monkeypatch, tmp_path):
    """The program, at work, is killed from outside."""
    X, _, y = points
    program, pid = adp_sparse.program(), tmp_path / "pid"
    monkeypatch.setenv("ADP_SPARSE", script(tmp_path / "adp-sparse", f'echo $$ >{pid}; exec {program} "$@"'))
    kill = lambda event: os.kill(int(pid.read_text()), signal.SIGKILL)  # noqa: E731
    with pytest.raises(adp_sparse.ProgramKilled, match="ended by the signal SIGKILL; the system does that where memory is short") as raised:
        adp_sparse.label_vectors(np.tile(X, (40, 1)) + np.arange(4800)[:, None], np.tile(y, 40), progress=kill)
    assert raised.value.exit_code == -9


@pytest.mark.parametrize("wrong", [KeyboardInterrupt, ZeroDivisionError])
def test_what_ends_the_call_ends_the_program(points, monkeypatch, tmp_path, wrong):
    X, _, y = points
    program, pid = adp_sparse.program(), tmp_path / "pid"
    monkeypatch.setenv("ADP_SPARSE", script(tmp_path / "adp-sparse", f'echo $$ >{pid}; exec {program} "$@"'))

    def stop(event):
        raise wrong

    with pytest.raises(wrong):
        adp_sparse.label_vectors(X, y, progress=stop)
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text()), 0)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_python_ends(tmp_path, temporary, how):
    """A whole Python is interrupted, as by a terminal or by Jupyter, or ended from outside: its program and its files go soon, too."""
    code = textwrap.dedent("""
        import signal
        signal.signal(signal.SIGHUP, signal.SIG_DFL)  # below nohup it is ignored
        signal.signal(signal.SIGINT, signal.default_int_handler)  # in the background of a script, too
        import numpy as np, adp_sparse
        X = np.random.default_rng(0).normal(size=(60000, 300)).astype("f4")
        y = np.full(60000, -1); y[:20] = np.arange(20) % 2
        adp_sparse.label_vectors(X, y, progress=lambda event: print("begun", flush=True), knn="exact", threads=1)
    """)
    environment = {**os.environ, "TMPDIR": str(temporary), "PYTHONPATH": str(PACKAGE.parent)}
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, start_new_session=True, text=True)
    assert process.stdout.readline() == "begun\n"
    folder = [f for f in temporary.iterdir()]
    assert len(folder) == 1 and stat.S_IMODE(folder[0].stat().st_mode) == 0o700
    start = time.monotonic()
    process.send_signal(how)
    _, text = process.communicate(timeout=30)
    assert ("KeyboardInterrupt" in text) == (how == signal.SIGINT)
    while time.monotonic() - start < 10:
        try:
            os.killpg(process.pid, 0)
        except ProcessLookupError:
            break
        time.sleep(0.05)
    else:
        os.killpg(process.pid, signal.SIGKILL)
        pytest.fail("the program goes on")


def test_memory_limit(points):
    X, _, y = points
    with pytest.raises(MemoryError, match="memory"):
        adp_sparse.label_vectors(np.tile(X, (200, 1)), np.tile(y, 200), memory_limit="24MiB")


def test_messages_name_no_temporary_folder(points):
    X, _, y = points
    with pytest.raises(adp_sparse.DataError) as raised:
        adp_sparse.label_vectors(X, y, k=200)
    assert "adp-sparse-" not in str(raised.value) and "/" not in str(raised.value)


def test_warning_shows_its_code():
    assert str(errors.AdpSparseWarning("three nodes", "unreached", 3)) == "three nodes [unreached]"


def test_without_scikit_learn():
    code = "import sys; sys.modules['sklearn'] = sys.modules['scipy'] = sys.modules['pandas'] = None; import numpy as np, adp_sparse as a\n"
    code += "r = a.label_vectors(np.arange(20.0).reshape(10, 2), [0] + [-1] * 8 + [1], k=2); print(list(r.labels)); a.ADPClassifier"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(PACKAGE.parent)})
    assert done.stdout == "[0, 0, 0, 0, 0, 1, 1, 1, 1, 1]\n" and "ImportError: ADPClassifier needs scikit-learn" in done.stderr
