"""Builds the wheels of adp_sparse: Python files and the program for one platform.

As the backend of `pip install ./python` (PEP 517) it runs `go build` in the clone. As a program,

    python3 backend/adp_build.py ../dist ../dist/wheels

it makes a wheel for each platform of the programs that `make dist` left in the first folder. It needs no
network and no other package. Its wheels are the same bytes each time, for the same files.
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
import shutil
import stat
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "adp_sparse"
CLONE = ROOT.parent

#: Tags of wheels by Go's names of the platforms. The programs for Linux are static: both C libraries do.
TAGS = {
    "linux-amd64": "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
    "linux-arm64": "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
    "darwin-amd64": "macosx_12_0_x86_64",
    "darwin-arm64": "macosx_12_0_arm64",
    "windows-amd64": "win_amd64",
    "windows-arm64": "win_arm64",
}

METADATA = """\
Metadata-Version: 2.1
Name: adp-sparse
Version: {version}
Summary: Label every node of a large graph from a few known labels, and learn the graph on the way
License: Apache-2.0
Project-URL: Source, https://github.com/adp-sparse/adp-sparse
Classifier: Programming Language :: Python :: 3
Classifier: Typing :: Typed
Requires-Python: >=3.9
Requires-Dist: numpy >=1.21
Provides-Extra: all
Requires-Dist: scipy ; extra == 'all'
Requires-Dist: scikit-learn >=1.0 ; extra == 'all'
Requires-Dist: pandas ; extra == 'all'
Requires-Dist: networkx ; extra == 'all'
Requires-Dist: tqdm ; extra == 'all'
Description-Content-Type: text/markdown

"""


def version() -> str:
    found = re.search(r'^__version__ = "(.+)"$', (PACKAGE / "__init__.py").read_text("utf-8"), re.M)
    assert found
    return found[1]


class Wheel:
    """A wheel that is written."""

    def __init__(self, folder: Path, tag: str, command: bool) -> None:
        self.tag, self.info = tag, f"adp_sparse-{version()}.dist-info"
        self.name = f"adp_sparse-{version()}-py3-none-{tag}.whl"
        self.archive = zipfile.ZipFile(folder / self.name, "w", zipfile.ZIP_DEFLATED)
        self.record: list[str] = []
        self.command = command

    def add(self, name: str, content: bytes, executable: bool = False) -> None:
        entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
        entry.compress_type = zipfile.ZIP_DEFLATED
        entry.create_system = 3
        entry.external_attr = (stat.S_IFREG | (0o755 if executable else 0o644)) << 16
        self.archive.writestr(entry, content)
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        self.record.append(f"{name},sha256={digest},{len(content)}\n")

    def finish(self) -> str:
        readme = (ROOT / "README.md").read_text("utf-8")
        self.add(f"{self.info}/METADATA", (METADATA.format(version=version()) + readme).encode())
        if (CLONE / "LICENSE").exists():
            self.add(f"{self.info}/licenses/LICENSE", (CLONE / "LICENSE").read_bytes())
        if self.command:
            self.add(f"{self.info}/entry_points.txt", b"[console_scripts]\nadp-sparse = adp_sparse._program:main\n")
        tags = "".join(f"Tag: py3-none-{one}\n" for one in self.tag.split("."))
        self.add(f"{self.info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: adp_build\nRoot-Is-Purelib: false\n{tags}".encode())
        self.record.append(f"{self.info}/RECORD,,\n")
        self.archive.writestr(zipfile.ZipInfo(f"{self.info}/RECORD", (1980, 1, 1, 0, 0, 0)), "".join(self.record))
        self.archive.close()
        return self.name


def write_wheel(folder: Path, tag: str, program: Path | None, windows: bool = False) -> str:
    """Writes a wheel with the program inside, if any."""
    wheel = Wheel(folder, tag, program is not None)
    for path in sorted(PACKAGE.rglob("*")):
        inside = path.relative_to(ROOT)
        if path.is_file() and "__pycache__" not in inside.parts and "bin" not in inside.parts:
            wheel.add(inside.as_posix(), path.read_bytes())
    if program is not None:
        wheel.add("adp_sparse/bin/adp-sparse" + (".exe" if windows else ""), program.read_bytes(), executable=True)
    return wheel.finish()


def _go(*words: str, **more: object) -> str:
    return subprocess.run(["go", *words], cwd=CLONE, check=True, stdout=subprocess.PIPE, text=True, **more).stdout  # type: ignore[call-overload]


def build_program(to: Path) -> tuple[str, Path, bool]:
    """Builds the program for this machine, or takes the one that ADP_SPARSE_PROGRAM names."""
    ready = os.environ.get("ADP_SPARSE_PROGRAM")
    if ready:
        return _tag_here(), Path(ready).resolve(), os.name == "nt"
    if not (CLONE / "go.mod").exists():
        raise SystemExit(f"adp_sparse: {CLONE} is no clone of adp-sparse, whose program is built here; or set ADP_SPARSE_PROGRAM to a built one")
    if not shutil.which("go"):
        raise SystemExit("adp_sparse: Go is not on PATH, and builds the program (1.26 or newer, https://go.dev); or set ADP_SPARSE_PROGRAM to a built one")
    system, machine = _go("env", "GOOS", "GOARCH").split()
    program = to / ("adp-sparse.exe" if system == "windows" else "adp-sparse")
    _go("build", "-trimpath", "-ldflags=-s -w", "-o", str(program), "./cmd/adp-sparse", env={**os.environ, "CGO_ENABLED": "0"})
    return TAGS.get(f"{system}-{machine}", _tag_here()), program, system == "windows"


def _tag_here() -> str:
    return re.sub(r"[-.]", "_", sysconfig.get_platform())


def build_wheel(wheel_directory: str, config_settings: object = None, metadata_directory: object = None) -> str:
    with tempfile.TemporaryDirectory() as folder:
        tag, program, windows = build_program(Path(folder))
        return write_wheel(Path(wheel_directory), tag, program, windows)


def build_editable(wheel_directory: str, config_settings: object = None, metadata_directory: object = None) -> str:
    """A wheel that points here; the program is built into the package."""
    inside = PACKAGE / "bin"
    inside.mkdir(exist_ok=True)
    tag, program, _ = build_program(inside)
    if program.parent != inside:
        shutil.copy(program, inside)
    wheel = Wheel(Path(wheel_directory), tag, True)
    wheel.add("adp_sparse_here.pth", (str(ROOT) + "\n").encode())
    return wheel.finish()


def build_sdist(sdist_directory: str, config_settings: object = None) -> str:
    raise SystemExit("adp_sparse: the source is the clone, with the Go program; there is no other source distribution")


def main() -> None:
    if len(sys.argv) != 3:
        raise SystemExit(f"usage: {sys.argv[0]} DIST OUT, DIST being the folder of `make dist`")
    dist, out = map(Path, sys.argv[1:])
    out.mkdir(parents=True, exist_ok=True)
    found = 0
    for platform, tag in TAGS.items():
        windows = platform.startswith("windows")
        program = dist / f"adp-sparse-{platform}{'.exe' if windows else ''}"
        if program.exists():
            print(out / write_wheel(out, tag, program, windows))
            found += 1
    if not found:
        raise SystemExit(f"no program adp-sparse-SYSTEM-MACHINE in {dist}; make dist builds them")


if __name__ == "__main__":
    main()
