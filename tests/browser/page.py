"""Pages of the command in a real browser, from a file and without a network: what tests of them share.

Exits with 77 where Chromium is absent, so that ctest can skip.
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
    print("chromium is absent: pages are not tested")
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


# Chromium draws WebGL without a graphics card only if it is told to.
WEBGL = ("--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader")


def start_browser(folder, width=1400, height=1000, dark=False, more=("--disable-gpu",)):
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    # Chromium's own services would look for a network; as root it runs without its sandbox only. The pipe: as for Driver.
    for argument in ("--headless", "--no-sandbox", *more, "--disable-quic", "--no-first-run",
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


class Page(unittest.TestCase):
    """The console has to stay empty, whatever a test does."""
    folder = command = screenshots = None

    @classmethod
    def setUpClass(cls):
        cls.browser = start_browser(cls.folder)

    @classmethod
    def tearDownClass(cls):
        cls.browser.quit()

    def tearDown(self):
        self.assertEqual(self.browser.get_log("browser"), [], "the console has to stay empty")

    def run_command(self, *arguments):
        subprocess.run([self.command, *arguments], check=True, capture_output=True)

    def open_file(self, path):
        self.browser.get("file://" + path)
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

    def expect_no_odd_words(self):
        self.assertNotRegex(self.find("body").text, r"undefined|NaN|\[object|Infinity|\bnull\b(?! space)")

    def expect_fits(self, width):
        """At this width of the window nothing is wider than it."""
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                     {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False})
        try:
            self.browser.refresh()
            self.assertLessEqual(self.browser.execute_script("return document.documentElement.scrollWidth"), width)
        finally:
            self.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})

    def expect_turns(self, canvas):
        """A drawing in 3-D follows the mouse and the arrow keys."""
        before = self.ink(canvas)
        self.middle_of(canvas).click_and_hold().move_by_offset(60, 20).release().perform()
        dragged = self.ink(canvas)
        self.expect_changed(before, dragged)
        canvas.send_keys(Keys.ARROW_LEFT)
        self.expect_changed(dragged, self.ink(canvas))

    def save_screenshots(self, name, path):
        """Light and dark, if a folder for them was named."""
        if not self.screenshots:
            self.skipTest("no folder for them was named")
        for suffix, dark in (("", False), ("-dark", True)):
            browser = start_browser(self.folder, 1280, 1000, dark)
            browser.get("file://" + path)
            browser.set_window_size(1280, browser.execute_script("return document.documentElement.scrollHeight"))
            browser.save_screenshot(os.path.join(self.screenshots, name + suffix + ".png"))
            browser.quit()


def run_tests(about, subject="command", meaning="the command `delassus`"):
    """The tests of the program, with its arguments: what is tested, which tests find as `command`, and where pictures go."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(subject, help=meaning)
    parser.add_argument("--screenshot", metavar="FOLDER", help="also save pictures of the page there")
    parser.add_argument("--only", nargs="+", metavar="TEST", default=[], help="of these names alone, such as Sample.test_keys")
    arguments = parser.parse_args()
    if not shutil.which("chromedriver"):
        sys.exit("chromium is there, but not chromedriver; install chromium-driver")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        Page.folder, Page.screenshots = folder, arguments.screenshot
        Page.command = getattr(arguments, subject)
        unittest.main(argv=[sys.argv[0], *arguments.only], verbosity=2)
