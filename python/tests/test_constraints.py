"""Every kind of constraint: its rows, and what its constructor makes of names."""

from __future__ import annotations

import typing

import numpy as np
import pytest
from reference import every_kind, some_numbers

import delassus


@pytest.fixture
def model() -> delassus.Model:
    return delassus.load("go2").model


def test_rows(model: delassus.Model) -> None:
    rows = [6, 4, 3, 3, 1, 1, 1, 1, 1, 1, 1, 1, 3, 2]
    constraints = every_kind(model)
    assert [c.num_rows for c in constraints] == rows
    assert delassus.Operator(model, constraints).rows == sum(rows)
    assert {type(c) for c in constraints} == set(typing.get_args(delassus.Constraint))
    assert len({c.kind_name for c in constraints}) == 9
    assert all(repr(c).startswith(type(c).__name__ + "(") for c in constraints)


def test_names(model: delassus.Model) -> None:
    names = [c.name for c in every_kind(model)]
    assert names[:5] == ["FL_foot", "FR_foot", "rod", "FL_foot-world", "RL_foot-FR_foot"]
    assert names[5] == "FL_calf_joint"


def test_fields(model: delassus.Model) -> None:
    contact, _, loop = every_kind(model)[:3]
    assert contact.set.mu == 0.8 and contact.set.kind == "friction_cone" and contact.gap == 0.1
    assert contact.a.frame == model.find_frame("FL_foot")
    np.testing.assert_array_equal(contact.a.offset.p, [0, 0, -0.02])
    np.testing.assert_array_equal(contact.axes, [[0, 0, 1], [1, 0, 0], [0, 1, 0]])
    assert (loop.free_linear, loop.free_angular, loop.axes) == ("x", "yz", "frame1")


def test_axes_of_a_normal(model: delassus.Model) -> None:
    axes = delassus.PointContact(model, "FL_foot", normal=(3, 0, 4)).axes
    np.testing.assert_allclose(axes @ axes.T, np.eye(3), atol=1e-15)
    np.testing.assert_allclose(axes[0], [0.6, 0, 0.8], atol=1e-15)
    assert np.linalg.det(axes) > 0


def test_rows_on_joints(model: delassus.Model) -> None:
    """Their Jacobians are known."""
    v = some_numbers(model.nv)
    at = {joint: model.v_slice(joint).start for joint in model.joints}
    cases = [
        (delassus.JointLimit(model, "FL_calf_joint", -1.0), v[at["FL_calf_joint"]]),
        (delassus.JointLimit(model, "FL_calf_joint", 1.0, upper=True), -v[at["FL_calf_joint"]]),
        (delassus.JointFriction(model, "FR_calf_joint", 0.3), v[at["FR_calf_joint"]]),
        (
            delassus.JointCoupling(model, {"FL_hip_joint": 1.0, "FR_hip_joint": -2.0}),
            v[at["FL_hip_joint"]] - 2 * v[at["FR_hip_joint"]],
        ),
        (
            delassus.JointPolynomial(model, "RL_calf_joint", "RR_calf_joint", (0, 3, 0, 0, 0)),
            v[at["RL_calf_joint"]] - 3 * v[at["RR_calf_joint"]],
        ),
    ]
    op = delassus.Operator(model, [constraint for constraint, _ in cases], "ltl")
    op.update(model.neutral())
    np.testing.assert_allclose(op.apply_jacobian(v), [rate for _, rate in cases], rtol=0, atol=1e-14)


def test_custom_rows(model: delassus.Model) -> None:
    K, weights = some_numbers(2, 6), some_numbers(2, seed=2)
    rows = delassus.CustomRows(model, 2, bodies={"FL_foot": K}, dofs={8: weights})
    state = delassus.State(model)
    op = delassus.Operator(model, [rows], "ltl")
    op.update(state.q)
    expected = K @ state.frame_jacobian("FL_foot", axes="frame")
    expected[:, 8] += weights
    np.testing.assert_allclose(op.jacobian(), expected, rtol=0, atol=1e-14)
    np.testing.assert_array_equal(rows.bodies[0][1], K)


def test_makers() -> None:
    scene = delassus.load("go2-standing")
    contacts = delassus.ground_contacts(scene.model, scene.q, margin=1e-2)
    assert {scene.model.frames[c.a.frame] for c in contacts} >= {"FL_foot", "RR_foot"}
    welds = delassus.welds_to_world(scene.model, scene.q, ["FL_foot", "FR_foot"])
    pins = delassus.pins_to_world(scene.model, scene.q, ["FL_foot"])
    assert [c.num_rows for c in (*welds, *pins)] == [6, 6, 3]
    op = delassus.Operator(scene.model, [*welds, *pins])
    op.update(scene.q)
    np.testing.assert_allclose(op.position(), 0, atol=1e-14)
    friction = delassus.joint_friction(scene.model, 0.5)
    assert len(friction) == 12 and friction[0].set == delassus.ForceSet("box", friction[0].set.bound)


def test_constraint_links(model: delassus.Model) -> None:
    links = delassus.constraint_links(model, delassus.LoopClosure(model, "FL_foot", "FR_foot"))
    assert links == tuple(sorted(model.link_of_frame(f) for f in ("FL_foot", "FR_foot")))
    assert delassus.constraint_links(model, delassus.JointLimit(model, 3, 0.0)) == (3,)
    assert delassus.constraint_links(model, delassus.PointContact(model, "world", other="FL_foot")) == links[:1]
