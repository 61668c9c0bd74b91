"""Models, builders and the values that they are made of."""

from __future__ import annotations

import numpy as np
import pytest

import delassus

BAR = delassus.box_inertial(1.0, (0.25, 0.02, 0.02), (0.25, 0, 0))


def four_bar() -> delassus.Model:
    builder = delassus.ModelBuilder("four-bar", gravity=(0, -9.81, 0))
    along = delassus.Pose(p=(0.5, 0, 0))
    crank = builder.add_body("crank", "world", delassus.Joint("crank_joint"), BAR)
    builder.add_body("coupler", crank, delassus.Joint("knee", placement=along), BAR)
    builder.add_body("rocker", -1, [delassus.Joint("rocker_joint", placement=along)], BAR)
    builder.add_frame("coupler_end", "coupler", along)
    builder.add_frame("rocker_end", "rocker", along)
    return builder.make_model()


def test_builder() -> None:
    model = four_bar()
    assert (model.name, model.nq, model.nv, model.num_links, model.depth) == ("four-bar", 3, 3, 3, 2)
    assert model.mass == 3.0
    assert model.joints == ("crank_joint", "knee", "rocker_joint")
    assert model.frames == ("world", "crank", "coupler", "rocker", "coupler_end", "rocker_end")
    assert model.link_parents == (-1, 0, -1)
    np.testing.assert_array_equal(model.gravity, [0, -9.81, 0])
    assert model.bodies[1].joints[0].name == "knee"
    assert model.link_of_frame("rocker_end") == 2
    loop = delassus.LoopClosure(model, "coupler_end", "rocker_end", free_angular="z")
    op = delassus.Operator(model, [loop])
    op.update(np.array([1.0, -1.0, 1.0]))
    # A parallelogram is closed; sines and cosines are rounded.
    np.testing.assert_allclose(op.position(), 0, atol=1e-15)
    assert op.spectrum().rank == 2  # the plane says the other three


def test_builder_errors() -> None:
    builder = delassus.ModelBuilder("robot")
    builder.add_body("torso", "world", delassus.Joint("root", "free"), BAR)
    with pytest.raises(delassus.Error, match="argument 'parent': there is no body 'toso' .did you mean 'torso'"):
        builder.add_body("arm", "toso", delassus.Joint("a"), BAR)
    with pytest.raises(TypeError, match="argument 'inertial' is a float; expected an object of delassus.Inertial"):
        builder.add_body("arm", "torso", delassus.Joint("a"), 1.0)
    builder.add_body("torso", "torso", delassus.Joint("again"), BAR)
    with pytest.raises(delassus.Error, match="torso"):
        builder.make_model()


def test_inertials_of_solids() -> None:
    box = delassus.box_inertial(12.0, (0.5, 1.0, 1.5))
    np.testing.assert_allclose(np.diag(box.inertia), [4 * (1 + 2.25), 4 * (0.25 + 2.25), 4 * (0.25 + 1)], rtol=1e-15)
    sphere = delassus.sphere_inertial(5.0, 2.0, com=(1, 2, 3))
    np.testing.assert_allclose(sphere.inertia, 8 * np.eye(3), rtol=1e-15)
    np.testing.assert_array_equal(sphere.com, [1, 2, 3])
    cylinder = delassus.cylinder_inertial(12.0, 1.0, 2.0)
    np.testing.assert_allclose(np.diag(cylinder.inertia), [3 + 16, 3 + 16, 6], rtol=1e-15)


def test_poses() -> None:
    pose = delassus.Pose.from_rpy((1, 2, 3), (0, 0, np.pi / 2))
    np.testing.assert_allclose(pose * (1, 0, 0), [1, 3, 3], atol=1e-15)
    both = pose * pose.inverse()
    np.testing.assert_allclose(both.R, np.eye(3), atol=1e-15)
    np.testing.assert_allclose(both.p, 0, atol=1e-15)
    assert delassus.Pose() == delassus.Pose((0, 0, 0), np.eye(3))
    assert delassus.Pose((1, 0, 0)) != delassus.Pose()


def test_values() -> None:
    joint = delassus.Joint("knee", "revolute", (0, 1, 0), dofs=[delassus.Dof(lower=-1, upper=2, armature=0.1)])
    assert repr(joint).startswith("Joint(name='knee', axis=[0.0, 1.0, 0.0], dofs=(Dof(lower=-1.0, upper=2.0")
    assert joint.replace(name="hip") != joint
    assert joint.replace(name="hip").replace(name="knee") == joint
    assert joint.__match_args__[:2] == ("name", "kind")
    assert joint != 3
    with pytest.raises(TypeError):
        hash(joint)
    with pytest.raises(TypeError, match="got 'name' twice"):
        delassus.Joint("a", name="b")
    with pytest.raises(TypeError, match="at most"):
        delassus.Inertial(1, (0, 0, 0), np.eye(3), 4)


def test_limits_and_slices() -> None:
    model = delassus.load("go2").model
    assert model.q_slice("__root__") == slice(0, 7, 1)
    assert model.v_slice("__root__") == slice(0, 6, 1)
    at = model.v_slice("FL_calf_joint").start
    limits = [c for c in delassus.joint_limits(model) if c.link == model.find_joint("FL_calf_joint")]
    assert {c.bound for c in limits} == {model.lower[at], model.upper[at]}
    assert model.q_slice("FL_calf_joint").start == at + 1


def test_append_model() -> None:
    host, part = delassus.load("panda").model, four_bar()
    both = delassus.append_model(host, part, prefix="left/", placement=delassus.Pose((1, 0, 0)))
    assert both.nv == host.nv + part.nv
    assert both.joints[-3:] == ("left/crank_joint", "left/knee", "left/rocker_joint")
    end = delassus.State(both).frame_pose("left/coupler_end").p
    np.testing.assert_allclose(end, [2, 0, 0], atol=1e-15)
    with pytest.raises(delassus.Error, match="hand"):
        delassus.append_model(host, part, frame="no hand")


def test_equality() -> None:
    assert four_bar() == four_bar()
    assert four_bar() != delassus.load("four_bar").model
    assert four_bar() != 1
