#!/usr/bin/env python3
"""Sizes, stack and instructions on the page on microcontrollers are those of today, and what is measured agrees with the library.

  tests/micro/table_test.py COMMAND             compares, for Go2 on the first core
  tests/micro/table_test.py COMMAND --robots    for all robots and cores of the page
  tests/micro/table_test.py COMMAND --write     puts what is found today into the page

With another compiler than the page names, numbers are taken and held to their bounds, but not to the page.
"""

from __future__ import annotations

import functools
import itertools
import json
import re
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

from firmware import (BOARD, CORES, IN_FLOAT, OPERATOR_ALONE, ROOT, TOOLS, Core, code_sizes, compiler_version, generate, measure,
                      require, run, stack_bounds, unresolved)

require("gcc", *TOOLS)
COMMAND = Path(sys.argv[1]).absolute()
PAGE = ROOT / "docs/microcontroller.md"
ROBOTS = {"Go2, 12 rows": "go2-standing", "G1, 24 rows": "g1-standing"}
if not sys.argv[2:]:
    del ROBOTS["G1, 24 rows"]
    CORES = CORES[:1]
# What is generated, which functions of it are measured, and how many they are.
KINDS = {"all": (IN_FLOAT, "ALL", 13), "alone": ((*IN_FLOAT, *OPERATOR_ALONE), "OPERATOR", 5),
         "limbs": ((*IN_FLOAT, *OPERATOR_ALONE, "--form", "limbs"), "OPERATOR", 5), "contacts": (("--scalar", "float", "--damping", "rows"), "CONTACT_FORCES", 1)}


def report_of(folder: Path) -> dict[str, Any]:
    return json.loads((folder / "robot.json").read_text(encoding="utf-8"))


def stacks_of_report(folder: Path) -> dict[str, int]:
    """Of the functions that others may call."""
    return {name: of["stack_bytes"] for name, of in report_of(folder)["functions"].items() if not name.startswith("prepare")}


class Found:
    """What a robot's code is on a core."""

    def __init__(self, scene: str, core: Core, kind: str) -> None:
        options, measured, _ = KINDS[kind]
        with tempfile.TemporaryDirectory() as folder:
            generate(COMMAND, scene, Path(folder), options)
            self.functions, self.factor_bytes = measure(core, Path(folder), measured)
            self.from_libraries = unresolved(Path(folder) / "robot.o")
            self.stack_of_report = stacks_of_report(Path(folder))
            self.factor_of_report = report_of(Path(folder))["sizes"]["factor_bytes"]
            self.code = sum(code_sizes(Path(folder) / "robot.o").values())


@functools.cache
def found(scene: str, core: Core, kind: str) -> Found:
    return Found(scene, core, kind)


def number(n: int) -> str:
    return f"{n:,}".replace(",", " ")


def table(scene: str) -> list[str]:
    """A row for each function, and for each core its code, its stack and its instructions; then those of the operator alone, and its limbs."""
    parts, alone, limbs, contacts = ([found(scene, core, kind) for core in CORES] for kind in KINDS)
    of_contacts = contacts[0].functions["contact_forces"]
    solves = f"contact_forces, {of_contacts.solves} solves; a solver has {number(of_contacts.solver_bytes)} bytes"
    head = "| | " + " | ".join(f"{core.name}: code | stack | instructions" for core in CORES) + " |"
    rows = [head, "|---" * (1 + 3 * len(CORES)) + "|"]
    rows += [row(name, name, parts) for name in parts[0].functions] + [row(solves, "contact_forces", contacts)]
    rows += [whole("all of it but `contact_forces`", parts), whole("all of it, a damping per row", contacts)]
    for title, sides in {"alone": alone, "alone, limbs": limbs}.items():
        rows += [row(f"{name}, {title}", name, sides) for name in sides[0].functions] + [whole(f"the operator {title}", sides)]
    return rows


def row(title: str, name: str, sides: list[Found]) -> str:
    words = re.sub(r"^(\w+)", r"`\1`", title) if name != "first_damp" else title.replace(name, "the first `damp` after `update`")
    cells = [words]
    for at in (side.functions[name] for side in sides):
        cells += ["", ""] if name == "first_damp" else [number(at.code), number(at.bound)]
        cells.append(number(at.instructions))
    return "| " + " | ".join(cells) + " |"


def whole(title: str, sides: list[Found]) -> str:
    cells = [f"{title}; a factor has {number(sides[0].factor_bytes)} bytes"]
    return "| " + " | ".join(cells + [cell for side in sides for cell in (number(side.code), "", "")]) + " |"


def lines_after(lines: list[str], title: str) -> range:
    """Where the table is."""
    first = lines.index(title + ":") + 2  # an empty line
    last = first
    while last < len(lines) and lines[last].startswith("|"):
        last += 1
    return range(first, last)


def of_cores(line: str) -> list[str]:
    """The cells of a row up to those of the last core that is measured."""
    return line.split("|")[: 2 + 3 * len(CORES)]


def version_of_page() -> str:
    match = re.search(r"arm-none-eabi-gcc (\d+\.\d+\.\d+)", PAGE.read_text(encoding="utf-8"))
    assert match is not None, f"{PAGE.name} names no compiler"
    return match[1]


class Table(unittest.TestCase):
    def test_calls_stay_within_their_bounds(self) -> None:
        for scene, core, kind in itertools.product(ROBOTS.values(), CORES, KINDS):
            of = found(scene, core, kind)
            with self.subTest(scene=scene, core=core.name, kind=kind):
                self.assertEqual(len(of.functions), KINDS[kind][2])
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
            for scene, robot, levels in (("swimmer:1", False, ("-O0", "-O1", "-O2", "-Os", "-O3")), ("go2-standing", True, ("-O0",))):
                for scalar in ("float", "double"):
                    generate(COMMAND, scene, folder, ("--scalar", scalar, "--damping", "blocks", "--form", "limbs" if robot else "parts"))
                    report = stacks_of_report(folder)
                    for level in levels:
                        for compiler in (["gcc"], ["arm-none-eabi-gcc", f"@{BOARD / CORES[0].flags}"]):
                            run(*compiler, "-std=c99", level, "-fcallgraph-info=su", "-c", folder / "robot.c", "-o", folder / "robot.o")
                            bounds = stack_bounds(folder / "robot.ci")
                            beyond = {f: bounds[f"robot_{f}"] for f in report if bounds[f"robot_{f}"] > report[f]}
                            self.assertEqual(beyond, {}, f"{scene} {scalar} {compiler[0]} {level}: {report}")
                        if robot and scalar == "double":  # and not by much more than this compiler takes, where numbers are nearly all of it
                            self.assertLess(report["update"], 1.4 * bounds["robot_update"])

    def test_tables_are_those_of_today(self) -> None:
        if (today := compiler_version()) != version_of_page():
            self.skipTest(f"the page has numbers of another compiler than {today}")
        lines = PAGE.read_text(encoding="utf-8").splitlines()
        for title, scene in ROBOTS.items():
            at = lines_after(lines, title)
            with self.subTest(title):
                self.assertEqual([of_cores(lines[k]) for k in at], [of_cores(line) for line in table(scene)])


def write() -> None:
    text = PAGE.read_text(encoding="utf-8").replace(f"arm-none-eabi-gcc {version_of_page()}", f"arm-none-eabi-gcc {compiler_version()}")
    lines = text.splitlines()
    for title, scene in ROBOTS.items():
        at = lines_after(lines, title)
        lines[at.start : at.stop] = table(scene)
    PAGE.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write() if sys.argv[2:] == ["--write"] else unittest.main(argv=sys.argv[:1])
