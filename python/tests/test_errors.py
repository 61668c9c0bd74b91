"""What is wrong is said, with the words of the library."""

from __future__ import annotations

import pickle
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from reference import some_numbers, updated

import delassus


def test_kinds_of_errors() -> None:
    assert issubclass(delassus.Error, ValueError)
    assert issubclass(delassus.NumericalError, ArithmeticError)
    assert issubclass(delassus.SingularError, delassus.NumericalError)
    assert not issubclass(delassus.NumericalError, delassus.Error)


def test_names_that_are_not_there(go2: delassus.Scene) -> None:
    with pytest.raises(delassus.Error, match="did you mean 'FL_foot'"):
        delassus.PointContact(go2.model, "FL_fot")
    with pytest.raises(delassus.Error, match="did you mean 'FL_calf_joint'"):
        delassus.JointLimit(go2.model, "FL_calf_jont", 0.0)
    with pytest.raises(delassus.Error, match="did you mean 'go2-standing'"):
        delassus.load("go2-stnding")
    with pytest.raises(delassus.Error, match=re.escape("delassus.names() shows them")):
        delassus.load("no such robot at all")
    with pytest.raises(delassus.Error, match="argument 'algorithm' is 'condesed' .did you mean 'condensed'"):
        delassus.Operator(go2.model, go2.constraints, "condesed")
    with pytest.raises(delassus.Error, match="argument 'kind' is 'slding' .did you mean 'sliding'"):
        delassus.PointContact(go2.model, "FL_foot", kind="slding")
    with pytest.raises(TypeError, match="Joint has no field 'axes' .did you mean 'axis'"):
        delassus.Joint("knee", axes=(0, 0, 1))


def test_wrong_types(go2: delassus.Scene) -> None:
    model = go2.model
    for call, words in (
        (lambda: delassus.PointContact(model, 1.5), "argument 'frame' is a float; expected the name or the index"),
        (lambda: delassus.PointContact(model, "FL_foot", gap="a"), "argument 'gap' is a str; expected a number"),
        (lambda: delassus.PointContact(model, "FL_foot", "abc"), "argument 'point' is a str; expected numbers"),
        (lambda: delassus.PointContact(model, "FL_foot", set="cone"), "argument 'set' is a str; expected an object of"),
        (lambda: delassus.Operator(model, ["FL_foot"]), "argument 'constraints[0]' is a str; expected a constraint"),
        (lambda: delassus.Operator(model, 3), "argument 'constraints' is an int; expected a list"),
        (lambda: delassus.Workload(products=1.5), "argument 'products' is a float; expected an int"),
        (lambda: delassus.load(3), "os.PathLike"),
        (lambda: delassus.load("go2", strict=1), "argument 'strict' is an int; expected True or False"),
    ):
        with pytest.raises(TypeError, match=re.escape(words)):
            call()


def test_wrong_values(go2: delassus.Scene) -> None:
    model = go2.model
    for call, words in (
        (lambda: delassus.PointContact(model, 1000), "argument 'frame' is 1000; expected an int from 0 to"),
        (lambda: delassus.PointContact(model, "FL_foot", (1, 2)), "argument 'point' has shape (2,); expected (3,)"),
        (lambda: delassus.PointContact(model, "FL_foot", (1, 2, np.nan)), "'FL_foot'"),
        (lambda: delassus.PointContact(model, "FL_foot", normal=(0, 0, 0)), "normal"),
        (lambda: delassus.LoopClosure(model, "FL_foot", "FR_foot", free_linear="w"), "the axis 'w'"),
        (lambda: delassus.JointLimit(model, "FL_calf_joint", 0.0, dof=1), "argument 'dof' is 1; expected an int"),
        (lambda: delassus.Inertial(1.0, (0, 0, 0), [[1, 2, 3], [0, 1, 0], [0, 0, 1]]), "'inertia' is not symmetric"),
        (lambda: delassus.plan(model, [], delassus.Workload()), "asks for nothing"),
        (lambda: delassus.plan(model, [], delassus.Workload(products=-1)), "negative"),
        (lambda: delassus.Operator(model, [], "ltl", workload=delassus.Workload(1)), "is for algorithm='auto'"),
        (lambda: delassus.CondensedCapacity.room_for(0), "argument 'constraints' is 0; expected an int from 1 to"),
        (lambda: delassus.Scene(model, q=np.zeros(3)), "argument 'q' has shape (3,); expected (19,)"),
    ):
        with pytest.raises(delassus.Error, match=re.escape(words)):
            call()


