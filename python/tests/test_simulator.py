"""Simulator: views, steps, contacts, saved states, errors. What the motions are is a matter of the tests in C++."""

from __future__ import annotations

import copy
import gc
import pickle
import threading
from pathlib import Path
from typing import Any, Callable

import numpy as np
import pytest

import delassus

G = 9.81


def test_a_box_slides_as_theory_says() -> None:
    sim = delassus.Simulator("incline:35")
    sim.step(500)
    a = G * (np.sin(np.radians(35)) - 0.5 * np.cos(np.radians(35)))
    # Solved to 1e-8 m/s in each step.
    assert sim.v[3] == pytest.approx(a * 0.5, abs=1e-6)
    assert sim.time == pytest.approx(0.5, abs=1e-12)
    assert sim.report.reason == "solved"
    assert sim.report.velocity_residual < 1e-7
    assert sim.inexact_steps == 0


def test_views_stay_where_they_are() -> None:
    sim = delassus.Simulator("bouncing-ball:0.8x1")
    q, v, forces = sim.q, sim.v, sim.forces
    z = q[2]
    sim.step(10)
    assert q[2] < z and q is not sim.q and np.shares_memory(q, sim.q)
    # A force that is twice the weight, in the axes of a ball that does not turn.
    forces[5] = 2 * G
    before = v[5]
    sim.step(100)
    assert v[5] - before == pytest.approx(G * 100 * sim.options.dt, abs=1e-9)
    del sim
    gc.collect()
    assert np.isfinite(q).all() and np.isfinite(v).all()


def test_writing_to_the_state_begins_anew() -> None:
    sim = delassus.Simulator("incline")
    sim.step(3)
    time = sim.time
    sim.q[2] += 1.0
    sim.v[:] = 0
    sim.step(10)
    h = sim.options.dt
    # Free fall from there, along the axes of the slope.
    assert sim.q[2] == pytest.approx(1 - G * np.cos(np.radians(20)) * h * h * 55, abs=1e-9)
    assert sim.time == pytest.approx(time + 10 * h)
    assert len(sim.contacts()["gap"]) == 0
    sim.q[2] = -1.0
    with pytest.raises(delassus.Error, match="'box' and the world overlap by"):
        sim.step()
    sim.set_state(np.array([0, 0, 0, 0, 0, 0, 1.0]), np.zeros(6), time=2.0)
    assert sim.time == 2 and sim.q[2] == 0
    sim.q[0] = np.nan
    with pytest.raises(delassus.Error, match="'q': entry 0 .*is not a finite number"):
        sim.step()


def test_contacts_carry_the_weight() -> None:
    sim = delassus.Simulator("box-stack:3")
    sim.step(50)
    contacts = sim.contacts()
    n = sim.report.contacts
    assert n == 12
    for name in ("position", "normal", "force", "moment"):
        assert contacts[name].shape == (n, 3)
    ground = contacts["bodies"][:, 1] == -1
    assert ground.sum() == 4
    weight = sim.model.mass * G
    np.testing.assert_allclose(contacts["force"][ground].sum(axis=0), [0, 0, weight], rtol=0, atol=1e-4 * weight)
    np.testing.assert_allclose(np.abs(contacts["normal"]), np.tile([0, 0, 1.0], (n, 1)), rtol=0, atol=1e-9)


def test_motors_hold_a_robot() -> None:
    scene = delassus.load("go2-standing")
    actuators = delassus.position_actuators(scene.model, 200, 10)
    assert len(actuators) == 12 and actuators[0].kind == "position" and np.isfinite(actuators[0].effort_limit)
    sim = delassus.Simulator(scene, actuators=actuators)
    np.testing.assert_array_equal(sim.control, scene.q[7:])  # where they are
    sim.step(1000)
    assert sim.report.contacts == 4
    assert sim.kinetic_energy() < 1e-6
    # At rest the motors' forces are those of the law.
    np.testing.assert_allclose(sim.efforts, 200 * (sim.control - sim.q[7:]) - 10 * sim.v[6:], rtol=0, atol=1e-2)
    sim.control[0] = np.nan
    q = sim.q.copy()
    with pytest.raises(delassus.Error, match=r"step 1001 .* of actuator 0 on joint 'FL_hip_joint'"):
        sim.step()
    np.testing.assert_array_equal(sim.q, q)


