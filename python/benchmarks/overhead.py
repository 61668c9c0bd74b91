"""Prints what Python adds to C++: the import, and each call.

A product with one row on one joint takes some nanoseconds in C++, so the time of that call is what Python adds.
The times on robots are of the whole call. Each number is the least of many runs: others are other programs at work.

    python python/benchmarks/overhead.py
"""

from __future__ import annotations

import subprocess
import sys
import timeit
from typing import Callable

import numpy as np

import delassus


def nanoseconds(call: Callable[[], object], number: int = 20000, repeat: int = 15) -> float:
    return 1e9 * min(timeit.repeat(call, number=number, repeat=repeat)) / number


def import_milliseconds() -> float:
    """Of the package alone: NumPy is there already."""
    code = "import numpy, time; t = time.perf_counter(); import delassus; print(1e3 * (time.perf_counter() - t))"
    return min(float(subprocess.check_output([sys.executable, "-c", code])) for _ in range(7))


def whole_import_milliseconds() -> float:
    """A Python with NumPy and the package, less one with neither."""

    def start(code: str) -> float:
        call = lambda: subprocess.check_call([sys.executable, "-c", code])  # noqa: E731
        return 1e3 * min(timeit.repeat(call, number=1, repeat=7))

    return start("import delassus") - start("pass")


def one_row() -> delassus.Operator:
    builder = delassus.ModelBuilder("hinge")
    builder.add_body("bar", "world", delassus.Joint("hinge"), delassus.box_inertial(1.0, (0.5, 0.1, 0.1), (0.5, 0, 0)))
    model = builder.make_model()
    op = delassus.Operator(model, [delassus.JointLimit(model, "hinge", 0.0)], algorithm="dense")
    op.update(model.neutral())
    return op


def report(title: str, op: delassus.Operator) -> None:
    op.update_damping(1e-3)
    x, y, panel = np.ones(op.rows), np.ones(op.rows), np.ones((op.rows, 4))
    empty = nanoseconds(lambda: None)
    print(f"{title} ({op.rows} rows, {op.algorithm})")
    for name, call in (
        ("apply(x, out=y)", lambda: op.apply(x, out=y)),
        ("apply(x, y)", lambda: op.apply(x, y)),
        ("apply(x)", lambda: op.apply(x)),
        ("op @ x", lambda: op @ x),
        ("apply(panel)", lambda: op.apply(panel)),
        ("solve(x, out=y)", lambda: op.solve(x, out=y)),
    ):
        print(f"  {name:<16} {nanoseconds(call) - empty:8.0f} ns")


def main() -> None:
    alone, whole = import_milliseconds(), whole_import_milliseconds()
    print(f"import delassus: {alone:.1f} ms after numpy, {whole:.1f} ms with it")
    report("what Python adds: one row", one_row())
    for name in ("go2-standing", "g1-standing"):
        scene = delassus.load(name)
        op = delassus.Operator(scene.model, scene.constraints, algorithm="condensed")
        op.update(scene.q)
        report(name, op)


if __name__ == "__main__":
    main()
