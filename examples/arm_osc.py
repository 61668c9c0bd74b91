"""Operational-space control of an arm with seven joints. The hand, six rows, goes straight to a place and stays
there; the seventh degree of freedom is the posture's, which swings the elbow without the hand feeling it."""

import numpy as np

import delassus

DT, REACH, END = 1e-3, 1.0, 3.0  # s

panda = delassus.load("panda")
arm, q, v = panda.model, panda.model.keyframes[0].q.copy(), np.zeros(panda.model.nv)
state = delassus.State(arm, q)
start = state.frame_pose("hand")
goal = delassus.Pose(start.p + (0.1, 0.2, -0.2), start.R)
path = delassus.CubicPath(start, goal, 0, REACH)

gains = delassus.TaskGains(stiffness=400, damping=40)
hand = delassus.TaskLevel("hand", [delassus.pose_task(arm, "hand", start)], gains)
# The file's own constraint, that both fingers move alike, is held: tasks move within what it leaves.
controller = delassus.OperationalController(arm, [hand], panda.constraints)
posture = q.copy()
plant = delassus.Integrator(arm, panda.constraints, "semi_implicit_euler", DT)
tau, off, elbow = np.zeros(arm.nv), 0.0, []
for t in DT * np.arange(round(END / DT)):
    if t >= REACH:
        posture[0] = 1.5 * np.sin(np.pi * (t - REACH))  # the arm would turn its shoulder if the hand let it
    controller.set_posture(posture)
    controller.set_target("hand", path.at(t))
    plant.step(q, v, controller.compute(q, v, out=tau))
    assert controller.status == "ok", controller.message
    state.update(q, v)
    off = max(off, float(np.linalg.norm(state.frame_pose("hand").p - path.at(t + DT).pose.p)))
    if t >= REACH:
        elbow.append(state.frame_pose("link4").p)

controller.compute(q, v, out=tau)  # at the end
space = controller.space
inertia, inverse, jacobian = (f("hand") for f in (space.inertia, space.consistent_inverse, space.jacobian))
swing = float(np.linalg.norm(np.ptp(elbow, axis=0)))
print(f"the hand follows its path within {1e3 * off:.2f} mm, while the elbow swings through {1e3 * swing:.0f} mm")
print(f"the arm of {arm.mass:.1f} kg weighs {np.diag(inertia)[:3].round(2)} kg at the hand, along x, y and z")

# What makes that work: J J̄ = 1, and the null space N leaves posture forces that accelerate the hand by nothing.
felt = jacobian @ state.apply_inverse_inertia(space.null_space("hand").T @ np.eye(arm.nv)[0])
print(f"a Newton metre at joint1 in the null space accelerates the hand by {np.abs(felt).max():.0e} m/s²")
assert off < 2e-4 and swing > 0.1
assert np.allclose(jacobian @ inverse, np.eye(6), atol=1e-9) and np.abs(felt).max() < 1e-9
