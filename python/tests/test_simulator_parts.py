"""Bodies and joints of a Simulator by name."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import numpy as np
import pytest

import delassus

G = 9.81
FEET = ("FL_foot", "FR_foot", "RL_foot", "RR_foot")
GO2 = delassus.load("go2-standing")
MOTORS = delassus.position_actuators(GO2.model, kp=200, kd=10)


def standing(steps: int = 0) -> delassus.Simulator:
    sim = delassus.Simulator(GO2, actuators=MOTORS)
    sim.step(steps)
    return sim


def test_feet_carry_the_weight() -> None:
    """It has stood for a second; what is left of its motion is told by v, and forces may miss the law by the tolerance, in a step."""
    sim = standing(1000)
    slack = GO2.model.mass * (10 * np.abs(sim.v).max() + sim.options.tolerance) / sim.options.dt
    assert slack < 0.1 * GO2.model.mass * G
    feet = [sim.body(foot) for foot in FEET]
    np.testing.assert_allclose(sum(foot.contact_force for foot in feet), [0, 0, GO2.model.mass * G], rtol=0, atol=slack)
    assert all(foot.in_contact for foot in feet)
    others = [sim.body(body.name) for body in GO2.model.bodies if body.name not in FEET]
    assert not any(body.in_contact for body in others)  # not the shanks either, which the feet are fixed to
    assert not np.any([body.contact_force for body in others])


def test_both_bodies_of_a_contact_feel_it() -> None:
    sim = delassus.Simulator("box-stack:2")
    sim.step(50)
    low, high = (sim.body(body.name) for body in sim.model.bodies)
    weights = [body.mass * G for body in (low, high)]
    # Solved to 1e-6 m/s or better in each step of 1 ms: to 1e-4 of the weight.
    np.testing.assert_allclose(high.contact_force, [0, 0, weights[1]], rtol=0, atol=1e-4 * sum(weights))
    np.testing.assert_allclose(low.contact_force, [0, 0, weights[0]], rtol=0, atol=1e-4 * sum(weights))


def test_bodies_agree_with_a_batch_and_with_states() -> None:
    sim = standing()
    many = delassus.VectorSimulator(GO2, 1, dt=sim.options.dt, actuators=MOTORS, threads=1, lanes=False)
    sim.v[:] = many.v[0] = np.linspace(-0.3, 0.3, 18)
    many.reset(q=many.q.copy(), v=many.v.copy())
    for s in (sim, many):
        s.step(20)
    np.testing.assert_array_equal(sim.q, many.q[0])
    names = [body.name for body in GO2.model.bodies]
    poses, velocities = many.poses(names)[0], many.velocities(names)[0]
    state = delassus.State(GO2.model, sim.q, sim.v)
    for k, name in enumerate(names):
        body = sim.body(name)
        np.testing.assert_array_equal([*body.position, *body.quaternion], poses[k])
        np.testing.assert_array_equal([*body.velocity, *body.angular_velocity], velocities[k])
        np.testing.assert_array_equal([*body.angular_velocity, *body.velocity], state.frame_velocity(name))
        np.testing.assert_array_equal(body.contact_force, many.contact_force[0, many.body_index(name)])
        assert body.in_contact == many.in_contact[0, many.body_index(name)]
        assert (body.name, body.mass) == (name, GO2.model.bodies[k].inertial.mass)


def test_they_are_live() -> None:
    sim = standing(10)
    base, foot = sim.body("base"), sim.body("FL_foot")
    before = base.position.copy()
    assert foot.in_contact
    sim.q[2] += 0.5
    np.testing.assert_allclose(base.position - before, [0, 0, 0.5], rtol=0, atol=1e-15)  # one sum is rounded
    assert foot.in_contact, "contacts are those of the last step"
    sim.step()
    assert not foot.in_contact and not foot.contact_force.any()
    assert base.velocity[2] < 0
    with pytest.raises(ValueError):
        base.position[0] = 1  # a change would be lost


def test_joints_write_through() -> None:
    sim = standing()
    model, knee, root = sim.model, sim.joint("FL_calf_joint"), sim.joint("__root__")
    at, dof = model.q_slice("FL_calf_joint").start, model.v_slice("FL_calf_joint").start
    assert knee.q.shape == knee.v.shape == knee.force.shape == (1,) and (root.q.shape, root.v.shape) == ((7,), (6,))
    for array, whole in ((knee.q, sim.q), (knee.v, sim.v), (knee.force, sim.forces), (root.q, sim.q)):
        assert np.shares_memory(array, whole) and array.flags.writeable
    knee.q = -1.3
    knee.v = [0.2]
    knee.force = np.float64(3)
    assert (sim.q[at], sim.v[dof], sim.forces[dof]) == (-1.3, 0.2, 3.0)
    knee.q += 0.1
    assert sim.q[at] == pytest.approx(-1.2, abs=1e-15)
    root.q[2] += 0.25
    root.v = np.arange(6)
    assert sim.q[2] == GO2.q[2] + 0.25 and sim.v[:6].tolist() == [0, 1, 2, 3, 4, 5]
    sim.step()
    assert knee.q[0] == sim.q[at] and knee.v[0] == sim.v[dof]
    assert (knee.lower, knee.upper) == (model.lower[dof], model.upper[dof])
    assert root.lower.shape == (6,) and np.isneginf(root.lower).all() and np.isposinf(root.upper).all()


def test_names_and_indices() -> None:
    sim = standing()
    assert sim.body(0).name == GO2.model.bodies[0].name
    assert sim.joint(3).name == GO2.model.joints[3]
    assert repr(sim.body("base")) == f"<delassus.SimulatedBody 'base' of '{GO2.model.name}'>"
    assert repr(sim.joint("__root__")) == f"<delassus.SimulatedJoint '__root__' of '{GO2.model.name}'>"
    assert sim.body("base").simulator is sim and sim.joint("__root__").simulator is sim


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda s: s.body("bas"), "has no body named 'bas' .did you mean 'base'"),
        (lambda s: s.body("world"), "has no body named 'world'"),
        (lambda s: s.body(99), "argument 'name' is 99"),
        (lambda s: s.body(1.5), "argument 'name' is a float; expected the name or the index of a body"),
        (lambda s: s.joint("FL_calf_jont"), "has no joint named 'FL_calf_jont' .did you mean 'FL_calf_joint'"),
        (lambda s: setattr(s.joint("__root__"), "q", 0.3), r"argument 'q' has shape \(\); expected \(7,\)"),
        (lambda s: setattr(s.joint("FL_calf_joint"), "q", [1, 2]), r"argument 'q' has shape \(2,\); expected \(1,\)"),
        (lambda s: setattr(s.joint("FL_calf_joint"), "v", "fast"), "argument 'v' is a str"),
        (lambda s: setattr(s.joint("FL_calf_joint"), "force", 1j), "argument 'force' is a complex"),
    ],
)
def test_mistakes_are_named(call: Any, words: str) -> None:
    sim = standing()
    with pytest.raises((delassus.Error, TypeError), match=words):
        call(sim)
    np.testing.assert_array_equal(sim.q, GO2.q)


def test_coordinates_that_make_no_sense() -> None:
    sim = standing()
    base = sim.body("base")
    sim.q[0] = np.nan
    with pytest.raises(delassus.NumericalError):
        base.position
    sim.q[0] = 0
    sim.q[3:7] = 0
    with pytest.raises(delassus.Error, match="__root__"):
        base.velocity


def test_they_keep_their_simulator() -> None:
    def parts() -> tuple[Any, Any, Any]:
        sim = standing(5)
        return sim.body("FL_foot"), sim.joint("FL_calf_joint"), weakref.ref(sim)

    foot, knee, sim = parts()
    gc.collect()
    assert foot.in_contact and np.isfinite(foot.position).all()
    q = knee.q
    del foot, knee
    gc.collect()
    assert np.isfinite(q).all() and sim() is not None, "a view of its memory keeps it as well"
    del q
    gc.collect()
    assert sim() is None
