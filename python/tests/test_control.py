"""Operational-space control against dense matrices of NumPy."""

from __future__ import annotations

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable

import numpy as np
import pytest
from reference import some_configuration, some_numbers

import delassus

EPS = np.finfo(float).eps
HANDS = ("left_wrist_yaw_link", "right_wrist_yaw_link")
FEET = ("left_ankle_roll_link", "right_ankle_roll_link")


class Standing:
    """A humanoid with both feet welded to the ground, in motion; hands before the centre of mass."""

    def __init__(self) -> None:
        scene = delassus.load("g1-standing")
        self.model = model = scene.model
        self.q = scene.q.copy()
        self.held = delassus.welds_to_world(model, self.q, FEET)
        self.v = delassus.project_velocity(model, self.held, self.q, some_numbers(model.nv, seed=2))
        state = delassus.State(model, self.q, self.v)
        self.poses = [state.frame_pose(hand) for hand in HANDS]
        hands = [delassus.pose_task(model, hand, pose) for hand, pose in zip(HANDS, self.poses)]
        centre = delassus.centre_of_mass_task(model, state.centre_of_mass(), name="centre")
        self.levels = [delassus.TaskLevel("hands", hands), delassus.TaskLevel("balance", [centre])]
        op = delassus.Operator(model, [*self.held, *hands, centre], "dense")
        op.update(self.q)
        self.J, self.drift = op.jacobian(), op.drift(self.v)
        self.M, self.h = state.inertia_matrix(), state.bias_forces()
        self.spans = {"held": slice(0, 12), "hands": slice(12, 24), "balance": slice(24, 27)}


@pytest.fixture(scope="module")
def standing() -> Standing:
    return Standing()


@pytest.fixture
def space(standing: Standing) -> delassus.OperationalSpace:
    space = delassus.OperationalSpace(standing.model, standing.levels, standing.held)
    assert space.update(standing.q, standing.v) == "ok"
    return space


def close(got: np.ndarray, expected: np.ndarray, condition: float) -> None:
    """Rounding grows with the condition of M, here 1e5, and of the inverse inertias, 1e3."""
    np.testing.assert_allclose(got, expected, rtol=0, atol=10 * EPS * condition * np.abs(expected).max())


def test_levels_by_recursive_null_spaces(standing: Standing, space: delassus.OperationalSpace) -> None:
    """As textbooks have it: a projector of size nv x nv from level to level."""
    n = standing.model.nv
    condition = np.linalg.cond(standing.M)
    free = np.eye(n)
    for name, span in standing.spans.items():
        J = standing.J[span] @ free
        inverse = J @ np.linalg.solve(standing.M, J.T)
        inertia = np.linalg.inv(inverse)
        J_bar = np.linalg.solve(standing.M, J.T) @ inertia
        free = free - J_bar @ J
        if name == "held":
            continue
        condition *= np.linalg.cond(inverse)
        close(space.jacobian(name), J, condition)
        close(space.inverse_inertia(name), inverse, condition)
        close(space.inertia(name), inertia, condition)
        close(space.consistent_inverse(name), J_bar, condition)
        close(space.null_space(name), free, condition)
    assert space.levels == ("hands", "balance")
    assert (space.num_rows, space.held_rows, space.rows("hands"), space.first_row(1)) == (27, 12, 12, 24)
    assert space.report("hands").weak == 0 and space.report("hands").row == -1


def test_verbs_are_the_matrices(standing: Standing, space: delassus.OperationalSpace) -> None:
    n = standing.model.nv
    condition = np.linalg.cond(standing.M)
    for level in ("hands", 1):
        rows = space.rows(level)
        x, nu = some_numbers(rows), some_numbers(n, seed=1)
        close(space.apply_inertia(level, x), space.inertia(level) @ x, condition)
        close(space.apply_consistent_inverse(level, x), space.consistent_inverse(level) @ x, condition)
        close(space.apply_consistent_force(level, nu), space.consistent_inverse(level).T @ nu, condition)
        close(space.apply_jacobian_transpose(level, x), space.jacobian(level).T @ x, condition)
        close(space.project_motion(level, nu), space.null_space(level) @ nu, condition)
        close(space.project_force(level, nu), space.null_space(level).T @ nu, condition)
        same = nu.copy()
        assert space.project_motion(level, same, out=same) is same
        np.testing.assert_array_equal(same, space.project_motion(level, nu))


