"""Batches: what the scalar calls say, without copies, and nothing of one environment in another."""

from __future__ import annotations

import re
import threading
import tracemalloc
from typing import Any, Callable, Iterator

import numpy as np
import pytest
from reference import some_numbers

import delassus

SIZE = 19  # two vectors of eight doubles and a bit, one of sixteen floats and a bit
Arrays = dict[str, np.ndarray]


def states(scene: delassus.Scene, size: int, rows: int, dtype: Any = float) -> Arrays:
    """What environment e holds depends on e alone, not on how many there are."""
    model = scene.model

    def numbers(n: int, seed: int) -> np.ndarray:
        return np.stack([some_numbers(n, seed=100 * e + seed) for e in range(size)]).astype(dtype)

    steps = 0.2 * numbers(model.nv, 1).astype(float)
    q = np.stack([model.integrate(scene.q, step) for step in steps]).astype(dtype)
    return {"q": q, "v": numbers(model.nv, 2), "a": numbers(model.nv, 3), "x": numbers(rows, 4)}


def batch_of(scene: delassus.Scene, size: int = SIZE, **how: Any) -> delassus.Batch:
    batch = delassus.Batch(scene.model, size, **how)
    batch.set_constraints(scene.constraints)
    return batch


def verbs(batch: delassus.Batch, s: Arrays) -> dict[str, tuple[Callable[..., np.ndarray], tuple]]:
    """All that write to one `out`, after an update."""
    batch.update(s["q"])
    batch.update_damping(0.1)
    return {
        "inverse_dynamics": (batch.inverse_dynamics, (s["q"], s["v"], s["a"])),
        "inertia_matrix": (batch.inertia_matrix, (s["q"],)),
        "forward_dynamics": (batch.forward_dynamics, (s["q"], s["v"], s["a"])),
        "apply_at": (batch.apply_at, (s["q"], s["x"])),
        "solve_at": (batch.solve_at, (s["q"], 0.1, s["x"])),
        "dense": (batch.dense, (s["q"],)),
        "apply": (batch.apply, (s["x"],)),
        "kept dense": (batch.dense, (None,)),
        "solve": (batch.solve, (s["x"],)),
    }


def results(batch: delassus.Batch, s: Arrays) -> Arrays:
    out = {name: verb(*arguments) for name, (verb, arguments) in verbs(batch, s).items()}
    forces = np.zeros_like(s["v"])
    out["acceleration"], out["force"] = batch.constrained_dynamics(s["q"], s["v"], forces)
    out["impulse"] = batch.contact_solve(s["q"], s["x"])
    return out


def expected(scene: delassus.Scene, s: Arrays, e: int) -> Iterator[tuple[str, np.ndarray]]:
    """By State and by the operator that forms its matrices, in float64."""
    q, v, a, x = (s[name][e].astype(float) for name in ("q", "v", "a", "x"))
    state = delassus.State(scene.model, q, v)
    op = delassus.Operator(scene.model, scene.constraints, algorithm="dense")
    op.update(q)
    op.update_damping(0.1)
    yield "inverse_dynamics", state.inverse_dynamics(a)
    yield "inertia_matrix", state.inertia_matrix()
    yield "forward_dynamics", state.forward_dynamics(a)
    yield from ((name, op.apply(x)) for name in ("apply_at", "apply"))
    yield from ((name, op.dense()) for name in ("dense", "kept dense"))
    yield from ((name, op.solve(x)) for name in ("solve_at", "solve"))


# Rounding of some hundred operations for each number, times the condition of M, some thousand for these robots.
BOUND = {np.float64: 1e-11, np.float32: 2e-3}


