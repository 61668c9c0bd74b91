#!/usr/bin/env python3
"""Sizes, stack and instructions on the page on microcontrollers are those of today, and what is measured agrees with the library.

  tests/micro/table_test.py COMMAND             compares
  tests/micro/table_test.py COMMAND --write     puts what is found today into the page

With another compiler than the page names, numbers are taken and held to their bounds, but not to the page.
"""

from __future__ import annotations

import functools
import json
import re
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

from firmware import (BOARD, CORES, ROOT, TOOLS, Core, code_sizes, compiler_version, generate, measure, require, run,
                      stack_bounds, unresolved)

require("gcc", *TOOLS)
COMMAND = Path(sys.argv[1]).absolute()
PAGE = ROOT / "docs/microcontroller.md"
ROBOTS = {"Go2, 12 rows": "go2-standing", "G1, 24 rows": "g1-standing"}
LABELS = {"first_damp": "the first `damp` after `update`"}


def report_of(folder: Path) -> dict[str, Any]:
    return json.loads((folder / "robot.json").read_text(encoding="utf-8"))


def stacks_of_report(folder: Path) -> dict[str, int]:
    """Of the functions that others may call."""
    return {name: of["stack_bytes"] for name, of in report_of(folder)["functions"].items() if name != "prepare"}


class Found:
    """What a robot's code is on a core."""

    def __init__(self, scene: str, core: Core) -> None:
        with tempfile.TemporaryDirectory() as folder:
            generate(COMMAND, scene, Path(folder))
            self.functions, self.factor_bytes = measure(core, Path(folder))
            self.from_libraries = unresolved(Path(folder) / "robot.o")
            self.stack_of_report = stacks_of_report(Path(folder))
            self.factor_of_report = report_of(Path(folder))["sizes"]["factor_bytes"]
            self.code = sum(code_sizes(Path(folder) / "robot.o").values())


@functools.cache
def found(scene: str, core: Core) -> Found:
    return Found(scene, core)


def number(n: int) -> str:
    return f"{n:,}".replace(",", " ")


def table(scene: str) -> list[str]:
    """A row for each function, and for each core its code, its stack and its instructions."""
    sides = [found(scene, core) for core in CORES]
    head = "| | " + " | ".join(f"{core.name}: code | stack | instructions" for core in CORES) + " |"
    rows = [head, "|---" * (1 + 3 * len(CORES)) + "|"]
    for name in sides[0].functions:
        cells = [LABELS.get(name, f"`{name}`")]
        for side in sides:
            at = side.functions[name]
            cells += ["", ""] if name in LABELS else [number(at.code), number(at.bound)]
            cells.append(number(at.instructions))
        rows.append("| " + " | ".join(cells) + " |")
    whole = [f"all of it; a factor has {number(sides[0].factor_bytes)} bytes"] + [cell for side in sides for cell in (number(side.code), "", "")]
    return [*rows, "| " + " | ".join(whole) + " |"]


def lines_after(lines: list[str], title: str) -> range:
    """Where the table is."""
    first = lines.index(title + ":") + 2  # an empty line
    last = first
    while last < len(lines) and lines[last].startswith("|"):
        last += 1
    return range(first, last)


def version_of_page() -> str:
    match = re.search(r"arm-none-eabi-gcc (\d+\.\d+\.\d+)", PAGE.read_text(encoding="utf-8"))
    assert match is not None, f"{PAGE.name} names no compiler"
    return match[1]


class Table(unittest.TestCase):
    def test_calls_stay_within_their_bounds(self) -> None:
        for scene in ROBOTS.values():
            for core in CORES:
                of = found(scene, core)
                with self.subTest(scene=scene, core=core.name):
                    self.assertEqual(len(of.functions), 8)
                    self.assertEqual(of.factor_bytes, of.factor_of_report)
                    # Single precision alone: of a M4F, anything in double would be a function of the compiler's library.
                    self.assertLessEqual(of.from_libraries, {"sinf", "cosf", "memcpy", "memset"})
                    for name, at in of.functions.items():
                        self.assertGreater(at.instructions, 0, name)
                        self.assertGreater(at.stack, 0, name)
                        self.assertLessEqual(at.stack, at.bound, name)
                        self.assertLessEqual(at.bound, of.stack_of_report[name.removeprefix("first_")], name)

    def test_reports_bound_the_stack_whatever_compiles(self) -> None:
        """Without optimisation each number has a place of its own; with much of it, functions become part of others."""
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            for scene, levels in {"swimmer:1": ("-O0", "-O1", "-O2", "-Os", "-O3"), "go2-standing": ("-O0",)}.items():
                for scalar in ("float", "double"):
                    generate(COMMAND, scene, folder, ("--scalar", scalar, "--damping", "blocks"))
                    report = stacks_of_report(folder)
                    for level in levels:
                        for compiler in (["gcc"], ["arm-none-eabi-gcc", f"@{BOARD / CORES[0].flags}"]):
                            run(*compiler, "-std=c99", level, "-fcallgraph-info=su", "-c", folder / "robot.c", "-o", folder / "robot.o")
                            bounds = stack_bounds(folder / "robot.ci")
                            beyond = {f: bounds[f"robot_{f}"] for f in report if bounds[f"robot_{f}"] > report[f]}
                            self.assertEqual(beyond, {}, f"{scene} {scalar} {compiler[0]} {level}: {report}")
                        if scene == "go2-standing":  # and not by much more than this compiler takes
                            self.assertLess(report["update"], 1.5 * bounds["robot_update"])

    def test_tables_are_those_of_today(self) -> None:
        if (today := compiler_version()) != version_of_page():
            self.skipTest(f"the page has numbers of another compiler than {today}")
        lines = PAGE.read_text(encoding="utf-8").splitlines()
        for title, scene in ROBOTS.items():
            at = lines_after(lines, title)
            with self.subTest(title):
                self.assertEqual([lines[k] for k in at], table(scene))


def write() -> None:
    text = PAGE.read_text(encoding="utf-8").replace(f"arm-none-eabi-gcc {version_of_page()}", f"arm-none-eabi-gcc {compiler_version()}")
    lines = text.splitlines()
    for title, scene in ROBOTS.items():
        at = lines_after(lines, title)
        lines[at.start : at.stop] = table(scene)
    PAGE.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write() if sys.argv[2:] == ["--write"] else unittest.main(argv=sys.argv[:1])
