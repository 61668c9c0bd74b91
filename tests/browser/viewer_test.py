#!/usr/bin/env python3
"""The viewer in a real browser: pages of `delassus simulate --html`, from files and without a network, and of `delassus serve`.

  tests/browser/viewer_test.py COMMAND [--screenshot FOLDER]

Asks for the console to stay empty, for something to be drawn, for moments, keys, switches and clicks to change it, and for the
numbers that it names to be those of the recording. Exits with 77 where Chromium is absent, so that ctest can skip.
"""
import json
import os
import re
import sys
import time

import sample_recording as sample
from page import INK, WEBGL, ActionChains, Keys, Page, emulate, run_tests, start_browser

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "contract"))
import serve_test  # noqa: E402  (for its Server)

SIZE = (1120, 660)  # of the window; drawing without a graphics card takes its time
PLOT_MARGINS = 46, 8  # left and right, of viewer/src/plot.js
RECORDING = re.compile(r'(<script type="application/json" id="recording">).*?(</script>)', re.DOTALL)


class ViewerPage(Page):
    """A page that the command wrote, with other recordings in it."""

    @classmethod
    def setUpClass(cls):
        cls.browser = start_browser(cls.folder, *SIZE, more=WEBGL)

    def written(self):
        path = os.path.join(self.folder, "simulated.html")
        if not os.path.exists(path):
            self.run_command("simulate", "box-stack:3", "--seconds", "0.5", "--quiet", "--html", path)
        return path

    def open_recording(self, recording):
        with open(self.written(), encoding="utf-8") as file:
            page = file.read()
        text = json.dumps(recording).replace("<", "\\u003c")
        page, count = RECORDING.subn(lambda found: found[1] + text + found[2], page)
        self.assertEqual(count, 1)
        path = os.path.join(self.folder, "sample.html")
        with open(path, "w", encoding="utf-8") as file:
            file.write(page)
        self.open_file(path)
        self.assertEqual(self.ask("errors"), [])
        self.assertTrue(self.ask("ready"))

    def ask(self, what, *arguments):
        return self.browser.execute_script(f"return viewer.{what}", *arguments)

    def seek(self, frame):
        self.ask("seek(arguments[0])", frame)

    def picture(self):
        """Colours of the canvas in 3-D, which can be read only in the moment in which it is drawn."""
        return self.browser.execute_script("viewer.draw();" + INK, self.find("canvas.scene"))

    def toggle(self, name):
        next(b for b in self.find_all(".toggles button") if b.text == name).click()

    def keys(self, *keys):
        ActionChains(self.browser).send_keys(*keys).perform()

    def wait_for(self, what, seconds=60):
        deadline = time.monotonic() + seconds
        while not (value := what()):
            self.assertLess(time.monotonic(), deadline, "it took too long")
            time.sleep(0.05)
        return value

    def seen(self, name):
        """Points of the canvas where a body is seen, of a grid, from the top."""
        points = self.browser.execute_script("""
            const {clientWidth, clientHeight} = document.querySelector('canvas.scene'), points = [];
            for (let y = 4; y < clientHeight; y += 6)
              for (let x = 4; x < clientWidth; x += 6)
                if (viewer.pickAt(x, y)?.name === arguments[0]) points.push([x, y]);
            return points;""", name)
        self.assertTrue(points, f"{name} is not seen")
        return points

    def where(self, name):
        """The middle one of them."""
        points = self.seen(name)
        return points[len(points) // 2]

    def click_at(self, x, y):
        canvas = self.find("canvas.scene")
        ActionChains(self.browser).move_to_element_with_offset(
            canvas, x - canvas.size["width"] // 2, y - canvas.size["height"] // 2).click().perform()


class Sample(ViewerPage):
    def setUp(self):
        self.open_recording(sample.recording())

    def test_everything_is_drawn(self):
        self.assertEqual(self.find("h1").text, "sample")
        self.assertEqual(self.ask("frameCount"), sample.FRAMES)
        self.assertGreaterEqual(self.picture()[0], 200)  # shades of eleven bodies, of hills and of shadows
        self.assertEqual([b.text for b in self.find_all(".plot figcaption b")],
                         ["Energy, J", "Residuals", "Solver", "hand error, mm"])
        for plot in self.find_all(".plot canvas"):
            self.assertGreater(self.ink(plot)[0], 4)
        self.assertIn("there are no rows", self.find(".matrix .none").text)
        self.seek(25)
        self.expect_canvas(self.find("canvas.heat"), 8)
        self.assertIn("6 × 6, 2 constraints", self.find(".matrix").text)
        self.assertEqual(len(self.find_all(".tree svg g")), 3)
        self.assertIn("2 contacts · 6 rows", self.find(".facts").text)
        self.expect_no_odd_words()

    def test_every_kind_of_shape_can_be_picked(self):
        for name in ["torso", "left_shank", *sample.KINDS]:
            with self.subTest(name):
                self.where(name)

    def test_scrubbing_changes_the_picture(self):
        before = self.picture()
        self.seek(15)
        middle = self.picture()
        self.expect_changed(before, middle)
        self.find("input[type=range]").send_keys(Keys.END)
        self.assertEqual(self.ask("frame"), sample.FRAMES - 1)
        self.assertEqual(self.find(".clock").text, "1.000 s")
        self.expect_changed(middle, self.picture())

    def test_it_plays_to_the_end_and_starts_anew(self):
        button = self.find("button.play")
        button.click()
        self.assertEqual(button.text, "Pause")
        self.wait_for(lambda: button.text == "Play")
        self.assertEqual(self.ask("frame"), sample.FRAMES - 1)
        button.click()
        self.assertLess(self.ask("time"), 1.0)
        button.click()
        paused = self.ask("time")
        time.sleep(0.2)
        self.assertEqual(self.ask("time"), paused)

    def test_keys(self):
        self.keys(Keys.ARROW_RIGHT)
        self.assertEqual(self.ask("frame"), 1)
        self.keys(Keys.PAGE_DOWN, Keys.ARROW_LEFT)
        self.assertEqual(self.ask("frame"), 10)
        self.keys(Keys.END)
        self.assertEqual(self.ask("frame"), sample.FRAMES - 1)
        self.keys(Keys.HOME, Keys.SPACE)
        self.assertEqual(self.find("button.play").text, "Pause")
        self.keys(Keys.SPACE)
        self.assertEqual(self.find("button.play").text, "Play")
        self.seek(0)
        before = self.picture()
        self.find("canvas.scene").send_keys(Keys.SHIFT, Keys.ARROW_LEFT)
        self.assertEqual(self.ask("frame"), 0)
        self.expect_changed(before, self.picture())

    def test_dragging_turns_and_resetting_turns_back(self):
        before = self.picture()
        over = ActionChains(self.browser).move_to_element(self.find("canvas.scene"))
        over.click_and_hold().move_by_offset(80, 30).release().perform()
        self.assertIsNone(self.ask("selected"))
        self.expect_changed(before, self.picture())
        self.toggle("Reset view")
        self.assertEqual(before, self.picture())

    def test_switches_change_the_picture(self):
        self.seek(25)
        for name in ("Forces", "Cones", "Points"):
            with self.subTest(name):
                before = self.picture()
                self.toggle(name)
                without = self.picture()
                self.expect_changed(before, without)
                self.toggle(name)
                self.expect_changed(without, self.picture())
        before = self.picture()
        self.find(".scale button[aria-label='Longer arrows']").click()
        self.expect_changed(before, self.picture())

    def test_the_camera_follows(self):
        self.toggle("Follow")
        top = self.seen("torso")[0]
        self.seek(sample.LANDING)  # it has come down by 25 cm
        self.assertEqual(self.seen("torso")[0], top)

    def test_a_chosen_body_says_what_it_is(self):
        self.click_at(*self.where("torso"))
        self.assertEqual(self.ask("selected"), 0)
        words = self.find(".card.body").text
        for part in ("torso", "free, on the world", "6 kg", "No constraint rows on it now."):
            self.assertIn(part, words)
        self.find(".card.body button").click()
        self.assertIsNone(self.ask("selected"))

    def test_forces_on_a_body_are_those_of_the_recording(self):
        self.seek(12)  # all weight on the left foot, a fifth of it across
        self.click_at(*self.where("left_shank"))
        weight = 9.81 * sum(sample.MASSES)
        words = self.find(".card.body table").text
        self.assertIn(f"left_foot / ground 0–2 {weight:.1f} N {0.2 * weight:.1f} N", words)
        self.assertNotIn("●", words)  # friction allows three times as much
        before = self.find(".card.body dl").text
        self.seek(13)
        self.assertNotEqual(before, self.find(".card.body dl").text)

    def test_the_matrix_can_be_read(self):
        self.seek(25)
        canvas = self.find("canvas.heat")
        canvas.send_keys(Keys.ARROW_RIGHT)
        name = "left_foot / ground normal"
        self.assertEqual(self.find("#tip").text, f"{name} × {name}\n{sample.entry(25, 0, 0):.4g} 1/kg")
        canvas.send_keys(Keys.ARROW_DOWN)
        self.assertEqual(self.find("#tip").text, f"left_foot / ground tangent 1 × {name}\n{sample.entry(25, 1, 0):.4g} 1/kg")
        before = self.ink(canvas)
        self.seek(30)
        self.expect_changed(before, self.ink(canvas))

    def test_the_tree_names_and_chooses_bodies(self):
        self.seek(25)
        node = self.find_all(".tree svg g")[1]
        self.middle_of(node.find_element("css selector", "rect")).perform()
        self.assertEqual(self.find("#tip").text, "3 rows carried over 1 link:\nleft_shank")
        ActionChains(self.browser).click().perform()
        self.assertEqual(self.ask("selected"), 2)

    def test_plots_and_marks_lead_to_moments(self):
        self.middle_of(self.find(".plot canvas")).perform()
        self.assertRegex(self.find("#tip").text, r"(?s)^0\.\d+ s\nkinetic: [\d.]+ J\npotential: 80 J\ntotal: ")
        ActionChains(self.browser).click().perform()
        width, (left, right) = self.find(".plot canvas").size["width"], PLOT_MARGINS
        self.assertAlmostEqual(self.ask("time"), (width / 2 - left) / (width - left - right), delta=sample.PERIOD)
        self.find(".tick").click()
        self.assertEqual(self.ask("frame"), sample.LANDING)

    def test_dark_and_light_differ(self):
        light = self.picture()
        emulate(self.browser, "prefers-color-scheme", "dark")
        self.settle()
        try:
            self.expect_changed(light, self.picture())
        finally:
            emulate(self.browser, "prefers-color-scheme", "")

    def test_fits_narrow_screens(self):
        self.expect_fits(390)


class OddRecordings(ViewerPage):
    def test_the_page_of_the_command(self):
        with open(self.written(), encoding="utf-8") as file:
            self.assertEqual(file.read().count("</script"), 2)  # the recording, and the viewer, which must not end itself
        self.open_file(self.written())
        self.assertEqual(self.ask("errors"), [])
        self.assertGreater(self.ask("frameCount"), 20)  # 60 in a second, for half of one
        self.seek(25)
        self.assertGreaterEqual(self.picture()[0], 50)
        self.expect_canvas(self.find("canvas.heat"), 8)
        self.expect_no_odd_words()

    def test_without_frames(self):
        self.open_recording(sample.recording(frames=[]))
        self.assertIn("no frames", self.find(".facts").text)
        self.assertFalse(self.find("button.play").is_enabled())
        self.expect_no_odd_words()

    def test_one_frame(self):
        self.open_recording(sample.recording(frames=[25]))
        self.assertIn("6 × 6", self.find(".matrix").text)
        self.assertFalse(self.find("button.play").is_enabled())
        self.assertGreaterEqual(self.picture()[0], 200)
        self.expect_no_odd_words()

    def test_bones_where_there_are_no_shapes(self):
        recording = sample.recording()
        recording["shapes"] = [s for s in recording["shapes"] if s["body"] < 0]
        for frame in recording["frames"]:
            frame["contacts"] = []
        self.open_recording(recording)
        self.where("left_shank")

    def test_nothing_at_all(self):
        none = {what: [] for what in ("bodies", "shapes", "structures", "marks", "series")}
        self.open_recording({**sample.recording(frames=[]), **none})
        self.expect_no_odd_words()

    def test_a_failed_run_says_so(self):
        self.open_recording({**sample.recording(), "status": "failed", "message": "a step found no solution"})
        self.assertEqual(self.find("#status").text, "failed: a step found no solution")

    def test_matrices_that_were_left_out(self):
        recording = sample.recording()
        for frame in recording["frames"][21:]:
            frame.pop("matrix")
        self.open_recording(recording)
        self.seek(25)
        self.assertIn(f"as it was at {20 * sample.PERIOD:.3f} s", self.find(".matrix").text)
        recording["frames"][20].pop("matrix")
        self.open_recording(recording)
        self.seek(25)
        self.assertIn("6 rows: the matrix was left out", self.find(".matrix").text)

    def test_names_are_text(self):
        recording = sample.recording()
        recording["title"] = recording["bodies"][0]["name"] = "</script><img src=x onerror=alert(1)>"
        self.open_recording(recording)
        self.assertEqual(self.find("h1").text, recording["title"])
        self.click_at(*self.where(recording["title"]))
        self.assertEqual(self.find("#body-title").text, recording["title"])
        self.assertEqual(self.find_all("img"), [])

    def test_versions_of_the_future_are_refused(self):
        with self.assertRaises(AssertionError):
            self.open_recording({**sample.recording(), "version": 99})
        self.assertIn("has version 99; this viewer reads version 1", self.find("main").text)


class LivePage(ViewerPage):
    """A simulation that runs meanwhile."""

    def setUp(self):
        serve_test.COMMAND = self.command
        self.server = serve_test.Server("box-stack:3")
        self.browser.get(self.server.address)
        self.wait_for(lambda: self.ask("frameCount") > 10)

    def tearDown(self):
        self.browser.get("about:blank")
        self.server.stop()
        super().tearDown()

    def step(self):
        now = self.ask("time")
        self.find("button[aria-label^='One frame on']").click()
        self.wait_for(lambda: self.ask("time") > now)

    def stands_still(self):
        """Whether no frame came for half a second: the last ones may be under way when it is paused."""
        count = self.ask("frameCount")
        time.sleep(0.5)
        return self.ask("frameCount") == count

    def test_frames_come_and_are_drawn(self):
        self.assertEqual(self.find("#status").text, "running")
        self.assertGreaterEqual(self.picture()[0], 50)
        first, drawn = self.ask("time"), self.ask("rendered")
        self.wait_for(lambda: self.ask("time") > first + 0.1)
        self.wait_for(lambda: self.ask("rendered") > drawn)  # drawing in software may take longer than 0.1 s
        self.assertIn("contacts", self.find(".facts").text)
        self.expect_canvas(self.find("canvas.heat"), 8)
        self.assertEqual(self.ask("errors"), [])

    def test_it_pauses_steps_and_goes_on(self):
        self.find("button.play").click()
        self.wait_for(lambda: self.find("#status").text == "paused")
        self.wait_for(self.stands_still)
        self.settle()
        self.step()  # it may have been paused between two frames: from here on each step is one
        count, now = self.ask("frameCount"), self.ask("time")
        self.step()
        self.assertAlmostEqual(self.ask("time"), now + 0.001, places=6)  # one step of a millisecond
        self.assertEqual(self.ask("frameCount"), count + 1)
        self.find("button.play").click()
        self.wait_for(lambda: self.ask("time") > now + 0.1)

    def test_the_past_can_be_looked_at_while_it_runs(self):
        self.seek(3)
        shown, count = self.ask("time"), self.ask("frameCount")
        self.wait_for(lambda: self.ask("frameCount") > count + 5)
        self.assertEqual(self.ask("time"), shown)
        self.keys(Keys.END)
        self.wait_for(lambda: self.ask("time") > shown + 0.1)

    def test_it_starts_anew_at_another_speed(self):
        self.wait_for(lambda: self.ask("time") > 0.5)
        self.find("select").send_keys("0.1")
        self.find("button[aria-label='Start anew']").click()
        self.wait_for(lambda: self.ask("time") < 0.4)
        self.assertEqual(self.find("select").get_attribute("value"), "0.1")


if __name__ == "__main__":
    run_tests(__doc__)
