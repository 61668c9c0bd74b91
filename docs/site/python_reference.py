"""The Python reference: signatures from the type stub, words from the docstrings of the installed package."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import rst

# How the short names of the stub are read.
SHORT = {"_BatchArray": "array", "_Array": "array", "npt.ArrayLike": "array_like", "_Frame": "str | int", "_Joint": "str | int",
         "_Level": "str | int", "_Place": "str | int | Attachment", "npt.NDArray[np.float64]": "array", "_Numbers": "array_like", "_delassus.": ""}
RULE = re.compile(r"^# -{5,} (.*)$")
# Where what stands beside the compiled module is told; what is private there is left out.
BESIDE = {"_errors.py": "errors", "_derivatives.py": "constrained dynamics", "_vector_simulator.py": "batches", "_sweep.py": "sweeps"}
# Modules of their own.
MODULES = {"plot": "drawings", "gym": "environments"}


@dataclass
class Part:
    """A page: some classes and functions of the stub."""

    title: str
    module: str
    nodes: list[ast.stmt] = field(default_factory=list)

    @property
    def page(self) -> str:
        return self.title.replace(" ", "-")


def is_public(name: str) -> bool:
    return not name.startswith("_")


def parts_of(package: Path) -> list[Part]:
    """The parts of the stub, by the rules in it, with what is beside the compiled module."""
    text = (package / "_delassus.pyi").read_text(encoding="utf-8")
    starts = [(k, match[1]) for k, line in enumerate(text.splitlines(), 1) if (match := RULE.match(line))]
    parts = {title: Part(title, "delassus") for _, title in starts}
    for node in ast.parse(text).body:
        inside = [title for line, title in starts if line < node.lineno]
        if inside and is_told(node):
            parts[inside[-1]].nodes.append(node)
    for file, title in BESIDE.items():
        part = parts.setdefault(title, Part(title, "delassus"))
        part.nodes += [node for node in parse(package / file) if is_told(node)]
    own = [Part(title, f"delassus.{name}", [node for node in parse(package / f"{name}.py") if is_told(node)])
           for name, title in MODULES.items()]
    return [*parts.values(), *own]


def parse(path: Path) -> list[ast.stmt]:
    return ast.parse(path.read_text(encoding="utf-8")).body


def is_told(node: ast.stmt) -> bool:
    if isinstance(node, ast.Assign):
        return isinstance(node.targets[0], ast.Name) and is_public(node.targets[0].id)
    return isinstance(node, (ast.ClassDef, ast.FunctionDef)) and is_public(node.name)


def name_of(node: ast.stmt) -> str:
    return node.targets[0].id if isinstance(node, ast.Assign) else node.name


def readable(annotation: str) -> str:
    for short, long in SHORT.items():
        annotation = annotation.replace(short, long)
    return annotation


def defaults_of(thing: Any) -> dict[str, str]:
    """Values of arguments that need not be given, from the signature that pybind11 puts first; none if it cannot be read."""
    first = (getattr(thing, "__doc__", None) or "").partition("\n")[0]
    try:
        function = ast.parse(f"def {first}: ...").body[0]
    except SyntaxError:
        return {}
    assert isinstance(function, ast.FunctionDef)
    a = function.args
    named = list(zip(reversed([*a.posonlyargs, *a.args]), reversed(a.defaults))) + list(zip(a.kwonlyargs, a.kw_defaults))
    return {argument.arg: ast.unparse(value) for argument, value in named if value}


def fill_defaults(a: ast.arguments, values: dict[str, str]) -> None:
    """The values in place of the dots of the stub, where they are known."""

    def value(argument: ast.arg, known: ast.expr) -> ast.expr:
        dots = isinstance(known, ast.Constant) and known.value is ...
        return ast.parse(values.get(argument.arg, "..."), mode="eval").body if dots else known

    a.defaults = [value(*pair) for pair in zip(a.args[len(a.args) - len(a.defaults) :], a.defaults)]
    a.kw_defaults = [known and value(argument, known) for argument, known in zip(a.kwonlyargs, a.kw_defaults)]


def signature(function: ast.FunctionDef, thing: Any, bound: bool = False) -> str:
    """Arguments and result as they are read; those of a bound method without the first."""
    a = function.args
    fill_defaults(a, defaults_of(thing))
    a.args = a.args[1:] if bound else a.args
    returns = ast.unparse(function.returns) if function.returns else "None"
    return f"({readable(ast.unparse(a))})" + (f" -> {readable(returns)}" if returns != "None" else "")


class PartPage:
    """One page of the reference."""

    def __init__(self, part: Part, module: Any, find: rst.Finder) -> None:
        self.part, self.module, self.find = part, module, find

    def text(self) -> str:
        out = [rst.heading(self.part.title.capitalize(), "="), f".. py:module:: {self.part.module}\n   :noindex:\n\n",
               f".. py:currentmodule:: {self.part.module}\n\n"]
        for node in self.part.nodes:
            out.append(rst.heading(name_of(node), "-"))
            if isinstance(node, ast.ClassDef):
                out.append(self.class_text(node))
            elif isinstance(node, ast.FunctionDef):
                thing = getattr(self.module, node.name)
                out.append(self.directive("function", node.name + signature(node, thing), self.words(thing)))
            elif isinstance(node, ast.Assign):
                out.append(self.directive("data", name_of(node), f"``{readable(ast.unparse(node.value))}``\n\n"))
        return "".join(out)

    def words(self, thing: Any) -> str:
        if isinstance(thing, staticmethod):
            thing = thing.__func__
        text = re.sub(r"\A\w+\(.*\).*\n", "", inspect.getdoc(thing) or "").strip()
        return rst.prose(text.splitlines(), self.find)

    @staticmethod
    def directive(kind: str, head: str, body: str, *options: str) -> str:
        lines = "".join(f"   {option}\n" for option in options)
        return f".. py:{kind}:: {head}\n{lines}\n{rst.indent(body)}\n"

    def class_text(self, node: ast.ClassDef) -> str:
        owner = getattr(self.module, node.name)
        functions = [item for item in node.body if isinstance(item, ast.FunctionDef)]
        made = next((f for f in functions if f.name == "__init__"), None)
        head = node.name + (signature(made, owner.__init__, bound=True) if made else "")
        body = [self.words(owner)]
        if made and (words := self.words(owner.__init__)) and not inspect.getdoc(owner.__init__).startswith("Initialize self"):
            body.append(words)
        body += [self.member_text(owner, item) for item in node.body if is_member(item)]
        return self.directive("class", head, "".join(body))

    def member_text(self, owner: Any, node: ast.stmt) -> str:
        if isinstance(node, ast.AnnAssign):
            kind, words = "attribute", ""
            type_ = ast.unparse(node.annotation)
            if match := re.fullmatch(r"Final\[(.*)\]", type_):  # a property
                kind, type_, words = "property", match[1], self.words(inspect.getattr_static(owner, node.target.id))
            return self.directive(kind, node.target.id, words, f":type: {readable(type_)}")
        thing = inspect.getattr_static(owner, node.name)
        marks = [d.id for d in node.decorator_list if isinstance(d, ast.Name)]
        if "property" in marks:
            return self.directive("property", node.name, self.words(thing), f":type: {readable(ast.unparse(node.returns))}")
        options = [":staticmethod:"] if "staticmethod" in marks else []
        real = thing.__func__ if isinstance(thing, staticmethod) else thing
        head = node.name + signature(node, real, bound="staticmethod" not in marks)
        return self.directive("method", head, self.words(real), *options)


def is_member(node: ast.stmt) -> bool:
    if isinstance(node, ast.AnnAssign):
        return is_public(node.target.id)
    setter = isinstance(node, ast.FunctionDef) and any(isinstance(d, ast.Attribute) for d in node.decorator_list)
    return isinstance(node, ast.FunctionDef) and is_public(node.name) and node.name != "replace" and not setter


def write_python_reference(package: Path, out: Path) -> None:
    """Pages out/<part>.rst and an index, from the stub of the package; the package itself has to be importable."""
    import delassus

    out.mkdir(parents=True, exist_ok=True)
    parts = parts_of(package)
    where = {node.name: f"{part.page}.html#{part.module}.{node.name}"
             for part in parts for node in part.nodes if not isinstance(node, ast.Assign)}

    def find(word: str) -> str | None:
        name = word.removesuffix("()").removeprefix("delassus.")
        return where.get(name) if re.search(r"_|[a-z][A-Z]", name) or word.endswith("()") else None

    for part in parts:
        module = importlib.import_module(part.module)
        (out / f"{part.page}.rst").write_text(PartPage(part, module, find).text(), encoding="utf-8")
    index = [rst.heading("Python", "="), ".. py:module:: delassus\n\n", rst.prose(inspect.getdoc(delassus).splitlines(), find),
             "Values such as :py:class:`Pose` or :py:class:`Joint` do not change; each has a method ``replace(**changes)`` that "
             "gives one with other fields.\n\n",
             ".. toctree::\n   :maxdepth: 1\n\n", *(f"   {part.page}\n" for part in parts)]
    (out / "index.rst").write_text("".join(index), encoding="utf-8")
