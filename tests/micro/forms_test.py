#!/usr/bin/env python3
"""Generated code in all its forms: without a warning of three compilers, and on a microcontroller with the results of the library.

  tests/micro/forms_test.py COMMAND
"""

from __future__ import annotations

import itertools
import re
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

from firmware import BOARD, CORES, IN_FLOAT, ON_ITS_LEGS, TOOLS, WARNINGS, emulation, generate, link, require, run, write_table

require("gcc", *TOOLS)
COMMAND = Path(sys.argv[1]).absolute()
# Of one GCC some warnings come from its optimisation; the others look at the text alone.
COMPILERS = [["gcc", "-O1", "-S", "-o", "/dev/null"], ["arm-none-eabi-gcc", f"@{BOARD / CORES[0].flags}", "-fsyntax-only"]]
if shutil.which("clang"):
    COMPILERS.append(["clang", "-fsyntax-only"])
# Each scalar, with each form of what else may be chosen.
FORMS = [("--scalar", scalar, "--contacts", contacts, "--damping", damping, "--form", form) for scalar, (contacts, damping, form) in
         itertools.product(("float", "double"), (("fixed", "rows", "parts"), ("inputs", "blocks", "limbs"), ("inputs", "number", "parts")))]


class Forms(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_no_compiler_warns(self) -> None:
        loop = [("four_bar", (), ("--damping", "blocks")), ("four_bar", (), IN_FLOAT)]
        for model, options, form in [*((write_table(self.folder), ON_ITS_LEGS, form) for form in FORMS), *loop]:
            with self.subTest(model=model, form=form):
                generate(COMMAND, model, self.folder, (*options, *form))
                for compiler in COMPILERS:
                    for source in ("robot.c", "robot_test.c"):
                        run(*compiler, "-std=c99", *WARNINGS, self.folder / source)

    def test_results_are_the_librarys(self) -> None:
        """In float some hundred roundings of 6e-8, and in double of 1e-16, in numbers that do not cancel; inverses lose a digit more.

        Of contact forces the program itself judges the residual: it ends with 1 where they are not found.
        """
        for form in FORMS[1:4]:
            with self.subTest(form=form):
                generate(COMMAND, "go2-standing", self.folder, form)
                printed = run(*emulation(CORES[1], link(CORES[1], self.folder, self.folder / "robot_test.c", self.folder / "robot.c")))
                differences = [float(number) for number in re.findall(r"^\w+ +relative difference (\S+)$", printed, re.M)]
                # tau, a, y, z, moved; in double forces as well; where rows have dampings of their own, there are contact forces
                self.assertEqual(len(differences), 5 if "float" in form else 6, printed)
                self.assertEqual("contact forces: " in printed, "number" not in form, printed)
                self.assertLess(max(differences), 1e-5 if "float" in form else 1e-13)

    def test_what_is_wrong_ends_the_emulator(self) -> None:
        """A result that is off is seen: through main's value, by this process."""
        generate(COMMAND, "four_bar", self.folder)
        source = self.folder / "robot.c"
        text = source.read_text(encoding="utf-8")
        changed = re.sub(r"(tau\[1\] = \w+)", r"\1 * 1.01F", text)
        self.assertNotEqual(changed, text)
        source.write_text(changed, encoding="utf-8")
        for core in CORES:
            program = link(core, self.folder, self.folder / "robot_test.c", source)
            self.assertRaisesRegex(AssertionError, r"tau +relative difference [\d.]+e-0[234]", run, *emulation(core, program))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