def test_bias_forces_and_accelerations(standing: Standing, space: delassus.OperationalSpace) -> None:
    """With the bias force at the hands and feet that stay, hands do not accelerate; level by level, rows do what they are
    told."""
    model, M = standing.model, standing.M
    J_held = standing.J[standing.spans["held"]]
    J_hands = standing.J[standing.spans["hands"]]
    A = np.vstack([J_held, J_hands])

    def check(force: np.ndarray, h: np.ndarray, drift: np.ndarray) -> None:
        # Feet are held by what it takes, hands get the force: M a + h = J_h^T lambda + J^T F.
        free = np.linalg.solve(M, J_hands.T @ force - h)
        response = np.linalg.solve(M, J_held.T)
        held = np.linalg.solve(J_held @ response, -drift[:12] - J_held @ free)
        accelerations = A @ (free + response @ held) + drift[:24]
        # 1e3 m/s^2 come and go in this sum, with the condition of M.
        np.testing.assert_allclose(accelerations, 0, atol=1e-7)

    check(space.bias_force("hands"), standing.h, standing.drift)
    rest = delassus.State(model, standing.q)
    check(space.gravity_force("hands"), rest.bias_forces(), 0 * standing.drift)

    wanted, near = some_numbers(27, seed=6), some_numbers(model.nv, seed=7)
    qdd, force = space.accelerate(wanted, near)
    np.testing.assert_allclose(standing.J @ qdd + standing.drift, wanted, atol=1e-7)
    np.testing.assert_allclose(qdd, near + np.linalg.solve(M, standing.J.T @ force), atol=1e-7)


# ------------------------------------------------------------------------------------------------ controller


def test_tasks_accelerate_as_their_gains_say(standing: Standing) -> None:
    gains = delassus.TaskGains(50, 10)
    levels = [level.replace(gains=gains) for level in standing.levels]
    controller = delassus.OperationalController(standing.model, levels, standing.held)
    target = delassus.PoseTarget(
        delassus.Pose(standing.poses[0].p + 0.1, standing.poses[0].R), some_numbers(6, seed=1), some_numbers(6, seed=2)
    )
    controller.set_target(HANDS[0], target)
    centre = delassus.State(standing.model, standing.q).centre_of_mass()
    controller.set_target("centre", centre + 0.2, velocity=(0.1, 0, 0), acceleration=(0, 1, 0))
    tau = np.empty(standing.model.nv)
    assert controller.compute(standing.q, standing.v, out=tau) is tau
    assert controller.status == "ok" and controller.message == ""
    np.testing.assert_array_equal(tau[:6], 0)
    motion = delassus.ConstrainedDynamics(standing.model, standing.held).solve(standing.q, standing.v, tau)
    # What dynamics makes of it is what the controller expects; 1e-7 is rounding, see above.
    np.testing.assert_allclose(motion.acceleration, controller.acceleration, atol=1e-7)
    np.testing.assert_allclose(motion.force, controller.held_force, atol=1e-6)
    velocity = standing.J @ standing.v
    swap = [3, 4, 5, 0, 1, 2]  # rows of tasks begin with the linear ones
    wanted = np.zeros(27)
    wanted[12:18] = target.acceleration[swap] + 10 * target.velocity[swap]
    wanted[12:15] += 50 * 0.1
    wanted[24:] = np.array([0, 1, 0]) + 10 * np.array([0.1, 0, 0]) + 50 * 0.2
    wanted[12:] -= 10 * velocity[12:]
    np.testing.assert_allclose((standing.J @ motion.acceleration + standing.drift)[12:], wanted[12:], atol=1e-6)
    space = controller.space
    np.testing.assert_allclose(space.jacobian("hands") @ space.null_space("hands"), 0, atol=1e-8)
    with pytest.raises(delassus.Error, match="the space of a controller"):
        space.update(standing.q)


@pytest.fixture
def arm() -> delassus.Scene:
    """Without fingers that have no motors of note; regular for the position of the hand."""
    scene = delassus.load("panda")
    scene.q[:7] = (0.1, 0.2, 0.3, -1.5, 0.2, 1.5, 0.1)
    return scene


