"""The Delassus matrix J M^-1 J^T of robots in contact, and what is solved with it.

    import delassus

    scene = delassus.load("go2")
    contacts = [delassus.PointContact(scene.model, foot) for foot in ("FL_foot", "RR_foot")]
    op = delassus.Operator(scene.model, contacts, algorithm="condensed")
    op.update(scene.q)
    print(op.dense())

Frames, signs and layouts are those of docs/conventions.md: spatial vectors are (angular; linear), quaternions x y z w,
and a free joint's velocity is angular, then linear, both in the body's axes. All numbers are in SI units,
and float64 but for batches of float32.
"""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import TYPE_CHECKING

from delassus import _delassus
from delassus._delassus import *  # noqa: F403
from delassus._derivatives import ConstrainedDerivatives
from delassus._errors import Error, NumericalError, SingularError
from delassus._sweep import SweepCase, SweepStatus, SweepSummary, sweep, sweep_merge, sweep_status
from delassus._vector_simulator import VectorSimulator

__version__: str = _delassus.__version__
# The stub has no __all__: type checkers would take a list that they cannot read for an empty one.
__all__ = [  # type: ignore[attr-defined]
    *_delassus.__all__,
    "ConstrainedDerivatives",
    "Error",
    "NumericalError",
    "SingularError",
    "SweepCase",
    "SweepStatus",
    "SweepSummary",
    "VectorSimulator",
    "sweep",
    "sweep_merge",
    "sweep_status",
]

if TYPE_CHECKING:
    from delassus import gym as gym
    from delassus import plot as plot
else:

    def __getattr__(name: str) -> ModuleType:
        # matplotlib and gymnasium take longer to import than all the rest.
        if name in ("gym", "plot"):
            return importlib.import_module(f"delassus.{name}")
        raise AttributeError(f"module 'delassus' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted([*globals(), "gym", "plot"])
