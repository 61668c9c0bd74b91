#!/usr/bin/env python3
"""A compiler that was told of an older standard says one thing about our headers: which one they need.

  tests/contract/older_standard_test.py INCLUDE_FOLDER...
"""
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

FOLDERS = []
# One that includes all, and one of each kind of way to the header that looks at the standard.
HEADERS = ("delassus/delassus.hpp", "delassus/io/load.hpp", "delassus/math/error.hpp", "delassus/model/builder.hpp")


class OlderStandard(unittest.TestCase):
    def test_one_error_that_says_what_to_do(self):
        compilers = [c for c in ("g++", "clang++") if shutil.which(c)]
        self.assertTrue(compilers)
        for compiler in compilers:
            for header in HEADERS:
                with self.subTest(compiler=compiler, header=header):
                    run = subprocess.run(
                        [compiler, "-std=c++17", "-fsyntax-only", *(f"-I{folder}" for folder in FOLDERS), "-x", "c++", "-"],
                        input=f"#include <{header}>\n", capture_output=True, text=True)
                    self.assertNotEqual(run.returncode, 0)
                    errors = [line for line in run.stderr.splitlines() if re.search(r":\d+: (fatal )?error: ", line)]
                    self.assertEqual(len(errors), 1, run.stderr)
                    self.assertIn("delassus needs C++20: compile with -std=c++20", errors[0])

    def test_every_header_comes_to_it_before_anything_else(self):
        """Directly, or by a header of ours; those of the standard library take any standard."""
        for path in sorted(pathlib.Path(FOLDERS[0]).rglob("*.hpp")):
            if path.name != "scalar.hpp":
                self.assertRegex(path.read_text(encoding="utf-8"), r'(?m)^#include "delassus/', f"{path}: include delassus/math/scalar.hpp")


if __name__ == "__main__":
    FOLDERS = sys.argv[1:]
    del sys.argv[1:]
    unittest.main()
