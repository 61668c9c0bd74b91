"""Contacts from your own collision code: a crate falls onto a ramp and slides down. Each step finds which corners are
close, makes a contact of each, and ADMM finds the impulses of Coulomb's law, with a certificate in physical units."""

import numpy as np

import delassus

DT, END, ANGLE, MU = 1e-3, 0.5, 0.35, 0.2  # s, s, rad
HALF = np.array([0.3, 0.2, 0.1])  # m, of the crate
CORNERS = [HALF * signs for signs in np.array(np.meshgrid([1, -1], [1, -1], [1, -1])).reshape(3, 8).T]
NORMAL, DOWNHILL = np.array([np.sin(ANGLE), 0, np.cos(ANGLE)]), np.array([np.cos(ANGLE), 0, -np.sin(ANGLE)])

builder = delassus.ModelBuilder("crate")
builder.add_body("crate", "world", delassus.Joint("base", "free"), delassus.box_inertial(10, HALF))
model = builder.make_model()


def find_contacts(state: delassus.State) -> list[delassus.PointContact]:
    """Your collision code, if it knows a point on a body, a normal and a gap. Here: corners against the ramp."""
    pose = state.frame_pose("crate")
    near = [(k, p, NORMAL @ (pose * p)) for k, p in enumerate(CORNERS) if NORMAL @ (pose * p) < 0.01]
    cone = delassus.ForceSet("friction_cone", mu=MU)
    return [
        delassus.PointContact(model, "crate", p, normal=NORMAL, gap=gap, set=cone, name=f"corner {k}")
        for k, p, gap in near
    ]


q, v = model.neutral(), np.zeros(model.nv)
q[:3] = (HALF[2] + 0.002) * NORMAL  # two millimetres above the ramp
q[3:] = [0, np.sin(ANGLE / 2), 0, np.cos(ANGLE / 2)]
state, solver = delassus.State(model, q, v), delassus.Admm()
op = delassus.Operator(model, [], algorithm="condensed")
impulse, names, worst, most = np.zeros(0), [], 0.0, 0
for t in DT * np.arange(round(END / DT)):
    contacts = find_contacts(state)
    op.set_constraints(contacts)
    op.update(q)
    v += DT * state.forward_dynamics(np.zeros(model.nv))  # without contacts
    # Row velocities before the contacts act. A gap may close within the step, and no more: hence gap / dt on normal
    # rows.
    free_velocity = op.jacobian() @ v
    free_velocity[::3] += [contact.gap / DT for contact in contacts]
    if names != [contact.name for contact in contacts]:
        impulse = np.zeros(op.rows)  # else the last impulses are a good start
    found = solver.solve(op, free_velocity, start=impulse, time_step=DT)
    assert found.status == "ok", found.message
    impulse, names = found.impulse, [contact.name for contact in contacts]
    v += op.joint_response(impulse)
    q = model.integrate(q, DT * v)
    state.update(q, v)
    worst, most = max(worst, found.certificate.velocity), max(most, found.certificate.iterations)

slid, speed = DOWNHILL @ q[:3], DOWNHILL @ state.frame_velocity("crate")[3:]
force = impulse.reshape(-1, 3) / DT
print(f"{len(names)} contacts; each step obeys the law to {worst:.0e} m/s, after {most} iterations at most")
print(f"forces: {force[:, 0].sum():.2f} N along the normal, {np.hypot(*force[:, 1:].sum(axis=0)):.2f} N of friction")
print(f"the crate slid {slid:.3f} m and has {speed:.3f} m/s")

# By hand: all normal impulses together stop what gravity does along the normal, at the landing and after it, and
# friction is mu times as much, since the crate never sticks. That fixes the speed, however it lands; the way is some
# millimetres shorter or longer.
pull = 9.81 * (np.sin(ANGLE) - MU * np.cos(ANGLE))
assert abs(speed - pull * END) < 1e-6 and abs(slid - pull * END**2 / 2) < 2e-3
assert np.isclose(force[:, 0].sum(), 10 * 9.81 * np.cos(ANGLE), rtol=1e-6) and worst < 1e-8
