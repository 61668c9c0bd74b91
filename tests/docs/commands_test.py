#!/usr/bin/env python3
"""Commands of the pages: what they print is what the page shows, and the options that they name are there.

  tests/docs/commands_test.py COMMAND PYTHON EXAMPLES    the command, a Python with the package, the folder of compiled examples
"""

from __future__ import annotations

import functools
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from blocks import ROOT, Block, Page, agree, is_run, pages, trimmed, where

COMMAND, PYTHON, EXAMPLES = (Path(argument).absolute() for argument in sys.argv[1:4])
LIMIT = 120  # seconds; each takes a few, more where many run at once


class Shell:
    """An empty folder in which the commands of a page run one after the other, with `delassus` and `python3` on the path."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "here"
        self.folder.mkdir()
        (folder / "bin").mkdir()
        (folder / "bin/delassus").symlink_to(COMMAND)
        # By a script: a link would lose the environment that the Python belongs to.
        python = folder / "bin/python3"
        python.write_text(f'#!/bin/sh\nexec "{PYTHON}" "$@"\n', encoding="utf-8")
        python.chmod(0o755)
        for name in ("robots", "scenes", "examples"):
            (self.folder / name).symlink_to(ROOT / name)
        self.environment = {**os.environ, "PATH": f"{folder / 'bin'}:{EXAMPLES}:{os.environ['PATH']}", "MPLBACKEND": "Agg",
                            "PYTHONDONTWRITEBYTECODE": "1", "LC_ALL": "C.UTF-8", "COLUMNS": "120"}
        self.environment.pop("DELASSUS_ISA", None)

    def run(self, script: str) -> tuple[int, str]:
        """The exit code and what was printed: also errors where it failed, but no progress."""
        done = subprocess.run(["bash", "-e", "-o", "pipefail", "-c", script], cwd=self.folder, env=self.environment, text=True,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT, check=False)
        return done.returncode, done.stdout + (done.stderr if done.returncode else "")


def sessions(block: Block) -> list[tuple[str, list[str]]]:
    """The commands of a console block, each with the output below it."""
    found: list[tuple[str, list[str]]] = []
    for line in block.lines:
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif found and found[-1][0].endswith("\\") and not found[-1][1]:
            found[-1] = (found[-1][0] + "\n" + line, [])
        else:
            found[-1][1].append(line)
    return [(command, trimmed("\n".join(output))) for command, output in found]


def lines_of(block: Block) -> list[str]:
    """Commands of a block: those behind `$ ` in a console, all in a script."""
    if block.language == "console":
        return [command for command, _ in sessions(block)]
    return [line for line in block.code.replace("\\\n", " ").splitlines() if line.strip() and not line.startswith("#")]


@functools.cache
def help_of(*names: str) -> str:
    return subprocess.run([COMMAND, *names, "--help"], capture_output=True, text=True, check=False).stdout


def unknown_options(line: str) -> list[str]:
    """Options of a `delassus` line that its help does not have."""
    words = shlex.split(line, comments=True)
    while words and re.match(r"\w+=", words[0]):
        words.pop(0)
    if not words or Path(words[0]).name != "delassus" or any(mark in line for mark in "|<>$("):
        return []
    names: list[str] = []
    for word in words[1:]:
        if word.startswith("-") or not re.search(rf"^ +{re.escape(word)}\b", help_of(*names), re.M):
            break
        names.append(word)
    known = help_of(*names) + help_of()
    options = [word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)]
    return [option for option in options if not re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])", known)]


class Commands(unittest.TestCase):
    maxDiff = None

    def setUp(self) -> None:
        self.pages = [(page, [b for b in page.blocks if b.language in ("console", "sh", "text")]) for page in pages()]

    def test_they_print_what_the_page_shows(self) -> None:
        for page, blocks in self.pages:
            with tempfile.TemporaryDirectory() as folder:
                shell = Shell(Path(folder))
                for block in filter(is_run, blocks):
                    with self.subTest(where(page, block)):
                        self.check(shell, page, block)

    def check(self, shell: Shell, page: Page, block: Block) -> None:
        if (needed := block.marker("needs")) and needed not in shell.run("delassus --version")[1]:
            return
        programs = [name.strip() for name in (block.marker("needs program") or "").split(",") if name.strip()]
        if missing := [name for name in programs if shutil.which(name) is None]:
            self.skipTest(f"there is no {', '.join(missing)}")
        vary = block.marker("numbers vary")
        if block.language == "console":
            for command, shown in sessions(block):
                self.expect(shown, shell.run(command)[1], vary, command)
        elif block.language == "sh":
            code, printed = shell.run(block.code)
            self.assertEqual(code, 0, printed)
        elif command := self.source_of(page, block):
            self.expect(block.lines, shell.run(command)[1], vary, command)

    def source_of(self, page: Page, block: Block) -> str | None:
        """The command whose output a text block is, if it is one."""
        if command := block.marker("output of"):
            return command
        if block.marker("output") is None:
            return None
        marker = page.blocks[page.blocks.index(block) - 1].marker("example")
        if marker is None:  # of Python on the page: python_test.py
            return None
        program = Path(marker.partition("#")[0])
        return f"python3 examples/{program}" if program.suffix == ".py" else program.stem

    def expect(self, shown: list[str], printed: str, vary: str | None, command: str) -> None:
        if not agree(trimmed("\n".join(shown)), trimmed(printed), vary):
            self.assertEqual("\n".join(shown), printed, f"what `{command}` prints")

    def test_options_are_in_the_help(self) -> None:
        wrong = [f"{where(page, block)}: {line}: {options}" for page, blocks in self.pages for block in blocks
                 if block.language != "text" for line in lines_of(block) if (options := unknown_options(line))]
        self.assertEqual(wrong, [])

    def test_targets_of_make_are_there(self) -> None:
        makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
        for page, blocks in self.pages:
            for block in blocks:
                for line in lines_of(block) if block.language != "text" else []:
                    words = shlex.split(line, comments=True)
                    if words[:1] == ["make"]:
                        with self.subTest(where(page, block)):
                            self.assertRegex(makefile, rf"(?m)^{re.escape(words[1])}:")

    def test_wrong_options_are_found(self) -> None:
        self.assertEqual(unknown_options("delassus compute go2 --explain --explane # --why"), ["--explane"])
        self.assertEqual(unknown_options("delassus bench table1 --quick -o x.json"), [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