@pytest.mark.parametrize("dtype", BOUND)
@pytest.mark.parametrize("name", ["go2-standing", "g1-standing-friction", "cassie-standing"])
def test_the_scalar_calls_agree(name: str, dtype: Any) -> None:
    scene = delassus.load(name)
    batch = batch_of(scene, dtype=dtype)
    s = states(scene, SIZE, batch.max_rows, dtype)
    found = {}
    for key, (verb, arguments) in verbs(batch, s).items():
        found[key] = verb(*arguments)
        # Rows of light joints yield so much that float32 leaves residuals about 1e-3 of b, where solves begin to say
        # so; z itself has all its digits, and is held to the same bound.
        usual = {"ok", "inaccurate"} if dtype is np.float32 and key in ("solve_at", "solve") else {"ok"}
        assert set(batch.statuses) <= usual, key
        assert list(batch.failed) == [e for e, word in enumerate(batch.statuses) if word != "ok"], key
    for e in (0, 7, 8, SIZE - 1):
        for key, want in expected(scene, s, e):
            assert found[key].dtype == dtype
            difference = np.abs(found[key][e] - want).max() / np.abs(want).max()
            assert difference < BOUND[dtype], (key, e)


def test_constrained_dynamics_and_contacts(go2: delassus.Scene) -> None:
    """Both run the scalar kernels; only the order of some sums may be another one."""
    batch = batch_of(go2)
    s = states(go2, SIZE, batch.max_rows)
    tau = some_numbers(SIZE, go2.model.nv)
    pull = delassus.Baumgarte(stiffness=100, damping=20)
    a, force = batch.constrained_dynamics(s["q"], s["v"], tau, baumgarte=pull)
    one = delassus.ConstrainedDynamics(go2.model, go2.constraints)
    for e in range(SIZE):
        motion = one.solve(s["q"][e], s["v"][e], tau[e], baumgarte=pull)
        # Forces of 1e3 N, which the proximal steps find to 1e-9 of the row accelerations.
        np.testing.assert_allclose(a[e], motion.acceleration, rtol=1e-6, atol=1e-6 * np.abs(motion.acceleration).max())
        np.testing.assert_allclose(force[e], motion.force, rtol=1e-6, atol=1e-6 * np.abs(motion.force).max())

    options = delassus.AdmmOptions(tolerance=1e-9)
    impulse = batch.contact_solve(s["q"], s["x"], time_step=1e-3, options=options)
    op = delassus.Operator(go2.model, go2.constraints, algorithm="condensed")
    for e, certificate in enumerate(batch.certificates):
        op.update(s["q"][e])
        judged = delassus.contact_residuals(op, s["x"][e], impulse[e], time_step=1e-3)
        assert certificate.velocity < 1e-8 and judged.velocity < 1e-8  # ten times what was asked for
    again = batch.contact_solve(s["q"], s["x"], start=impulse, time_step=1e-3, options=options)
    assert max(c.iterations for c in batch.certificates) <= 10
    assert np.abs(again - impulse).max() < 1e-6 * np.abs(impulse).max()


def test_dampings(go2: delassus.Scene) -> None:
    batch = batch_of(go2)
    s = states(go2, SIZE, batch.max_rows)
    number = batch.solve_at(s["q"], 0.3, s["x"])
    each = np.full(2 * SIZE, 0.3)[::2]
    rows = np.full((SIZE, batch.max_rows), 0.3, order="F")
    batch.update(s["q"])
    for damping in (0.3, np.float64(0.3), each, rows):
        np.testing.assert_array_equal(batch.solve_at(s["q"], damping, s["x"]), number)
        batch.update_damping(damping)
        np.testing.assert_array_equal(batch.solve(s["x"]), number)
    each[3] = -1e9
    batch.solve_at(s["q"], each, s["x"])
    assert batch.statuses[3] == "not_positive" and list(batch.failed) == [3]
    with pytest.raises(TypeError, match="argument 'damping' is a str; expected a number, an array"):
        batch.update_damping("much")
    with pytest.raises(TypeError, match="argument 'damping' is an array of float32"):
        batch.update_damping(rows.astype(np.float32))
    with pytest.raises(delassus.Error, match=re.escape("argument 'damping' has shape (3,); expected (19,)")):
        batch.update_damping(np.ones(3))


