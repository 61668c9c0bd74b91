"""What goes wrong, in two kinds, as in C++: bad arguments and files, and numerical outcomes."""

from __future__ import annotations

from typing import Any

__all__ = ["Error", "NumericalError", "SingularError"]


class Error(ValueError):
    """A bad argument or file. The message names it and says what to do.

    It is a ValueError, since a value is at fault and NumPy reports wrong shapes so. Arguments of the wrong type,
    arrays of another dtype among them, are a TypeError.
    """


class NumericalError(ArithmeticError):
    """A numerical step that has no result, or no exact one: the arguments were fine, the numbers did not work out.

    code: singular_joint, not_positive, degenerate, not_finite, inaccurate,
        infeasible, not_converged, unbalanced,
        singular_task or bad_argument; of a Simulator also crowded
        or diverged.
    index: of the link, row, constraint or entry that the message names.
    solution: what a solve found, if the code is inaccurate; else None.
    """

    def __init__(self, message: str, code: str = "", index: int = -1, solution: Any = None) -> None:
        super().__init__(message)
        self.code = code
        self.index = index
        self.solution = solution

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.code, self.index, self.solution)


class SingularError(NumericalError):
    """A joint moves nothing that has inertia, so there is no M^-1."""
