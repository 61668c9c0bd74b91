"""Gathers what the site is made from into one folder: the pages of docs/, a few from elsewhere, and the reference."""

from __future__ import annotations

import fnmatch
import os
import re
import shutil
from pathlib import Path, PurePosixPath

from cpp_reference import write_cpp_reference
from notebook import notebook_page
from pages import ROOT, Page
from python_reference import write_python_reference
from sections import SECTIONS

DOCS = ROOT / "docs"
# Pages from outside of docs/, by their names on the site.
FROM_ELSEWHERE = {"readme": "README.md", "contributing": "CONTRIBUTING.md", "changelog": "CHANGELOG.md",
                  "scenes": "scenes/README.md", "examples": "examples/README.md"}
LANGUAGES = {".hpp": "cpp", ".cpp": "cpp", ".h": "c", ".c": "c", ".py": "python", ".txt": "cmake", ".json": "json",
             ".urdf": "xml", ".xml": "xml", ".cmake": "cmake"}


class Stage:
    """The folder `out`, being filled."""

    def __init__(self, out: Path) -> None:
        self.out = out
        self.pages: dict[str, Page] = {}  # by name on the site
        for path in sorted(DOCS.rglob("*.md")):
            self.pages[path.relative_to(DOCS).with_suffix("").as_posix()] = Page(path)
        for name, path in FROM_ELSEWHERE.items():
            if (ROOT / path).exists():
                self.pages[name] = Page(ROOT / path)
        self.names = {page.path: name for name, page in self.pages.items()}
        self.shown: set[str] = set()  # files of the tree that have a page because a page links to them

    def write(self, name: str, text: str) -> None:
        path = self.out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def fill(self) -> None:
        shutil.rmtree(self.out, ignore_errors=True)
        shutil.copytree(DOCS / "images", self.out / "images")
        for name, page in self.pages.items():
            self.write(f"{name}.md", self.with_links(name, page))
        self.write_sections()
        write_cpp_reference(ROOT / "include", self.out / "reference/cpp")
        write_python_reference(ROOT / "python/delassus", self.out / "reference/python")

    # ------------------------------------------------------------------------------------------------- links

    def with_links(self, name: str, page: Page) -> str:
        """The text of a page, whose links lead where their targets are on the site."""
        out, at = "", 0
        for link in page.links:
            out += page.text[at : link.start] + self.target(name, page, link.target)
            at = link.start + len(link.target)
        return out + page.text[at:]

    def target(self, name: str, page: Page, target: str) -> str:
        file, mark, anchor = target.partition("#")
        if re.match(r"[a-z]+:", target) or not file:
            return target
        path = Path(os.path.normpath(page.path.parent / file))
        if not path.exists():
            return target  # Sphinx says that it is not there, and where
        return relative(name, self.place_of(path)) + mark + anchor

    def place_of(self, path: Path) -> str:
        """Where a file of the tree is on the site."""
        if path in self.names:
            return self.names[path] + ".md"
        inside = path.relative_to(ROOT).as_posix()
        if inside.startswith("docs/") and path.suffix not in LANGUAGES:  # pages and pictures
            return inside.removeprefix("docs/")
        if match := re.fullmatch(r"include/delassus/(\w+/\w+)\.hp?p?", inside):
            return f"reference/cpp/{match[1]}.rst"
        return self.show_source(path, inside)

    def show_source(self, path: Path, inside: str) -> str:
        """A page with the text of a file, with a notebook, or with the names of the files of a folder."""
        page = f"source/{inside}.md"
        if page not in self.shown:
            self.shown.add(page)
            if path.suffix == ".ipynb":
                body = notebook_page(path, self.out / page)
            elif path.is_dir():
                body = f"# {inside}\n\n" + "".join(f"- `{p.name}`\n" for p in sorted(path.iterdir()))
            else:
                body = f"# {inside}\n\n````{LANGUAGES.get(path.suffix, 'text')}\n{path.read_text(encoding='utf-8')}````\n"
            self.write(page, f"---\norphan: true\n---\n\n{body}")
        return page

    # ---------------------------------------------------------------------------------------------- sections

    def pages_of(self, patterns: list[str], named: set[str]) -> list[str]:
        found: list[str] = []
        for pattern in patterns:
            if "*" in pattern:
                some = [name for name in fnmatch.filter(self.pages, pattern) if name not in named]
                found += sorted(some, key=lambda name: self.pages[name].title.lower())
            elif pattern in self.pages or pattern.startswith("reference/"):
                found.append(pattern)
        return found

    def write_sections(self) -> None:
        named = {name for _, patterns in SECTIONS for name in patterns if "*" not in name} | {"index"}
        places, taken = [], {"index"}
        for title, patterns in SECTIONS:
            pages = self.pages_of(patterns, named)
            taken |= set(pages)
            if len(pages) == 1:
                places.append(f"{title} </{pages[0]}>")
            elif pages:
                name = "sections/" + title.lower()
                self.write(name + ".md", f"# {title}\n\n" + toctree([entry(page) for page in pages], "maxdepth: 1"))
                places.append(f"/{name}")
        if orphans := sorted(set(self.pages) - taken):
            raise SystemExit(f"docs/site/sections.py: no section has {', '.join(orphans)}")
        with (self.out / "index.md").open("a", encoding="utf-8") as index:
            index.write("\n" + toctree(places, "hidden:"))


def relative(page: str, target: str) -> str:
    return PurePosixPath(os.path.relpath(target, PurePosixPath(page).parent)).as_posix()


def entry(page: str) -> str:
    """A line of a table of contents. The README has the title of the landing page."""
    return "README </readme>" if page == "readme" else f"/{page}"


def toctree(entries: list[str], option: str) -> str:
    return f"```{{toctree}}\n:{option}\n\n" + "".join(entry + "\n" for entry in entries) + "```\n"
