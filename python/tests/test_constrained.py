"""Constrained dynamics, impacts, assembly, inverse dynamics and steps, against dense matrices of NumPy."""

from __future__ import annotations

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from reference import Dense, some_configuration, some_numbers

import delassus

METHODS = ("condensed", "kkt", "aba")
# What the library promises of both equations, relative to their terms.
RESIDUAL = 1e-10


class Case:
    """A scene as it stands, in motion, with redundant rows or without."""

    def __init__(self, name: str) -> None:
        self.scene = scene = delassus.load(name)
        self.model, self.q = scene.model, scene.q.copy()
        self.constraints = scene.constraints
        self.v, self.tau = some_numbers(self.model.nv, seed=3), some_numbers(self.model.nv, seed=4)
        dense = Dense(scene)
        self.J, self.M = dense.J, dense.M
        self.matrix = dense.matrix
        self.h = delassus.State(self.model, self.q, self.v).bias_forces()
        self.target = self.J @ some_numbers(self.model.nv, seed=5)  # possible, whatever the rank


@pytest.fixture(params=["go2-standing", "g1-standing", "atlas-feet", "cassie-standing", "four_bar"])
def case(request: pytest.FixtureRequest) -> Case:
    return Case(request.param)


@pytest.mark.parametrize("method", METHODS)
def test_both_equations(case: Case, method: str) -> None:
    dynamics = delassus.ConstrainedDynamics(case.model, case.constraints, method)
    assert dynamics.rows == len(case.J) and dynamics.method == method
    assert dynamics.model is case.model and dynamics.constraints == case.constraints
    motion = dynamics.solve(case.q, case.v, case.tau, target=case.target)
    assert motion.status == "ok" and motion.message == "" and motion.index == -1 and motion.iterations > 0
    a, f = motion.acceleration, motion.force
    terms = (case.M @ a, case.h, case.J.T @ f)
    missing = terms[0] + case.h - case.tau - terms[2]
    # M and h of NumPy's side have rounding of their own, far below the promise.
    assert np.abs(missing).max() < RESIDUAL * max(np.abs(t).max() for t in terms)
    free = np.linalg.solve(case.M, case.tau - case.h)
    size = max(np.abs(case.target).max(), np.abs(case.J @ free).max())
    assert np.abs(case.J @ a - case.target).max() < RESIDUAL * size
    assert motion.residual < RESIDUAL * size
    np.testing.assert_allclose(motion.remainder, case.target - case.J @ a, rtol=0, atol=RESIDUAL * size)


def test_dense_kkt_matrix() -> None:
    """Full rank, so that NumPy solves the KKT matrix as a whole; its condition takes digits away."""
    case = Case("go2-standing")
    n, m = case.model.nv, len(case.J)
    K = np.block([[case.M, -case.J.T], [case.J, np.zeros((m, m))]])
    expected = np.linalg.solve(K, np.concatenate([case.tau - case.h, case.target]))
    tolerance = 1e2 * np.finfo(float).eps * np.linalg.cond(K) * np.abs(expected).max()
    for method in METHODS:
        motion = delassus.ConstrainedDynamics(case.model, case.constraints, method).solve(
            case.q, case.v, case.tau, target=case.target
        )
        np.testing.assert_allclose(motion.acceleration, expected[:n], rtol=0, atol=tolerance)
        np.testing.assert_allclose(motion.force, expected[n:], rtol=0, atol=tolerance)


def test_target_is_the_drift_with_a_pull() -> None:
    case = Case("four_bar")
    q = some_configuration(case.model)
    op = delassus.Operator(case.model, case.constraints, algorithm="dense")
    op.update(q)
    drift, velocity, position = op.drift(case.v), op.jacobian() @ case.v, op.position()
    dynamics = delassus.ConstrainedDynamics(case.model, case.constraints)
    plain = dynamics.solve(q, case.v, case.tau)
    pulled = dynamics.solve(q, case.v, case.tau, baumgarte=delassus.Baumgarte(100.0, 20.0))
    targets = (-drift, -drift - 20 * velocity - 100 * position)
    for motion, target in zip((plain, pulled), targets):
        reached = op.jacobian() @ motion.acceleration + motion.remainder
        np.testing.assert_allclose(reached, target, rtol=0, atol=RESIDUAL * (1 + np.abs(target).max()))
    with pytest.raises(delassus.Error, match="'baumgarte' makes a target of its own"):
        dynamics.solve(q, case.v, case.tau, target=targets[0], baumgarte=delassus.Baumgarte(1.0))
    with pytest.raises(TypeError, match="'baumgarte' is a float; expected an object of delassus.Baumgarte"):
        dynamics.solve(q, case.v, case.tau, baumgarte=1.0)  # type: ignore[arg-type]