# ---------------------------------------------------------------------------------------------- independence


@pytest.mark.parametrize("dtype", BOUND)
def test_bits_depend_on_nothing_else(go2: delassus.Scene, dtype: Any) -> None:
    """Not on the number of environments, the place, the threads or the order of storage."""
    s = states(go2, SIZE, 12, dtype)
    reference = results(batch_of(go2, threads=1, dtype=dtype), s)
    assert not any(np.isnan(r).any() for r in reference.values())
    for size in (1, 7, 8, SIZE):
        for threads in (1, 2):
            batch = batch_of(go2, size, threads=threads, dtype=dtype)
            part = {name: np.asfortranarray(array[:size]) for name, array in s.items()}
            for name, result in results(batch, part).items():
                np.testing.assert_array_equal(result, reference[name][:size], err_msg=f"{name} {size} {threads}")
    backwards = {name: array[::-1] for name, array in s.items()}
    for name, result in results(batch_of(go2, dtype=dtype), backwards).items():
        np.testing.assert_array_equal(result[::-1], reference[name], err_msg=name)


def test_nan_stays_where_it_is(go2: delassus.Scene) -> None:
    batch = batch_of(go2)
    s = states(go2, SIZE, batch.max_rows)
    good = results(batch, s)
    s["q"][4, 8] = np.nan
    others = np.arange(SIZE) != 4
    for name, (verb, arguments) in verbs(batch, s).items():
        found = verb(*arguments)
        np.testing.assert_array_equal(found[others], good[name][others], err_msg=name)
        assert np.isnan(found[4]).any() and list(batch.failed) == [4], name
        assert batch.statuses[4] == "not_finite" and batch.statuses.count("ok") == SIZE - 1
        assert batch.message(4) and not batch.message(3)
    a, _ = batch.constrained_dynamics(s["q"], s["v"], np.zeros_like(s["v"]))
    np.testing.assert_array_equal(a[others], good["acceleration"][others])
    assert np.isnan(a[4]).all() and list(batch.failed) == [4]


# ------------------------------------------------------------------------------------------------ constraints


def test_constraints_of_their_own(go2: delassus.Scene) -> None:
    batch = batch_of(go2, 5)
    few = go2.constraints[1:3]
    batch.set_constraints(few, environment=2)
    assert [batch.rows(e) for e in range(5)] == [12, 12, 6, 12, 12] and batch.max_rows == 12
    assert batch.constraints(2) == few and batch.constraints(0) == go2.constraints and batch.num_structures == 2
    s = states(go2, 5, 12)
    y = batch.apply_at(s["q"], s["x"])
    op = delassus.Operator(go2.model, few, algorithm="condensed")
    op.update(s["q"][2])
    np.testing.assert_allclose(y[2, :6], op.apply(s["x"][2, :6]), rtol=1e-10, atol=1e-12)
    assert not y[2, 6:].any()
    batch.set_constraints(go2.constraints)
    assert batch.constraints(2) == go2.constraints and batch.num_structures == 1


def test_active_constraints(go2: delassus.Scene) -> None:
    batch = batch_of(go2, 5)
    s = states(go2, 5, 12)
    full = batch.dense(s["q"])
    active = np.ones((4, 5), bool).T  # in Fortran order
    active[3, 1] = False
    batch.set_active(active)
    matrix = batch.dense(s["q"])
    off = slice(3, 6)
    assert not matrix[3, off].any() and not matrix[3, :, off].any()
    on = np.r_[0:3, 6:12]
    np.testing.assert_allclose(matrix[3][np.ix_(on, on)], full[3][np.ix_(on, on)], rtol=1e-10, atol=1e-12)
    np.testing.assert_array_equal(np.delete(matrix, 3, axis=0), np.delete(full, 3, axis=0))
    with pytest.raises(TypeError, match="argument 'active' is an array of int64 .*; expected bool"):
        batch.set_active(active.astype(int))
    with pytest.raises(delassus.Error, match=re.escape("argument 'active' has shape (5, 3), and needs (5, 4)")):
        batch.set_active(active[:, :3])