def test_forces_on_surroundings(arm: delassus.Scene) -> None:
    model, still = arm.model, np.zeros(arm.model.nv)
    at = delassus.State(model, arm.q).frame_pose("hand")
    level = delassus.TaskLevel("hand", [delassus.position_task(model, "hand", at.p)])
    controller = delassus.OperationalController(model, [level])
    controller.set_posture(arm.q)
    before = controller.compute(arm.q, still)
    # At rest where all targets are, so that it carries its weight, to the rounding of a sum over links.
    np.testing.assert_allclose(before, delassus.State(model, arm.q).bias_forces(), atol=1e-11)
    force = np.array([1.0, -2.0, 5.0])
    controller.set_force("hand", force)
    J = delassus.State(model, arm.q).frame_jacobian("hand")[3:]
    np.testing.assert_allclose(controller.compute(arm.q, still) - before, J.T @ force, atol=1e-11)
    controller.set_force("hand", 0 * force)
    controller.set_acceleration("hand", force)
    controller.compute(arm.q, still)
    np.testing.assert_allclose(J @ controller.acceleration, force, atol=1e-9)


def test_forces_that_tasks_do_not_feel(arm: delassus.Scene) -> None:
    model, still = arm.model, np.zeros(arm.model.nv)
    state = delassus.State(model, arm.q)
    level = delassus.TaskLevel("hand", [delassus.position_task(model, "hand", state.frame_pose("hand").p)])
    controller = delassus.OperationalController(model, [level])
    controller.set_posture(arm.q)
    before, push = controller.compute(arm.q, still), some_numbers(model.nv)
    controller.set_posture_force(push)
    added = controller.compute(arm.q, still) - before
    np.testing.assert_allclose(added, controller.space.project_force("hand", push), atol=1e-11)
    # The joints move, the hand does not.
    assert np.abs(controller.acceleration).max() > 1
    np.testing.assert_allclose(state.frame_jacobian("hand")[3:] @ controller.acceleration, 0, atol=1e-9)


def test_targets_of_all_kinds(arm: delassus.Scene) -> None:
    model, still = arm.model, np.zeros(arm.model.nv)
    state = delassus.State(model, arm.q)
    pose = state.frame_pose("hand")
    cases: list[tuple[delassus.Constraint, Any, dict[str, Any], np.ndarray]] = [
        (delassus.joint_task(model, "joint4", -1.5), -1.4, {"velocity": 0.1}, np.array([100 * 0.1 + 20 * 0.1])),
        (delassus.position_task(model, "hand", pose.p), pose.p + 0.01, {}, np.full(3, 1.0)),
        (delassus.position_task(model, "hand", pose.p), delassus.Pose(pose.p + 0.01), {}, np.full(3, 1.0)),
        (delassus.orientation_task(model, "hand", pose.R), pose, {"acceleration": np.arange(6.0)}, np.arange(3.0)),
        (delassus.centre_of_mass_task(model, state.centre_of_mass()), state.centre_of_mass(), {}, np.zeros(3)),
    ]
    for task, target, motion, wanted in cases:
        controller = delassus.OperationalController(model, [delassus.TaskLevel("one", [task])])
        controller.set_target(task.name, target, **motion)
        controller.compute(arm.q, still)
        # Targets are where the task is, but for what is said: rounding of positions times the stiffness.
        got = controller.space.jacobian("one") @ controller.acceleration
        np.testing.assert_allclose(got, wanted, atol=1e-9)
    assert delassus.joint_task(model, "joint4", 1.0).name == "joint4"
    assert delassus.centre_of_mass_task(model, np.zeros(3)).name == "centre_of_mass"
    assert delassus.pose_task(model, "hand", pose).num_rows == 6


def test_internal_forces(go2: delassus.Scene) -> None:
    model, still = go2.model, np.zeros(go2.model.nv)
    feet = delassus.pins_to_world(model, go2.q, ["FL_foot", "FR_foot", "RL_foot", "RR_foot"])
    base = delassus.pose_task(model, "base", delassus.State(model, go2.q).frame_pose("base"))
    controller = delassus.OperationalController(model, [delassus.TaskLevel("base", [base])], feet)
    squeeze = np.array([0.0, 7, 0, 0, -7, 0, 0, 0, 0, 0, 0, 0])
    controller.set_held_force(squeeze)
    tau = controller.compute(go2.q, still)
    force = delassus.ConstrainedDynamics(model, feet).solve(go2.q, still, tau).force
    assert force[2::3].sum() == pytest.approx(9.81 * model.mass, rel=1e-9)
    # Between feet beside each other it moves nothing, so that the wish is all there is along y.
    np.testing.assert_allclose(force[1::3], squeeze[1::3], atol=1e-8)