def held_twice() -> tuple[delassus.Model, list[delassus.Constraint]]:
    """A hinge under two rows that are the same: its angle."""
    builder = delassus.ModelBuilder("hinge")
    builder.add_body("bar", "world", delassus.Joint("hinge"), delassus.box_inertial(1.0, (0.5, 0.1, 0.1), (0.5, 0, 0)))
    model = builder.make_model()
    return model, [delassus.JointCoupling(model, {"hinge": 1.0}) for _ in range(2)]


@pytest.mark.parametrize("method", METHODS)
def test_contradictions_are_a_result(method: str) -> None:
    """Of 1 and 3 rad/s² least squares make 2; each row misses one. The least force is the same in both."""
    model, rows = held_twice()
    q, zero = model.neutral(), np.zeros(1)
    motion = delassus.ConstrainedDynamics(model, rows, method).solve(q, zero, zero, target=np.array([1.0, 3.0]))
    assert motion.status == "infeasible" and motion.index in (0, 1)
    assert "contradict each other" in motion.message
    # Steps end where what is left is rounding beside the residual.
    assert motion.acceleration[0] == pytest.approx(2.0, abs=1e-6)
    np.testing.assert_allclose(motion.remainder, [-1.0, 1.0], rtol=0, atol=1e-6)
    assert motion.residual == pytest.approx(1.0, abs=1e-6)


def test_start_and_options() -> None:
    """The force that is found is the one nearest to the start: of twin rows their difference stays."""
    model, rows = held_twice()
    q, zero = model.neutral(), np.zeros(1)
    dynamics = delassus.ConstrainedDynamics(model, rows, options=delassus.ProximalOptions(iterations=60))
    least = dynamics.solve(q, zero, np.array([2.0])).force
    np.testing.assert_allclose(least[0], least[1], rtol=1e-9)
    other = dynamics.solve(q, zero, np.array([2.0]), start=np.array([1.0, 0.0])).force
    assert other[0] - other[1] == pytest.approx(1.0, abs=1e-9)
    assert other.sum() == pytest.approx(least.sum(), rel=1e-9)


def test_what_has_no_result_raises() -> None:
    case = Case("go2-standing")
    dynamics = delassus.ConstrainedDynamics(case.model, case.constraints)
    with pytest.raises(delassus.NumericalError) as info:
        dynamics.solve(case.q, case.v, np.full(case.model.nv, np.nan))
    assert info.value.code == "not_finite"
    bad = case.q.copy()
    bad[2] = np.inf
    with pytest.raises(delassus.NumericalError) as info:
        dynamics.solve(bad, case.v, case.tau)
    assert info.value.code == "not_finite" and info.value.index == 2
    with pytest.raises(delassus.Error, match="argument 'tau'"):
        dynamics.solve(case.q, case.v, case.tau[:-1])
    with pytest.raises(TypeError, match="argument 'v' is an array of float32"):
        dynamics.solve(case.q, case.v.astype(np.float32), case.tau)
    with pytest.raises(delassus.Error, match="did you mean 'condensed'"):
        delassus.ConstrainedDynamics(case.model, case.constraints, "condensd")


@pytest.mark.parametrize("method", ["condensed", "kkt"])
def test_impacts(method: str) -> None:
    """Momentum is conserved but for the impulse, and rows leave as fast as the restitution says."""
    case = Case("go2-standing")
    dynamics = delassus.ConstrainedDynamics(case.model, case.constraints, method)
    each = np.linspace(0, 1, len(case.J))
    for restitution in (0.0, 0.5, each):
        hit = dynamics.solve_impact(case.q, case.v, restitution)
        assert hit.status == "ok"
        before = case.J @ case.v
        np.testing.assert_allclose(
            case.J @ hit.velocity, -restitution * before, rtol=0, atol=RESIDUAL * np.abs(before).max()
        )
        change = case.M @ (hit.velocity - case.v)
        np.testing.assert_allclose(change, case.J.T @ hit.impulse, rtol=0, atol=RESIDUAL * np.abs(change).max())
    with pytest.raises(delassus.Error, match="argument 'restitution'"):
        dynamics.solve_impact(case.q, case.v, each[:-1])
    with pytest.raises(delassus.Error, match="take method 'condensed' or 'kkt'"):
        delassus.ConstrainedDynamics(case.model, case.constraints, "aba").solve_impact(case.q, case.v)


