"""An arm is led along a straight line that leaves its reach and comes back. Stretched, it cannot move along the line: the
controller says so for as long, its torques stay bounded, and the other directions are still tracked."""

import numpy as np

import delassus

DT, END, OUTSIDE = 2e-3, 4.0, 0.1  # s, s, m beyond the reach of 1 m


def make_arm() -> delassus.Model:
    bar = delassus.box_inertial(3, (0.2, 0.03, 0.03), (0.2, 0, 0))
    y, elbow = (0, 1, 0), delassus.Pose((0.4, 0, 0))
    builder = delassus.ModelBuilder("arm")
    builder.add_body("shoulder", "world", delassus.Joint("yaw"), delassus.box_inertial(2, (0.1, 0.1, 0.1)))
    builder.add_body("upper", "shoulder", delassus.Joint("pitch", axis=y), bar)
    builder.add_body("lower", "upper", delassus.Joint("elbow", axis=y, placement=elbow), bar)
    hand = delassus.box_inertial(1, (0.1, 0.03, 0.03), (0.1, 0, 0))
    builder.add_body("hand", "lower", delassus.Joint("wrist", axis=y, placement=elbow), hand)
    builder.add_frame("tip", "hand", delassus.Pose((0.2, 0, 0)))
    return builder.make_model()


def follow_line(arm: delassus.Model, handling: str) -> tuple[float, float, float, float]:
    q, v, tau = np.array([0.4, -0.3, 1.5, 0.5]), np.zeros(4), np.zeros(4)
    state = delassus.State(arm, q)
    start = state.frame_pose("tip").p
    line, half, rate = start / np.linalg.norm(start), (1 + OUTSIDE - np.linalg.norm(start)) / 2, 2 * np.pi / END
    level = delassus.TaskLevel(
        "tip",
        [delassus.position_task(arm, "tip", start)],
        singular=delassus.SingularityOptions(handling, threshold=0.02),
    )
    controller = delassus.OperationalController(arm, [level])
    controller.set_posture(q)
    plant = delassus.Integrator(arm, [], "semi_implicit_euler", DT)
    weak, torque, beside = 0.0, 0.0, 0.0
    for t in DT * np.arange(round(END / DT)):
        controller.set_target(
            "tip",
            start + half * (1 - np.cos(rate * t)) * line,
            velocity=half * rate * np.sin(rate * t) * line,
            acceleration=half * rate**2 * np.cos(rate * t) * line,
        )
        plant.step(q, v, controller.compute(q, v, out=tau))
        state.update(q)
        error = state.frame_pose("tip").p - start - half * (1 - np.cos(rate * (t + DT))) * line
        weak += DT * (controller.status == "singular_task")
        torque = max(torque, np.abs(tau).max())
        beside = max(beside, float(np.linalg.norm(np.cross(line, error))))
    assert controller.status == "ok"
    return weak, torque, beside, float(np.linalg.norm(error))


arm = make_arm()
for handling, limit in (("clamp", 0.01), ("damp", 0.01), ("truncate", 0.03)):
    weak, torque, beside, end = follow_line(arm, handling)
    print(f"{handling:8}: singular for {weak:.2f} s, up to {torque:.0f} Nm, {1e3 * beside:.1f} mm beside the line")
    assert 0.5 < weak < 2 and torque < 80 and beside < limit and end < 1e-3