def test_constraints_of_another_model(go2: delassus.Scene) -> None:
    g1 = delassus.load("g1").model
    contact = delassus.PointContact(g1, len(g1.frames) - 1)
    with pytest.raises(delassus.Error, match=contact.name):
        delassus.Operator(go2.model, [contact])


def test_order_of_calls(go2: delassus.Scene) -> None:
    op = delassus.Operator(go2.model, go2.constraints, "condensed")
    x = np.zeros(op.rows)
    assert op.q is None
    for call in (
        lambda: op.apply(x),
        op.dense,
        op.jacobian,
        op.position,
        op.spectrum,
        lambda: op.update_damping(1.0),
        lambda: op.damped_inverse(1.0),
    ):
        with pytest.raises(delassus.Error, match=r"update\(q\) first"):
            call()
    op.update(go2.q)
    with pytest.raises(delassus.Error, match="damping"):
        op.solve(x)
    op.update_damping(1.0)
    op.solve(x)
    op.update(go2.q)  # drops the damping
    with pytest.raises(delassus.Error, match="damping"):
        op.solve(x)
    with pytest.raises(delassus.Error, match="algorithm='kkt'"):
        op.solve_system(np.zeros(go2.model.nv), x)


def test_dampings(go2: delassus.Scene) -> None:
    op = updated(go2, "condensed")
    block = np.eye(3)
    crooked = np.array([[1.0, 0.5, 0], [0, 1, 0], [0, 0, 1]])
    for damping, error, words in (
        ("much", TypeError, "argument 'damping' is a str; expected a number, an array"),
        (None, TypeError, "argument 'damping' is None"),
        (np.ones(3), delassus.Error, "argument 'damping' has shape (3,); expected (12,)"),
        (np.ones((12, 12)), delassus.Error, "argument 'damping' has shape (12, 12)"),
        (np.ones(12, np.float32), TypeError, "argument 'damping' is an array of float32"),
        ([block] * 3, delassus.Error, "argument 'damping' has 3 blocks; expected one for each of the 4"),
        ([block] * 5, delassus.Error, "argument 'damping' has 5 blocks; expected one for each of the 4"),
        ([block, block, np.eye(2), block], delassus.Error, "argument 'damping[2]' has shape (2, 2); expected (3, 3)"),
        ([block, crooked, block, block], delassus.Error, "argument 'damping[1]' is not symmetric"),
    ):
        with pytest.raises(error, match=re.escape(words)):
            op.update_damping(damping)


@pytest.mark.parametrize("algorithm", ["condensed", "ltl", "kkt", "lcaba"])
def test_damping_that_is_not_positive(go2: delassus.Scene, algorithm: str) -> None:
    op = updated(go2, algorithm)
    damping = np.ones(op.rows)
    damping[5] = -1.0
    with pytest.raises(delassus.NumericalError, match="not positive definite at row 5") as caught:
        op.update_damping(damping)
    assert (caught.value.code, caught.value.index) == ("not_positive", 5)
    with pytest.raises(delassus.Error, match="damping"):
        op.solve(np.zeros(op.rows))


@pytest.mark.parametrize("algorithm", ["condensed", "ltl", "kkt", "lcaba"])
def test_damping_that_is_no_number(go2: delassus.Scene, algorithm: str) -> None:
    op = updated(go2, algorithm)
    damping = np.ones(op.rows)
    for bad, words in ((np.nan, "is not a number (NaN)"), (np.inf, "is infinite; a damping is a finite number")):
        damping[5] = bad
        block = np.eye(3)
        block[1, 2] = block[2, 1] = bad
        for argument, value in (
            ("damping", float(bad)),
            ("damping[5]", damping),
            ("damping[2]", [np.eye(3), np.eye(3), block, np.eye(3)]),
        ):
            with pytest.raises(delassus.Error, match=re.escape(f"argument '{argument}' {words}")):
                op.update_damping(value)
            with pytest.raises(delassus.Error, match="damping"):
                op.solve(np.zeros(op.rows))