def test_motors_of_a_closed_chain() -> None:
    """A platform on six legs, each of which slides: six motors for six rows, through loops that are held."""
    scene = delassus.load("stewart")
    model, loops = scene.model, scene.constraints
    q, still = delassus.assemble(model, loops, scene.q).q.copy(), np.zeros(model.nv)
    state = delassus.State(model, q)
    level = delassus.TaskLevel("top", [delassus.pose_task(model, "top", state.frame_pose("top"))])
    slides = [f"leg{k}_slide" for k in range(6)]
    controller = delassus.OperationalController(model, [level], loops, motors=slides)
    wanted = np.array([0.5, -0.2, 1.0, 0.3, 0.1, -0.4])  # linear rows first
    controller.set_acceleration("top", wanted)
    tau = controller.compute(q, still)
    assert controller.status == "ok" and np.count_nonzero(tau) == 6
    motion = delassus.ConstrainedDynamics(model, loops).solve(q, still, tau)
    J = state.frame_jacobian("top")[[3, 4, 5, 0, 1, 2]]
    # Rounding of joint accelerations over light legs.
    np.testing.assert_allclose(J @ motion.acceleration, wanted, atol=1e-8)
    one = delassus.OperationalController(model, [level], loops, motors=slides[:1])
    one.set_acceleration("top", wanted)
    one.compute(q, still)
    assert one.status == "unbalanced"


def test_statuses_that_leave_forces(go2: delassus.Scene, arm: delassus.Scene) -> None:
    still = np.zeros(go2.model.nv)
    base = delassus.pose_task(go2.model, "base", delassus.Pose((0, 0, 1)))
    flying = delassus.OperationalController(go2.model, [delassus.TaskLevel("base", [base])])
    tau = flying.compute(go2.q, still)
    assert flying.status == "unbalanced" and "has no motor" in flying.message
    np.testing.assert_array_equal(tau[:6], 0)
    # Two tasks for one point: whatever one does, the other cannot do on its own.
    at = delassus.State(arm.model, arm.q).frame_pose("hand").p
    tasks = [delassus.position_task(arm.model, "hand", at, name=name) for name in ("one", "two")]
    for handling in ("clamp", "damp", "truncate"):
        options = delassus.SingularityOptions(handling)
        levels = [delassus.TaskLevel(task.name, [task], singular=options) for task in tasks]
        controller = delassus.OperationalController(arm.model, levels)
        assert np.isfinite(controller.compute(arm.q, np.zeros(arm.model.nv))).all()
        assert controller.status == "singular_task" and "'two'" in controller.message
        assert controller.space.report("two").weak == 3
        space = delassus.OperationalSpace(arm.model, levels)
        assert space.update(arm.q) == "singular_task"
        levels[1] = levels[1].replace(singular=options.replace(best_effort=True))
        controller = delassus.OperationalController(arm.model, levels)
        controller.compute(arm.q, np.zeros(arm.model.nv))
        assert controller.status == "ok"


