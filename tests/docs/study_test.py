#!/usr/bin/env python3
"""The study of docs/study-go2-pushes.md: its specification runs, its program draws, and its numbers are those of the page.

  tests/docs/study_test.py COMMAND [--whole]     every ninth friction and push, or all 10 000 cases
"""

from __future__ import annotations

import contextlib
import io
import json
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from blocks import ROOT

sys.path.insert(0, str(ROOT / "examples/sweeps"))
try:
    import draw_study
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

COMMAND, WHOLE = Path(sys.argv[1]).absolute(), "--whole" in sys.argv
PAGE = (ROOT / "docs/study-go2-pushes.md").read_text(encoding="utf-8")
COUNT = 100 if WHOLE else 12


class Study(unittest.TestCase):
    folder: Path

    @classmethod
    def setUpClass(cls) -> None:
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        spec = json.loads((ROOT / "examples/sweeps/go2-pushes.json").read_text(encoding="utf-8"))
        for law in spec["parameters"].values():
            law["grid"]["count"] = COUNT
        (cls.folder / "study.json").write_text(json.dumps(spec))
        subprocess.run([COMMAND, "sweep", "study.json", "-o", "study.npz", "--quiet"], cwd=cls.folder, check=True, capture_output=True)

    def grid(self) -> dict:
        return draw_study.on_grid(draw_study.read(str(self.folder / "study.npz")))

    def test_outcomes(self) -> None:
        """What the page says of any part of the grid; all of it lies far from the borders."""
        grid = self.grid()
        friction, push, what = grid["parameters/friction"], grid["parameters/push.y"], draw_study.outcome(grid)
        self.assertEqual(what.size, COUNT**2)
        self.assertFalse(grid["status"].any())
        self.assertFalse((what[friction < 0.28] == 2).any(), "falls on a slippery floor")
        self.assertTrue((what[(friction > 0.5) & (push > 180)] == 2).all(), "does not fall on a rough one")
        self.assertTrue((what[push < 50] == 0).all(), "is moved by a small push")
        self.assertTrue((what[(friction < 0.2) & (push > 200)] == 1).all(), "does not slide on a slippery floor")
        self.assertLess(grid["max/distance"].max(), 4)

    def test_numbers_of_the_page(self) -> None:
        """Shares of the grid: to 3 % for the coarse one, whose cells are 0.7 %, and to 0.2 % where the border alone may round otherwise."""
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            draw_study.report(self.grid())
        counts = re.search(r"(\d+) cases, 0 failed; (\d+) stands where it was, (\d+) slides and stands, (\d+) falls", printed.getvalue())
        assert counts is not None, printed.getvalue()
        for word, count in zip((r"stands where it was\*\* in", r"slides and stands\*\* in", r"falls\*\* in"), counts.groups()[1:]):
            said = re.search(word + r" (\d+) cases", PAGE)
            assert said is not None, word
            self.assertAlmostEqual(int(count) / COUNT**2, int(said[1]) / 1e4, delta=2e-3 if WHOLE else 3e-2)

    def test_it_draws(self) -> None:
        try:
            import matplotlib  # noqa: F401
        except ImportError:
            self.skipTest("matplotlib is not there")
        picture = self.folder / "study.svg"
        with contextlib.redirect_stdout(io.StringIO()):
            draw_study.main([str(self.folder / "study.npz"), str(picture)])
        text = picture.read_text(encoding="utf-8")
        for words in (*draw_study.WORDS, "push to the side for 0.1 s, N"):
            self.assertIn(words, text)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
