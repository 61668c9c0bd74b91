"""What ConstrainedDynamics.derivatives returns."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt


class ConstrainedDerivatives(NamedTuple):
    """Derivatives of accelerations, shape (nv, nv), and of constraint forces, shape (rows, nv).

    Columns are along q moved by unit steps of the joint velocities (Model.integrate), along v, and along tau.
    """

    acceleration_q: npt.NDArray[np.float64]
    acceleration_v: npt.NDArray[np.float64]
    acceleration_tau: npt.NDArray[np.float64]
    force_q: npt.NDArray[np.float64]
    force_v: npt.NDArray[np.float64]
    force_tau: npt.NDArray[np.float64]
