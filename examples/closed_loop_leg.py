"""A leg with a closed loop, as walking robots have them: both motors sit at the hip, and a rod drives the knee. The
tree is cut at the rod's far end, where a hinge of five rows closes it again. Two of the five count in a planar loop;
nothing needs to know that."""

import numpy as np

import delassus

THIGH, CRANK, BODY = 0.3, 0.08, 10.0  # m, m, kg
y = (0, 1, 0)


def bar(mass: float, end: tuple[float, float, float]) -> delassus.Inertial:
    return delassus.box_inertial(mass, (0.02, 0.02, 0.02), 0.5 * np.array(end))


def make_leg() -> delassus.Model:
    down, ear = (0, 0, -THIGH), (-CRANK, 0, 0)
    builder = delassus.ModelBuilder("leg")
    slide = delassus.Joint("height", "prismatic", axis=(0, 0, 1))  # the body moves up and down only
    builder.add_body("body", "world", slide, delassus.box_inertial(BODY, (0.1, 0.1, 0.1)))
    builder.add_body("thigh", "body", delassus.Joint("hip", axis=y), bar(1, down))
    builder.add_body("shank", "thigh", delassus.Joint("knee", axis=y, placement=delassus.Pose(down)), bar(0.5, down))
    builder.add_body("crank", "body", delassus.Joint("motor", axis=y), bar(0.2, ear))
    builder.add_body("rod", "crank", delassus.Joint("pin", axis=y, placement=delassus.Pose(ear)), bar(0.1, down))
    builder.add_frame("rod_end", "rod", delassus.Pose(down))
    builder.add_frame("shank_ear", "shank", delassus.Pose(ear))
    builder.add_frame("foot", "shank", delassus.Pose(down))
    return builder.make_model()


leg = make_leg()
loop = delassus.LoopClosure(leg, "rod_end", "shank_ear", free_angular="y", name="rod")
foot = delassus.PointContact(leg, "foot", kind="frictionless", name="foot")

# A posture that is roughly right, as files and sensors have it. Assembly moves what is light.
found = delassus.assemble(leg, [loop], np.array([0.55, 0.5, -1.1, -0.4, 0.2]))
assert found.status == "ok", found.message
q, still = found.q.copy(), np.zeros(leg.nv)
print(f"assembled: the rod was off by {1e3 * found.linear_before:.0f} mm, now by {found.linear_after:.0e} m")

report = delassus.diagnose(leg, [loop], q)
print(f"the loop: {len(report.rows)} rows of rank {report.rank} leave {report.mobility} of {leg.nv} degrees of freedom")

# The inertia that the foot shows, without the rod and with it: all rows are solved for together, damped so little
# that it is not seen, and the loop takes what force it needs. That its rows are redundant does not matter.
masses = []
for constraints in ([foot], [loop, foot]):
    op = delassus.Operator(leg, constraints, algorithm="condensed")
    op.update(q)
    op.update_damping(1e-9)
    masses.append(op.solve(np.eye(op.rows)[-1])[-1])
print(f"the foot shows {masses[0]:.3f} kg upwards without the rod, {masses[1]:.3f} kg with it")

# What the motors do while the leg stands. The knee has none, nor has the pin, nor the height: constraint forces have
# to do it.
forces = delassus.constrained_inverse_dynamics(leg, [loop, foot], q, still, still, motors=["hip", "motor"])
assert forces.status == "ok", forces.message
hip, crank, load = forces.tau[1], forces.tau[3], forces.force[5]
print(f"standing: {hip:.2f} Nm at the hip, {crank:.2f} Nm at the crank, {load:.2f} N on the foot")

# By hand: shank and crank turn alike, so the crank's motor carries what turns the shank about the knee.
state = delassus.State(leg, q)
x = {name: state.frame_pose(name).p[0] for name in ("body", "shank", "foot", "rod")}
shank, ear, weight = x["foot"] - x["shank"], x["rod"] - x["body"], 9.81 * leg.mass
by_hand = weight * shank - 9.81 * (0.5 * shank / 2 + 0.2 * ear / 2 + 0.1 * ear)
assert abs(load - weight) < 1e-9 * weight and abs(crank - by_hand) < 1e-9 * weight

# And in motion: with nine tenths of these torques the leg sinks, and the loop stays closed.
plant, v, opened = delassus.Integrator(leg, [loop, foot], dt=1e-3), still.copy(), 0.0
height = q[0]
for _ in range(300):
    plant.step(q, v, 0.9 * forces.tau)
    opened = max(opened, delassus.assemble(leg, [loop], q).linear_before)
print(f"sinks by {1e3 * (height - q[0]):.0f} mm in 0.3 s; the loop opens by {opened:.0e} m at most")
assert report.rank == 2 and masses[1] > masses[0] and 0.01 < height - q[0] < 0.3 and opened < 1e-9
