"""Every algorithm against dense matrices in NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from reference import Dense, some_numbers, updated

import delassus


@pytest.fixture(params=delassus.algorithms())
def algorithm(request: pytest.FixtureRequest) -> str:
    return request.param


def test_thirteen_algorithms() -> None:
    assert len(delassus.algorithms()) == 13


def test_matrix(scene: delassus.Scene, dense: Dense, algorithm: str) -> None:
    op = updated(scene, algorithm)
    assert op.algorithm == algorithm
    assert op.shape == dense.matrix.shape
    np.testing.assert_allclose(op.dense(), dense.matrix, rtol=0, atol=dense.tolerance)
    np.testing.assert_allclose(op.diagonal(), np.diag(dense.matrix), rtol=0, atol=dense.tolerance)


def test_products(scene: delassus.Scene, dense: Dense, algorithm: str) -> None:
    op = updated(scene, algorithm)
    x = some_numbers(op.rows, 11)
    scale = dense.tolerance * np.abs(x).sum(axis=0).max()  # each product sums as many entries
    np.testing.assert_allclose(op.apply(x), dense.matrix @ x, rtol=0, atol=scale)
    column = np.ascontiguousarray(x[:, 3])
    np.testing.assert_allclose(op @ column, dense.matrix @ column, rtol=0, atol=scale)
    response = dense.response_tolerance * np.abs(column).sum()
    np.testing.assert_allclose(op.joint_response(column), dense.response @ column, rtol=0, atol=response)


def damped_residual(dense: Dense, R_inverse: np.ndarray, z: np.ndarray, b: np.ndarray) -> float:
    """Relative to what is added up to b, so that it is rounding for an exact solution."""
    A = dense.matrix + R_inverse
    return float(np.abs(A @ z - b).max() / (np.abs(A) @ np.abs(z) + np.abs(b)).max())


# The solve sees Λ⁻¹ as the algorithm computes it and the residual as NumPy does; they differ by dense.relative. What solves
# may leave beyond that is 1e-7 by default (condensed) or where refinement ends (lcaba).
def residual_bound(dense: Dense) -> float:
    return max(1e-7, 10 * dense.relative)


def test_solve_with_one_damping(scene: delassus.Scene, dense: Dense, algorithm: str) -> None:
    op = updated(scene, algorithm)
    damping = 1e-3 * float(np.diag(dense.matrix).max())
    op.update_damping(damping)
    b = some_numbers(op.rows, 3)
    for z in (op.solve(b), np.column_stack([op.solve(np.ascontiguousarray(c)) for c in b.T])):
        assert damped_residual(dense, damping * np.eye(op.rows), z, b) < residual_bound(dense)


def test_solve_with_a_diagonal(scene: delassus.Scene, dense: Dense, algorithm: str) -> None:
    op = updated(scene, algorithm)
    damping = np.diag(dense.matrix).max() * np.geomspace(1e-3, 1e-1, op.rows)
    op.update_damping(damping)
    b = some_numbers(op.rows)
    assert damped_residual(dense, np.diag(damping), op.solve(b), b) < residual_bound(dense)


def test_solve_with_blocks(scene: delassus.Scene, dense: Dense, algorithm: str) -> None:
    op = updated(scene, algorithm)
    scale = 1e-2 * np.diag(dense.matrix).max()
    R_inverse = np.zeros(op.shape)
    blocks, row = [], 0
    for k, constraint in enumerate(op.constraints):
        half = some_numbers(constraint.num_rows, constraint.num_rows, seed=k)
        block = half @ half.T
        blocks.append(scale * (0.5 * (block + block.T) + np.eye(len(block))))
        end = row + constraint.num_rows
        R_inverse[row:end, row:end] = blocks[-1]
        row = end
    op.update_damping(blocks)
    b = some_numbers(op.rows)
    assert damped_residual(dense, R_inverse, op.solve(b), b) < residual_bound(dense)


def test_solve_in_place(go2: delassus.Scene, algorithm: str) -> None:
    op = updated(go2, algorithm)
    op.update_damping(1e-2)
    for shape in ((op.rows,), (op.rows, 11)):
        b = some_numbers(*shape)
        expected = op.solve(b)
        assert op.solve(b, out=b) is b
        np.testing.assert_array_equal(b, expected)


def test_damped_inverse(scene: delassus.Scene, dense: Dense) -> None:
    op = updated(scene, "condensed")
    damping = 1e-2 * float(np.diag(dense.matrix).max())
    inverse = op.damped_inverse(damping)
    A = dense.matrix + damping * np.eye(op.rows)
    # As inverses go: the product with A is the identity but for rounding times the condition of A.
    bound = max(1e-9, 10 * dense.relative) * np.linalg.cond(A)
    assert np.abs(A @ inverse - np.eye(op.rows)).max() < bound
    np.testing.assert_array_equal(op.damped_inverse(np.full(op.rows, damping)), inverse)


def test_spectrum(scene: delassus.Scene, dense: Dense) -> None:
    values = np.linalg.eigvalsh(dense.matrix)
    spectrum = updated(scene, "dense").spectrum()
    assert spectrum.largest == pytest.approx(values[-1], abs=len(values) * dense.tolerance)
    assert spectrum.smallest == pytest.approx(values[0], abs=len(values) * dense.tolerance)
    assert 0 < spectrum.rank <= len(values)


def test_kkt_system(go2: delassus.Scene) -> None:
    op = updated(go2, "kkt")
    op.update_damping(1e-2)
    tau, b = some_numbers(go2.model.nv), some_numbers(op.rows, seed=4)
    acceleration, force = op.solve_system(tau, b)
    dense = Dense(go2)
    kkt = np.block([[dense.M, -dense.J.T], [dense.J, 1e-2 * np.eye(op.rows)]])
    expected = np.linalg.solve(kkt, np.concatenate([tau, b]))
    both = np.concatenate([acceleration, force])
    np.testing.assert_allclose(both, expected, rtol=0, atol=100 * dense.relative * np.abs(expected).max())


def test_contacts_come_and_go(go2: delassus.Scene) -> None:
    op = updated(go2, "condensed")
    whole = op.dense()
    some = go2.constraints[:2]
    op.set_constraints(some)
    assert op.rows == sum(c.num_rows for c in some)
    op.update(go2.q)
    np.testing.assert_allclose(op.dense(), whole[: op.rows, : op.rows], rtol=0, atol=Dense(go2).tolerance)
    op.set_constraints([])
    op.update(go2.q)
    assert op.dense().shape == (0, 0)
    assert op.apply(np.empty(0)).shape == (0,)


def test_moved_points_are_taken_over(go2: delassus.Scene) -> None:
    contact = delassus.PointContact(go2.model, "FL_foot")
    moved = contact.replace(a=contact.a.replace(offset=delassus.Pose(p=(0.1, 0, 0))))
    op = delassus.Operator(go2.model, [contact], algorithm="ltl")
    op.update(go2.q)
    before = op.dense()
    op.set_constraints([moved])
    op.update(go2.q)
    fresh = delassus.Operator(go2.model, [moved], algorithm="ltl")
    fresh.update(go2.q)
    assert not np.array_equal(op.dense(), before)
    np.testing.assert_array_equal(op.dense(), fresh.dense())


def test_options(go2: delassus.Scene) -> None:
    exact = updated(go2, "dense").dense()
    tight = delassus.CondensedOptions(condense="nothing", form="all_multipliers", tolerance=1e-10)
    for algorithm, options in (("condensed", tight), ("lcaba", delassus.LcabaOptions(refinements=5))):
        op = delassus.Operator(go2.model, go2.constraints, algorithm, options=options)
        op.update(go2.q)
        np.testing.assert_allclose(op.dense(), exact, rtol=0, atol=Dense(go2).tolerance)
    room = delassus.CondensedCapacity.room_for(2)
    with pytest.raises(delassus.Error, match="room|capacity|constraints"):
        op = delassus.Operator(
            go2.model, go2.constraints, "condensed", options=delassus.CondensedOptions(capacity=room)
        )
        op.update(go2.q)
    with pytest.raises(delassus.Error, match="not for the algorithm ltl"):
        delassus.Operator(go2.model, go2.constraints, "ltl", options=delassus.CondensedOptions())
    with pytest.raises(TypeError, match="argument 'options' is a dict"):
        delassus.Operator(go2.model, go2.constraints, "ltl", options={})


def test_residual_is_that_of_the_last_solve(go2: delassus.Scene) -> None:
    op = updated(go2, "lcaba")
    op.update_damping(1e-3)
    b = some_numbers(op.rows)
    z = op.solve(b)
    left = np.abs(b - (op.apply(z) + 1e-3 * z)).max()
    # Both are rounding, of sums in another order.
    assert abs(op.residual - left) < 1e-12 * np.abs(b).max()
    assert np.isnan(updated(go2, "ltl").residual)


def test_sizes(op: delassus.Operator, go2: delassus.Scene) -> None:
    assert op.rows == 12 and op.shape == (12, 12) and op.dtype == np.float64
    assert op.bytes > 0
    assert op.model is go2.model
    assert op.constraints == go2.constraints
    np.testing.assert_array_equal(op.q, go2.q)
