"""Contact forces over one time step: solvers, what they say of their results, and what they leave alone."""

from __future__ import annotations

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from reference import some_numbers

import delassus

SOLVERS = (delassus.Admm, delassus.ContactInteriorPoint, delassus.ContactNewton, delassus.Pgs)
OPTIONS = (
    delassus.AdmmOptions,
    delassus.ContactInteriorPointOptions,
    delassus.ContactNewtonOptions,
    delassus.PgsOptions,
)
STEP = 2e-3
# What solvers are asked for by default, m/s.
TOLERANCE = 1e-8


class Sliding:
    """A scene in motion, one step before its contacts act."""

    def __init__(self, name: str, algorithm: str = "condensed", speed: float = 0.3) -> None:
        scene = delassus.load(name)
        self.model = scene.model
        v = speed * some_numbers(scene.model.nv, seed=3)
        state = delassus.State(scene.model, scene.q, v)
        self.op = delassus.Operator(scene.model, scene.constraints, algorithm)
        self.op.update(scene.q)
        self.g = self.op.jacobian() @ (v + STEP * state.forward_dynamics(np.zeros(scene.model.nv)))
        self.mu = [c.set.mu for c in scene.constraints]


@pytest.fixture
def sliding() -> Sliding:
    return Sliding("go2-standing")


@pytest.mark.parametrize("solver", SOLVERS)
def test_coulombs_law(solver: Any, sliding: Sliding) -> None:
    """Row by row, from the law's own words."""
    found = solver().solve(sliding.op, sliding.g, time_step=STEP)
    assert found.status == "ok" and found.message == "" and found.index == -1
    assert found.certificate.reason == "solved" and found.certificate.iterations > 0
    assert found.certificate.velocity <= TOLERANCE
    np.testing.assert_allclose(found.velocity, sliding.op.dense() @ found.impulse + sliding.g, rtol=0, atol=1e-12)
    slides = 0
    for k, mu in enumerate(sliding.mu):
        (n, *t), (vn, *vt) = found.impulse[3 * k : 3 * k + 3], found.velocity[3 * k : 3 * k + 3]
        # Residuals are those of one constraint; in each number of it they are a few times as much.
        near = 10 * TOLERANCE
        assert n >= 0 and np.hypot(*t) <= mu * n + 1e-12
        assert vn > -near and abs(n * vn) < near
        if np.hypot(*vt) > 1e-3 and n > 1e-6:
            slides += 1
            np.testing.assert_allclose(t, -mu * n * np.array(vt) / np.hypot(*vt), rtol=0, atol=near)
    assert slides > 0


def test_solvers_and_operators_agree() -> None:
    """Velocities of the convex law are unique."""
    wanted = None
    for algorithm in ("condensed", "ltl", "kkt", "lcaba", "dense"):
        case = Sliding("g1-standing", algorithm)
        for solver, options in zip(SOLVERS, OPTIONS):
            found = solver(options(tolerance=1e-10, relative_tolerance=0.0, iterations=20000)).solve(
                case.op, case.g, law="convex", time_step=STEP
            )
            assert found.status == "ok"
            wanted = found.velocity if wanted is None else wanted
            np.testing.assert_allclose(found.velocity, wanted, rtol=0, atol=1e-8)


@pytest.mark.parametrize("solver", SOLVERS)
def test_solutions_are_starts(solver: Any, sliding: Sliding) -> None:
    first = solver().solve(sliding.op, sliding.g, law="convex", time_step=STEP)
    again = solver().solve(sliding.op, sliding.g, law="convex", time_step=STEP, start=first.impulse)
    assert first.certificate.iterations > 0 and again.certificate.iterations == 0
    np.testing.assert_allclose(again.impulse, first.impulse, rtol=1e-14, atol=1e-14)


@pytest.mark.parametrize(("solver", "options"), zip(SOLVERS, OPTIONS))
def test_unfinished_solves_say_so(solver: Any, options: Any, sliding: Sliding) -> None:
    found = solver(options(iterations=1)).solve(sliding.op, sliding.g, time_step=STEP)
    assert found.status == "not_converged" and found.certificate.reason == "iterations ran out"
    assert "converge" in found.message or "iterations" in found.message
    assert 0 <= found.index < sliding.op.rows and found.certificate.velocity > TOLERANCE
    assert found.certificate.constraint == found.index // 3


@pytest.mark.parametrize("solver", SOLVERS)
def test_solves_end_in_time(solver: Any, sliding: Sliding) -> None:
    found = solver().solve(sliding.op, sliding.g, time_step=STEP, max_time=0)
    assert found.status == "not_converged" and found.certificate.reason == "time ran out"
    assert found.certificate.iterations == 0 and found.certificate.velocity > TOLERANCE
    for seconds in (-1.0, np.nan):
        with pytest.raises(delassus.Error, match="'max_time'"):
            solver().solve(sliding.op, sliding.g, time_step=STEP, max_time=seconds)


def test_any_forces_are_judged(sliding: Sliding) -> None:
    found = delassus.Admm().solve(sliding.op, sliding.g, time_step=STEP)
    good = delassus.contact_residuals(sliding.op, sliding.g, found.impulse, time_step=STEP)
    # The solver takes a mean of the contacts' mobilities, this their own.
    assert good.velocity < 3 * TOLERANCE and good.primal < 1e-9
    none = delassus.contact_residuals(sliding.op, sliding.g, np.zeros(sliding.op.rows), time_step=STEP)
    assert none.primal == none.complementarity == 0
    assert none.dual == pytest.approx(max(0.0, -sliding.g[::3].min()), rel=1e-12)
    pulling = np.zeros(sliding.op.rows)
    pulling[0] = -1.0
    assert delassus.contact_residuals(sliding.op, sliding.g, pulling, time_step=STEP).primal == pytest.approx(1 / STEP)