@pytest.mark.parametrize("through", [lambda x: x, lambda x: pickle.loads(pickle.dumps(x)), copy.deepcopy])
def test_saved_states_go_on_bit_for_bit(through: Callable[[Any], Any]) -> None:
    sim = delassus.Simulator("arch:0.3", dt=2e-3)
    sim.step(50)
    saved = through(sim.save())
    assert saved == sim.save()
    sim.step(100)
    q, v = sim.q.copy(), sim.v.copy()
    sim.restore(saved)
    assert sim.time == pytest.approx(0.1)
    sim.step(100)
    np.testing.assert_array_equal(sim.q, q)
    np.testing.assert_array_equal(sim.v, v)


def test_simulators_can_be_pickled() -> None:
    scene = delassus.load("go2-standing")
    sim = delassus.Simulator(scene, dt=2e-3, actuators=delassus.position_actuators(scene.model, 100, 5))
    sim.step(20)
    sim.control[:] = 0.1
    other = pickle.loads(pickle.dumps(sim))
    assert other.options == sim.options and other.actuators == sim.actuators
    for s in (sim, other):
        s.step(20)
    np.testing.assert_array_equal(other.q, sim.q)
    np.testing.assert_array_equal(other.v, sim.v)


def test_options() -> None:
    options = delassus.SimulationOptions(dt=2e-3, solver="pgs", algorithm="ltl", capacity=77, ground=False)
    assert options.replace(dt=1e-3).dt == 1e-3
    sim = delassus.Simulator(delassus.load("box-stack:1").model, options, restitution=0.5)
    assert sim.options == options.replace(restitution=0.5)
    sim.step(5)
    assert sim.v[5] == pytest.approx(-G * 0.01)  # no ground
    with pytest.raises(delassus.Error, match="rigid"):
        delassus.SimulationOptions(solver="rigit")  # type: ignore[arg-type]
    with pytest.raises(delassus.Error, match="'dt' has to be positive"):
        delassus.Simulator("incline", dt=0)
    with pytest.raises(TypeError, match="expected a Scene, a Model, a name or a path"):
        delassus.Simulator(3)  # type: ignore[arg-type]
    with pytest.raises(delassus.Error, match="did you mean 'go2'"):
        delassus.Simulator("go3")
    assert set(delassus.classic_scenes()) >= {"incline", "arch", "painleve"}


def test_accuracy_and_budgets() -> None:
    """Of all steps, by the certificate of each; what runs out says so."""
    start = delassus.load("go2-standing")
    worst = {}
    for tolerance in (1e-4, 1e-8):
        sim = delassus.Simulator(start, delassus.SimulationOptions(tolerance=tolerance))
        sim.v[3] = 0.5  # its feet slide
        worst[tolerance] = 0.0
        for _ in range(100):
            sim.step()
            worst[tolerance] = max(worst[tolerance], sim.report.velocity_residual)
        assert sim.inexact_steps == 0
    assert worst[1e-8] <= 1e-8 < worst[1e-4] <= 1e-4
    for budget, reason in (({"max_iterations": 2}, "iterations ran out"), ({"max_step_time": 1e-9}, "time ran out")):
        sim = delassus.Simulator(start, delassus.SimulationOptions(tolerance=1e-8, acceptable=1e3, **budget))
        sim.v[3] = 0.5
        reasons = set()
        for _ in range(100):
            sim.step()
            reasons.add(sim.report.reason)
            assert sim.report.iterations <= 2
        assert sim.inexact_steps > 0 and reason in reasons
        assert reasons <= {reason, "solved", "nothing to solve"}


def test_a_failed_step_says_where_and_keeps_the_state() -> None:
    sim = delassus.Simulator("arch:0.2", delassus.SimulationOptions(capacity=41))
    with pytest.raises(delassus.NumericalError, match=r"step \d+ .* no room for the contacts of 'stone") as caught:
        sim.step(3000)
    assert caught.value.code == "crowded"
    assert pickle.loads(pickle.dumps(caught.value)).code == "crowded"
    assert 0 < sim.time < 3
    q = sim.q.copy()
    with pytest.raises(delassus.NumericalError):
        sim.step()
    np.testing.assert_array_equal(sim.q, q)


def test_robots_by_name_stand_on_the_ground() -> None:
    sim = delassus.Simulator("go2")
    sim.step()
    assert sim.report.contacts >= 4 and sim.report.penetration < 1e-9


