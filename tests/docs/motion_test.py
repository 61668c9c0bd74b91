#!/usr/bin/env python3
"""The moving picture of the README: docs/images/draw_motion.py draws what a recording holds, and the picture is fit to be shown.

  tests/docs/motion_test.py COMMAND
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ET
from pathlib import Path

from blocks import ROOT

sys.path.insert(0, str(ROOT / "docs/images"))
import draw_motion  # noqa: E402

COMMAND = Path(sys.argv[1]).absolute()
SVG = "{http://www.w3.org/2000/svg}"


def film(root: ET.Element) -> ET.Element:
    return next(group for group in root.iter(SVG + "g") if group.get("class") == "film")


class Motion(unittest.TestCase):
    def test_a_recording_becomes_a_film(self) -> None:
        if "viewer   yes" not in subprocess.run([COMMAND, "--version"], capture_output=True, text=True, check=True).stdout:
            self.skipTest("the command was built without the viewer")
        with tempfile.TemporaryDirectory() as folder:
            page, picture = f"{folder}/page.html", f"{folder}/picture.svg"
            subprocess.run([COMMAND, "simulate", "box-stack:2", "--seconds", "0.1", "--fps", "50", "--quiet", "--html", page],
                           capture_output=True, check=True)
            draw_motion.main(page, picture)
            frames = list(film(ET.parse(picture).getroot()))
        self.assertEqual(len(frames), 5)  # the start has no contacts yet
        for frame in frames:
            self.assertEqual(sum((part.get("class") or "").startswith("h") for part in frame), 2)
            self.assertIn("8 contacts, 24 rows", frame[-1].text)

    def test_the_picture_can_be_shown(self) -> None:
        path = ROOT / "docs/images/g1-falls.svg"
        self.assertLess(path.stat().st_size, 300_000)
        self.assertGreater(len(film(ET.parse(path).getroot())), 20)
        text = path.read_text(encoding="utf-8")
        self.assertEqual([word for word in ("href", "<script", "url(", "@import") if word in text], [])

    def test_turning(self) -> None:
        half = 0.5**0.5
        for got, want in zip(draw_motion.rotate((0, 0, half, half), (1, 2, 3)), (-2, 1, 3)):
            self.assertAlmostEqual(got, want)

    def test_hull(self) -> None:
        square = [(0, 0), (2, 0), (2, 2), (0, 2)]
        self.assertEqual(sorted(draw_motion.hull([*square, (1, 1), (1, 0), (0, 0)])), sorted(square))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