def test_errors(standing: Standing) -> None:
    model, q, v = standing.model, standing.q, standing.v
    controller = delassus.OperationalController(model, standing.levels, standing.held)

    def refused(words: str, call: Callable[..., Any], *arguments: Any, **named: Any) -> None:
        with pytest.raises(delassus.Error, match=words):
            call(*arguments, **named)

    refused("there are no values", controller.space.inertia, "hands")
    refused("there are no values", controller.space.report, "hands")
    refused("there is no task 'hand'", controller.set_target, "hand", np.zeros(3))
    refused("'centre' has no target that is a pose", controller.set_target, "centre", delassus.Pose(R=2 * np.eye(3)))
    refused("no target that is a number", controller.set_target, "centre", 1.0)
    refused("no target that is a pose", controller.set_target, HANDS[0], delassus.Pose(R=2 * np.eye(3)))
    refused("leave those arguments out", controller.set_target, HANDS[0], delassus.PoseTarget(), velocity=np.zeros(6))
    refused("'force' has shape", controller.set_held_force, np.zeros(3))
    refused("'v' and 'out' share memory", controller.compute, q, v, out=v)
    controller.compute(q, v)
    refused("did you mean 'hands'", controller.space.inertia, "hand")
    refused("argument 'level' is 2", controller.space.inertia, 2)
    backwards = standing.levels[0].replace(gains=delassus.TaskGains(-1))
    refused("the gains of level 'hands'", delassus.OperationalController, model, [backwards])
    again = standing.levels[0].replace(name="again")
    refused("has the name of another task", delassus.OperationalSpace, model, [standing.levels[0], again])
    refused("two levels are called 'hands'", delassus.OperationalSpace, model, [standing.levels[0], standing.levels[0]])
    with pytest.raises(delassus.NumericalError, match="not a finite number"):
        controller.compute(q * np.nan, v)
    assert controller.status == "not_finite"
    refused("handling.*clamp, damp, truncate", delassus.SingularityOptions, "clip")
    refused("did you mean 'left_knee_joint'", delassus.joint_task, model, "left_kne_joint", 0.0)
    for bad in (np.full(3, np.nan), (np.inf, 0, 0)):
        with pytest.raises(delassus.NumericalError) as caught:
            controller.set_target("centre", bad)
        assert caught.value.code == "not_finite"
    with pytest.raises(delassus.NumericalError):
        controller.compute(q, np.full(model.nv, np.nan))
    refused("there are no values", controller.space.inertia, "hands")
    with pytest.raises(TypeError, match="argument 'level'"):
        controller.space.inertia(1.5)
    with pytest.raises(TypeError, match="argument 'tasks'"):
        delassus.TaskLevel("level", 3)


def test_values_are_copied_and_pickled(standing: Standing) -> None:
    values = [
        *standing.levels,
        delassus.SingularityOptions("damp", 0.1, True),
        delassus.PoseTarget(standing.poses[0], np.arange(6.0), np.ones(6)),
        delassus.LevelReport(1, 0.5, 2),
        delassus.HeldObject(delassus.box_inertial(1, (1, 1, 1)), standing.poses),
    ]
    for value in values:
        assert pickle.loads(pickle.dumps(value)) == value == copy.deepcopy(value)
    assert "TaskLevel(name='balance'" in repr(standing.levels[1])
    controller = delassus.OperationalController(standing.model, standing.levels, standing.held)
    assert repr(controller) == "<delassus.OperationalController of 'g1': hands, balance>"
    assert repr(controller.space) == "<delassus.OperationalSpace of 'g1': hands, balance>"


def test_one_controller_in_many_threads(standing: Standing) -> None:
    controller = delassus.OperationalController(standing.model, standing.levels, standing.held)
    states = [some_configuration(standing.model, seed=k) for k in range(4)]
    expected = [controller.compute(q, standing.v) for q in states]

    def work(k: int) -> bool:
        return all(np.array_equal(controller.compute(states[k], standing.v), expected[k]) for _ in range(200))

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(work, range(4)))


def test_views_outlive_what_they_look_at(standing: Standing) -> None:
    controller = delassus.OperationalController(standing.model, standing.levels, standing.held)
    controller.compute(standing.q, standing.v)
    space, expected = controller.space, controller.space.inertia("hands")
    del controller
    np.testing.assert_array_equal(space.inertia("hands"), expected)


def test_cubic_path() -> None:
    first, last = delassus.Pose((1, 0, 0)), delassus.Pose.from_rpy((1, 2, 0), (0, 0, 0.5))
    path = delassus.CubicPath(first, last, 1.0, 2.0)
    assert path.end == 3.0
    assert path.at(0.0) == path.at(1.0).replace(acceleration=np.zeros(6)) == delassus.PoseTarget(first)
    middle, step = path.at(2.0), 1e-5
    np.testing.assert_allclose(middle.pose.p, (1, 1, 0), atol=1e-15)
    # Half of a way of 2 m and 0.5 rad; the greatest speed of a cubic is 1.5 times the mean.
    np.testing.assert_allclose(middle.velocity, (0, 0, 1.5 * 0.25, 0, 1.5, 0), atol=1e-15)
    np.testing.assert_allclose(middle.acceleration, 0, atol=1e-15)
    ahead, behind = path.at(1.5 + step), path.at(1.5 - step)
    slope = (ahead.velocity - behind.velocity) / (2 * step)
    np.testing.assert_allclose(path.at(1.5).acceleration, slope, atol=1e-9)  # quadratic: rounding over the step
    np.testing.assert_allclose(path.at(9.0).pose.R, last.R, atol=1e-15)
    with pytest.raises(delassus.Error, match="duration"):
        delassus.CubicPath(first, last, 0.0, 0.0)


