"""The same numbers by NumPy: dense matrices and its factorizations, no recursion over links."""

from __future__ import annotations

import numpy as np

import delassus

EPS = np.finfo(float).eps

# Robots on feet and fallen, loops, loose bodies, rows on joints, one of each generator.
SCENES = (
    "go2-standing",
    "go2-fallen-friction",
    "g1-standing-friction",
    "cassie-standing",
    "atlas-feet",
    "boxes",
    "shadow-ball",
    "four_bar",
    "delta",
    "stewart",
    "stem:5x2",
)


class Dense:
    """J, M and J M^-1 J^T of a scene, and how far rounding may take them."""

    def __init__(self, scene: delassus.Scene) -> None:
        op = delassus.Operator(scene.model, scene.constraints, algorithm="dense")
        op.update(scene.q)
        self.J = op.jacobian()
        self.M = delassus.State(scene.model, scene.q, scene.v).inertia_matrix()
        self.response = np.linalg.solve(self.M, self.J.T)
        self.matrix = self.J @ self.response
        # Solving with M loses as many digits as its condition has, in each column; a factor of ten for the sums.
        self.relative = 10 * len(self.M) * EPS * np.linalg.cond(self.M)
        self.tolerance = self.relative * np.abs(self.matrix).max()
        self.response_tolerance = self.relative * np.abs(self.response).max()


def updated(scene: delassus.Scene, algorithm: str) -> delassus.Operator:
    op = delassus.Operator(scene.model, scene.constraints, algorithm=algorithm)
    op.update(scene.q)
    return op


def some_numbers(*shape: int, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal(shape)


def some_configuration(model: delassus.Model, seed: int = 2) -> np.ndarray:
    """Near the neutral one, and nothing in it is zero."""
    return model.integrate(model.neutral(), 0.5 * some_numbers(model.nv, seed=seed))


def every_kind(model: delassus.Model) -> list[delassus.Constraint]:
    """Constraints of every kind on go2."""
    foot = delassus.Attachment(model, "FL_foot", delassus.Pose((0, 0, -0.02)))
    return [
        delassus.PointContact(model, foot, kind="rolling", set=delassus.ForceSet("friction_cone", mu=0.8), gap=0.1),
        delassus.PointContact(model, "FR_foot", (0, 0, 0.1), other="base", normal=(1, 0, 1), kind="torsional"),
        delassus.LoopClosure(model, "RL_foot", "RR_foot", free_linear="x", free_angular="yz", name="rod"),
        delassus.LoopClosure(model, foot, "world", axes="world", free_angular="xyz"),
        delassus.Distance(model, "RL_foot", "FR_foot", 0.5),
        delassus.JointLimit(model, "FL_calf_joint", -1.0),
        delassus.JointLimit(model, "FL_calf_joint", 1.0, upper=True),
        delassus.JointFriction(model, "FR_calf_joint", 0.3),
        delassus.JointCoupling(model, {"FL_hip_joint": 1.0, "FR_hip_joint": -2.0}, offset=0.1),
        delassus.JointCoupling(model, [("RL_hip_joint", 0, 1.5)]),
        delassus.JointPolynomial(model, "RL_calf_joint", "RR_calf_joint", (0, 1, 2, 0, 0)),
        delassus.JointPolynomial(model, "RL_calf_joint"),
        delassus.CentreOfMass(model, (0, 0, 0.3)),
        delassus.CustomRows(model, 2, bodies={"base": np.ones((2, 6))}, dofs={7: (1, 2)}, position=(0.1, 0.2)),
    ]
