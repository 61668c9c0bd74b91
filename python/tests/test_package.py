"""The package as such: what an import brings, docstrings, the stub, the example."""

from __future__ import annotations

import ast
import importlib.util
import inspect
import os
import re
import subprocess
import sys
import timeit
from pathlib import Path
from typing import Any, Iterator

import numpy as np
import pytest

import delassus
from delassus import _delassus
from api_signatures import members_of

ROOT = Path(__file__).resolve().parents[2]


def run(code: str) -> str:
    return subprocess.check_output([sys.executable, "-c", code], text=True)


def test_import_is_light() -> None:
    """SciPy and matplotlib take longer than all the rest: they come when they are asked for."""
    heavy = ("scipy", "matplotlib", "gymnasium", "delassus.gym", "delassus.plot")
    assert run(f"import sys, delassus; print([m for m in {heavy} if m in sys.modules])").strip() == "[]"


def test_import_time() -> None:
    """With NumPy it takes some 15 ms once its files are in memory, alone 6; the least of five is for busy machines."""
    code = "import time; t = time.perf_counter(); import delassus; print(time.perf_counter() - t)"
    assert min(float(run(code)) for _ in range(5)) < 0.2


def test_cost_of_a_call() -> None:
    """A product with one row takes nanoseconds in C++, so this is what Python adds: 0.4 µs. Copies of arrays, a search for
    the overload or a slow path would be several times that; five microseconds leave room for slow machines."""
    builder = delassus.ModelBuilder("hinge")
    builder.add_body("bar", "world", delassus.Joint("hinge"), delassus.box_inertial(1.0, (0.5, 0.1, 0.1), (0.5, 0, 0)))
    model = builder.make_model()
    op = delassus.Operator(model, [delassus.JointLimit(model, "hinge", 0.0)], algorithm="dense")
    op.update(model.neutral())
    x, y = np.ones(1), np.empty(1)
    assert min(timeit.repeat(lambda: op.apply(x, out=y), number=1000, repeat=30)) / 1000 < 5e-6


def test_version() -> None:
    cmake = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    assert f"VERSION {delassus.__version__}\n" in cmake


def test_all_names_are_there() -> None:
    for name in delassus.__all__:
        assert hasattr(delassus, name), name
    assert set(delassus.__all__) <= set(dir(delassus))
    with pytest.raises(AttributeError, match="no attribute 'plots'"):
        delassus.plots  # noqa: B018


def test_everything_says_where_users_find_it() -> None:
    assert delassus.Operator.__module__ == delassus.load.__module__ == "delassus"
    assert (delassus.Operator.apply.__doc__ or "").startswith("apply(self: delassus.Operator, x: object,")


# ---------------------------------------------------------------------------------------------- docstrings


def public_objects() -> Iterator[tuple[str, Any]]:
    for name in delassus.__all__:
        thing = getattr(delassus, name)
        if name == "Constraint":  # a union of classes
            continue
        yield name, thing
        if inspect.isclass(thing):
            for member, value in vars(thing).items():
                if not member.startswith("_"):
                    yield f"{name}.{member}", value
    for module in (delassus.gym, delassus.plot):
        for name in module.__all__:
            yield f"{module.__name__}.{name}", getattr(module, name)


def prose(thing: Any) -> str:
    """The docstring without the signature that pybind11 puts first."""
    if isinstance(thing, staticmethod):
        thing = thing.__func__
    return re.sub(r"\A\w+\(.*\).*\n", "", inspect.getdoc(thing) or "").strip()


def test_everything_has_a_docstring() -> None:
    pytest.importorskip("matplotlib")
    assert [name for name, thing in public_objects() if len(prose(thing)) < 3] == []


# ---------------------------------------------------------------------------------------------------- stub


def stub() -> ast.Module:
    return ast.parse((ROOT / "python/delassus/_delassus.pyi").read_text(encoding="utf-8"))