# ------------------------------------------------------------------------------------------------------ grasp


@pytest.fixture
def box() -> delassus.HeldObject:
    """Between two hands, one to either side."""
    hands = [delassus.Pose((0, 0.15, 0)), delassus.Pose((0, -0.15, 0))]
    return delassus.HeldObject(delassus.box_inertial(2.0, (0.1, 0.15, 0.1), (0.01, 0.02, 0)), hands)


def test_augmented_object(box: delassus.HeldObject) -> None:
    held = delassus.AugmentedObject(box)
    pose = delassus.Pose.from_rpy((0.3, 0.1, 1.0), (0.1, 0.2, 0.3))
    held.update(pose)
    assert held.rows == 12 and held.pose == pose
    # Wrenches of unit forces, and accelerations of the hands by unit accelerations of the body: one is the other's transpose.
    W = np.column_stack([held.hand_accelerations(e) for e in np.eye(6)])
    turned = np.column_stack([held.wrench(e) for e in np.eye(12)])
    np.testing.assert_allclose(turned, W.T, atol=1e-15)
    weight = np.concatenate([np.cross(pose.R @ box.inertial.com, (0, 0, 2 * 9.81)), (0, 0, 2 * 9.81)])
    np.testing.assert_allclose(held.load(np.zeros(6)), weight, atol=1e-14)
    np.testing.assert_allclose(held.load(np.zeros(6), (0, 0, 0)), 0, atol=1e-15)
    squeeze = held.squeeze(10.0)
    np.testing.assert_allclose(squeeze[:3], pose.R @ (0, -10, 0), atol=1e-14)
    np.testing.assert_allclose(held.wrench(squeeze), 0, atol=1e-14)
    forces = held.distribute(weight, squeeze)
    np.testing.assert_allclose(held.wrench(forces), weight, atol=1e-13)
    np.testing.assert_allclose(forces - held.distribute(weight), squeeze, atol=1e-13)
    assert held.distribute(weight, squeeze, out=squeeze) is squeeze
    np.testing.assert_array_equal(squeeze, forces)
    # Inertia of the hands and of the body; those of tasks have linear rows first.
    B = some_numbers(12, 12)
    Lambda = B @ B.T
    swap = [3, 4, 5, 0, 1, 2]
    body = np.column_stack([held.load(e, (0, 0, 0)) for e in np.eye(6)])
    np.testing.assert_allclose(held.inertia(Lambda), (W.T @ Lambda @ W + body)[np.ix_(swap, swap)], atol=1e-12)
    bias = some_numbers(12)
    np.testing.assert_allclose(held.bias(Lambda, bias), weight + W.T @ bias, atol=1e-12)  # at rest
    held.update(pose * box.hands[1], hand=1)
    np.testing.assert_allclose(held.pose.p, pose.p, atol=1e-15)
    with pytest.raises(delassus.Error, match="argument 'hand' is 2"):
        held.update(pose, hand=2)
    with pytest.raises(delassus.Error, match="needs a hand"):
        delassus.AugmentedObject(delassus.HeldObject())


