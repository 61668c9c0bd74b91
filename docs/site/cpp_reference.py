"""The C++ reference: a page for each public header, in the order and the words of the header."""

from __future__ import annotations

import html
import re
from collections import defaultdict
from pathlib import Path, PurePosixPath

from pygments.lexers import CppLexer
from pygments.token import STANDARD_TYPES, Name, Token

import rst
from headers import Header, Item, read_header

# What the folders hold, from the bottom to the top. A folder that is not here is an error: say what it holds.
FOLDERS = {
    "math": "Scalars, small matrices, spatial vectors, inertias and factorizations; errors and statuses.",
    "model": "Robots: joints, bodies, how they are described, built and compiled.",
    "kinematics": "Where everything is and how it moves; coordinates of other libraries.",
    "constraints": "Contacts, loops, limits and the other constraints, and the rows that they become.",
    "io": "Robots and scenes from files.",
    "dynamics": "Inverse and forward dynamics, their derivatives, and the recursions that operators share.",
    "operators": "Operators on Λ⁻¹ = J M⁻¹ Jᵀ, the planner that chooses one, and what they are made of.",
    "solvers": "Constrained dynamics and its derivatives, contact forces, assembly, the doctor.",
    "control": "Operational-space control: tasks, priorities, grasps.",
    "collision": "Shapes that touch.",
    "generate": "Operators as code of one mechanism, compiled and loaded.",
    "simulation": "Simulators, integrators, motors.",
    "scenes": "Robots and scenes by name: mechanisms of the papers, recipes, scenes that mechanics has formulas for.",
    "batch": "Many states of one robot at once.",
    "c": "The same from C.",
}
UMBRELLA = "delassus/delassus.hpp"
# Names in code that lead to what they name: types, constants, and functions of several words; others may be arguments.
LINKED = re.compile(r"[A-Z]\w|k[A-Z]|\w+_\w")


def first_sentence(comment: list[str]) -> str:
    paragraph = " ".join(line.strip() for line in comment[: (comment + [""]).index("")])
    sentence = re.split(r"(?<=[.:])\s+(?=[A-Z])", paragraph, maxsplit=1)[0]
    return re.sub(r" \(docs/\S+\)|, docs/\S+|:$", "", sentence)


def groups(items: list[Item]) -> list[list[Item]]:
    """Declarations that stand together, under one comment."""
    found: list[list[Item]] = []
    for item in items:
        if found and not item.apart and not item.members and not found[-1][-1].members:
            found[-1].append(item)
        else:
            found.append([item])
    return found


def listing(item: Item, comments: bool = True) -> str:
    """A declaration as it stands in the header, members included."""
    before = "".join(f"// {line}\n" for line in item.comment if line) if comments else ""
    if not item.members:
        return before + item.code + "\n"
    inside = "".join(("\n" if member.apart and k else "") + listing(member) for k, member in enumerate(item.members))
    return before + item.code + " {\n" + rst.indent(inside, "  ") + "};\n"


def is_plain(item: Item) -> bool:
    """A struct of fields, which is best read as it is."""

    def is_field(member: Item) -> bool:
        return "(" not in member.code.partition("//")[0] or "operator==" in member.code

    return all(not member.comment and not member.members and is_field(member) for member in item.members)


class Reference:
    """All headers of include/, and where the names are that they declare."""

    def __init__(self, include: Path) -> None:
        paths = sorted(p for p in include.rglob("*.h*") if p.relative_to(include).as_posix() != UMBRELLA)
        self.headers = {PurePosixPath(path.relative_to(include).as_posix()): read_header(path.read_text(encoding="utf-8"))
                        for path in paths}
        umbrella = (include / UMBRELLA).read_text(encoding="utf-8")
        self.in_umbrella = {PurePosixPath(name) for name in re.findall(r'#include "([^"]+)"', umbrella)}
        self.names: dict[str, str] = {}  # name: page#anchor, from the folder of the reference
        for path, header in self.headers.items():
            for item in header.items:
                self.add_names(path, item)

    def add_names(self, path: PurePosixPath, item: Item) -> None:
        page = page_of(path) + ".html"
        self.names.setdefault(item.name, f"{page}#{anchor_of(item.name)}")
        self.add_enumerators(item, self.names[item.name])
        for member in item.members:
            target = self.names.setdefault(f"{item.name}::{member.name}", f"{page}#{anchor_of(item.name, member.name)}")
            self.add_enumerators(member, target)

    def add_enumerators(self, item: Item, target: str) -> None:
        if (item.type_kind or "").startswith("enum"):
            for enumerator in re.findall(r"\b(k[A-Z]\w*)", re.sub(r"//.*", "", item.code)):
                self.names.setdefault(enumerator, target)

    def find(self, word: str, owner: str = "") -> str | None:
        """Where a word of a comment leads, from a page two folders below the pages."""
        if word.startswith("docs/") and word.endswith(".md"):
            return "../../../" + word.removeprefix("docs/").removesuffix(".md") + ".html"
        if word.endswith((".hpp", ".h")):
            found = [path for path in self.headers if path.as_posix().endswith("/" + word)]
            return f"../{page_of(found[0])}.html" if len(found) == 1 else None
        name = word.removesuffix("()")
        if not (re.search(r"_|::|[a-z][A-Z]", name) or name != word):
            return None  # may be a word of English
        return self.find_name(name, owner)

    def find_name(self, name: str, owner: str = "") -> str | None:
        target = self.names.get(f"{owner}::{name}") if owner else None
        target = target or self.names.get(name)
        return f"../{target}" if target else None


def page_of(path: PurePosixPath) -> str:
    """folder/name, below the folder of the reference."""
    return f"{path.parent.name}/{path.stem}"