def test_bad_constraints(go2: delassus.Scene) -> None:
    batch = batch_of(go2, 5)
    with pytest.raises(TypeError, match=re.escape("argument 'constraints[0]' is a str")):
        batch.set_constraints(["foot"])  # type: ignore[list-item]
    with pytest.raises(delassus.Error, match="there is no environment 5; the batch has 0 to 4"):
        batch.set_constraints(go2.constraints, environment=5)
    for verb in (batch.rows, batch.constraints, batch.message):
        with pytest.raises(delassus.Error, match="there is no environment -1"):
            verb(-1)
    assert batch.max_rows == 12
    with pytest.raises(delassus.Error, match="apply needs an update"):
        batch.apply(np.zeros((5, 12)))


# ----------------------------------------------------------------------------------------------------- arrays


def in_pieces(values: np.ndarray) -> list[np.ndarray]:
    """The same numbers with strides of every kind."""
    wide = np.zeros([3 * n for n in values.shape], values.dtype)
    sliced = wide[tuple(slice(None, None, 3) for _ in values.shape)]
    sliced[...] = values
    flip = tuple(slice(None, None, -1) for _ in values.shape)
    return [values, np.asfortranarray(values), sliced, np.ascontiguousarray(values[flip])[flip]]


@pytest.mark.parametrize("dtype", BOUND)
def test_any_strides_in_and_out(go2: delassus.Scene, dtype: Any) -> None:
    batch = batch_of(go2, dtype=dtype)
    s = states(go2, SIZE, batch.max_rows, dtype)
    reference = {name: verb(*arguments) for name, (verb, arguments) in verbs(batch, s).items()}
    for q, v, a, x in zip(*(in_pieces(s[name]) for name in "qvax")):
        for name, (verb, arguments) in verbs(batch, {"q": q, "v": v, "a": a, "x": x}).items():
            for out in in_pieces(np.full_like(reference[name], np.nan)):
                assert verb(*arguments, out=out) is out
                np.testing.assert_array_equal(out, reference[name], err_msg=name)


def test_broadcast_inputs(go2: delassus.Scene) -> None:
    """One q for all has a stride of zero."""
    batch = batch_of(go2)
    x = some_numbers(SIZE, batch.max_rows)
    q = np.broadcast_to(go2.q, (SIZE, go2.model.nq))
    np.testing.assert_array_equal(batch.apply_at(q, x), batch.apply_at(q.copy(), x))


def test_nothing_is_copied() -> None:
    """Arrays of 4 MB: anything as large as one of them would be seen."""
    scene = delassus.load("go2-standing")
    size = 32768
    batch = batch_of(scene, size, threads=1)
    q = np.asfortranarray(np.broadcast_to(scene.q, (size, scene.model.nq)))
    x, y = np.ones((size, 12), order="F"), np.empty((12, size))
    batch.apply_at(q, x, out=y.T)
    tracemalloc.start()
    result = batch.apply_at(q, x, out=y.T)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert np.shares_memory(result, y) and peak < 100_000 < x.nbytes


def test_outputs_in_place(go2: delassus.Scene) -> None:
    batch = batch_of(go2)
    s = states(go2, SIZE, batch.max_rows)
    y = batch.apply_at(s["q"], s["x"])
    x = s["x"].copy()
    assert batch.apply_at(s["q"], x, out=x) is x
    np.testing.assert_array_equal(x, y)
    with pytest.raises(delassus.Error, match="arguments 'x' and 'out' share memory"):
        batch.apply_at(s["q"], x, out=x[::-1])
    tau = np.zeros_like(s["v"])
    a, force = np.empty_like(tau), np.zeros_like(y)
    found = batch.constrained_dynamics(s["q"], s["v"], tau, start=force, out=(a, force))
    assert found[0] is a and found[1] is force and np.abs(force).max() > 1
    with pytest.raises(delassus.Error, match=re.escape("arguments 'out[0]' and 'out[1]' share memory")):
        whole = np.empty((SIZE, 30))
        batch.constrained_dynamics(s["q"], s["v"], tau, out=(whole[:, :18], whole[:, 10:22]))
    for out in (a, [a, force], (a,)):
        with pytest.raises(TypeError, match="argument 'out' is .*; expected a tuple of two arrays"):
            batch.constrained_dynamics(s["q"], s["v"], tau, out=out)  # type: ignore[arg-type]