def test_zero_damping(go2: delassus.Scene) -> None:
    """Four feet of Go2 are independent rows: operators with a matrix need no damping, and others say that they do."""
    b = np.linspace(-1, 1, 12)
    for algorithm in ("ltl", "kkt", "pv-osim"):
        op = updated(go2, algorithm)
        op.update_damping(0.0)
        np.testing.assert_allclose(op.apply(op.solve(b)), b, atol=1e-9)
    for algorithm in ("condensed", "limbs", "lcaba"):
        with pytest.raises(delassus.NumericalError, match="row 0 has a damping that is not positive, which"):
            updated(go2, algorithm).update_damping(0.0)


@pytest.mark.parametrize("algorithm", delassus.algorithms())
def test_configurations_without_numbers(go2: delassus.Scene, algorithm: str) -> None:
    op = delassus.Operator(go2.model, go2.constraints, algorithm)
    not_finite = "model 'go2': entry {} is not a finite number"
    for entry, value, error, words in (
        (9, np.nan, delassus.NumericalError, not_finite.format(9)),
        (2, np.inf, delassus.NumericalError, not_finite.format(2)),
        (slice(3, 7), 0.0, delassus.Error, "the quaternion of joint '__root__'"),
    ):
        q = go2.q.copy()
        q[entry] = value
        with pytest.raises(error, match=words):
            op.update(q)
        assert op.q is None
        with pytest.raises(delassus.Error, match=r"update\(q\) first"):
            op.apply(np.zeros(op.rows))
    op.update(go2.q)
    assert np.isfinite(op.dense()).all()


def test_degenerate_constraints(go2: delassus.Scene) -> None:
    touching = delassus.Distance(go2.model, "FL_foot", "FL_foot", 0.5, name="rope")
    op = delassus.Operator(go2.model, [touching], "ltl")
    with pytest.raises(delassus.NumericalError, match="'rope' has no direction") as caught:
        op.update(go2.q)
    assert (caught.value.code, caught.value.index) == ("degenerate", 0)


def test_inexact_solves_give_what_they_found(go2: delassus.Scene) -> None:
    """Every contact twice, so that a tiny damping decides between them."""
    op = delassus.Operator(go2.model, [*go2.constraints, *go2.constraints], "lcaba")
    op.update(go2.q)
    op.update_damping(1e-11)
    b = some_numbers(op.rows)
    with pytest.raises(delassus.NumericalError, match="residual") as caught:
        op.solve(b)
    assert caught.value.code == "inaccurate"
    assert caught.value.solution.shape == (op.rows,)
    assert np.isfinite(caught.value.solution).all()


def test_errors_can_be_pickled() -> None:
    error = delassus.SingularError("joint 'a' is singular", "singular_joint", 3)
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), str(copy), copy.code, copy.index) == (type(error), str(error), "singular_joint", 3)


def test_files(tmp_path: Path) -> None:
    with pytest.raises(delassus.Error, match="robot.urdf"):
        delassus.load(tmp_path / "robot.urdf")
    bad = tmp_path / "bad.urdf"
    bad.write_text("<robot name='r'><link name='a'/><link name='a'/></robot>")
    with pytest.raises(delassus.Error, match=r"bad.urdf:1: link 'a'"):
        delassus.load(bad)
    with pytest.raises(delassus.Error, match="cannot|directory"):
        delassus.load(tmp_path)
    with pytest.raises(delassus.Error, match="argument 'format' is 'sdf'"):
        delassus.parse("", "sdf")
    with pytest.raises(delassus.Error, match=re.escape("leave out floating=")):
        delassus.load("panda", floating=True)


def test_names_of_any_bytes() -> None:
    """Names may be no text at all, as file names may; that is no reason for another exception."""
    builder = delassus.ModelBuilder("odd\udcff")
    assert "odd\udcff" in repr(builder)
    with pytest.raises(delassus.Error, match="none\udcff"):
        builder.add_body("bar", "none\udcff", delassus.Joint("hinge"), delassus.box_inertial(1.0, (0.5, 0.1, 0.1)))


