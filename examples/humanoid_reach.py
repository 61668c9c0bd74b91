"""A humanoid reaches for something that is farther away than its arms are long. The hands come first, then the centre of
mass, which goes down above the feet, then the torso, which stays upright for as long as the hands allow. What is left goes
to the posture."""

import numpy as np

import delassus

DT, REACH, END = 1e-3, 2.0, 3.0  # s

g1 = delassus.load("g1-standing")
model, q, v, tau = g1.model, g1.q.copy(), np.zeros(g1.model.nv), np.zeros(g1.model.nv)
feet = delassus.welds_to_world(model, q, ["left_ankle_roll_link", "right_ankle_roll_link"])
palm = delassus.Pose((0.1, 0, 0))  # from the wrist
wrists = {"left": "left_wrist_yaw_link", "right": "right_wrist_yaw_link"}
state = delassus.State(model, q)
upright = state.frame_pose("torso_link").R


def points() -> dict[str, np.ndarray]:
    hands = {side: (state.frame_pose(wrist) * palm).p for side, wrist in wrists.items()}
    return {**hands, "centre": state.centre_of_mass()}


start = points()
way = {"left": (0.3, 0, 0), "right": (0.3, 0, 0), "centre": (0, 0, -0.05)}
paths = {k: delassus.CubicPath(delassus.Pose(p), delassus.Pose(p + way[k]), 0, REACH) for k, p in start.items()}
hands = [
    delassus.position_task(model, delassus.Attachment(model, wrist, palm), start[side], name=side)
    for side, wrist in wrists.items()
]
levels = [
    delassus.TaskLevel("hands", hands),
    delassus.TaskLevel("balance", [delassus.centre_of_mass_task(model, start["centre"], name="centre")]),
    delassus.TaskLevel(
        "torso",
        [delassus.orientation_task(model, "torso_link", upright)],
        singular=delassus.SingularityOptions(threshold=0.3, best_effort=True),
    ),
]
controller = delassus.OperationalController(model, levels, feet)
controller.set_posture(q)
plant = delassus.Integrator(model, feet, "semi_implicit_euler", DT)
off = {name: 0.0 for name in paths}
for t in DT * np.arange(round(END / DT)):
    for name, path in paths.items():
        controller.set_target(name, path.at(t))
    plant.step(q, v, controller.compute(q, v, out=tau))
    assert controller.status == "ok", controller.message
    state.update(q)
    for name, p in points().items():
        off[name] = max(off[name], float(np.linalg.norm(p - paths[name].at(t + DT).pose.p)))
turn = upright.T @ state.frame_pose("torso_link").R
bent = np.arccos((np.trace(turn) - 1) / 2)
for name, error in off.items():
    print(f"{name}: within {1e3 * error:.2f} mm of its path")
print(f"torso: {bent:.2f} rad at the end, weak directions {controller.space.report('torso').weak}")
assert max(off.values()) < 3e-4 and bent > 0.2