def test_grasp(standing: Standing) -> None:
    model, q, still = standing.model, standing.q, np.zeros(standing.model.nv)
    first, second = standing.poses
    middle = delassus.Pose((first.p + second.p) / 2)
    hands = [middle.inverse() * pose for pose in (first, second)]
    box = delassus.HeldObject(delassus.box_inertial(1.5, (0.1, 0.1, 0.1)), hands)
    grasp = delassus.GraspController(
        model, HANDS, box, squeeze=8.0, below=[standing.levels[1]], held=standing.held, gains=delassus.TaskGains(100, 20)
    )
    grasp.set_posture(q)
    target = delassus.Pose(middle.p + np.array([0, 0, 0.1]))
    grasp.set_target(target)
    tau = grasp.compute(q, still)
    assert grasp.status == "ok" and grasp.message == ""
    np.testing.assert_allclose(grasp.object_pose.p, middle.p, atol=1e-14)
    np.testing.assert_array_equal(grasp.object_velocity, 0)
    np.testing.assert_allclose(grasp.acceleration, (0, 0, 0, 0, 0, 100 * 0.1), atol=1e-12)
    # What both hands do together carries and lifts the box; along the line between them they press.
    total = grasp.forces[:3] + grasp.forces[6:9]
    np.testing.assert_allclose(total, (0, 0, 1.5 * (9.81 + 10)), atol=1e-12)
    assert (grasp.forces[7] - grasp.forces[1]) / 2 == pytest.approx(8.0, abs=1e-3)
    held = delassus.AugmentedObject(box)
    held.update(grasp.object_pose)
    np.testing.assert_allclose(grasp.inertia(), held.inertia(grasp.controller.space.inertia("hands")), atol=1e-12)

    # The robot and the box as one mechanism, with the grasp held, move as asked.
    builder = delassus.ModelBuilder("box")
    builder.add_body("box", "world", delassus.Joint("float", kind="free"), box.inertial)
    both = delassus.append_model(model, builder.make_model(), prefix="held_")
    welds = [
        delassus.LoopClosure(both, hand, delassus.Attachment(both, "held_box", place), name=hand)
        for hand, place in zip(HANDS, hands)
    ]
    held_q = np.concatenate([q, middle.p, (0, 0, 0, 1)])
    dynamics = delassus.ConstrainedDynamics(both, [*delassus.welds_to_world(both, held_q, FEET), *welds])
    motion = dynamics.solve(held_q, np.zeros(both.nv), np.concatenate([tau, np.zeros(6)]))
    np.testing.assert_allclose(motion.acceleration[-6:], grasp.acceleration, atol=1e-7)

    swapped = delassus.GraspController(model, HANDS[::-1], box, held=standing.held)
    with pytest.raises(delassus.NumericalError, match="'hand 1'"):
        swapped.compute(q, still)
    assert swapped.status == "infeasible"

    view = grasp.controller
    assert view.space.levels == ("hands", "balance")
    view.set_target("centre", delassus.State(model, q).centre_of_mass() - 0.01)
    assert not np.array_equal(grasp.compute(q, still), tau)
    with pytest.raises(delassus.Error, match="the controller of a grasp"):
        view.compute(q, still)
    with pytest.raises(delassus.Error, match="'hands' has 1 entries, but 2"):
        delassus.GraspController(model, HANDS[:1], box)


def test_contacts_that_cannot(standing: Standing) -> None:
    """Feet that would have to pull with 4 kN each, or to carry a moment, are said to, by all controllers."""
    model, q, feet, level = standing.model, standing.q, standing.held, standing.levels[1]
    rest = np.zeros(model.nv)
    supports = delassus.make_supports(model, q, feet)
    assert [s.held for s in supports] == [f.name for f in feet] and len(supports[0].sole) == 4
    down = np.array([0, 0, -8000 / model.mass + model.gravity[2]])
    controller = delassus.OperationalController(model, [level], feet, supports=supports)
    controller.set_posture(q)
    assert np.isfinite(controller.compute(q, rest)).all()
    assert (controller.status, controller.message, controller.contact) == ("ok", "", None)
    controller.set_acceleration("centre", down)
    assert np.isfinite(controller.compute(q, rest)).all()
    assert controller.status == "pulling"
    assert controller.contact is not None and controller.contact.fault == "pulling"
    assert 4000 - 1e-6 < controller.contact.beyond < 8000
    assert f"'{feet[controller.contact.held].name}' pulls with" in controller.message
    controller.set_acceleration("centre", np.zeros(3))
    controller.set_held_force(np.array([0, 0, 0, 1342.0, 0, 0, 0, 0, 0, -1342.0, 0, 0]))
    controller.compute(q, rest)
    assert controller.status == "tipping" and controller.contact is not None and controller.contact.beyond > 1000

    many = delassus.BatchController(model, 2, [level], feet, supports=supports, threads=1)
    for k, acceleration in enumerate((np.zeros(3), down)):
        many.environment(k).set_posture(q)
        many.environment(k).set_acceleration("centre", acceleration)
    assert np.isfinite(many.compute(np.tile(q, (2, 1)), np.zeros((2, model.nv)))).all()
    assert many.statuses == ("ok", "pulling")
    assert many.environment(1).contact is not None
    with pytest.raises(delassus.Error, match="names no held constraint"):
        delassus.OperationalController(model, [level], feet, supports=[delassus.Support("hand")])
