"""A quadruped sways on its four feet: its base follows a pose, the ground carries it, and the left feet press against the
right ones."""

import numpy as np

import delassus

DT, PERIOD, SQUEEZE = 1e-3, 2.0, 10.0  # s, s, N

go2 = delassus.load("go2-standing")
model, q, v, tau = go2.model, go2.q.copy(), np.zeros(go2.model.nv), np.zeros(go2.model.nv)
feet = delassus.pins_to_world(model, q, ["FL_foot", "FR_foot", "RL_foot", "RR_foot"])  # three rows each, world axes
state = delassus.State(model, q)
start = state.frame_pose("base")


def swing(amplitude: float, frequency: float, t: float) -> np.ndarray:
    """Position, velocity and acceleration; at rest in the beginning."""
    rate = 2 * np.pi * frequency
    return amplitude * np.array([1 - np.cos(rate * t), rate * np.sin(rate * t), rate**2 * np.cos(rate * t)])


def sway(t: float) -> delassus.PoseTarget:
    height, roll, pitch = swing(-0.03, 1 / PERIOD, t), swing(0.08, 1 / PERIOD, t), swing(0.05, 2 / PERIOD, t)
    turn = delassus.Pose.from_rpy((0, 0, 0), (roll[0], pitch[0], 0)).R
    x, y, z = np.array([np.cos(pitch[0]), 0, -np.sin(pitch[0])]), np.array([0, 1, 0]), np.array([0, 0, 1])
    return delassus.PoseTarget(
        delassus.Pose(start.p + height[0] * z, turn @ start.R),
        np.concatenate([roll[1] * x + pitch[1] * y, height[1] * z]),
        np.concatenate([roll[2] * x + pitch[2] * y + roll[1] * pitch[1] * np.cross(y, x), height[2] * z]),
    )


base = delassus.TaskLevel("base", [delassus.pose_task(model, "base", start)])
controller = delassus.OperationalController(model, [base], feet)
controller.set_held_force(SQUEEZE * np.array([0.0, 1, 0, 0, -1, 0, 0, 1, 0, 0, -1, 0]))
plant = delassus.Integrator(model, feet, "semi_implicit_euler", DT)
steps = round(2 * PERIOD / DT)
off = turned = carried = unlike = 0.0
for k in range(steps):
    controller.set_target("base", sway(k * DT))
    plant.step(q, v, controller.compute(q, v, out=tau))
    assert controller.status == "ok", controller.message
    ground = plant.force
    unlike = max(unlike, np.abs(ground - controller.held_force).max(), abs(ground[1] - ground[4]) / 2 - SQUEEZE)
    carried += ground[2::3].sum() / steps
    state.update(q)
    pose, wanted = state.frame_pose("base"), sway((k + 1) * DT).pose
    off = max(off, float(np.linalg.norm(pose.p - wanted.p)))
    turned = max(turned, float(np.linalg.norm(pose.R - wanted.R)) / np.sqrt(2))  # radians, as long as they are few
weight = 9.81 * model.mass
print(f"base: within {1e3 * off:.2f} mm and {1e3 * turned:.2f} mrad of its pose")
print(f"ground: {carried:.2f} N on average, weight {weight:.2f} N; forces and squeeze as expected to {unlike:.0e} N")
assert off < 1e-4 and turned < 5e-4 and abs(carried - weight) < 1e-3 * weight and unlike < 1e-6
