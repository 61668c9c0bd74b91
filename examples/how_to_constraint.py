"""A constraint that the library does not have, as rows of one's own: the blade of a skate, which glides along and
turns, and never moves sideways. The same as how_to_constraint.cpp."""

import numpy as np

import delassus

SPEED, RATE, STEPS = 2.0, 1.0, 2000  # m/s, rad/s

builder = delassus.ModelBuilder("sledge")
builder.add_body("sledge", "world", delassus.Joint("ice", "planar"), delassus.box_inertial(5, (0.3, 0.1, 0.05)))
model = builder.make_model()
# begin rows
# One row: the velocity of the frame's origin along its own y. Six numbers on (angular velocity; velocity).
blade = delassus.CustomRows(model, 1, bodies={"sledge": [[0, 0, 0, 0, 1, 0]]}, name="blade")
# end rows

q, v, tau = np.zeros(3), np.array([SPEED, 0, RATE]), np.zeros(3)  # x, y, angle
plant = delassus.Integrator(model, [blade], dt=2 * np.pi / RATE / STEPS)
sideways = farthest = 0.0
for _ in range(STEPS):
    plant.step(q, v, tau)
    sideways = max(sideways, abs(v[1] * np.cos(q[2]) - v[0] * np.sin(q[2])))
    farthest = max(farthest, float(np.hypot(q[0], q[1])))
force = plant.force[0]
print(f"never faster sideways than {sideways:.0e} m/s; farthest point {farthest:.6f} m; {force:.6f} N at the blade")
# A circle of the radius speed / rate takes mass times speed times rate. Runge-Kutta with steps of 3 ms: far below a
# micrometre.
assert abs(farthest - 2 * SPEED / RATE) < 1e-5 and np.hypot(q[0], q[1]) < 1e-6 and sideways < 1e-12
assert abs(force - 5 * SPEED * RATE) < 1e-6
