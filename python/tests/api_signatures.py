"""What can be called in the package, and with which kinds of arguments: from the package and its stub."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any, Callable, Iterator, NamedTuple

import delassus


def parsed(name: str) -> ast.Module:
    return ast.parse((Path(delassus.__file__).parent / name).read_text(encoding="utf-8"))


STUB = parsed("_delassus.pyi")


class Parameter(NamedTuple):
    name: str
    kind: ast.expr | None  # its annotation
    by_name: bool
    optional: bool


class Verb(NamedTuple):
    """A function, or what an object of a class can do."""

    owner: str  # of the class; empty for functions
    name: str
    parameters: tuple[Parameter, ...]
    action: str  # "call", "make", "static", "get", "set"


def parameters_of(function: ast.FunctionDef, skip: int) -> tuple[Parameter, ...]:
    a = function.args
    places = [*a.posonlyargs, *a.args]
    without = len(places) - len(a.defaults)
    found = [Parameter(p.arg, p.annotation, False, k >= without) for k, p in enumerate(places)][skip:]
    found += [Parameter(p.arg, p.annotation, True, d is not None) for p, d in zip(a.kwonlyargs, a.kw_defaults)]
    return tuple(found)


def decorations(function: ast.FunctionDef) -> set[str]:
    return {d.attr if isinstance(d, ast.Attribute) else getattr(d, "id", "") for d in function.decorator_list}


def members_of(stub: ast.Module, owner: ast.ClassDef) -> list[ast.stmt]:
    """Of a class, with those of the base that only stubs know."""
    bases = {base.id for base in owner.bases if isinstance(base, ast.Name)}
    return owner.body + [m for c in stub.body if isinstance(c, ast.ClassDef) and c.name in bases for m in c.body]


def members(owner: ast.ClassDef) -> Iterator[Verb]:
    """Names that begin with an underscore are private, unless Python calls them."""
    for node in members_of(STUB, owner):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield Verb(owner.name, node.target.id, (), "get")
        if not isinstance(node, ast.FunctionDef) or (node.name.startswith("_") and not node.name.endswith("__")):
            continue
        words = decorations(node)
        if "property" in words:
            yield Verb(owner.name, node.name, (), "get")
        elif "setter" in words:
            yield Verb(owner.name, node.name, parameters_of(node, 1), "set")
        elif "staticmethod" in words:
            yield Verb(owner.name, node.name, parameters_of(node, 0), "static")
        else:
            yield Verb(owner.name, node.name, parameters_of(node, 1), "make" if node.name == "__init__" else "call")


def plot_verbs() -> Iterator[Verb]:
    """What is written in Python has its signature with it."""
    for node in parsed("plot.py").body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            yield Verb("plot", node.name, tuple(p for p in parameters_of(node, 0) if p.name != "ax"), "call")


def verbs() -> list[Verb]:
    """Of the stub, and of what is written in Python and has its signatures with it."""
    found = []
    for node in [*STUB.body, *parsed("_vector_simulator.py").body, *parsed("_sweep.py").body]:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name.startswith("_"):
            continue
        if isinstance(node, ast.FunctionDef):
            found.append(Verb("", node.name, parameters_of(node, 0), "call"))
        if isinstance(node, ast.ClassDef):
            found += members(node)
    return found


def aliases() -> dict[str, ast.expr]:
    """_Frame = Union[str, int] and the like."""
    return {
        target.id: node.value
        for node in STUB.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def field_kinds() -> dict[tuple[str, str], ast.expr | None]:
    """Of the attributes of values, which replace() takes."""
    return {(v.owner, p.name): p.kind for v in verbs() if v.action == "make" for p in v.parameters}


def thing(verb: Verb) -> Callable[..., Any]:
    if verb.owner == "plot":
        return getattr(delassus.plot, verb.name)
    owner = getattr(delassus, verb.owner) if verb.owner else delassus
    return owner if verb.action == "make" else getattr(owner, verb.name)