def test_bad_outs_are_refused_and_not_written(go2: delassus.Scene) -> None:
    batch = batch_of(go2)
    s = states(go2, SIZE, batch.max_rows)
    for verb, arguments in verbs(batch, s).values():
        shape = verb(*arguments).shape
        read_only = np.zeros(shape)
        read_only.flags.writeable = False
        for out, error, words in (
            (np.zeros(shape, np.float32), TypeError, "argument 'out' is an array of float32 .*; expected float64"),
            (np.zeros(shape).tolist(), TypeError, "argument 'out' is a list; expected a NumPy array of float64"),
            (read_only, delassus.Error, "argument 'out' is read-only"),
            (np.zeros((shape[0] + 1, *shape[1:])), delassus.Error, r"argument 'out' has shape \(20, .*expected \(19, "),
            (np.lib.stride_tricks.as_strided(np.zeros(1), shape, (0,) * len(shape)), delassus.Error, "in one place"),
        ):
            with pytest.raises(error, match=words):
                verb(*arguments, out=out)
            assert not np.any(out)


def test_bad_inputs_are_named(go2: delassus.Scene) -> None:
    batch, single = batch_of(go2), batch_of(go2, dtype=np.float32)
    q, v = np.tile(go2.q, (SIZE, 1)), np.zeros((SIZE, 18))
    for call, error, words in (
        (lambda: batch.apply_at(q, v), delassus.Error, "argument 'x' has shape (19, 18); expected (19, 12)"),
        (lambda: batch.inverse_dynamics(q, v, v[0]), delassus.Error, "argument 'acceleration' has shape (18,)"),
        (lambda: batch.forward_dynamics(q, v[1:], v), delassus.Error, "argument 'v' has shape (18, 18)"),
        (lambda: batch.inertia_matrix(go2.q), delassus.Error, "argument 'q' has shape (19,); expected (19, 19)"),
        (lambda: batch.inertia_matrix(None), TypeError, "argument 'q' is None"),  # type: ignore[arg-type]
        (lambda: batch.update(q.tolist()), TypeError, "argument 'q' is a list; expected a NumPy array of float64"),
        (lambda: single.update(q), TypeError, "expected float32; convert it with astype(numpy.float32)"),
    ):
        with pytest.raises(error, match=re.escape(words)):
            call()


def test_construction(go2: delassus.Scene) -> None:
    batch = delassus.Batch(go2.model, 3)
    assert (batch.size, batch.dtype, batch.model, batch.max_rows) == (3, np.float64, go2.model, 0)
    assert batch.threads >= 1 and batch.lanes in (2, 4, 8) and batch.bytes > 0
    assert repr(batch) == "<delassus.Batch of 3 'go2', float64>"
    for dtype in (np.float32, "float32", np.dtype("f4")):
        assert delassus.Batch(go2.model, 3, dtype).dtype == np.float32
    with pytest.raises(delassus.Error, match="argument 'dtype' is .*int.*; expected numpy.float64 or numpy.float32"):
        delassus.Batch(go2.model, 3, int)
    with pytest.raises(TypeError, match="argument 'dtype' is a str; expected numpy.float64 or numpy.float32"):
        delassus.Batch(go2.model, 3, "half a float")
    with pytest.raises(delassus.Error, match="argument 'size' is 0"):
        delassus.Batch(go2.model, 0)
    with pytest.raises(delassus.Error, match="threads"):
        delassus.Batch(go2.model, 1, threads=-1)


