"""VectorSimulator from Python: arrays, masks, parameters, statuses, sensors."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import delassus

GO2 = delassus.load("go2-standing")
MOTORS = delassus.position_actuators(GO2.model, kp=200, kd=10)
FEET = ("FL_foot", "FR_foot", "RL_foot", "RR_foot")
TOLERANCE = 1e-6


def make(n: int = 3, **arguments: Any) -> delassus.VectorSimulator:
    return delassus.VectorSimulator(GO2, n, **{"dt": 2e-3, "actuators": MOTORS, "threads": 1, "tolerance": TOLERANCE, **arguments})


def postures(n: int) -> np.ndarray:
    return GO2.q[7:] + np.random.default_rng(0).uniform(-0.2, 0.2, (n, 12))


# ---------------------------------------------------------------------------------------------------------- arrays


@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_shapes_and_types(precision: Any) -> None:
    sim = make(3, precision=precision)
    sim.step()
    bodies = len(GO2.model.bodies)
    shapes = {"q": (3, 19), "v": (3, 18), "targets": (3, 12), "target_velocity": (3, 12), "tau": (3, 18), "efforts": (3, 12)}
    shapes.update({"contact_force": (3, bodies, 3), "residual": (3,)})
    for name, shape in shapes.items():
        array = getattr(sim, name)
        assert array.shape == shape and array.dtype == precision, name
    kinds = {"in_contact": (np.bool_, (3, bodies)), "status": (np.uint8, (3,)), "iterations": (np.int32, (3,))}
    kinds.update({"in_lanes": (np.bool_, (3,)), "time": (np.float64, (3,))})
    for name, (kind, shape) in kinds.items():
        assert getattr(sim, name).dtype == kind and getattr(sim, name).shape == shape, name
    assert sim.poses(FEET).shape == (3, 4, 7) and sim.poses("base").shape == (3, 1, 7) and sim.poses("base").dtype == precision
    assert sim.velocities(FEET).shape == (3, 4, 6)
    assert sim.height_scan("base", [[0, 0], [0.1, 0]]).shape == (3, 2)
    np.testing.assert_allclose(sim.time, 2e-3, rtol=1e-15)
    assert "num_envs=3" in repr(sim) and sim.nbytes > 0 and len(sim.actuators) == 12 and sim.threads == 1


def test_arrays_stay_where_they_are() -> None:
    sim = make()
    names = ("q", "v", "targets", "tau", "contact_force", "in_contact", "status", "residual")
    places = {name: getattr(sim, name).ctypes.data for name in names}
    shared = np.from_dlpack(sim.q)
    before = shared.copy()
    sim.targets[...] = postures(3)
    sim.step(5)
    sim.reset([True, False, True])
    sim.randomize(friction=0.5)
    sim.restore(0, sim.save(1))
    assert places == {name: getattr(sim, name).ctypes.data for name in names}
    assert np.shares_memory(shared, sim.q) and not np.array_equal(shared, before)


def test_float32_arrays_are_the_rounded_ones() -> None:
    """Inputs that float32 holds: steps are computed in float64 in both."""
    one, other = make(), make(precision="float32")
    targets = postures(3).astype(np.float32)
    one.targets[...], other.targets[...] = targets, targets
    one.step(10), other.step(10)
    np.testing.assert_array_equal(other.q, one.q.astype(np.float32))


def test_substeps_are_steps() -> None:
    one, other = make(substeps=5), make()
    one.targets[...] = other.targets[...] = postures(3)
    one.step(2), other.step(10)
    np.testing.assert_array_equal(one.q, other.q)


# ---------------------------------------------------------------------------------------------------------- verbs


def test_a_reset_environment_equals_a_fresh_one() -> None:
    sim, fresh = make(), make()
    sim.targets[...] = postures(3)
    sim.step(30)
    moved = sim.q.copy()
    sim.reset([False, True, False])
    np.testing.assert_array_equal(sim.q[[0, 2]], moved[[0, 2]])
    for name in ("q", "v", "targets", "tau", "time", "status"):
        np.testing.assert_array_equal(getattr(sim, name)[1], getattr(fresh, name)[1])
    sim.targets[1] = fresh.targets[1] = postures(2)[1]
    sim.step(30), fresh.step(30)
    for name in ("q", "v", "contact_force", "residual"):
        np.testing.assert_array_equal(getattr(sim, name)[1], getattr(fresh, name)[1])


def test_reset_sets_the_clock() -> None:
    sim = make(3)
    sim.step(2)
    sim.reset([False, True, False], time=5.0)
    np.testing.assert_array_equal(sim.time, [4e-3, 5.0, 4e-3])


def test_reset_to_states() -> None:
    sim = make()
    q = np.tile(GO2.q, (3, 1))
    q[:, 2] += 0.1 * np.arange(1, 4)
    v = np.zeros((3, 18))
    v[:, 5] = 0.5  # upwards
    sim.reset(q=q, v=v)
    np.testing.assert_array_equal(sim.q, q)
    np.testing.assert_array_equal(sim.v, v)
    np.testing.assert_allclose(sim.targets, q[:, 7:])
    sim.reset(q=q[0])  # one for all, and at rest
    assert np.array_equal(sim.q, q[[0, 0, 0]]) and not sim.v.any()


def test_reset_refuses_states_that_make_no_sense_and_changes_none() -> None:
    sim = make()
    sim.targets[...] = postures(3)
    sim.step(3)
    before = sim.q.copy()
    q = np.tile(GO2.q, (3, 1))
    q[1, 2] = -0.2  # under the floor
    with pytest.raises(delassus.Error):
        sim.reset(q=q)
    q[1, 2] = np.nan
    with pytest.raises(delassus.Error):
        sim.reset(q=q)
    np.testing.assert_array_equal(sim.q, before)
    sim.reset([True, False, True], q=q)  # rows outside of the mask are not read
    np.testing.assert_array_equal(sim.q[1], before[1])


def test_saved_states_pickle_and_go_on() -> None:
    sim = make()
    sim.targets[...] = postures(3)
    sim.step(20)
    saved = pickle.loads(pickle.dumps(sim.save(2)))
    assert saved == sim.save(2)
    sim.step(20)
    expected = sim.q[2].copy()
    other = make(1)
    other.restore(0, saved)
    np.testing.assert_array_equal(other.targets[0], postures(3)[2])
    other.step(20)
    np.testing.assert_array_equal(other.q[0], expected)


# ------------------------------------------------------------------------------------------------------ parameters


def everything(n: int) -> dict[str, np.ndarray]:
    rng, bodies = np.random.default_rng(2), len(GO2.model.bodies)
    return {
        "friction": rng.uniform(0.4, 1, n),
        "mass_scale": rng.uniform(0.9, 1.1, (n, bodies)),
        "inertia_scale": rng.uniform(0.9, 1.1, (n, bodies)),
        "com_offset": rng.uniform(-0.01, 0.01, (n, bodies, 3)),
        "kp": rng.uniform(150, 250, (n, 12)),
        "kd": rng.uniform(8, 12, n),
        "effort_limit": rng.uniform(30, 40, n),
        "latency": rng.uniform(0, 0.01, n),
        "gravity": rng.uniform(-0.2, 0.2, (n, 3)) - np.array([0, 0, 9.8]),
    }


def test_a_randomised_environment_equals_a_single_one() -> None:
    parameters = everything(5)
    many = make(5)
    many.randomize(**parameters)
    many.targets[...] = postures(5)
    many.step(60)
    assert not many.status.any() and len(np.unique(many.q[:, 2])) == 5
    for e in range(5):
        one = make(1)
        one.randomize(**{name: value[e : e + 1] for name, value in parameters.items()})
        one.targets[...] = postures(5)[e]
        one.step(60)
        np.testing.assert_array_equal(one.q[0], many.q[e])
        np.testing.assert_array_equal(one.contact_force[0], many.contact_force[e])


def test_masks_and_bodies_by_name() -> None:
    sim = make(3)
    sim.randomize([False, True, False], mass_scale={"base": 2.0})
    sim.randomize(mass_scale={"FL_hip": [1.0, 1.0, 3.0]})
    other, scale = make(3), np.ones((3, len(GO2.model.bodies)))
    scale[1, other.body_index("base")] = 2.0
    scale[2, other.body_index("FL_hip")] = 3.0
    other.randomize(mass_scale=scale)
    sim.step(20), other.step(20)
    np.testing.assert_array_equal(sim.q, other.q)
    assert not np.array_equal(sim.q[0], sim.q[1])


def test_numbers_for_all() -> None:
    one, other = make(), make()
    one.randomize(friction=0.5, kp=150.0, gravity=(0, 0, -5))
    other.randomize(friction=np.full(3, 0.5), kp=np.full((3, 12), 150.0), gravity=np.tile([0.0, 0, -5], (3, 1)))
    one.step(20), other.step(20)
    np.testing.assert_array_equal(one.q, other.q)


# -------------------------------------------------------------------------------------------------------- messages


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda s: s.reset(mask=[True]), None),
        (lambda s: s.reset(mask=[True, False]), "'mask' has shape"),
        (lambda s: s.reset(q=np.zeros(4)), "'q' has shape"),
        (lambda s: s.reset(q="up"), "'q' has to be an array of numbers"),
        (lambda s: s.reset(v=np.zeros(18)), "'v' is given without 'q'"),
        (lambda s: s.randomize(colour=1), "'colour'"),
        (lambda s: s.randomize(friction=np.ones(2)), "'friction' has shape"),
        (lambda s: s.randomize(friction="ice"), "'friction' has to be an array of numbers"),
        (lambda s: s.randomize(mass_scale={"tail": 1.0}), "no body 'tail'"),
        (lambda s: s.body_index("tail"), "no body 'tail'"),
        (lambda s: s.poses("tail"), "tail"),
        (lambda s: s.height_scan("base", 10**400), "'points' has to be an array of numbers"),
        (lambda s: s.height_scan("base", [0.0, 0.0]), "'points' has shape"),
        (lambda s: make(substeps=0), "'substeps' is 0"),
        (lambda s: make(precision="float16"), "'precision' is 'float16'"),
        (lambda s: make(device="cuda"), "'device' is 'cuda'"),
        (lambda s: make(precision=10**5000), "'precision' is an object of int"),  # too long to be written
        (lambda s: make(precision=np.zeros(2)), "'precision' is array"),
        (lambda s: make(substeps=-(10**5000)), "'substeps' is an object of int"),
        (lambda s: s.randomize(friction=-1.0), "friction"),
        (lambda s: s.randomize(mass_scale=0.0), "mass_scale"),
    ],
)
def test_wrong_calls_name_the_argument(call: Any, words: str | None) -> None:
    sim = make()
    if words is None:
        call(sim)  # one value is for all
        return
    with pytest.raises((delassus.Error, TypeError), match=words):
        call(sim)


def test_an_input_that_is_not_a_number_fails_its_environment_alone() -> None:
    for name in ("targets", "tau"):
        sim, twin = make(), make()
        sim.targets[...] = twin.targets[...] = postures(3)
        getattr(sim, name)[1, 0] = np.nan
        before = sim.q[1].copy()
        assert sim.step(5) == 1 and twin.step(5) == 0
        word = "bad_control" if name == "targets" else "bad_force"
        assert [sim.words[s] for s in sim.status] == ["ok", word, "ok"]
        assert sim.message(1) and sim.message(0) == ""
        np.testing.assert_array_equal(sim.q[[0, 2]], twin.q[[0, 2]])
        np.testing.assert_array_equal(sim.q[1], before)
        getattr(sim, name)[1, 0] = 0.0
        assert sim.step() == 0 and not sim.status.any()


# --------------------------------------------------------------------------------------------------------- sensors


def test_what_it_feels_at_rest() -> None:
    """Feet carry its weight, and the IMU measures gravity. It has stood for 2 s; what is left of its motion is told by v, and forces may miss the law by the
    tolerance, in a step of 2 ms."""
    sim = make(2)
    sim.watch_imu("base")
    sim.step(1000)
    speed = np.abs(sim.v).max()
    assert speed < 1e-4
    slack = GO2.model.mass * (10 * speed + TOLERANCE) / 2e-3
    np.testing.assert_allclose(sim.contact_force.sum(axis=1)[:, 2], 9.81 * GO2.model.mass, atol=slack)
    touching = [sim.body_index(foot) for foot in FEET]
    assert sim.in_contact[:, touching].all() and sim.in_contact.sum() == 8
    imu = sim.imu()
    x, y, z, w = sim.q[:, 3:7].T
    up = np.stack([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], axis=1)
    np.testing.assert_allclose(imu[:, 3:], 9.81 * up, atol=(10 * speed + TOLERANCE) / 2e-3)
    np.testing.assert_allclose(imu[:, :3], 0, atol=10 * speed + 1e-9)


def test_the_imu_of_a_falling_robot_measures_nothing() -> None:
    sim = make(2)
    sim.watch_imu("base")
    q = GO2.q.copy()
    q[2] = 2.0
    sim.reset(q=q)
    sim.step(5)
    # Motors hold the posture, so that all falls as one body; the step is of first order, and motors turn it by little.
    np.testing.assert_allclose(sim.imu()[:, 3:], 0, atol=1e-6)
    np.testing.assert_allclose(sim.velocities("base")[:, 0, 2], -9.81 * 5 * 2e-3, rtol=1e-6)


def test_poses_are_those_of_the_state() -> None:
    sim = make(2)
    sim.step(3)
    np.testing.assert_allclose(sim.poses("base")[:, 0], sim.q[:, :7], atol=1e-12)  # roundings of a product of rotations
    np.testing.assert_allclose(sim.height_scan("base", [[0.2, 0.1]]), 0, atol=1e-12)  # the floor


def test_motor_models_delay() -> None:
    """A command that acts 10 steps later: until then the robot moves as one that got none."""
    late = make(1, motors=[delassus.MotorModel(delay=0.02)] * 12)
    still = make(1)
    late.targets[...] = postures(1)
    late.step(10), still.step(10)
    np.testing.assert_array_equal(late.q, still.q)
    late.step(), still.step()
    assert not np.array_equal(late.q, still.q)
