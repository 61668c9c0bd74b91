"""Comments and docstrings as reStructuredText, for the generated pages."""

from __future__ import annotations

import re
from typing import Callable

# From a word of a comment to where it leads, or nothing.
Finder = Callable[[str], "str | None"]

WORD = re.compile(r"(?:[\w-]+/)*[\w-]+\.(?:md|hpp|h)\b|[A-Za-z_]\w*(?:::~?\w+)*(?:\(\))?")


def heading(title: str, line: str) -> str:
    return f"{title}\n{line * max(4, len(title))}\n\n"


def escape(text: str) -> str:
    return re.sub(r"([\\*`_|<>])", r"\\\1", text)


def indent(text: str, by: str = "   ") -> str:
    return "".join(by + line if line.strip() else line for line in text.splitlines(keepends=True))


def raw_html(html: str) -> str:
    return ".. raw:: html\n\n" + indent(html.rstrip("\n") + "\n") + "\n"


def inline(text: str, find: Finder) -> str:
    """A paragraph: code in backticks stays code, words that `find` knows become links."""
    out: list[str] = []
    for k, part in enumerate(re.split(r"`([^`]+)`", text)):
        if k % 2:
            target = find(part)
            out.append(f"`{escape(part)} <{target}>`__" if target else f"``{part}``")
            continue
        at = 0
        for match in WORD.finditer(part):
            if target := find(match[0]):
                # An empty comment of reStructuredText keeps a link apart from letters that touch it.
                out += [escape(part[at : match.start()]), "\\ " if match.start() else "",
                        f"`{escape(match[0])} <{target}>`__", "\\ "]
                at = match.end()
        out.append(escape(part[at:]))
    return "".join(out)


def prose(lines: list[str], find: Finder) -> str:
    """Paragraphs; lines that are indented further stay as they are."""
    out: list[str] = []
    kind = ""
    for line in [*lines, ""]:
        now = "" if not line.strip() else "literal" if line.startswith("  ") else "text"
        if kind == "text" and now != "text":
            out[-1] = inline(out[-1], find) + "\n\n"
        if kind == "literal" and now == "text":
            out.append("\n")
        if now == "text" and kind == "text":
            out[-1] += " " + line.strip()
        elif now == "text":
            out.append(re.sub(r"^([-+#]|\d+\.)(?=\s)", r"\\\1", line.strip()))
        elif now == "literal":
            out += ["::\n\n"] if kind != "literal" else []
            out.append("   " + line + "\n")
        elif kind == "literal":
            out.append("\n")
        kind = now
    return "".join(out)
