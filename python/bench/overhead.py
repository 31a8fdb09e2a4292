"""What the package costs beside the command, on vectors from a file .npy or .npy.gz and labels of lines `id label`.

    python3 bench/overhead.py mnist.features.npy.gz mnist.labels.tsv --known 10 --repeats 3

The command reads a file .npy that is there, and the package is given the array in memory; both give the same
labels. They take turns, each in a process of its own. Printed are seconds by the clock and of the
processor (which tell more where other programs run), the memory that Python needs more than before, and the
largest size of the temporary folder. Flags of run, such as `method=lgc`, go to
both.
"""

import argparse
import gzip
import json
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))


def package(folder, flags):
    """In a process of its own: the array is in memory, and is labelled."""
    import adp_sparse

    X, y = np.load(folder / "x.npy"), np.load(folder / "y.npy")
    inside = folder / "tmp"
    inside.mkdir(exist_ok=True)
    tempfile.tempdir = str(inside)
    largest, ended = [0], threading.Event()

    def watch():
        while not ended.wait(0.05):
            size = 0
            for path in inside.rglob("*"):
                try:
                    size += path.stat().st_size
                except OSError:
                    pass
            largest[0] = max(largest[0], size)

    watcher = threading.Thread(target=watch)
    watcher.start()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start, cpu = time.perf_counter(), time.process_time()
    result = adp_sparse.label_vectors(X, y, **dict(flag.split("=") for flag in flags))
    seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
    ended.set()
    watcher.join()
    more = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    np.save(folder / "found.npy", result.labels)
    print(json.dumps({"seconds": seconds, "cpu": cpu, "program": children(), "more": more / 1024, "files": largest[0] / 2**20, "x": X.nbytes / 2**20}))


def children():
    """Processor seconds of the programs that this process started."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def command(folder, flags):
    import adp_sparse

    start = time.perf_counter()
    words = [f"--{flag.replace('_', '-')}" for flag in flags]
    subprocess.run([adp_sparse.program(), "run", "--features", "x.npy", "--labels", "y.npy", "--out", "labels.tsv", "--quiet", *words], check=True, cwd=folder)
    return time.perf_counter() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("features", type=Path)
    parser.add_argument("labels", type=Path)
    parser.add_argument("--known", type=int, default=10, help="labels a class, drawn")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--dtype", help="of the array, such as f4 or f8 (default: that of the file)")
    parser.add_argument("flags", nargs="*", help="of run, as NAME=VALUE: method=lgc")
    args = parser.parse_intermixed_args()
    with tempfile.TemporaryDirectory(prefix="overhead-") as name:
        folder = Path(name)
        raw = gzip.open(args.features) if args.features.suffix == ".gz" else open(args.features, "rb")
        with raw:
            X = np.load(raw)
        X = X.astype(args.dtype or X.dtype)
        np.save(folder / "x.npy", X)
        n = len(X)
        with open(args.labels) as lines:
            rows = [line.split("\t") for line in lines if not line.startswith("#")]
        names = sorted({row[1].strip() for row in rows})
        true = np.full(n, -1)
        for row in rows:
            true[int(row[0])] = names.index(row[1].strip())
        y = np.full(n, -1)
        rng = np.random.default_rng(0)
        for c in range(len(names)):
            drawn = rng.choice(np.flatnonzero(true == c), args.known, replace=False)
            y[drawn] = c
        np.save(folder / "y.npy", y)
        del X
        ratios = []
        for _ in range(args.repeats):
            alone = command(folder, args.flags)
            line = [sys.executable, __file__, "--package", name, *args.flags]
            found = json.loads(subprocess.run(line, check=True, stdout=subprocess.PIPE, text=True).stdout)
            ratios.append(found["seconds"] / alone)
            print(
                f"command {alone:.2f} s, package {found['seconds']:.2f} s ({100 * (ratios[-1] - 1):+.1f} %); processor seconds of the program "
                f"{found['program']:.2f}, of Python {found['cpu']:.2f} ({100 * found['cpu'] / found['program']:.1f} %); X {found['x']:.0f} MiB, Python {found['more']:.0f} MiB more, files {found['files']:.0f} MiB", flush=True
            )  # fmt: skip
        text = dict(line.split("\t")[:2] for line in (folder / "labels.tsv").read_text().splitlines()[1:])
        same = np.array([int(text[str(i)]) for i in range(n)]) == np.load(folder / "found.npy")
        right = np.load(folder / "found.npy")[y < 0] == true[y < 0]
        print(f"median {100 * (np.median(ratios) - 1):+.1f} %; {same.sum():,} of {n:,} labels the same; accuracy {right.mean():.4f}; {os.cpu_count()} processors")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--package"]:
        package(Path(sys.argv[2]), sys.argv[3:])
    else:
        main()
