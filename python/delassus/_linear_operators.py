"""Operators as SciPy's iterative methods take them. Imported when first asked for: SciPy takes long."""

from __future__ import annotations

from typing import TYPE_CHECKING, Callable

import numpy as np
from scipy.sparse.linalg import LinearOperator

if TYPE_CHECKING:
    from delassus import Operator


def _view(op: Operator, verb: Callable[[np.ndarray], np.ndarray]) -> LinearOperator:
    def of_vector(x: np.ndarray) -> np.ndarray:
        # SciPy hands over columns and arrays of any kind.
        return verb(np.ascontiguousarray(x, dtype=float).reshape(-1))

    def of_panel(x: np.ndarray) -> np.ndarray:
        return verb(np.asarray(x, dtype=float))

    # Both matrices are symmetric.
    return LinearOperator(op.shape, matvec=of_vector, rmatvec=of_vector, matmat=of_panel, rmatmat=of_panel, dtype=float)


def product(op: Operator) -> LinearOperator:
    """J M^-1 J^T."""
    return _view(op, op.apply)


def inverse(op: Operator) -> LinearOperator:
    """(R^-1 + J M^-1 J^T)^-1."""
    return _view(op, op.solve)
