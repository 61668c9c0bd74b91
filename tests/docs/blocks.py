"""Fenced blocks of the pages, and how what runs is held to what a page shows.

A marker is a comment on the line before a block:

  <!-- example: FILE -->          the block is the text of examples/FILE, with FILE#NAME a part of it; tests/meta compares them
  <!-- output -->                 what the block before it prints
  <!-- output of: COMMAND -->     what that command prints
  <!-- numbers vary -->           only words are compared; `numbers vary: step, real time`: on lines that contain one of these
  <!-- needs: WORD -->            run where `delassus --version` has that word
  <!-- needs program: A, B -->    run where these programs are installed
  <!-- tested by: FILE -->        a test that reads this page
  <!-- words -->                  no code: a formula, a tree
  <!-- not run: WHY -->           shown, but neither run nor compiled here

In output, a line that begins with `[...` stands for any number of lines, and `[...]` within a line for any text.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "docs/site"))
from pages import ROOT, Block, Page, documents  # noqa: E402

NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?\*?|\bnan\b")
# What is said only if a number is not zero.
REMARK = re.compile(r"; \d+ steps? inexact")


def pages() -> list[Page]:
    """The pages whose blocks are tested: all but the one that tells what was."""
    return [Page(path) for path in documents() if path.name != "CHANGELOG.md"]


def where(page: Page, block: Block) -> str:
    return f"{page.name}:{block.line}"


def is_run(block: Block) -> bool:
    return all(block.marker(word) is None for word in ("not run", "example", "tested by"))


def comparable(line: str, vary: str | None) -> str:
    """A line without what need not agree: space at its end, and numbers that vary with the space before them."""
    words = [word.strip() for word in (vary or "").split(",") if word.strip()]
    if vary is not None and (not words or any(word in line for word in words)):
        line = re.sub(r"\s+", " ", NUMBER.sub("0", REMARK.sub("", line))).strip()
    return line.rstrip()


def agree(shown: list[str], printed: list[str], vary: str | None) -> bool:
    """Whether a page shows what was printed."""
    if not shown:
        return not printed
    if shown[0].lstrip().startswith("[...") and "]" in shown[0]:
        return any(agree(shown[1:], printed[k:], vary) for k in range(len(printed) + 1))
    if not printed:
        return False
    pattern = ".*".join(re.escape(part) for part in comparable(shown[0], vary).split("[...]"))
    return bool(re.fullmatch(pattern, comparable(printed[0], vary))) and agree(shown[1:], printed[1:], vary)


def trimmed(text: str) -> list[str]:
    return text.strip("\n").splitlines()