def test_assembly_and_velocities() -> None:
    scene = delassus.load("four_bar")
    model = scene.model
    found = delassus.assemble(model, scene.constraints, model.integrate(scene.q, 0.05 * some_numbers(model.nv)))
    assert found.status == "ok" and found.linear_before > 1e-3
    op = delassus.Operator(model, scene.constraints, algorithm="dense")
    op.update(found.q.copy())
    # 1e3 roundings of metres are what counts as closed.
    assert np.abs(op.position()).max() < 1e3 * np.finfo(float).eps
    assert found.linear_after <= found.residual < 1e3 * np.finfo(float).eps
    v = some_numbers(model.nv)
    allowed = delassus.project_velocity(model, scene.constraints, found.q, v)
    # Rows near a singular posture may be left with 100 ε^(2/3) of the fastest link.
    assert np.abs(op.jacobian() @ allowed).max() < 1e-8
    change = delassus.State(model, found.q.copy()).inertia_matrix() @ (allowed - v)
    # Least in energy: the change of momentum is a force of the rows.
    force = np.linalg.lstsq(op.jacobian().T, change, rcond=None)[0]
    np.testing.assert_allclose(op.jacobian().T @ force, change, rtol=0, atol=1e-8 * np.abs(change).max())
    assert delassus.project_velocity(model, scene.constraints, found.q, v, out=v) is v
    np.testing.assert_array_equal(v, allowed)


def test_only_equalities_can_be_assembled(go2: delassus.Scene) -> None:
    limits = delassus.joint_limits(go2.model)
    with pytest.raises(delassus.Error, match="is no equality"):
        delassus.assemble(go2.model, limits, go2.q)
    weld = delassus.welds_to_world(go2.model, go2.q, ["FL_foot"])
    assert delassus.equalities([*limits, *weld]) == weld


def test_inverse_dynamics_of_a_robot_that_stands(go2: delassus.Scene) -> None:
    """The ground carries the base, which has no motor; forward dynamics makes the same motion again."""
    model = go2.model
    still = np.zeros(model.nv)
    forces = delassus.constrained_inverse_dynamics(model, go2.constraints, go2.q, still, still)
    assert forces.status == "ok"
    np.testing.assert_array_equal(forces.tau[:6], 0)
    motion = delassus.ConstrainedDynamics(model, go2.constraints).solve(go2.q, still, forces.tau.copy())
    # Rounding of forces over the lightest inertia, 1e-3 kg m² at the feet.
    np.testing.assert_allclose(motion.acceleration, 0, atol=1e-8)
    one_leg = ["FL_hip_joint", "FL_thigh_joint", "FL_calf_joint"]
    some = delassus.constrained_inverse_dynamics(model, go2.constraints, go2.q, still, still, motors=one_leg)
    assert some.status == "unbalanced" and "has no motor" in some.message
    assert len(some.remainder) == model.nv - 3 and some.residual > 0
    with pytest.raises(delassus.Error, match="FL_hip_jont"):
        delassus.constrained_inverse_dynamics(model, (), go2.q, still, still, motors=["FL_hip_jont"])


def test_energies() -> None:
    case = Case("g1-standing")
    state = delassus.State(case.model, case.q, case.v)
    # Sums of some dozen products each.
    assert state.kinetic_energy() == pytest.approx(case.v @ case.M @ case.v / 2, rel=1e-13)
    height = state.centre_of_mass()[2]
    assert state.potential_energy() == pytest.approx(9.81 * case.model.mass * height, rel=1e-12)


@pytest.mark.parametrize("kind", ["semi_implicit_euler", "runge_kutta_4", "energy_preserving"])
def test_steps_keep_loops_closed(kind: str) -> None:
    scene = delassus.load("four_bar")
    model = scene.model
    q = delassus.assemble(model, scene.constraints, scene.q).q.copy()
    v = delassus.project_velocity(model, scene.constraints, q, some_numbers(model.nv))
    integrator = delassus.Integrator(model, scene.constraints, kind, dt=1e-3)

    def energy() -> float:
        state = delassus.State(model, q, v)
        return state.kinetic_energy() + state.potential_energy()

    before, tau = energy(), np.zeros(model.nv)
    for _ in range(50):
        integrator.step(q, v, tau)
    assert integrator.dt == 1e-3 and integrator.parts >= 1 and integrator.evaluations >= 1
    assert integrator.missed >= 0 and integrator.force.shape == (delassus.Operator(model, scene.constraints).rows,)
    op = delassus.Operator(model, scene.constraints, algorithm="dense")
    op.update(q)
    assert np.abs(op.position()).max() < 1e3 * np.finfo(float).eps
    if kind == "energy_preserving":
        # 1e-6 of the energy in each step at most.
        assert abs(energy() - before) < 50 * 1e-6 * abs(delassus.State(model, q, v).kinetic_energy())
    together = np.zeros(model.nq + model.nv - 1)
    with pytest.raises(delassus.Error, match="arguments 'q' and 'v' share memory"):
        integrator.step(together[: model.nq], together[model.nq - 1 :], tau)
    with pytest.raises(delassus.Error, match="option 'dt'"):
        delassus.Integrator(model, scene.constraints, dt=0.0)