def test_compliance_gives_way(sliding: Sliding) -> None:
    R = np.full(sliding.op.rows, 0.1)
    found = delassus.Admm().solve(sliding.op, sliding.g, time_step=STEP, compliance=R)
    expected = sliding.op.dense() @ found.impulse + R * found.impulse + sliding.g
    np.testing.assert_allclose(found.velocity, expected, rtol=0, atol=1e-12)


def test_dampings_stay(sliding: Sliding) -> None:
    """The solver damps the operator as it likes; its own damping comes back."""
    b = some_numbers(sliding.op.rows, seed=1)
    delassus.Admm().solve(sliding.op, sliding.g, time_step=STEP)
    with pytest.raises(delassus.Error, match="no damping"):
        sliding.op.solve(b)
    sliding.op.update_damping(0.5)
    before = sliding.op.solve(b)
    delassus.ContactNewton().solve(sliding.op, sliding.g, time_step=STEP)
    np.testing.assert_array_equal(sliding.op.solve(b), before)
    with pytest.raises(delassus.Error, match="time_step"):
        delassus.Admm().solve(sliding.op, sliding.g, time_step=0.0)
    np.testing.assert_array_equal(sliding.op.solve(b), before)


def test_wrong_arguments(sliding: Sliding) -> None:
    admm = delassus.Admm()
    with pytest.raises(delassus.Error, match="free_velocity"):
        admm.solve(sliding.op, np.zeros(5))
    with pytest.raises(delassus.Error, match="compliance"):
        admm.solve(sliding.op, sliding.g, compliance=-np.ones(sliding.op.rows))
    with pytest.raises(delassus.Error, match="did you mean 'convex'"):
        admm.solve(sliding.op, sliding.g, law="convx")  # type: ignore[arg-type]
    with pytest.raises(delassus.Error, match="'iterations'"):
        delassus.Admm(delassus.AdmmOptions(iterations=0))
    with pytest.raises(TypeError, match="AdmmOptions"):
        delassus.Admm(delassus.PgsOptions())  # type: ignore[arg-type]
    broken = sliding.g.copy()
    broken[4] = np.nan
    with pytest.raises(delassus.NumericalError) as raised:
        admm.solve(sliding.op, broken)
    assert raised.value.code == "not_finite" and raised.value.index == 4
    fresh = delassus.Operator(sliding.model, sliding.op.constraints, "ltl")
    with pytest.raises(delassus.Error, match=r"update\(q\) first"):
        admm.solve(fresh, sliding.g)
    sweeps = delassus.Operator(sliding.model, sliding.op.constraints, "matrix-free")
    sweeps.update(sliding.op.q)
    # Both stop at the tolerance of the solver.
    np.testing.assert_allclose(
        admm.solve(sweeps, sliding.g).impulse, admm.solve(sliding.op, sliding.g).impulse, atol=1e-6
    )


@pytest.mark.parametrize(("solver", "options"), zip(SOLVERS, OPTIONS))
def test_copies(solver: Any, options: Any, sliding: Sliding) -> None:
    made = solver(options(tolerance=1e-6))
    found = made.solve(sliding.op, sliding.g, time_step=STEP)
    for other in (pickle.loads(pickle.dumps(made)), copy.deepcopy(made)):
        assert other.options == made.options == options(tolerance=1e-6)
        np.testing.assert_array_equal(other.solve(sliding.op, sliding.g, time_step=STEP).impulse, found.impulse)
    again = pickle.loads(pickle.dumps(found))
    assert again == found and again.certificate == found.certificate
    assert repr(made) == f"<delassus.{solver.__name__} to 1e-06 m/s>"


def test_threads_share_solvers(sliding: Sliding) -> None:
    newton = delassus.ContactNewton()
    wanted = newton.solve(sliding.op, sliding.g, time_step=STEP).impulse
    with ThreadPoolExecutor(4) as pool:
        jobs = [pool.submit(newton.solve, sliding.op, sliding.g, time_step=STEP) for _ in range(40)]
        for job in jobs:
            np.testing.assert_array_equal(job.result().impulse, wanted)


def test_friction_across() -> None:
    """Sliding along x and y alike, with less friction along y: it stays faster there."""
    builder = delassus.ModelBuilder("block")
    builder.add_body("block", "world", delassus.Joint("free", "free"), delassus.box_inertial(2.0, (0.1, 0.1, 0.1)))
    model = builder.make_model()
    ice = delassus.ForceSet("friction_cone", mu=0.5, mu_across=0.1)
    assert ice.mu_across == 0.1 and ice.replace(mu_across=0.0).mu_across == 0
    op = delassus.Operator(model, [delassus.PointContact(model, "block", set=ice)], "ltl")
    op.update(model.neutral())
    found = delassus.Admm().solve(op, np.array([-9.81 * STEP, 0.3, 0.3]), time_step=STEP)
    n, a, b = found.impulse
    assert np.hypot(a / 0.5, b / 0.1) == pytest.approx(n, rel=1e-6)
    assert found.velocity[2] > found.velocity[1] > 0


def test_certificates_of_every_reason_can_be_pickled() -> None:
    for reason in ("nothing to solve", "solved", "time ran out", "no more progress", "no forces do what is asked"):
        certificate = delassus.ContactCertificate(reason=reason)
        assert pickle.loads(pickle.dumps(certificate)).reason == reason
