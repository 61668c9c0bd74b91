"""The contact Delassus matrix of a humanoid that stands on two feet with four points each: what it says of the robot,
why half of its rows are redundant, and how to do without the matrix."""

import numpy as np

import delassus

g1 = delassus.load("g1-standing")
feet = delassus.Operator(g1.model, g1.constraints, algorithm="condensed")  # eight contacts, rows n, t1, t2 each
feet.update(g1.q)
matrix = feet.dense()

# A unit force on a row accelerates all rows by a column: entries are inverse masses. What a foot shows of the robot's
# mass is felt when its four points are pushed alike.
for foot, rows in (("left", slice(0, 12)), ("right", slice(12, 24))):
    masses = []
    for axis in range(3):
        push = np.zeros(feet.rows)
        push[rows][axis::3] = 0.25  # one newton on the foot, a quarter on each point
        masses.append(1 / np.mean((feet @ push)[rows][axis::3]))
    print(f"{foot} foot: {masses[0]:.2f} kg upwards, {masses[1]:.2f} kg forwards, {masses[2]:.2f} kg sideways")
print(f"of {g1.model.mass:.2f} kg: joints are limp here, so that a push on a foot bends the leg and moves little else")

# A rigid foot has six ways to move: twelve rows on it have rank six.
spectrum = feet.spectrum()
print(f"rank {spectrum.rank} of {feet.rows}, condition {spectrum.condition:.0f} among those that count")
assert spectrum.rank == 12

# So the matrix cannot be inverted, and needs no inverse: a damping makes it positive definite, and what is felt of
# the forces does not depend on how small the damping is.
arrival = np.tile([-0.1, 0.0, 0.0], 8)  # all points come down with 0.1 m/s
stops = []
for damping in (1e-6, 1e-9):
    feet.update_damping(damping)
    stops.append(feet.solve(-arrival))
print(f"landing with 0.1 m/s: {stops[1][::3].sum():.3f} Ns on the feet")
unfelt = np.abs(stops[0] - stops[1]).max()
felt = np.abs(feet.joint_response(stops[0]) - feet.joint_response(stops[1])).max()
print(f"a damping of 1e-6 instead of 1e-9 changes impulses by {unfelt:.0e} Ns, joint velocities by {felt:.0e} rad/s")
print(f"after it the feet move with {np.abs(arrival + feet @ stops[1]).max():.0e} m/s")

# The operator and the matrix are the same map: rounding of 24 terms.
x = np.cos(np.arange(feet.rows))
assert np.allclose(feet @ x, matrix @ x, rtol=0, atol=1e-13 * np.abs(matrix).sum(axis=1).max())
assert felt < 1e-4 and np.abs(arrival + feet @ stops[1]).max() < 1e-7
