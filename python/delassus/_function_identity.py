"""Whose rows a sweep has, where a function of the user's own makes them: what tells one function from another, in a file beside the results."""

from __future__ import annotations

import contextlib
import functools
import os
import sys
import types
from typing import Any

import numpy as np

from delassus._errors import Error

_PLAIN = (type(None), type(...), bool, float, complex, str, bytes)


def _in_words(value: Any) -> str:
    """What does not change while a program runs: code, numbers, texts, and tuples of them. Of all else the type."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, types.CodeType):
        # co_consts has the code of inner functions. Neither names of files nor lines: where a function stands does not matter.
        parts = (value.co_code, value.co_consts, value.co_names, value.co_freevars)
        return f"code{_in_words((*parts, getattr(value, 'co_exceptiontable', b'')))}"
    kind = type(value)
    if kind is tuple:
        return f"({', '.join(map(_in_words, value))})"
    if kind is frozenset:  # of `x in {"a", "b"}`; another order in each process
        return f"{{{', '.join(sorted(map(_in_words, value)))}}}"
    if kind is slice:  # a constant of code from Python 3.14 on
        return f"slice{_in_words((value.start, value.stop, value.step))}"
    if kind is int:
        return hex(value)  # Python refuses to write very long ones as decimals
    return repr(value) if kind in _PLAIN else f"<{_name_of(kind)}>"


def _name_of(what: Any) -> str:
    named = what if hasattr(what, "__qualname__") else type(what)
    return f"{getattr(named, '__module__', None)}.{named.__qualname__}"


def _made_of(function: Any) -> str:
    """All that tells one function from another, in words."""
    if isinstance(function, functools.partial):
        named = tuple(sorted(function.keywords.items()))
        return f"partial {_made_of(function.func)} {_in_words(function.args)} {_in_words(named)}"
    if isinstance(function, types.MethodType):
        return f"method of {_name_of(type(function.__self__))} {_made_of(function.__func__)}"
    words = _name_of(function)
    if isinstance(function, types.FunctionType):
        named = tuple(sorted((function.__kwdefaults__ or {}).items()))
        words += f" {_in_words(function.__code__)} {_in_words(function.__defaults__)} {_in_words(named)}"
    elif isinstance(getattr(type(function), "__call__", None), types.FunctionType):
        words += f" {_made_of(type(function).__call__)}"
    wrapped = getattr(function, "__wrapped__", None)  # of decorators, which are all the same code
    return words if wrapped is None or wrapped is function else f"{words} of {_made_of(wrapped)}"


def _identity_of(function: Any) -> dict[str, str]:
    import hashlib

    inner = function
    while isinstance(inner, functools.partial):
        inner = inner.func
    return {
        "format": "delassus-sweep-function-1",
        "function": _name_of(inner),
        "python": f"{sys.implementation.name} {sys.version_info[0]}.{sys.version_info[1]}",
        "sha256": hashlib.sha256(_made_of(function).encode()).hexdigest(),
    }


def _identity_file(results: str) -> str:
    return results + ".function.json"


def _is_known_as(function: Any, results: str) -> bool:
    """Whether the file beside the results names this function. False where there is none; an Error where it names another one."""
    import json

    path, here = _identity_file(results), _identity_of(function)
    advice = (
        "choose another name for the results, or remove them together with this file; "
        "if the function still gives the same rows, remove this file alone, and the same call goes on"
    )
    try:
        with open(path, encoding="utf-8") as file:
            text = json.load(file)
        there = {key: str(text[key]) for key in here}
    except FileNotFoundError:
        return False
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise Error(f"{path!r} cannot be read ({type(error).__name__}: {error}): {advice}") from None
    if there == here:
        return True
    if there["python"] != here["python"]:
        raise Error(
            f"{path!r} says that the rows are of the function {there['function']} as {there['python']} reads it; "
            f"this is {here['python']}, so it cannot be told whether {here['function']} is the same: {advice}"
        )
    raise Error(
        f"{path!r} says that the rows are of another function than {here['function']}: of {there['function']}, "
        f"or of this one before it was changed; {advice}"
    )


def _write_identity(function: Any, results: str) -> None:
    """Whole, and only if no other call was first."""
    import json

    path = _identity_file(results)
    own = f"{path}.{os.urandom(8).hex()}"
    try:
        with open(own, "x", encoding="utf-8") as file:
            json.dump(_identity_of(function), file, indent=1)
            file.write("\n")
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(own, path)
        except FileExistsError:
            pass
        except OSError:  # a file system without links
            os.replace(own, path)
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(own)


def claim(function: Any, results: str) -> None:
    """Rows are of this function from now on, or an Error says whose they are."""
    try:
        _write_identity(function, results)
    except OSError as error:
        path = _identity_file(results)
        raise Error(f"cannot write {path!r}: {error.strerror}; choose another name for the results") from None
    _is_known_as(function, results)


def require_known(function: Any, results: str, finished: bool) -> None:
    """An Error where the rows are of another function. Results that say nothing are of an older version, and of this function from now on, where one may write."""
    if not _is_known_as(function, results) and finished:
        with contextlib.suppress(OSError):
            _write_identity(function, results)