def test_numbers_that_are_none(go2: delassus.Scene) -> None:
    for point in ((1j, 0, 0), ("1", "2", "3"), np.array([1 + 2j, 0, 0]), [None, 0, 0]):
        with pytest.raises(TypeError, match="argument 'point' is .*; expected numbers with shape"):
            delassus.PointContact(go2.model, "FL_foot", point=point)


def test_none_is_no_model() -> None:
    """Wherever a model is asked for, pybind11 would hand on a null pointer."""
    level = delassus.TaskLevel("none", [])
    box = delassus.HeldObject(delassus.box_inertial(1.0, (1, 1, 1)), [delassus.Pose()])
    for make in (
        lambda: delassus.Operator(None, []),
        lambda: delassus.State(None),
        lambda: delassus.Scene(None),
        lambda: delassus.ConstrainedDynamics(None, []),
        lambda: delassus.Integrator(None, []),
        lambda: delassus.CoordinateLayout(None, "pinocchio"),
        lambda: delassus.OperationalSpace(None, [level]),
        lambda: delassus.OperationalController(None, [level]),
        lambda: delassus.GraspController(None, [0], box),
        lambda: delassus.Batch(None, 1),
        lambda: delassus.BatchController(None, 1, [level]),
        lambda: delassus.Simulator(None),
        lambda: delassus.VectorSimulator(None, 1),
        lambda: delassus.PointContact(None, "FL_foot"),
        lambda: delassus.joint_limits(None),
        lambda: delassus.Model.__copy__(None),
    ):
        with pytest.raises(TypeError, match="None"):
            make()


def test_attachments_of_another_model(go2: delassus.Scene) -> None:
    """A frame that the model lacks is looked at before anything is asked of it."""
    g1 = delassus.load("g1").model
    place, pose = delassus.Attachment(g1, len(g1.frames) - 1), delassus.Pose()
    words = f"is an Attachment to frame {place.frame}; model 'go2' has frames 0 to {len(go2.model.frames) - 1}"
    for make in (
        lambda: delassus.PointContact(go2.model, place),
        lambda: delassus.PointContact(go2.model, delassus.Attachment(go2.model, 0).replace(frame=-1)),
        lambda: delassus.LoopClosure(go2.model, place, "base"),
        lambda: delassus.LoopClosure(go2.model, "base", place),
        lambda: delassus.Distance(go2.model, place, "base", 1.0),
        lambda: delassus.pose_task(go2.model, place, pose),
        lambda: delassus.position_task(go2.model, place, (0, 0, 0)),
        lambda: delassus.orientation_task(go2.model, place, np.eye(3)),
    ):
        with pytest.raises(delassus.Error, match="is an Attachment to frame"):
            make()
    with pytest.raises(delassus.Error, match=re.escape(words)):
        delassus.PointContact(go2.model, place)


def test_a_plan_of_nothing() -> None:
    with pytest.raises(delassus.Error, match="no candidates"):
        delassus.Plan().explain()


def test_beginnings_of_names() -> None:
    with pytest.raises(delassus.Error, match="did you mean 'talos_like'"):
        delassus.load("talos")
    with pytest.raises(delassus.Error, match="did you mean 'icub_like'"):
        delassus.load("icub")


def test_plot_says_what_is_missing() -> None:
    code = (
        "import sys; sys.modules['matplotlib'] = None\n"
        "import delassus\n"
        "try:\n    delassus.plot\nexcept ImportError as error:\n    print(error)"
    )
    said = subprocess.check_output([sys.executable, "-c", code], text=True)
    assert "delassus.plot draws with matplotlib" in said and "pip install matplotlib" in said


def test_names_of_files_that_are_too_long(go2: delassus.Scene) -> None:
    """The file system refuses to look at them, which is no exception of its own."""
    for call in (
        lambda: go2.save("n" * 5000),
        lambda: delassus.load("n" * 5000),
        lambda: delassus.Surface.load("n" * 5000 + ".stl"),
    ):
        with pytest.raises(delassus.Error, match="nnn"):
            call()
