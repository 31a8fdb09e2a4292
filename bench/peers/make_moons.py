"""Makes testdata/tutorial: points of two moons, for docs/tutorial.md.

    python3 bench/peers/make_moons.py testdata/tutorial
"""

import math
import os
import sys

from edgelist import LCG


def point(random):
    """Returns a moon and a point of it, blurred by the sum of three numbers."""
    moon = int(random() < 0.5)
    angle = math.pi * random()
    x, y = math.cos(angle), math.sin(angle)
    if moon:
        x, y = 1 - x, 0.5 - y
    blur = [0.24 * (random() + random() + random() - 1.5) for _ in range(2)]
    return ("upper", "lower")[moon], x + blur[0], y + blur[1]


def main(folder):
    random = LCG(7).uniform
    points = [(f"p{i:03d}",) + point(random) for i in range(500)]

    def write(name, lines):
        with open(os.path.join(folder, name), "w", newline="\n") as f:
            f.writelines(line + "\n" for line in lines)

    def table(some):
        return ["name,x,y"] + [f"{name},{x:.4f},{y:.4f}" for name, _, x, y in some]

    write("points.csv", table(points[:400]))
    write("new.csv", table(points[400:]))
    write("truth.tsv", [f"{name}\t{moon}" for name, moon, _, _ in points[:400]])
    write("new-truth.tsv", [f"{name}\t{moon}" for name, moon, _, _ in points[400:]])
    for moons, name in ((2, "labels.tsv"), (6, "more-labels.tsv")):
        some = [[p for p in points[:400] if p[1] == moon][:moons] for moon in ("upper", "lower")]
        write(name, [f"{p[0]}\t{p[1]}" for p in some[0] + some[1]])


if __name__ == "__main__":
    main(sys.argv[1])
