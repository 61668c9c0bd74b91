"""J, its maps, drift and positions, against differences of positions."""

from __future__ import annotations

import numpy as np
import pytest
from reference import some_numbers, updated

import delassus


def test_maps_are_those_of_the_matrix(scene: delassus.Scene) -> None:
    op = updated(scene, "condensed")
    J = op.jacobian()
    v, force = some_numbers(scene.model.nv), some_numbers(op.rows, seed=3)
    # Sums of nv or of as many products as rows, each rounded.
    bound = 1e-13 * (np.abs(J) @ np.abs(v)).max() + 1e-15
    np.testing.assert_allclose(op.apply_jacobian(v), J @ v, rtol=0, atol=bound)
    bound = 1e-13 * (np.abs(J.T) @ np.abs(force)).max() + 1e-15
    np.testing.assert_allclose(op.apply_jacobian_transpose(force), J.T @ force, rtol=0, atol=bound)


def test_jacobian_is_the_rate_of_contact_points(go2: delassus.Scene) -> None:
    point = np.array([0.02, 0.01, -0.03])
    contact = delassus.PointContact(go2.model, "FL_foot", point, normal=(0.1, 0.2, 1.0))
    op = delassus.Operator(go2.model, [contact])
    op.update(go2.q)
    v = some_numbers(go2.model.nv)
    step = 1e-6

    def place(time: float) -> np.ndarray:
        return delassus.State(go2.model, go2.model.integrate(go2.q, time * v)).frame_pose("FL_foot") * point

    rate = contact.axes @ (place(step) - place(-step)) / (2 * step)
    # Central differences: rounding of positions by the step, 1e-16 / 1e-6, and its square.
    np.testing.assert_allclose(op.apply_jacobian(v), rate, rtol=0, atol=1e-8)


def test_loop_positions_and_drift() -> None:
    scene = delassus.load("four_bar")
    op = updated(scene, "dense")
    v = some_numbers(scene.model.nv)
    step = 1e-4

    def at(time: float) -> tuple[np.ndarray, np.ndarray]:
        op.update(scene.model.integrate(scene.q, time * v))
        return op.position(), op.apply_jacobian(v)

    before, after, here = at(-step), at(step), at(0)
    drift = op.drift(v)
    # Differences of positions and of velocities: the square of the step, and rounding by the step.
    np.testing.assert_allclose(here[1], (after[0] - before[0]) / (2 * step), rtol=0, atol=1e-6)
    np.testing.assert_allclose(drift, (after[1] - before[1]) / (2 * step), rtol=0, atol=1e-5)


def test_rows_outlive_a_singular_factor() -> None:
    builder = delassus.ModelBuilder("point")
    builder.add_body("bob", "world", delassus.Joint("hinge"), delassus.Inertial(1.0))  # a point mass on the axis
    model = builder.make_model()
    op = delassus.Operator(model, [delassus.PointContact(model, "bob", (1, 0, 0))], "ltl")
    with pytest.raises(delassus.SingularError):
        op.update(model.neutral())
    np.testing.assert_allclose(op.jacobian().ravel(), [0, 0, 1])  # n is up, t1 along x, t2 along y
