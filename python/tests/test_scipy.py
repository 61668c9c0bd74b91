"""Operators in SciPy's iterative methods."""

from __future__ import annotations

import numpy as np
import pytest
from reference import Dense, some_numbers, updated

import delassus

sparse = pytest.importorskip("scipy.sparse.linalg")


@pytest.mark.parametrize("name", ["go2-standing", "g1-standing", "cassie-standing"])
def test_conjugate_gradients(name: str) -> None:
    scene = delassus.load(name)
    op = updated(scene, "condensed")
    damping = 1e-2 * op.diagonal().max()
    op.update_damping(damping)
    damped = op.as_linear_operator() + damping * sparse.aslinearoperator(np.eye(op.rows))
    b = some_numbers(op.rows)
    x, info = sparse.cg(damped, b, tol=1e-12, atol=0)
    assert info == 0
    z = op.solve(b)
    # The residual that was asked for, seen through the condition of the damped matrix.
    bound = 1e-10 * np.linalg.cond(op.dense() + damping * np.eye(op.rows)) * np.abs(z).max()
    np.testing.assert_allclose(x, z, rtol=0, atol=bound)
    # With the solve as preconditioner there is nothing left to do.
    steps = []
    sparse.cg(damped, b, tol=1e-8, atol=0, M=op.inverse_as_linear_operator(), callback=steps.append)
    assert len(steps) <= 2


def test_eigenvalues() -> None:
    scene = delassus.load("g1-standing-friction")
    op = updated(scene, "condensed")
    largest = sparse.eigsh(op.as_linear_operator(), k=3, return_eigenvectors=False, v0=np.ones(op.rows))
    expected = np.linalg.eigvalsh(Dense(scene).matrix)[-3:]
    np.testing.assert_allclose(np.sort(largest), expected, rtol=1e-9)  # where the iteration ends: rounding, squared


def test_views_follow_the_operator(op: delassus.Operator) -> None:
    view, inverse = op.as_linear_operator(), op.inverse_as_linear_operator()
    x = some_numbers(op.rows, 3)
    np.testing.assert_array_equal(view @ x, op.apply(x))
    np.testing.assert_array_equal(view.T @ x[:, 0], op.apply(x[:, 0].copy()))
    before = inverse @ x
    op.update_damping(10.0)
    np.testing.assert_array_equal(inverse @ x, op.solve(x))
    assert not np.array_equal(inverse @ x, before)