def test_inverse_of_the_kkt_matrix() -> None:
    case = Case("atlas-feet")
    n, m = case.model.nv, len(case.J)
    op = delassus.Operator(case.model, case.constraints, algorithm="kkt")
    op.update(case.q)
    op.update_damping(1e-3)
    projected, consistent, inverse = op.kkt_inverse()
    expected = np.linalg.inv(np.block([[case.M, -case.J.T], [case.J, 1e-3 * np.eye(m)]]))
    tolerance = 1e2 * np.finfo(float).eps * np.linalg.cond(case.M) * np.abs(expected).max()
    np.testing.assert_allclose(projected, expected[:n, :n], rtol=0, atol=tolerance)
    np.testing.assert_allclose(consistent, expected[:n, n:], rtol=0, atol=tolerance)
    np.testing.assert_allclose(inverse, expected[n:, n:], rtol=0, atol=tolerance)
    with pytest.raises(delassus.Error, match="algorithm='kkt' alone"):
        other = delassus.Operator(case.model, case.constraints, algorithm="ltl")
        other.update(case.q)
        other.kkt_inverse()


def test_pickles_and_threads() -> None:
    case = Case("g1-standing")
    for method in METHODS:
        dynamics = delassus.ConstrainedDynamics(case.model, case.constraints, method)
        expected = dynamics.solve(case.q, case.v, case.tau)
        for other in (pickle.loads(pickle.dumps(dynamics)), copy.deepcopy(dynamics)):
            assert other.solve(case.q, case.v, case.tau) == expected
        assert pickle.loads(pickle.dumps(expected)) == expected

        def work(_: int) -> bool:
            return all(dynamics.solve(case.q, case.v, case.tau) == expected for _ in range(50))

        with ThreadPoolExecutor(4) as pool:
            assert all(pool.map(work, range(4)))
    four_bar = delassus.load("four_bar")
    integrator = delassus.Integrator(four_bar.model, four_bar.constraints, "runge_kutta_4", dt=0.01)
    assert pickle.loads(pickle.dumps(integrator)).dt == 0.01


@pytest.mark.parametrize("method", ["condensed", "kkt"])
@pytest.mark.parametrize("name", ["go2-standing", "g1-standing"])
def test_derivatives_are_difference_quotients(name: str, method: str) -> None:
    """At rest, where the points of a foot agree. A solve leaves up to 1e-9 of accelerations of light links, a central
    difference with a step of 1e-4 thus 1e-5; forces of redundant rows are known to fewer digits, which quotients lose."""
    case = Case(name)
    model, v, pull = case.model, np.zeros(case.model.nv), delassus.Baumgarte(0, 10)
    dynamics = delassus.ConstrainedDynamics(model, case.constraints, method)
    got = dynamics.derivatives(case.q, v, case.tau, baumgarte=pull)
    assert isinstance(got, delassus.ConstrainedDerivatives)
    assert got.acceleration_q.shape == (model.nv, model.nv) and got.force_tau.shape == (dynamics.rows, model.nv)

    def motion(q, v, tau):
        found = dynamics.solve(q, v, tau, baumgarte=pull)
        return np.concatenate([found.acceleration, found.force if name == "go2-standing" else []])

    step = 1e-4
    for k in (0, 4, 7, model.nv - 1):
        e = np.zeros(model.nv)
        e[k] = 1  # motions are linear in tau, so that a step of any size will do there
        ahead, behind = (motion(model.integrate(case.q, s * e), v, case.tau) for s in (step, -step))
        along_q = (ahead - behind) / (2 * step)
        along_tau = motion(case.q, v, case.tau + e) - motion(case.q, v, case.tau)
        for (a, f), want in (
            ((got.acceleration_q, got.force_q), along_q),
            ((got.acceleration_tau, got.force_tau), along_tau),
        ):
            column = np.concatenate([a[:, k], f[:, k]])[: len(want)]
            np.testing.assert_allclose(column, want, rtol=0, atol=1e-5 * max(1, np.abs(want).max()))


def test_derivatives_that_there_are_not() -> None:
    case = Case("g1-standing")
    with pytest.raises(delassus.Error, match="method 'aba' has no derivatives"):
        delassus.ConstrainedDynamics(case.model, case.constraints, "aba").derivatives(case.q, 0 * case.v, case.tau)
    with pytest.raises(delassus.NumericalError, match="cannot have its target"):
        delassus.ConstrainedDynamics(case.model, case.constraints).derivatives(case.q, case.v, case.tau)