def anchor_of(*names: str) -> str:
    return "-".join(re.sub(r"[^\w~]+", lambda m: "".join(f".{ord(c):x}" for c in m[0]), name) for name in names)


def highlight(code: str, reference: Reference, declared: set[str]) -> str:
    """Code in the colours of the site, in which the names of the library are links."""
    out: list[str] = []
    for kind, text in CppLexer(stripnl=False).get_tokens(code.rstrip("\n") + "\n"):
        while kind not in STANDARD_TYPES:
            kind = kind.parent or Token
        shown = html.escape(text)
        if kind in Name and text not in declared and LINKED.match(text) and (target := reference.find_name(text)):
            shown = f'<a href="{target}">{shown}</a>'
        css = STANDARD_TYPES[kind]
        out.append(f'<span class="{css}">{shown}</span>' if css and css != "w" else shown)
    return '<div class="highlight"><pre>' + "".join(out).rstrip("\n") + "\n</pre></div>"


class HeaderPage:
    """The page of one header."""

    def __init__(self, path: PurePosixPath, reference: Reference) -> None:
        self.path, self.reference = path, reference
        self.header: Header = reference.headers[path]
        self.anchors: dict[str, int] = defaultdict(int)

    def text(self) -> str:
        # Not in the sidebar, which 170 headers would fill and which takes most of the time to build: the folder lists them.
        out = [":orphan:\n\n", f":doc:`C++ </reference/cpp/index>` / :doc:`{self.path.parent.name} <index>`\n\n",
               rst.heading(self.path.name, "="),
               rst.raw_html(f'<p class="include"><code>#include "{self.path}"</code></p>'),
               rst.prose(self.header.comment, self.reference.find)]
        for group in groups(self.header.items):
            title = ", ".join(dict.fromkeys(item.name for item in group))
            out.append(rst.heading(rst.escape(title), "-"))
            out.append(self.type_text(group[0]) if group[0].members else self.group_text(group))
        return "".join(out)

    def anchor(self, *names: str) -> str:
        """An anchor for the first declaration of that name; overloads follow it."""
        name = anchor_of(*names)
        self.anchors[name] += 1
        return f'<span id="{name}"></span>' if self.anchors[name] == 1 else ""

    def code(self, code: str, names: list[tuple[str, ...]]) -> str:
        declared = {name[-1] for name in names}
        anchors = "".join(self.anchor(*name) for name in names)
        return rst.raw_html(anchors + highlight(code, self.reference, declared))

    def group_text(self, group: list[Item], owner: str = "") -> str:
        code = "".join(listing(item, comments=k > 0) for k, item in enumerate(group))
        names = [(owner, item.name) if owner else (item.name,) for item in group]
        names += [(item.name, member.name) for item in group for member in item.members]
        find = lambda word: self.reference.find(word, owner)  # noqa: E731
        return self.code(code, names) + rst.prose(group[0].comment, find)

    def type_text(self, item: Item) -> str:
        if is_plain(item):
            return self.group_text([item])
        out = [self.code(item.code + "\n", [(item.name,)]), rst.prose(item.comment, self.reference.find)]
        for group in groups(item.members):
            if group[0].heading:
                out.append(f".. rubric:: {rst.escape(group[0].heading[0].upper() + group[0].heading[1:])}\n\n")
            out.append(".. container:: member\n\n" + rst.indent(self.group_text(group, item.name)))
        return "".join(out)


def toctree(pages: list[str]) -> str:
    return ".. toctree::\n   :hidden:\n\n" + "".join(f"   {page}\n" for page in pages) + "\n"


def entry(page: str, title: str, words: str) -> str:
    return f"* :doc:`{title} <{page}>`: {rst.inline(words, lambda word: None)}\n"


def header_entry(path: PurePosixPath, reference: Reference) -> str:
    return entry(path.stem, path.name, first_sentence(reference.headers[path].comment))


def folder_page(folder: str, reference: Reference) -> str:
    paths = [path for path in reference.headers if path.parent.name == folder]
    named = [path for path in paths if path in reference.in_umbrella]
    others = [path for path in paths if path not in named]
    out = [rst.heading(f"{folder}/", "="), FOLDERS[folder] + "\n\n"]
    out += [header_entry(path, reference) for path in named]
    if named and others:
        out.append(f"\nFor those who build on the parts, headers that ``{UMBRELLA}`` does not name:\n\n")
    out += [header_entry(path, reference) for path in others]
    return "".join(out)


def write_cpp_reference(include: Path, out: Path) -> None:
    """Pages out/<folder>/<header>.rst, with an index of each folder and of all."""
    reference = Reference(include)
    present = {path.parent.name for path in reference.headers}
    if unknown := present - set(FOLDERS):
        raise SystemExit(f"docs/site/cpp_reference.py: say in FOLDERS what include/delassus/{min(unknown)} holds")
    folders = [folder for folder in FOLDERS if folder in present]
    for folder in folders:
        (out / folder).mkdir(parents=True, exist_ok=True)
        (out / folder / "index.rst").write_text(folder_page(folder, reference), encoding="utf-8")
    for path in reference.headers:
        (out / (page_of(path) + ".rst")).write_text(HeaderPage(path, reference).text(), encoding="utf-8")
    index = [rst.heading("C++", "="),
             f"Everything is in the namespace ``delassus``. ``#include \"{UMBRELLA}\"`` brings all but files and formats "
             "(``io``) and C. Folders are layers: each uses those above it in this list.\n\n",
             toctree([f"{folder}/index" for folder in folders]),
             *(entry(f"{folder}/index", f"{folder}/", FOLDERS[folder]) for folder in folders)]
    (out / "index.rst").write_text("".join(index), encoding="utf-8")
