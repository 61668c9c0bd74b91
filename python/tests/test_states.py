"""Kinematics and dynamics against differences and each other, with NumPy between them."""

from __future__ import annotations

import numpy as np
import pytest
from reference import EPS, some_configuration, some_numbers

import delassus

ROBOTS = ("go2", "g1", "cassie", "panda", "stewart")


@pytest.fixture(params=ROBOTS)
def state(request: pytest.FixtureRequest) -> delassus.State:
    model = delassus.load(request.param).model
    return delassus.State(model, some_configuration(model), some_numbers(model.nv))


def frames_of(model: delassus.Model) -> list[str]:
    return [name for name in model.frames if model.link_of_frame(name) >= 0][:: max(1, len(model.frames) // 5)]


def test_velocities_and_jacobians(state: delassus.State) -> None:
    model, q, v = state.model, state.q, state.v
    step = 1e-6
    after = delassus.State(model, model.integrate(q, step * v))
    before = delassus.State(model, model.integrate(q, -step * v))
    for name in frames_of(model):
        velocity = state.frame_velocity(name)
        J = state.frame_jacobian(name)
        np.testing.assert_allclose(J @ v, velocity, rtol=0, atol=1e-12 * (1 + np.abs(velocity).max()))
        R = state.frame_pose(name).R
        own = state.frame_jacobian(name, axes="frame")
        turned = np.vstack([R.T @ J[:3], R.T @ J[3:]])
        np.testing.assert_allclose(own, turned, rtol=0, atol=1e-12 * (1 + np.abs(J).max()))
        rate = (after.frame_pose(name).p - before.frame_pose(name).p) / (2 * step)
        # Central differences leave about 1e-10 by rounding and the square of the step.
        np.testing.assert_allclose(velocity[3:], rate, rtol=0, atol=1e-7 * (1 + np.abs(velocity).max()))
        spin = (after.frame_pose(name).R - before.frame_pose(name).R) / (2 * step) @ R.T
        angular = np.array([spin[2, 1], spin[0, 2], spin[1, 0]])
        np.testing.assert_allclose(velocity[:3], angular, rtol=0, atol=1e-7 * (1 + np.abs(velocity).max()))


def test_drift(state: delassus.State) -> None:
    model, q, v = state.model, state.q, state.v
    step = 1e-5
    after = delassus.State(model, model.integrate(q, step * v), v)
    before = delassus.State(model, model.integrate(q, -step * v), v)
    for name in frames_of(model):
        rate = (after.frame_velocity(name) - before.frame_velocity(name)) / (2 * step)
        drift = state.frame_drift(name)
        np.testing.assert_allclose(drift, rate, rtol=0, atol=1e-5 * (1 + np.abs(drift).max()))


def test_centre_of_mass(state: delassus.State) -> None:
    model, total, moment = state.model, 0.0, np.zeros(3)
    for k, body in enumerate(model.bodies):
        pose = state.frame_pose(k + 1)  # frame 0 is the world
        total += body.inertial.mass
        moment += body.inertial.mass * (pose.p + pose.R @ body.inertial.com)
    assert model.mass == pytest.approx(total, rel=1e-12)
    np.testing.assert_allclose(state.centre_of_mass(), moment / total, rtol=0, atol=1e-12)
    step = 1e-6
    after = delassus.State(model, model.integrate(state.q, step * state.v)).centre_of_mass()
    before = delassus.State(model, model.integrate(state.q, -step * state.v)).centre_of_mass()
    rate = (after - before) / (2 * step)
    np.testing.assert_allclose(state.centre_of_mass_jacobian() @ state.v, rate, rtol=0, atol=1e-7)


def test_nothing_has_no_centre_of_mass() -> None:
    state = delassus.State(delassus.ModelBuilder("void").make_model())
    for verb in (state.centre_of_mass, state.centre_of_mass_jacobian):
        with pytest.raises(delassus.Error, match="'void' has no mass"):
            verb()


def test_inertia_is_that_of_the_bodies(state: delassus.State) -> None:
    """Kinetic energy, body by body, from Jacobians in NumPy."""
    model = state.model
    M = np.diag(np.array(model.armature))
    for k, body in enumerate(model.bodies):
        J = state.frame_jacobian(k + 1, axes="frame")
        c = body.inertial.com
        across = np.array([[0, -c[2], c[1]], [c[2], 0, -c[0]], [-c[1], c[0], 0]])
        linear = J[3:] - across @ J[:3]  # of the centre of mass
        M += body.inertial.mass * linear.T @ linear + J[:3].T @ body.inertial.inertia @ J[:3]
    np.testing.assert_allclose(state.inertia_matrix(), M, rtol=0, atol=1e-12 * np.abs(M).max())


def test_dynamics_agree(state: delassus.State) -> None:
    model = state.model
    M, h = state.inertia_matrix(), state.bias_forces()
    a = some_numbers(model.nv, seed=5)
    tau = state.inverse_dynamics(a)
    scale = np.abs(M).max() * np.abs(a).sum() + np.abs(h).max()
    np.testing.assert_allclose(tau, M @ a + h, rtol=0, atol=1e-12 * scale)
    # M⁻¹ loses the digits that the condition of M has.
    loss = 100 * EPS * np.linalg.cond(M)
    np.testing.assert_allclose(state.forward_dynamics(tau), a, rtol=0, atol=loss * np.abs(tau).max())
    X = some_numbers(model.nv, 11)
    expected = np.linalg.solve(M, X)
    np.testing.assert_allclose(state.apply_inverse_inertia(X), expected, rtol=0, atol=loss * np.abs(expected).max())
    x = np.ascontiguousarray(X[:, 0])
    np.testing.assert_allclose(
        state.apply_inverse_inertia(x), expected[:, 0], rtol=0, atol=loss * np.abs(expected).max()
    )


def test_bias_at_rest_is_the_weight() -> None:
    scene = delassus.load("go2-standing")
    state = delassus.State(scene.model, scene.q)
    weight = scene.model.mass * state.centre_of_mass_jacobian().T @ scene.model.gravity
    np.testing.assert_allclose(state.bias_forces(), -weight, rtol=0, atol=1e-11 * np.abs(weight).max())


def test_integrate_and_difference(state: delassus.State) -> None:
    model = state.model
    q0, v = state.q, 0.3 * state.v
    q1 = model.integrate(q0, v)
    np.testing.assert_allclose(model.difference(q0, q1), v, rtol=0, atol=1e-12)
    same = q0.copy()
    assert model.integrate(same, v, out=same) is same
    np.testing.assert_array_equal(same, q1)


def test_normalise(go2: delassus.Scene) -> None:
    q = go2.q.copy()
    q[3:7] *= 7.0
    go2.model.normalise(q)
    assert np.linalg.norm(q[3:7]) == pytest.approx(1, abs=4 * EPS)
    q[3:7] = 0
    with pytest.raises(delassus.Error, match="__root__"):
        go2.model.normalise(q)


def test_state_keeps_what_it_was_given(go2: delassus.Scene) -> None:
    state = delassus.State(go2.model)
    np.testing.assert_array_equal(state.q, go2.model.neutral())
    np.testing.assert_array_equal(state.v, 0)
    v = some_numbers(go2.model.nv)
    state.update(go2.q, v)
    np.testing.assert_array_equal(state.q, go2.q)
    np.testing.assert_array_equal(state.v, v)
    state.update(go2.q)
    np.testing.assert_array_equal(state.v, 0)


def test_singular_and_not_finite(go2: delassus.Scene) -> None:
    builder = delassus.ModelBuilder("point")
    builder.add_body("bob", "world", delassus.Joint("hinge"), delassus.Inertial(1.0))
    state = delassus.State(builder.make_model())
    with pytest.raises(delassus.SingularError, match="joint 'hinge' is singular") as caught:
        state.forward_dynamics(np.zeros(1))
    assert (caught.value.code, caught.value.index) == ("singular_joint", 0)
    q = go2.q.copy()
    q[9] = np.nan
    with pytest.raises(delassus.NumericalError, match="entry 9 is not a finite number") as caught:
        delassus.State(go2.model, q)
    assert (caught.value.code, caught.value.index) == ("not_finite", 9)
    with pytest.raises(delassus.NumericalError, match="entry 1 is not a finite number"):
        delassus.State(go2.model, go2.q, np.array([0, np.inf, *np.zeros(go2.model.nv - 2)]))
    with pytest.raises(delassus.Error, match="the quaternion of joint '__root__'"):
        delassus.State(go2.model, np.zeros(go2.model.nq))
