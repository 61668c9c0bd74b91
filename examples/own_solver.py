"""The operator inside someone else's solver: SciPy's iterative methods take it as it is, and its damped solve is a
preconditioner that needs no matrix either."""

import inspect

import numpy as np
from scipy.sparse.linalg import LinearOperator, cg, eigsh, minres

import delassus

g1 = delassus.load("g1-fallen")  # 23 contacts: more rows than degrees of freedom
op = delassus.Operator(g1.model, g1.constraints, algorithm="condensed")
op.update(g1.q)
delassus_matrix = op.as_linear_operator()  # a view: it uses the operator as it is when it is called
print(f"{op.rows} rows, {g1.model.nv} degrees of freedom, {op.bytes / 1000:.0f} kB")

count = 0
tolerance = {"rtol" if "rtol" in inspect.signature(cg).parameters else "tol": 1e-10}  # tol before SciPy 1.12


def counted(x: np.ndarray) -> np.ndarray:
    global count
    count += 1
    return op.apply(np.ascontiguousarray(x))


# Impulses that stop a motion of the robot: Λ⁻¹ x = -J v. The matrix is singular, but such a right-hand side lies in
# its range, and minres, which wants a symmetric matrix and no more, finds a solution.
v = np.cos(np.arange(g1.model.nv, dtype=float))
b = -op.apply_jacobian(v)
x, info = minres(LinearOperator(op.shape, counted), b, **tolerance)
left = np.abs(op.apply(x) - b).max()
print(f"minres: {count} products, {left:.0e} of {np.abs(b).max():.1f} m/s left")
assert info == 0 and left < 1e-6

# Compliant contacts make it positive definite: (Λ⁻¹ + R) x = b. R differs from contact to contact; a damped solve
# with one number for all is close enough to help.
compliance = np.repeat(10.0 ** np.linspace(-3, -1, op.rows // 3), 3)
soft = LinearOperator(op.shape, lambda x: counted(x) + compliance * x)
op.update_damping(float(np.exp(np.log(compliance).mean())))
found = {}
for name, preconditioner in (("plain", None), ("preconditioned", op.inverse_as_linear_operator())):
    count = 0
    found[name], info = cg(soft, b, atol=0, M=preconditioner, **tolerance)
    print(f"conjugate gradients, {name}: {count} products")
    assert info == 0

# The operator can do that alone, with a damping for each row.
op.update_damping(compliance)
exact = op.solve(b)
for name, solution in found.items():
    # Residuals of 1e-10, and a condition of 1e5 or so.
    assert np.abs(solution - exact).max() < 1e-5 * np.abs(exact).max(), name

largest = eigsh(delassus_matrix, k=1, return_eigenvectors=False)[0]
print(f"the largest eigenvalue: {largest:.2f} 1/kg, by Lanczos' method")
assert abs(largest - op.spectrum().largest) < 1e-9 * largest
