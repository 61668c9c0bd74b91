"""The Markdown pages of the project, as far as the site and its tests have to know them: headings, links, fenced blocks."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "docs/site"

FENCE = re.compile(r"^(\s*)(`{3,}|~{3,})\s*(\S*)")
MARKER = re.compile(r"^\s*<!--\s*(.*?)\s*-->\s*$")
HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*#*\s*$")
CODE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)", re.S)
# [text](target "title"), where the text may hold an image.
LINK = re.compile(r"(!?)\[((?:[^\[\]]|!?\[[^\[\]]*\]\([^()]*\))*)\]"
                  r"\(\s*<?([^()\s>]*(?:\([^()]*\))?[^()\s>]*)>?(?:\s+\"[^\"]*\")?\s*\)")


@dataclass(frozen=True)
class Heading:
    level: int
    title: str
    anchor: str
    line: int


@dataclass(frozen=True)
class Link:
    target: str
    text: str
    image: bool
    line: int
    start: int  # of the target, in the text of the page


@dataclass
class Block:
    """A fenced block, with the marker comments directly before it."""

    language: str
    line: int  # of the opening fence, counted from 1
    markers: list[str]
    lines: list[str] = field(default_factory=list)
    closed: bool = False

    @property
    def code(self) -> str:
        return "".join(line + "\n" for line in self.lines)

    def marker(self, word: str) -> str | None:
        """What follows the word in a marker `word: ...`; empty for a marker that is the word alone."""
        for marker in self.markers:
            if marker == word:
                return ""
            if marker.startswith(word + ":"):
                return marker[len(word) + 1 :].strip()
        return None


def plain(title: str) -> str:
    """A heading without its markup, as it is read."""
    title = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", title)
    return re.sub(r"[`*]", "", title)


def slug(title: str) -> str:
    """The anchor that GitHub gives to a heading."""
    return re.sub(r"[^\w\- ]", "", plain(title).strip().lower()).replace(" ", "-")


def blank(text: str) -> str:
    """As many characters that are no markup."""
    return re.sub(r"[^\n]", " ", text)


class Page:
    """One Markdown file."""

    def __init__(self, path: Path, text: str | None = None) -> None:
        self.path = path
        self.text = path.read_text(encoding="utf-8") if text is None else text

    @property
    def name(self) -> str:
        return self.path.relative_to(ROOT).as_posix()

    @cached_property
    def _parts(self) -> tuple[list[tuple[int, str]], list[Block]]:
        """Lines outside of fenced blocks, with their numbers, and the blocks."""
        prose: list[tuple[int, str]] = []
        blocks: list[Block] = []
        markers: list[str] = []
        closing: re.Pattern[str] | None = None
        indent = 0
        for number, line in enumerate(self.text.splitlines(), 1):
            if closing:
                if closing.match(line):
                    blocks[-1].closed, closing = True, None
                else:
                    blocks[-1].lines.append(line[indent:] if not line[:indent].strip() else line)
            elif fence := FENCE.match(line):
                blocks.append(Block(fence[3], number, markers))
                indent, markers = len(fence[1]), []
                closing = re.compile(rf"^\s*{re.escape(fence[2][0])}{{{len(fence[2])},}}\s*$")
            else:
                if marker := MARKER.match(line):
                    markers.append(marker[1])
                elif line.strip():
                    markers = []
                prose.append((number, line))
        return prose, blocks

    @property
    def prose(self) -> list[tuple[int, str]]:
        return self._parts[0]

    @property
    def blocks(self) -> list[Block]:
        return self._parts[1]

    @cached_property
    def headings(self) -> list[Heading]:
        found: list[Heading] = []
        times: dict[str, int] = {}
        for number, line in self.prose:
            if match := HEADING.match(line):
                anchor = slug(match[2])
                count = times.get(anchor, 0)
                times[anchor] = count + 1
                found.append(Heading(len(match[1]), plain(match[2]), f"{anchor}-{count}" if count else anchor, number))
        return found

    @cached_property
    def anchors(self) -> set[str]:
        named = re.findall(r"<a\s+(?:id|name)=\"([^\"]+)\"", "\n".join(line for _, line in self.prose))
        return {heading.anchor for heading in self.headings} | set(named)

    @cached_property
    def links(self) -> list[Link]:
        prose = {number for number, _ in self.prose}
        lines = self.text.split("\n")
        text = "\n".join(line if number in prose else blank(line) for number, line in enumerate(lines, 1))
        text = CODE.sub(lambda code: blank(code[0]), text)
        found: list[Link] = []

        def add(match: re.Match[str], offset: int) -> None:
            start = offset + match.start(3)
            label = self.text[offset + match.start(2) : offset + match.end(2)]
            found.append(Link(match[3], label, match[1] == "!", text.count("\n", 0, start) + 1, start))

        for match in LINK.finditer(text):
            for inner in LINK.finditer(match[2]):
                add(inner, match.start(2))
            add(match, 0)
        return found

    @property
    def title(self) -> str:
        return self.headings[0].title if self.headings else self.path.stem


def documents() -> list[Path]:
    """Every Markdown file that the site shows or the repository greets with."""
    found = list((ROOT / "docs").rglob("*.md"))
    found += [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")]
    found += [path for folder in ("examples", "scenes") for path in (ROOT / folder).rglob("*.md")]
    return sorted(found)
