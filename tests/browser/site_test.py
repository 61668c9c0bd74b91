#!/usr/bin/env python3
"""The site of the documentation in a real browser, from files and without a network.

  tests/browser/site_test.py FOLDER [--screenshot FOLDER]

Asks for the console to stay empty, for the search to find pages, for light and dark, and for narrow screens to do.
Exits with 77 where Chromium is absent, so that ctest can skip.
"""
import os
import sys
import time

from page import ABSENT, Keys, Page, emulate, run_tests

# Prose, a wide table, long code, both references, pictures.
PAGES = ["index.html", "algorithms/condensed.html", "performance.html", "concepts/rows.html",
         "reference/cpp/operators/condensed.html", "reference/python/operator.html"]


class SitePages(Page):
    def path(self, page):
        return os.path.join(os.path.abspath(self.command), page)

    def background(self):
        return self.browser.execute_script("return getComputedStyle(document.body).backgroundColor")

    def search(self, words):
        self.open_file(self.path("index.html"))
        field = self.find(".sidebar-search")
        field.send_keys(words, Keys.ENTER)
        deadline = time.monotonic() + 30  # the index is read, then results come one by one
        while time.monotonic() < deadline:
            summary = self.find_all(".search-summary")
            if summary and "finished" in summary[0].text:
                return [link.get_attribute("href") for link in self.find_all("ul.search li a")]
            time.sleep(0.1)
        self.fail("the search does not end")

    def test_pages_open(self):
        for page in PAGES:
            self.open_file(self.path(page))
            self.assertGreater(len(self.find("article").text), 300, page)
            broken = self.browser.execute_script("return [...document.images].filter(i => !i.naturalWidth).map(i => i.src)")
            self.assertEqual(broken, [], page)

    def test_nothing_is_fetched_from_elsewhere(self):
        for page in PAGES:
            self.open_file(self.path(page))
            names = self.browser.execute_script("return performance.getEntriesByType('resource').map(entry => entry.name)")
            self.assertEqual([name for name in names if not name.startswith(("file:", "data:"))], [], page)

    def test_search_finds_pages(self):
        found = self.search("condensed")
        self.assertIn("algorithms/condensed.html", "".join(found[:5]))
        self.assertIn("PvOsimDelassus", "".join(self.search("PvOsimDelassus")).replace("pvosimdelassus", "PvOsimDelassus"))

    def test_light_and_dark(self):
        self.open_file(self.path("index.html"))
        light = self.background()
        emulate(self.browser, "prefers-color-scheme", "dark")
        self.settle()
        self.assertNotEqual(self.background(), light)
        emulate(self.browser, "prefers-color-scheme", "light")
        self.settle()
        self.assertEqual(self.background(), light)
        next(button for button in self.find_all(".theme-toggle") if button.is_displayed()).click()
        self.assertEqual(self.find("body").get_attribute("data-theme"), "dark")
        self.assertNotEqual(self.background(), light)
        said = [entry["message"] for entry in self.browser.get_log("browser")]  # by the theme itself
        self.assertEqual([words for words in said if "Changed to dark mode" not in words], [])
        self.browser.execute_script("localStorage.clear()")

    def test_fits_narrow_screens(self):
        for page in PAGES:
            self.open_file(self.path(page))
            self.expect_fits(400)

    def test_screenshots(self):
        for page in PAGES:
            self.save_screenshots(page.replace("/", "-").removesuffix(".html"), self.path(page))


if __name__ == "__main__":
    if not os.path.exists(os.path.join(sys.argv[1], "index.html")):
        print("the site was not built: it is not tested")
        sys.exit(ABSENT)
    run_tests(__doc__, "site", "the folder of the site")
