"""Which call for what: docs/which-call.md shows these parts one by one."""

import numpy as np

import delassus

go2 = delassus.load("go2-standing")  # four contacts, three rows each
x = np.ones(12)

# begin one-product
op = delassus.Operator(go2.model, go2.constraints, "limbs")  # legs in lanes, or the condensed tree
op.update(go2.q)  # at every q
y = op @ x  # Λ⁻¹ x, m/s² for N; op.apply(x, out=y) makes no new array
# end one-product
print(f"one product: y[0] = {y[0]:.4f} m/s2")

X = np.ones((12, 100))
# begin many-products
op = delassus.Operator(go2.model, go2.constraints, "auto", workload=delassus.Workload(products=100))
op.update(go2.q)
Y = op.apply(X)  # all columns at once
# end many-products
print(f"many products: {op.algorithm}")
assert np.allclose(Y, y[:, None], rtol=0, atol=1e-12)  # the same but for the order of sums

# begin admm
dt, state = 1e-3, delassus.State(go2.model, go2.q, go2.v)
op = delassus.Operator(go2.model, go2.constraints, "condensed")
op.update(go2.q)
v_free = go2.v + dt * state.forward_dynamics(go2.tau)  # velocities after a step without contacts
admm = delassus.Admm()  # keeps its penalty for the next step
found = admm.solve(op, op.apply_jacobian(v_free), time_step=dt)
v_after = v_free + op.joint_response(found.impulse)
print(found.status, found.certificate.velocity, "m/s", found.certificate.force, "N")
# end admm
carried = found.impulse[::3].sum() / dt
print(f"admm: {carried:.2f} N carried, {found.certificate.iterations} iterations")
assert found.status == "ok" and found.certificate.velocity < 1e-8

# begin redundant-feet
g1 = delassus.load("g1-standing")  # four points under each foot: 24 rows of rank 12
dynamics = delassus.ConstrainedDynamics(g1.model, g1.constraints)  # any rank, no damping to choose
motion = dynamics.solve(g1.q, np.zeros(g1.model.nv), g1.tau)
report = delassus.diagnose(g1.model, g1.constraints, g1.q)  # which rows say nothing new
print(motion.status, report.rank, "of", len(report.rows))
# end redundant-feet
assert motion.status == "ok" and report.rank == 12

# begin closed-loops
linkage = delassus.load("four_bar")
q = delassus.assemble(linkage.model, linkage.constraints, linkage.q).q.copy()  # onto the loop, to 2e-13 m
v = delassus.project_velocity(linkage.model, linkage.constraints, q, np.array([5.0, 0, 0]))  # the crank turns
integrator = delassus.Integrator(linkage.model, linkage.constraints, dt=1e-3)
for _ in range(1000):
    integrator.step(q, v, linkage.tau)  # q and v in place
# end closed-loops
opened = delassus.assemble(linkage.model, linkage.constraints, q).linear_before
print(f"closed loops: open by {opened:.0e} m after 1 s")
assert opened < 1e-12

# begin real-time
q, v, tau = go2.q.copy(), go2.v.copy(), np.zeros(go2.model.nv)
feet = delassus.pins_to_world(go2.model, q, ["FL_foot", "FR_foot", "RL_foot", "RR_foot"])
start = delassus.State(go2.model, q).frame_pose("base")
base = delassus.TaskLevel("base", [delassus.pose_task(go2.model, "base", start)])
controller = delassus.OperationalController(go2.model, [base], feet)
lower = delassus.Pose(start.p - (0, 0, 0.01), start.R)
# In the loop; with out= no array is made:
controller.set_target("base", lower)
controller.compute(q, v, out=tau)
print(controller.status)
# end real-time
print(f"real-time control: {np.abs(tau).max():.1f} Nm at most")
assert controller.status == "ok" and 0 < np.abs(tau).max() < 40  # of the size of what holds 15 kg on four bent legs
