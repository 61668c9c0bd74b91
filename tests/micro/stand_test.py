#!/usr/bin/env python3
"""A loop that is closed over a microcontroller: Go2 stands, held by generated code in float on an emulated Cortex-M4F.

  tests/micro/stand_test.py COMMAND STAND     the command, and the program of stand.cpp
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from firmware import BOARD, CORES, ICOUNT_SHIFT, IN_FLOAT, ROOT, TICK_NS, TOOLS, emulation, generate, link, require

require(*TOOLS)
COMMAND, STAND = (Path(argument).absolute() for argument in sys.argv[1:3])
PAGE = ROOT / "docs/microcontroller.md"
FEET = [word for foot in ("FL", "FR", "RL", "RR") for word in ("--contact", f"{foot}_foot")]


class Stand(unittest.TestCase):
    def test_as_the_library_in_double(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            generate(COMMAND, ROOT / "robots/go2.urdf", folder, ("--floating", *FEET, "--contacts", "inputs", *IN_FLOAT))
            sources = [BOARD / "stand.c", BOARD / "stand_controller.c", folder / "robot.c"]
            found = self.play(emulation(CORES[0], link(CORES[0], folder, *sources)), folder)
        self.assertEqual((found["steps"], found["steps_in_double"]), (2000, 2000))
        # Positions reach the board with 3e-8 m, and torques of 20 N m are solved for to some 1e-6 of them, which feedback keeps from adding up.
        self.assertLess(found["apart"], 1e-7)
        self.assertLess(found["torques_apart"], 1e-3)
        # It moved, and where it was told to: 2 cm, which a controller that lets go, or holds the joints, does not.
        self.assertAlmostEqual(found["height"], 0.02, delta=2e-3)
        self.assertLess(found["off_target"], 0.01)
        # What the page says, to the digits that it has: other forms of the generated code take more or less.
        said = re.search(r"takes some (\d+) 000 instructions", PAGE.read_text(encoding="utf-8"))
        assert said is not None
        instructions = found["most_ticks"] * TICK_NS / 2**ICOUNT_SHIFT
        self.assertAlmostEqual(instructions, 1e3 * int(said[1]), delta=0.1 * instructions)

    def play(self, board: list[str], folder: Path) -> dict[str, float]:
        for pipe in ("to_board", "from_board"):
            os.mkfifo(folder / pipe)
        with subprocess.Popen(board, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as emulator:
            try:
                done = subprocess.run([STAND, "to_board", "from_board"], cwd=folder, capture_output=True, text=True, timeout=120, check=False)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(emulator.wait(30), 0)
            finally:
                emulator.kill()
        return json.loads(done.stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
