"""Simulator.step(push=...): what it does to bodies, and that nothing of it stays."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from reference import EPS

import delassus

G = np.array([0, 0, -9.81])
BOX = delassus.box_inertial(2.0, (0.1, 0.2, 0.3), com=(0.03, -0.02, 0.01))
FLOATING = delassus.SimulationOptions(ground=False)


def box() -> delassus.Simulator:
    builder = delassus.ModelBuilder("box")
    builder.add_body("box", "world", delassus.Joint("free", "free"), BOX)
    return delassus.Simulator(builder.make_model(), FLOATING)


def arm() -> delassus.Model:
    """A base that floats, an arm on it, a tip that is fixed to the arm, and a frame on that."""
    builder = delassus.ModelBuilder("arm")
    builder.add_fixed_body("wall", "world", None, delassus.box_inertial(9.0, (1, 1, 1)))
    builder.add_body("base", "world", delassus.Joint("free", "free"), delassus.box_inertial(3.0, (0.2, 0.1, 0.1), (0, 0.02, 0)))
    hinge = delassus.Joint("hinge", axis=(0, 1, 0), placement=delassus.Pose((0.3, 0, 0)))
    builder.add_body("arm", "base", hinge, delassus.box_inertial(0.5, (0.2, 0.02, 0.02), (0.2, 0, 0)))
    builder.add_fixed_body("tip", "arm", delassus.Pose((0.4, 0, 0)), delassus.sphere_inertial(0.2, 0.03, (0, 0.01, 0)))
    builder.add_frame("nail", "tip", delassus.Pose((0, 0, 0.1)))
    return builder.make_model()


def moving_arm() -> delassus.Simulator:
    model = arm()
    sim = delassus.Simulator(model, FLOATING)
    sim.q[:] = model.integrate(model.neutral(), np.array([0.3, -0.2, 0.5, 0.1, 0.2, -0.4, 0.7]))
    sim.v[:] = [0.1, -0.2, 0.3, 0.4, -0.5, 0.6, 0.7]
    sim.forces[6] = 0.3
    return sim


def velocity_of_mass(sim: delassus.Simulator) -> np.ndarray:
    body = sim.body("box")
    axes = delassus.State(sim.model, sim.q).frame_pose("box").R
    return body.velocity + np.cross(body.angular_velocity, axes @ BOX.com)


@pytest.mark.parametrize("spin", [(0, 0, 0), (1, 2, 3)])
def test_a_force_gives_its_impulse(spin: Any) -> None:
    """Wherever the body turns, for it acts at the centre of mass. Each step rounds velocities of some m/s, or rad/s times the box, a few times."""
    sim = box()
    sim.v[:3] = spin
    before, force = velocity_of_mass(sim), np.array([3.0, 4.0, 5.0])
    sim.step(100, push={"box": force})
    gain = 100 * sim.options.dt * (force / BOX.mass + G)
    np.testing.assert_allclose(velocity_of_mass(sim) - before, gain, rtol=0, atol=100 * 10 * EPS)
    now = sim.v.copy()
    sim.step()  # it has ended
    np.testing.assert_allclose(velocity_of_mass(sim) - before, gain + sim.options.dt * G, rtol=0, atol=101 * 10 * EPS)
    assert not sim.forces.any() and not np.array_equal(now, sim.v)


def test_a_moment_turns() -> None:
    """About a principal axis I w = n h m. The axes are rounded in every step, and cosines of them add up."""
    sim = box()
    sim.step(100, push={"box": (0, 0, 0, 0, 0, 0.7)})
    expected = 100 * sim.options.dt * 0.7 / BOX.inertia[2, 2]
    np.testing.assert_allclose(sim.v[:3], [0, 0, expected], rtol=0, atol=100 * 100 * EPS * expected)
    np.testing.assert_allclose(velocity_of_mass(sim), 100 * sim.options.dt * G, rtol=0, atol=100 * 10 * EPS)


def mass_centre(model: delassus.Model, q: np.ndarray, body: str) -> np.ndarray:
    com = next(b.inertial.com for b in model.bodies if b.name == body)
    return delassus.State(model, q).frame_pose(body) * com


@pytest.mark.parametrize("body", ["base", "arm", "tip"])
def test_a_push_is_joint_forces(body: str) -> None:
    """J^T f by central differences of 1e-5, whose error is 1e-10 m for a metre, plus rounding of a metre over 1e-5; times 10 N and 1 ms, on joints that feel
    0.02 kg m^2 and more."""
    pushed, twin = moving_arm(), moving_arm()
    model, force, e = pushed.model, np.array([3.0, -4.0, 5.0]), 1e-5
    tau = np.array(
        [
            force @ (mass_centre(model, model.integrate(twin.q, d), body) - mass_centre(model, model.integrate(twin.q, -d), body))
            for d in e * np.eye(model.nv)
        ]
    ) / (2 * e)
    pushed.step(push={body: force})
    twin.forces[:] += tau
    twin.step()
    np.testing.assert_allclose(pushed.v, twin.v, rtol=0, atol=1e-9)
    assert np.abs(pushed.v - moving_arm().v).max() > 1e-3
    np.testing.assert_array_equal(pushed.forces, [0] * 6 + [0.3])


def test_it_acts_where_the_body_is_in_each_step() -> None:
    at_once, by_steps = moving_arm(), moving_arm()
    wrench = np.array([1.0, 2.0, 3.0, 0.1, 0.2, 0.3])
    at_once.step(20, {"tip": wrench})
    for _ in range(20):
        by_steps.step(push={"tip": wrench})
    np.testing.assert_array_equal(at_once.q, by_steps.q)
    np.testing.assert_array_equal(at_once.v, by_steps.v)


def test_bodies_are_named_as_elsewhere() -> None:
    """A frame stands for its body, and what is given twice adds up."""
    model = arm()
    same: list[dict[Any, Any]] = [
        {"tip": (1, 2, 4)},
        {"nail": [1, 2, 4]},
        {model.find_frame("nail"): np.array([1, 2, 4])},
        {"tip": (1.0, 0, 0), "nail": (0, 2.0, 4.0, 0, 0, 0)},
    ]
    ends = []
    for push in same:
        sim = moving_arm()
        sim.step(3, push=push)
        ends.append(sim.v.copy())
    for end in ends[1:3]:
        np.testing.assert_array_equal(end, ends[0])
    np.testing.assert_allclose(ends[3], ends[0], rtol=0, atol=1e-13)  # added in another order
    sim, other = moving_arm(), moving_arm()
    sim.step(3, push={}), other.step(3)
    np.testing.assert_array_equal(sim.v, other.v)


def test_saved_states_know_nothing_of_it() -> None:
    sim, twin = moving_arm(), moving_arm()
    saved = sim.save()
    sim.step(5, push={"arm": (10, 0, 0)})
    assert pickle.loads(pickle.dumps(sim)).save().forces.tolist() == [0] * 6 + [0.3]
    sim.restore(saved)
    sim.step(5), twin.step(5)
    np.testing.assert_array_equal(sim.q, twin.q)


@pytest.mark.parametrize(
    "push, words",
    [
        ({"tp": (1, 0, 0)}, "model 'arm' has no frame named 'tp' .did you mean 'tip'"),
        ({"tip": (1, 0, np.nan)}, r"argument 'push\[tip\]' has a number that is not finite"),
        ({"tip": (1, 0, 0, 0, np.inf, 0)}, r"argument 'push\[tip\]' has a number that is not finite"),
        ({"tip": (1, 0)}, r"argument 'push\[tip\]' has 2 numbers; expected 3 for a force"),
        ({"tip": np.eye(3)}, r"argument 'push\[tip\]' has shape \(3, 3\)"),
        ({"wall": (1, 0, 0)}, "argument 'push': 'wall' is fixed to the world"),
        ({"world": (1, 0, 0)}, "'world' is fixed to the world"),
        ({99: (1, 0, 0)}, "argument 'push' is 99"),
        ({"base": (1, 0, 0), "tp": (1, 0, 0)}, "no frame named 'tp'"),
        ({"tip": "up"}, "'up'|is a str; expected numbers"),
        ({1.5: (1, 0, 0)}, "argument 'push' is a float; expected the name or the index of a frame"),
        ([("tip", (1, 0, 0))], "argument 'push' is a list; expected a dict"),
    ],
)
def test_what_makes_no_sense_changes_nothing(push: Any, words: str) -> None:
    sim, twin = moving_arm(), moving_arm()
    with pytest.raises((delassus.Error, TypeError), match=words):
        sim.step(5, push=push)
    assert sim.time == 0
    for name in ("q", "v", "forces"):
        np.testing.assert_array_equal(getattr(sim, name), getattr(twin, name))


def test_forces_stay_where_a_step_fails() -> None:
    sim, twin = moving_arm(), moving_arm()
    q = sim.q.copy()
    with pytest.raises(delassus.NumericalError):
        sim.step(3, push={"base": (1e300, 0, 0)})
    np.testing.assert_array_equal(sim.forces, twin.forces)
    np.testing.assert_array_equal(sim.q, q)
    sim.step(3), twin.step(3)
    np.testing.assert_array_equal(sim.v, twin.v)
