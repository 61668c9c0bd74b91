"""Coordinates of other libraries, from their definitions."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from reference import some_configuration, some_numbers

import delassus


@pytest.fixture
def model() -> delassus.Model:
    return delassus.load("go2").model


def test_mujoco(model: delassus.Model) -> None:
    """Quaternions w x y z; linear velocity first and in world axes."""
    layout = delassus.CoordinateLayout(model, "mujoco")
    q, v = some_configuration(model), some_numbers(model.nv)
    there = layout.q_to(q)
    np.testing.assert_array_equal(there[:3], q[:3])
    np.testing.assert_array_equal(there[3:7], np.roll(q[3:7], 1))
    np.testing.assert_array_equal(layout.q_from(there), q)
    R = delassus.State(model, q).frame_pose("base").R
    w = layout.velocity_to(q, v)
    np.testing.assert_allclose(w[:3], R @ v[3:6], rtol=0, atol=1e-14)
    np.testing.assert_array_equal(w[3:6], v[:3])


def test_pinocchio(model: delassus.Model) -> None:
    """Linear velocity first, and in the body's axes as here."""
    layout = delassus.CoordinateLayout(model, "pinocchio")
    q, v = some_configuration(model), some_numbers(model.nv)
    w = layout.velocity_to(q, v)
    np.testing.assert_array_equal(w[:6], np.concatenate([v[3:6], v[:3]]))
    assert layout.nq == model.nq and layout.nv == model.nv


@pytest.mark.parametrize("library", ["mujoco", "pinocchio"])
def test_there_and_back(model: delassus.Model, library: str) -> None:
    layout = delassus.CoordinateLayout(model, library)
    q, v, x = some_configuration(model), some_numbers(model.nv), some_numbers(model.nv, seed=3)
    J = some_numbers(5, model.nv)
    bound = 1e-13  # two rotations, of numbers of about one
    np.testing.assert_allclose(layout.velocity_from(q, layout.velocity_to(q, v)), v, rtol=0, atol=bound)
    np.testing.assert_allclose(layout.force_from(q, layout.force_to(q, x)), x, rtol=0, atol=bound)
    there = layout.acceleration_to(q, v, x)
    np.testing.assert_allclose(layout.acceleration_from(q, v, there), x, rtol=0, atol=bound)
    rows = layout.jacobian_to(q, J)
    np.testing.assert_allclose(layout.jacobian_from(q, rows), J, rtol=0, atol=bound)
    np.testing.assert_allclose(rows @ layout.velocity_to(q, v), J @ v, rtol=0, atol=10 * bound)
    power = layout.force_to(q, x) @ layout.velocity_to(q, v)
    assert power == pytest.approx(x @ v, abs=10 * bound)
    copy = pickle.loads(pickle.dumps(layout))
    np.testing.assert_array_equal(copy.q_to(q), layout.q_to(q))


def test_order_of_joints(model: delassus.Model) -> None:
    names = ["__root__", *reversed(model.joints[1:])]
    layout = delassus.CoordinateLayout(model, "pinocchio", names)
    q = some_configuration(model)
    np.testing.assert_array_equal(layout.q_to(q)[7:], q[:6:-1])


def test_errors(model: delassus.Model) -> None:
    with pytest.raises(delassus.Error, match="argument 'library' is 'mujco' .did you mean 'mujoco'"):
        delassus.CoordinateLayout(model, "mujco")
    with pytest.raises(delassus.Error, match="FL_hip_joint"):
        delassus.CoordinateLayout(model, "mujoco", [j for j in model.joints if j != "FL_hip_joint"])
    layout = delassus.CoordinateLayout(model, "mujoco")
    q = model.neutral()
    with pytest.raises(delassus.Error, match="argument 'v_there' has shape"):
        layout.velocity_from(q, np.zeros(3))
    with pytest.raises(TypeError, match="argument 'J' is an array of float64 with shape .*two dimensions"):
        layout.jacobian_to(q, np.zeros(model.nv))
    with pytest.raises(delassus.Error, match="share memory"):
        layout.q_to(q, out=q)
