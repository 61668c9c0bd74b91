"""Operators with generated code."""

from __future__ import annotations

import pickle
import shutil
from pathlib import Path

import numpy as np
import pytest
from reference import some_numbers

import delassus

needs_compiler = pytest.mark.skipif(shutil.which("cc") is None, reason="there is no compiler of C")


def expect_near(op: delassus.Operator, scene: delassus.Scene) -> None:
    other = delassus.Operator(scene.model, op.constraints, "condensed")
    for each in (op, other):
        each.update(scene.q)
    x = np.ascontiguousarray(some_numbers(op.rows, 1)[:, 0])
    # Rounding of some thousand operations; solves with a damping of a hundredth of the matrix.
    np.testing.assert_allclose(op @ x, other @ x, rtol=0, atol=1e-12 * np.abs(other @ x).max())
    np.testing.assert_allclose(op.joint_response(x), other.joint_response(x), rtol=0, atol=1e-9)
    damping = 0.01 * other.dense().max()
    for each in (op, other):
        each.update_damping(damping)
    np.testing.assert_allclose(op.solve(x), other.solve(x), rtol=0, atol=1e-10 * np.abs(other.solve(x)).max())


@needs_compiler
def test_code(go2: delassus.Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DELASSUS_CACHE", str(tmp_path / "cache"))
    scene = delassus.load("go2-standing")
    op = delassus.compile(scene)
    assert op.algorithm == "generated"
    expect_near(op, scene)
    assert op.reason == ""
    entries = list((tmp_path / "cache").iterdir())
    assert len(entries) == 1
    copied = pickle.loads(pickle.dumps(op))  # from the cache
    assert copied.algorithm == "generated" and copied.q is not None
    expect_near(copied, scene)
    assert list((tmp_path / "cache").iterdir()) == entries
    feet = [delassus.PointContact(scene.model, foot, point=(0.01, 0, 0)) for foot in ("FL_foot", "FR_foot", "RL_foot", "RR_foot")]
    op.set_constraints(feet)
    expect_near(op, scene)
    assert op.reason == ""
    op.set_constraints(feet[:2])
    expect_near(op, scene)
    assert "others than the code was made for" in op.reason


def test_without_a_compiler(tmp_path: Path) -> None:
    scene = delassus.load("go2-standing")
    op = delassus.compile(scene, compiler="no-such-compiler", cache=tmp_path)
    assert "no compiler 'no-such-compiler'" in op.reason
    expect_near(op, scene)
    assert delassus.Operator(scene.model, scene.constraints, "condensed").reason == ""
    with pytest.raises(delassus.Error, match="argument 'seconds'"):
        delassus.compile(scene, seconds=0.0)
    with pytest.raises(delassus.Error, match="argument 'algorithm' is 'generated'"):
        delassus.Operator(scene.model, scene.constraints, "generated")
