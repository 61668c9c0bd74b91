#!/usr/bin/env python3
"""What cppcheck finds in generated code by the rules of MISRA C:2012 is what docs/microcontroller.md gives reasons for.

  tests/micro/misra_test.py COMMAND [--robots]     small mechanisms, or Go2 and G1, which take some minutes
"""

from __future__ import annotations

import re
import sys
import tempfile
import unittest
from collections import Counter
from pathlib import Path

from firmware import IN_FLOAT, ON_ITS_LEGS, OPERATOR_ALONE, ROOT, generate, require, run, write_table

require("cppcheck")
COMMAND = Path(sys.argv[1]).absolute()
PAGE = ROOT / "docs/microcontroller.md"
# Together: bases that are fixed and one that floats, sine and cosine, contacts, a loop, each form of damping, checks that are explained, contact forces.
SMALL = {"swimmer:1": ("--scalar", "float", "--contacts", "inputs", "--damping", "rows"), "four_bar": ("--damping", "blocks"), "table": (*ON_ITS_LEGS, *IN_FLOAT, *OPERATOR_ALONE, "--form", "limbs")}
ROBOTS = {"go2-standing": (*IN_FLOAT, "--form", "limbs"), "g1-standing": IN_FLOAT}


def reasons() -> dict[str, str]:
    """Rules that the page lists, each with the file that it is about."""
    return dict(re.findall(r"^\| (\d+\.\d+), \w+ \| `(\S+)` \|", PAGE.read_text(encoding="utf-8"), re.M))


def findings(folder: Path) -> Counter[tuple[str, str]]:
    """Rules, or other words of cppcheck, by file."""
    printed = run("cppcheck", "-q", "--std=c99", "--addon=misra", "--enable=warning,performance,portability",
                  folder / "robot.c", folder / "robot_test.c", timeout=1800)
    found = re.findall(r"(robot\S*?\.[ch]):\d+:\d+: \w+: .*\[(?:misra-c2012-)?(\S+)\]$", printed, re.M)
    return Counter((rule, name) for name, rule in found)


class Misra(unittest.TestCase):
    def test_every_finding_has_a_reason(self) -> None:
        listed, seen = reasons(), set()
        for scene, options in (ROBOTS if "--robots" in sys.argv else SMALL).items():
            with tempfile.TemporaryDirectory() as folder, self.subTest(scene):
                generate(COMMAND, write_table(Path(folder)) if scene == "table" else scene, Path(folder), options)
                found = findings(Path(folder))
                seen |= {rule for rule, _ in found}
                self.assertGreater(found["15.5", "robot.c"], 0, "cppcheck has not looked")
                self.assertEqual([at for at in found if listed.get(at[0]) not in (at[1], "*.h")], [])
        self.assertEqual(set(listed) - seen, set(), "reasons for what is not found")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