def test_steps_leave_the_interpreter_to_others() -> None:
    sims = [delassus.Simulator("arch") for _ in range(2)]
    threads = [threading.Thread(target=sim.step, args=(50,)) for sim in sims]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    np.testing.assert_array_equal(sims[0].q, sims[1].q)
    shared = delassus.Simulator("arch")
    threads = [threading.Thread(target=shared.step, args=(10,)) for _ in range(5)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    np.testing.assert_array_equal(shared.q, sims[0].q)


def test_a_robot_by_name_starts_on_its_limits_and_loops() -> None:
    scene = delassus.load("cassie")
    with pytest.raises(delassus.Error, match="limit"):
        delassus.Simulator(scene)
    sim = delassus.Simulator("cassie", delassus.SimulationOptions(ground=False))
    start = sim.kinetic_energy() + sim.potential_energy()
    sim.step(100)
    # It falls, and damping takes some: no step of the 11 000 J that limits against loops once gave.
    assert sim.kinetic_energy() + sim.potential_energy() <= start


def test_a_step_says_where_its_energy_went() -> None:
    sim = delassus.Simulator("sliding-block")
    before = sim.kinetic_energy()
    sim.step()
    energy = sim.report.energy
    # Friction is all that acts: works of a step of 1 ms, to the tolerance of the solve.
    assert energy.contacts < 0
    assert energy.kinetic == sim.kinetic_energy()
    assert abs(before + energy.contacts - energy.kinetic) < 1e-8
    assert abs(energy.drift) < 1e-8
    assert energy.solve <= 0


# ------------------------------------------------------------------------------------------------ what a robot needs

ROLLER = """<robot name="roller"><link name="base">
  <inertial><mass value="2"/><inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial>
  <collision><geometry><sphere radius="0.25"/></geometry></collision></link></robot>"""


@pytest.fixture
def roller(tmp_path: Path) -> Path:
    path = tmp_path / "roller.urdf"
    path.write_text(ROLLER, encoding="utf-8")
    return path


def test_a_file_of_ones_own_floats_and_is_put_on_the_ground(roller: Path) -> None:
    sim = delassus.Simulator(roller, floating=True)
    # The origin of the file is the centre of the sphere; it is raised by its radius.
    assert sim.model.nv == 6 and sim.q[2] == pytest.approx(0.25, abs=1e-12)
    sim.step(10)
    assert sim.contacts()["force"][:, 2].sum() == pytest.approx(2 * G, abs=1e-4)
    many = delassus.VectorSimulator(roller, 2, dt=sim.options.dt, floating=True, threads=1)
    many.step(10)
    np.testing.assert_allclose(many.contact_force[:, 0, 2], 2 * G, atol=1e-4)
    assert delassus.Simulator(str(roller)).model.nv == 0
    with pytest.raises(delassus.Error, match="overlap by 0.25 m"):
        delassus.Simulator(roller, floating=True, place_on_ground=False)


def test_floating_where_it_makes_no_sense(roller: Path) -> None:
    scene = delassus.load(roller)
    with pytest.raises(delassus.Error, match=r"a Scene says itself .*delassus.load\(path, floating=True\)"):
        delassus.Simulator(scene, floating=True)
    with pytest.raises(delassus.Error, match="a Model says itself"):
        delassus.Simulator(scene.model, floating=False)
    with pytest.raises(delassus.Error, match="'incline:35' is a classic scene.*leave out floating="):
        delassus.Simulator("incline:35", floating=True)
    with pytest.raises(delassus.Error, match="'go2-standing' is a scene.*leave out floating="):
        delassus.Simulator("go2-standing", floating=True)
    with pytest.raises(TypeError, match="'floating'"):
        delassus.Simulator(roller, floating="yes")  # type: ignore[arg-type]


def test_scenes_are_placed_on_the_ground(roller: Path) -> None:
    scene = delassus.load(roller, floating=True)
    placed = scene.place_on_ground()
    np.testing.assert_allclose(placed.q, [0, 0, 0.25, 0, 0, 0, 1], rtol=0, atol=1e-12)
    np.testing.assert_array_equal(scene.q, [0, 0, 0, 0, 0, 0, 1])  # a copy was
    np.testing.assert_array_equal(delassus.Simulator(scene, place_on_ground=True).q, placed.q)
    np.testing.assert_array_equal(placed.place_on_ground().q, placed.q)
    placed.q[2] = 3.0  # nothing is lowered
    assert placed.place_on_ground().q[2] == 3.0


def test_tolerance() -> None:
    options = delassus.SimulationOptions(tolerance=1e-4)
    assert delassus.Simulator("box-stack:1", options, tolerance=1e-7).options.tolerance == 1e-7
    assert delassus.Simulator("box-stack:1", options).options.tolerance == 1e-4
    with pytest.raises(delassus.Error, match="'tolerance'"):
        delassus.Simulator("box-stack:1", tolerance=-1.0)
