#!/usr/bin/env python3
"""report.html of `delassus tour` in a real browser, from a file and without a network.

  tests/browser/report_test.py COMMAND [--screenshot FOLDER]

Asks for the console to stay empty, for every panel to be drawn, and for switches, hovering, keys and dragging to change the
picture. Exits with 77 where Chromium is absent, so that ctest can skip.
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

ABSENT = 77

if not shutil.which("chromium"):
    print("chromium is absent: the report is not tested")
    sys.exit(ABSENT)
try:
    from selenium import webdriver
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common import utils
except ImportError:
    sys.exit(f"chromium is there, but {sys.executable} has no selenium; install python3-selenium and chromium-driver")

# A humanoid with shapes, and an arm without any; a scene of which large parts are drawn in blocks; names that want to be markup.
MODELS = ["g1", "panda", "box-stack:15"]
PANELS = ["robot", "matrix", "costs", "health", "tree", "crossover", "growth", "table", "conditions"]
HOSTILE = """<robot name="&lt;img src=x onerror=alert(1)&gt;&lt;/script&gt;Ärm"><link name="base"/>
  <link name="&lt;b&gt;tip&lt;/b&gt;"><inertial><origin xyz="0 0 -0.3"/><mass value="1"/>
  <inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="j" type="continuous"><parent link="base"/><child link="&lt;b&gt;tip&lt;/b&gt;"/><axis xyz="0 1 0"/></joint></robot>"""

# Colours of a canvas, thinned out: how many there are, and a number that changes with the picture. From a copy: Chromium warns
# on the console if the canvas of the page itself is read.
INK = """
const {width, height} = arguments[0];
const context = new OffscreenCanvas(width, height).getContext('2d', {willReadFrequently: true});
context.drawImage(arguments[0], 0, 0);
const data = context.getImageData(0, 0, width, height).data;
const colours = new Set();
let sum = 0;
for (let k = 0; k < data.length; k += 28) {
  const colour = data[k] << 16 | data[k + 1] << 8 | data[k + 2];
  colours.add(data[k + 3] * 16777216 + colour);
  sum = (sum * 31 + colour) % 2147483647;
}
return [colours.size, sum];
"""


class Driver(Service):
    """Speaks to chromedriver by number: a root fresh from debootstrap has no /etc/hosts, so it knows no localhost."""

    @property
    def service_url(self):
        return f"http://127.0.0.1:{self.port}"

    def is_connectable(self):
        return utils.is_connectable(self.port, "127.0.0.1")


def start_browser(folder, width=1400, height=1000, dark=False):
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    # Chromium's own services would look for a network; as root it runs without its sandbox only. The pipe: as for Driver.
    for argument in ("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
                     "--disable-background-networking", "--disable-component-update", "--disable-sync",
                     "--disable-dev-shm-usage", "--remote-debugging-pipe", f"--window-size={width},{height}",
                     f"--user-data-dir={tempfile.mkdtemp(dir=folder)}"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    browser = webdriver.Chrome(service=Driver(shutil.which("chromedriver")), options=options)
    if dark:
        emulate(browser, "prefers-color-scheme", "dark")
    return browser


def emulate(browser, feature, value):
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": feature, "value": value}]})


class Report(unittest.TestCase):
    folder = command = screenshots = None

    @classmethod
    def setUpClass(cls):
        cls.browser = start_browser(cls.folder)

    @classmethod
    def tearDownClass(cls):
        cls.browser.quit()

    def make(self, model):
        path = os.path.join(self.folder, "report-" + os.path.basename(model).replace(":", "-") + ".html")
        if not os.path.exists(path):
            subprocess.run([self.command, "tour", model, "--quick", "-o", path], check=True, capture_output=True)
        return path

    def open(self, model):
        self.browser.get("file://" + self.make(model))
        self.assertEqual(self.browser.get_log("browser"), [], "the console has to stay empty")

    def find(self, selector):
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def find_all(self, selector):
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def press(self, panel, words):
        for button in self.find_all(f"{panel} .segments button"):
            if words in button.text:
                self.browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", button)
                button.click()
                self.assertEqual(button.get_attribute("aria-pressed"), "true")
                return
        self.fail(f"{panel} has no button '{words}'")

    def ink(self, canvas):
        return self.browser.execute_script(INK, canvas)

    def expect_canvas(self, canvas, least_colours):
        self.assertGreater(canvas.size["width"], 100)
        self.assertGreater(canvas.size["height"], 100)
        self.assertGreaterEqual(self.ink(canvas)[0], least_colours)

    def expect_svg(self, drawing, least_children):
        self.assertGreater(drawing.size["width"], 100)
        self.assertGreater(drawing.size["height"], 100)
        children = self.browser.execute_script("return arguments[0].querySelectorAll('*').length", drawing)
        self.assertGreaterEqual(children, least_children)

    def expect_changed(self, before, after):
        self.assertNotEqual(before[1], after[1], "the picture has to change")

    def settle(self):
        """Lets events of scrolling and of media arrive, which come with the next frame."""
        self.browser.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")

    def middle_of(self, element):
        self.browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
        self.settle()
        return ActionChains(self.browser).move_to_element(element)

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
                self.assertEqual(len(self.find_all("#table td.name")), 12)
                self.assertEqual(len(self.find_all("#table .choice")), 4)
                self.assertGreater(len(self.find("#conditions").text), 300)
                self.assertEqual(len(self.find_all("#headline p")), 3)
                for word in ("undefined", "NaN", "[object", "Infinity", "null"):
                    self.assertNotIn(word, self.find("body").text)

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
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                     {"width": 400, "height": 800, "deviceScaleFactor": 1, "mobile": False})
        try:
            for model in MODELS:
                self.open(model)
                width = self.browser.execute_script("return document.documentElement.scrollWidth")
                self.assertLessEqual(width, 400, model)
        finally:
            self.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})

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

    def test_dragging_and_keys_turn_the_robot(self):
        self.open("g1")
        canvas = self.find("#robot canvas")
        before = self.ink(canvas)
        self.middle_of(canvas).click_and_hold().move_by_offset(60, 20).release().perform()
        dragged = self.ink(canvas)
        self.expect_changed(before, dragged)
        canvas.send_keys(Keys.ARROW_LEFT)
        self.expect_changed(dragged, self.ink(canvas))

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

    def tearDown(self):
        self.assertEqual(self.browser.get_log("browser"), [], "the console has to stay empty")

    def test_screenshots(self):
        if not self.screenshots:
            self.skipTest("no folder for them was named")
        for name, width, dark in (("report", 1280, False), ("report-dark", 1280, True)):
            browser = start_browser(self.folder, width, 1000, dark)
            browser.get("file://" + self.make("g1"))
            browser.set_window_size(width, browser.execute_script("return document.documentElement.scrollHeight"))
            browser.save_screenshot(os.path.join(self.screenshots, name + ".png"))
            browser.quit()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", help="the command `delassus`")
    parser.add_argument("--screenshot", metavar="FOLDER", help="also save pictures of the report there")
    arguments = parser.parse_args()
    if not shutil.which("chromedriver"):
        sys.exit("chromium is there, but not chromedriver; install chromium-driver")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        Report.folder, Report.command, Report.screenshots = folder, arguments.command, arguments.screenshot
        unittest.main(argv=[sys.argv[0]], verbosity=2)


if __name__ == "__main__":
    main()
