#!/usr/bin/env python3
"""report.html of `delassus tour` in a real browser, from a file and without a network.

  tests/browser/report_test.py COMMAND [--screenshot FOLDER]

Asks for the console to stay empty, for every panel to be drawn, and for switches, hovering, keys and dragging to change the
picture. Exits with 77 where Chromium is absent, so that ctest can skip.
"""
import os

from page import Keys, Page, emulate, run_tests

# Robots with shapes, and an arm without any; a scene of which large parts are drawn in blocks; names that want to be markup.
MODELS = ["go2", "g1", "panda", "box-stack:15"]
PANELS = ["robot", "tree", "matrix", "costs", "health", "motion", "crossover", "growth", "table", "conditions"]
HOSTILE = """<robot name="&lt;img src=x onerror=alert(1)&gt;&lt;/script&gt;Ärm"><link name="base"/>
  <link name="&lt;b&gt;tip&lt;/b&gt;"><inertial><origin xyz="0 0 -0.3"/><mass value="1"/>
  <inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="j" type="continuous"><parent link="base"/><child link="&lt;b&gt;tip&lt;/b&gt;"/><axis xyz="0 1 0"/></joint></robot>"""


class Report(Page):
    def make(self, model):
        path = os.path.join(self.folder, "report-" + os.path.basename(model).replace(":", "-") + ".html")
        if not os.path.exists(path):
            self.run_command("tour", model, "--quick", "-o", path)
        return path

    def open(self, model):
        self.open_file(self.make(model))

    # ------------------------------------------------------------------------------------- every model

    def test_every_panel_is_drawn(self):
        for model in MODELS:
            with self.subTest(model):
                self.open(model)
                self.assertEqual([p.get_attribute("id") for p in self.find_all("section.panel")], PANELS)
                for canvas in self.find_all("#robot canvas"):
                    self.expect_canvas(canvas, 4)  # paper, bones, joints, contacts
                self.expect_canvas(self.find("#matrix canvas"), 8)
                self.assertEqual(len(self.find_all("#tree svg[role=group]")), 2)
                for tree in self.find_all("#tree svg[role=group]"):
                    self.expect_svg(tree, 4)
                for chart in ("#crossover svg.chart", "#growth svg.chart"):
                    self.expect_svg(self.find(chart), 30)
                self.expect_svg(self.find("#health svg.spectrum"), 3)
                self.assertEqual(len(self.find_all("#health .tile")), 4)
                self.assertGreaterEqual(len(self.find_all("#crossover g.series")), 4)
                self.assertGreaterEqual(len(self.find_all("#costs .track i")), 12)
                self.assertEqual(len(self.find_all("#table td.name")), 13)
                self.assertEqual(len(self.find_all("#table .choice")), 4)
                self.assertGreater(len(self.find("#conditions").text), 300)
                self.assertEqual(len(self.find_all("#headline p")), 3)
                self.expect_no_odd_words()

    def test_names_are_text(self):
        path = os.path.join(self.folder, "hostile.urdf")
        with open(path, "w", encoding="utf-8") as file:
            file.write(HOSTILE)
        self.open(path)
        self.assertEqual(self.find("h1").text, "<img src=x onerror=alert(1)></script>Ärm")
        self.assertEqual(self.find_all("img"), [])
        self.middle_of(self.find("#matrix canvas")).perform()
        self.assertIn("<b>tip</b>", self.find("#tip").text)

    def test_fits_narrow_screens(self):
        for model in MODELS:
            with self.subTest(model):
                self.open(model)
                self.expect_fits(400)

    # ------------------------------------------------------------------------------------ interactions

    def test_switching_the_contact_set_redraws(self):
        self.open("g1")
        matrix, tree = self.ink(self.find("#matrix canvas")), self.find("#tree .words").text
        table = self.find("#table table").text
        self.assertIn("fallen", self.find("#set-switch button[aria-pressed=true]").text)
        self.press("#set-switch", "standing")
        self.expect_changed(matrix, self.ink(self.find("#matrix canvas")))
        self.assertNotEqual(tree, self.find("#tree .words").text)
        self.assertNotEqual(table, self.find("#table table").text)

    def test_it_opens_where_condensing_shows(self):
        self.open("go2")
        self.assertIn("standing", self.find("#set-switch button[aria-pressed=true]").text)
        self.assertIn("go2, standing", self.find("#headline").text)
        self.assertIn("12 are carried in 4 groups", self.find("#tree .words").text)

    def test_the_health_of_the_constraints_is_that_of_the_set(self):
        self.open("g1")
        self.press("#set-switch", "standing")
        tiles = [tile.text for tile in self.find_all("#health .tile b")]
        self.assertEqual(tiles[:3], ["redundant, but solvable", "12 of 24", "23 of 35"])
        self.assertEqual(len(self.find_all("#health rect.counts")), 12)
        self.assertEqual(len(self.find_all("#health rect.none")), 12)
        self.assertIn("12 of 24 rows redundant", self.find("#health .finding").text)
        self.assertIn("and 7 more", self.find("#health .finding").text)
        self.press("#set-switch", "fallen")
        self.assertNotEqual(tiles, [tile.text for tile in self.find_all("#health .tile b")])

    def test_the_forces_hold_the_robot(self):
        self.open("g1")
        self.press("#set-switch", "standing")
        self.assertEqual([row.text for row in self.find_all("#motion td.name")], ["condensed", "kkt", "aba"])
        self.assertEqual(len(self.find_all("#motion .forces .who")), 8)
        self.assertIn("N", self.find("#motion .bar span").text)

    def test_dragging_and_keys_turn_the_robot(self):
        self.open("g1")
        self.expect_turns(self.find("#robot canvas"))

    def test_hovering_and_keys_read_the_matrix(self):
        self.open("g1")
        canvas = self.find("#matrix canvas")
        self.middle_of(canvas).perform()
        self.assertRegex(self.find("#tip").text, r"(?s) × .*\d 1/kg")
        before = self.find("#tip").text
        canvas.send_keys(Keys.ARROW_RIGHT)
        self.assertNotEqual(before, self.find("#tip").text)

    def test_charts_switch(self):
        self.open("g1")
        for panel, words in (("#crossover", "ADMM"), ("#crossover", "time"), ("#growth", "matrix"), ("#growth", "operations")):
            with self.subTest(panel + ": " + words):
                before = self.find(f"{panel} path.curve").get_attribute("d")
                self.press(panel, words)
                self.assertNotEqual(before, self.find(f"{panel} path.curve").get_attribute("d"))
        before = self.find("#costs .costs").text
        self.press("#costs", "product again")
        self.assertNotEqual(before, self.find("#costs .costs").text)

    def test_focus_shows_the_same_as_hovering(self):
        self.open("g1")
        bar = self.find("#costs .bar[tabindex]")
        self.browser.execute_script("arguments[0].focus()", bar)
        self.assertIn("operations", self.find("#tip").text)

    def test_crossovers_lie_on_the_best_curve(self):
        self.open("g1")
        self.press("#set-switch", "standing")
        self.press("#crossover", "time")
        words = self.find("#crossover p.note").text
        self.assertEqual(len(self.find_all("#crossover circle.mark")), words.count(" on "))

    def test_dark_and_light_differ(self):
        self.open("g1")
        light = self.ink(self.find("#matrix canvas"))
        emulate(self.browser, "prefers-color-scheme", "dark")
        self.settle()
        try:
            self.expect_changed(light, self.ink(self.find("#matrix canvas")))
        finally:
            emulate(self.browser, "prefers-color-scheme", "")

    def test_screenshots(self):
        self.save_screenshots("report", self.make("go2"))


if __name__ == "__main__":
    run_tests(__doc__)