def test_threads_share_a_batch() -> None:
    """Calls wait for each other, and whoever finds other constraints gets an Error."""
    scene = delassus.load("go2-standing")
    batch = batch_of(scene, 64)
    s = states(scene, 64, 12)
    want = batch.apply_at(s["q"], s["x"])
    wrong: list[str] = []

    def use() -> None:
        for _ in range(50):
            try:
                if not np.array_equal(batch.apply_at(s["q"], s["x"]), want):
                    wrong.append("another result")
            except delassus.Error:
                pass

    workers = [threading.Thread(target=use) for _ in range(3)]
    for worker in workers:
        worker.start()
    for _ in range(20):
        batch.set_constraints(scene.constraints[:2])
        batch.set_constraints(scene.constraints)
    for worker in workers:
        worker.join()
    assert not wrong


# ------------------------------------------------------------------------------------ simulators, controllers


def test_simulators(go2: delassus.Scene) -> None:
    """By themselves environments are Simulators, to the last bit. (In lanes: test_vector_simulator.py.)"""
    motors = delassus.position_actuators(go2.model, kp=200, kd=10)
    many = delassus.VectorSimulator(go2, 3, dt=1e-3, actuators=motors, threads=2, lanes=False)
    many.targets[1] += 0.1
    assert many.step(20) == 0 and not many.status.any() and not many.in_lanes.any()
    for e in range(3):
        one = delassus.Simulator(go2, dt=1e-3, actuators=motors)
        one.control[:] = many.targets[e]
        one.step(20)
        np.testing.assert_array_equal(many.q[e], one.q)  # the same bits
        np.testing.assert_array_equal(many.v[e], one.v)
        assert many.time[e] == one.time and many.save(e).simulation == one.save()
    many.restore(0, many.save(1))
    many.step(5)
    assert not np.array_equal(many.q[0], many.q[2])

    many.tau[2, 0] = np.nan
    assert many.step() == 1 and [many.words[code] for code in many.status] == ["ok", "ok", "bad_force"]
    assert many.message(2) and many.message(0) == ""
    bad = many.q.copy()
    bad[1, 0] = np.nan
    with pytest.raises(delassus.Error, match="environment 1: "):
        many.reset(q=bad)
    with pytest.raises(delassus.Error, match="argument 'n' is negative"):
        many.step(-1)


def test_controllers() -> None:
    scene = delassus.load("g1-standing")
    model, q = scene.model, scene.q.copy()
    feet = delassus.welds_to_world(model, q, ["left_ankle_roll_link", "right_ankle_roll_link"])
    hand = delassus.State(model, q).frame_pose("left_wrist_yaw_link")
    levels = [delassus.TaskLevel("hand", [delassus.pose_task(model, "left_wrist_yaw_link", hand, name="left")])]
    many = delassus.BatchController(model, 3, levels, feet, threads=2)
    one = delassus.OperationalController(model, levels, feet)
    target = delassus.Pose(hand.p + (0.05, 0, 0.05), hand.R)
    for controller in (many.environment(1), one):
        controller.set_target("left", target)
    qs, v = np.tile(q, (3, 1)), np.zeros((3, model.nv))
    qs[2, 3] = np.nan
    tau = many.compute(qs, v, out=np.empty((model.nv, 3)).T)
    np.testing.assert_array_equal(tau[1], one.compute(q, v[1]))
    assert not np.array_equal(tau[0], tau[1]) and np.isnan(tau[2]).all()
    assert many.statuses[:2] == ("ok", "ok") and many.statuses[2] != "ok"
    assert many.environment(1).status == "ok" and many.environment(2).message
    np.testing.assert_array_equal(many.environment(1).acceleration, one.acceleration)
    with pytest.raises(delassus.Error, match="of a grasp or of a batch"):
        many.environment(0).compute(q, v[0])
    with pytest.raises(delassus.Error, match="there is no environment 3"):
        many.environment(3)
