"""A million calls leave no memory behind, and objects go when nobody has them."""

from __future__ import annotations

import gc
import resource
import sys
import weakref

import numpy as np
import pytest
from reference import updated

import delassus


def resident_bytes() -> int:
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_no_leak(op: delassus.Operator, go2: delassus.Scene) -> None:
    x, y, q, wrong = np.ones(op.rows), np.empty(op.rows), go2.q.copy(), np.ones(op.rows + 1)

    def calls(number: int) -> None:
        for _ in range(number):
            op.apply(x, out=y)
            op.apply(x)
            op @ x
            op.diagonal()

    def rare_calls(number: int) -> None:
        for _ in range(number):
            op.update(q)
            op.update_damping(1e-3)
            op.solve(x, out=y)
            op.dense()
            try:
                op.apply(wrong)
            except delassus.Error:
                pass
            op.constraints[0].replace(gap=0.1)

    calls(10_000)
    rare_calls(1000)
    gc.collect()
    before = resident_bytes()
    calls(250_000)
    rare_calls(5000)
    gc.collect()
    # The smallest object of Python has 16 bytes, so one lost by one of the calls would be 4 MB.
    assert resident_bytes() - before < 2_000_000


def test_objects_go() -> None:
    scene = delassus.load("go2-standing")
    op, state = updated(scene, "condensed"), delassus.State(scene.model)
    references = [weakref.ref(thing) for thing in (scene, scene.model, op, state)]
    view = scene.q
    del scene, op, state
    gc.collect()
    assert [r() is None for r in references] == [False, True, True, True], "the view keeps its scene"
    del view
    gc.collect()
    assert references[0]() is None


def test_an_operator_outlives_its_scene() -> None:
    def make() -> delassus.Operator:
        scene = delassus.load("go2-standing")
        return updated(scene, "condensed")

    op = make()
    gc.collect()
    assert np.isfinite(op.dense()).all()
    assert op.model.name == "go2"
