#!/usr/bin/env python3
"""The page of `delassus demo box` in a real browser, from a file and without a network.

  tests/browser/demo_test.py COMMAND [--screenshot FOLDER]

Asks for the console to stay empty, for every panel to be drawn, and for the animation to play, stop, turn and go where it is sent.
Exits with 77 where Chromium is absent, so that ctest can skip.
"""
import os
import time

from page import Keys, Page, run_tests

PANELS = ["motion", "stills", "tracking", "error", "grip", "posture", "torques", "numbers", "conditions"]
STILLS = 6


class BoxPage(Page):
    def setUp(self):
        path = os.path.join(self.folder, "box.html")
        if not os.path.exists(path):
            self.run_command("demo", "box", "--quick", "-o", path)
        self.path = path
        self.open_file(path)

    def clock(self):
        return float(self.find("#motion output").text.removesuffix(" s"))

    def test_every_panel_is_drawn(self):
        self.assertEqual([p.get_attribute("id") for p in self.find_all("section.panel")], PANELS)
        self.expect_canvas(self.find("#motion canvas"), 20)  # floor, shades of robot and box, forces
        self.assertEqual(len(self.find_all("#stills canvas")), STILLS)
        self.assertEqual(len({self.ink(still)[1] for still in self.find_all("#stills canvas")}), STILLS)
        self.assertEqual(len(self.find_all("#tracking svg[role=img]")), 3)
        for panel, curves in (("#tracking", 6), ("#error", 2), ("#grip", 4), ("#posture", 6), ("#torques", 6)):
            self.assertEqual(len(self.find_all(f"{panel} path.curve")), curves, panel)
        self.assertEqual(len(self.find_all("#numbers thead th")), 3)
        self.assertEqual(len(self.find_all("#tiles .tile")), 4)
        self.expect_no_odd_words()

    def test_it_plays_to_the_end_and_stops(self):
        canvas = self.find("#motion canvas")
        before = self.ink(canvas)
        self.find("#motion button.play").click()
        self.assertEqual(self.find("#motion button.play").text, "Pause")
        deadline = time.monotonic() + 60  # the run takes 3 s, more where frames are slow
        while self.find("#motion button.play").text == "Pause" and time.monotonic() < deadline:
            time.sleep(0.1)
        self.assertEqual(self.clock(), 3.0)
        self.expect_changed(before, self.ink(canvas))

    def test_it_pauses(self):
        button = self.find("#motion button.play")
        self.press("#motion", "¼×")
        button.click()
        time.sleep(0.5)
        button.click()
        paused = self.clock()
        self.assertLess(paused, 3.0)
        time.sleep(0.3)
        self.assertEqual(self.clock(), paused)
        self.assertEqual(button.text, "Play")

    def test_any_moment_can_be_seen(self):
        cursor = self.find("#tracking line.cursor").get_attribute("x1")
        self.find("#motion input[type=range]").send_keys(Keys.END)
        self.assertEqual(self.clock(), 3.0)
        self.assertNotEqual(cursor, self.find("#tracking line.cursor").get_attribute("x1"))
        self.find_all("#stills canvas")[2].click()
        self.assertAlmostEqual(self.clock(), 0.8)

    def test_dragging_and_keys_turn_the_robot(self):
        self.expect_turns(self.find("#motion canvas"))

    def test_the_other_run_has_other_curves(self):
        before = self.find("#error path.curve").get_attribute("d")
        self.press("#run-switch", "masses 20 % off")
        self.assertNotEqual(before, self.find("#error path.curve").get_attribute("d"))

    def test_hovering_reads_a_chart(self):
        self.middle_of(self.find("#grip svg[role=img]")).perform()
        self.assertRegex(self.find("#tip").text, r"(?s)^\d\.\d\d s\nleft, pressing: \d+(\.\d+)? N\n.*right, lifting: ")

    def test_fits_narrow_screens(self):
        self.expect_fits(400)

    def test_screenshots(self):
        self.save_screenshots("box", self.path)


if __name__ == "__main__":
    run_tests(__doc__)