def public_stub_names(body: list[ast.stmt]) -> set[str]:
    names = {node.name for node in body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    names |= {t.id for node in body if isinstance(node, ast.Assign) for t in node.targets if isinstance(t, ast.Name)}
    names |= {n.target.id for n in body if isinstance(n, ast.AnnAssign) and isinstance(n.target, ast.Name)}
    return {name for name in names if not name.startswith("_")}


def test_stub_has_every_name() -> None:
    assert public_stub_names(stub().body) == set(_delassus.__all__)
    for node in stub().body:
        if isinstance(node, ast.ClassDef) and node.name != "_Value":
            members = {name for name in vars(getattr(_delassus, node.name)) if not name.startswith("_")}
            assert public_stub_names(members_of(stub(), node)) == members, node.name


def stub_parameters(function: ast.FunctionDef) -> list[str]:
    a = function.args
    names = [p.arg for p in (*a.posonlyargs, *a.args)] + (["*"] if a.kwonlyargs else []) + [p.arg for p in a.kwonlyargs]
    if a.kwarg:
        names.append("**" + a.kwarg.arg)
    return names


def real_parameters(function: Any) -> list[str]:
    """From the first line of the docstring, which pybind11 writes."""
    if isinstance(function, staticmethod):
        function = function.__func__
    first = (function.__doc__ or "").splitlines()[0]
    inside = first[first.index("(") + 1 : first.rindex(") ->")]
    inside = re.sub(r"\([^()]*\)", "", inside)  # defaults that are tuples
    return [re.sub(r"[:=].*", "", part).strip() for part in inside.split(", ") if part]


def agree(where: str, function: ast.FunctionDef, real: Any) -> None:
    parameters = real_parameters(real)
    if parameters == ["self", "*args", "**kwargs"]:  # a value: its fields in their order
        owner = getattr(_delassus, where.split(".")[0])
        parameters = ["self", *owner.__match_args__]
    expected = ["**kwargs" if name.startswith("**") else name for name in stub_parameters(function)]
    assert parameters == expected, where


def test_stub_has_every_parameter() -> None:
    seen = 0
    for node in stub().body:
        if isinstance(node, ast.FunctionDef):
            agree(node.name, node, getattr(_delassus, node.name))
            seen += 1
        if isinstance(node, ast.ClassDef) and node.name != "_Value":
            for member in members_of(stub(), node):
                if not isinstance(member, ast.FunctionDef) or member.decorator_list:
                    continue
                real = vars(getattr(_delassus, node.name))[member.name]
                if member.name in ("__eq__", "__mul__"):
                    continue
                agree(f"{node.name}.{member.name}", member, real)
                seen += 1
    assert seen > 100


def final_names() -> Iterator[str]:
    for owner in (node for node in stub().body if isinstance(node, ast.ClassDef)):
        for member in owner.body:
            if isinstance(member, ast.AnnAssign) and ast.unparse(member.annotation).startswith("Final["):
                yield f"{owner.name}.{ast.unparse(member.target)}"


@pytest.mark.skipif(importlib.util.find_spec("mypy") is None, reason="mypy is not installed")
def test_stubtest(tmp_path: Path) -> None:
    """mypy's own comparison, for what the tests above do not look at: kinds of attributes, decorators."""
    config = tmp_path / "mypy.ini"
    config.write_text("[mypy]\n")
    allowed = tmp_path / "allowed.txt"
    # What pybind11 adds to every class, and names that are in stubs alone.
    allowed.write_text(".*\\.__(getstate|setstate|hash|repr|str|deepcopy|copy|reduce|init)__\n.*\\._pybind11.*\n")
    done = subprocess.run(
        [sys.executable, "-m", "mypy.stubtest", "delassus._delassus", "--concise", "--ignore-missing-stub"]
        + ["--mypy-config-file", str(config), "--allowlist", str(allowed), "--ignore-unused-allowlist"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    # pybind11 has a metaclass of its own, which is nobody's business; and for stubtest, Final can be assigned to.
    read_only = {f"delassus._delassus.{name} is read-only at runtime but not in the stub" for name in final_names()}
    found = [line for line in done.stdout.splitlines() if not line.endswith("metaclass differs") and line not in read_only]
    assert not found and "error" not in done.stderr.lower(), done.stdout + done.stderr


@pytest.mark.skipif(importlib.util.find_spec("mypy") is None, reason="mypy is not installed")
def test_types_reach_users(tmp_path: Path) -> None:
    user = tmp_path / "user.py"
    user.write_text(
        "import delassus\n"
        "def matrix(op: delassus.Operator) -> float:\n"
        "    op.dens()\n"
        "    delassus.Pose().p = delassus.Pose().p\n"
        "    return op.dense()\n"
        "try:\n"
        "    matrix(delassus.load('go2'))\n"
        "except delassus.NumericalError as error:\n"
        "    print(error.code, delassus.plot)\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--ignore-missing-imports", "--follow-imports=silent", str(user)],
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    lines = [line.split(":")[1] for line in done.stdout.splitlines() if ": error:" in line]
    assert lines == ["3", "4", "5", "7"], done.stdout + done.stderr


# ------------------------------------------------------------------------------------------------- examples


EXAMPLES = {
    "arm_osc": "kg at the hand",
    "closed_loop_leg": "Nm at the hip",
    "how_to_constraint": "N at the blade",
    "humanoid_reach": "mm",
    "learn_to_stand": "stand at the end",
    "load_my_robot": "did you mean 'thigh'?",
    "own_contacts": "m/s",
    "own_solver": "1/kg",
    "quadruped_pose": "mrad",
    "quick_start": "1/kg",
    "singular_arm": "Nm",
    "standing_humanoid": "kg upwards",
    "which_call": "N carried",
}


@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_examples(name: str, tmp_path: Path) -> None:
    """They say what they find, with its unit, and fail where it is not what they claim."""
    if name == "own_solver":
        pytest.importorskip("scipy")
    more = ["--environment", "CartPole", "--seconds", "4", "--out", str(tmp_path)] if name == "learn_to_stand" else []
    output = subprocess.check_output([sys.executable, str(ROOT / f"examples/{name}.py"), *more], text=True)
    assert EXAMPLES[name] in output


def test_all_examples_are_run() -> None:
    assert {path.stem for path in (ROOT / "examples").glob("*.py")} == set(EXAMPLES)


# -------------------------------------------------------------------------------------------------- setup.py


def test_setup_says_what_is_missing(tmp_path: Path) -> None:
    for environment, words in (
        ({"PATH": ""}, "cmake was not found"),
        ({"DELASSUS_BUILD_DIR": str(tmp_path)}, "is no configured build tree"),
    ):
        done = subprocess.run(
            [sys.executable, str(ROOT / "setup.py"), "build_ext"],
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
        )
        assert done.returncode != 0 and words in done.stderr, done.stderr
