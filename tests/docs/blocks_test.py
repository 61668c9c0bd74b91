#!/usr/bin/env python3
"""Every fenced block of the pages is accounted for: it is an example, it is run by a test, or it says why not."""

from __future__ import annotations

import json
import unittest
from collections import Counter
from pathlib import Path

from blocks import ROOT, Block, Page, agree, is_run, pages, where

MARKERS = ("example", "output", "output of", "needs", "needs program", "numbers vary", "tested by", "words", "not run")
# Languages whose blocks are run or compiled: commands_test.py, python_test.py, cpp_test.py, and JSON here.
TESTED = {"console", "sh", "python", "cpp", "json"}
# How many blocks of each page are not run. One more is a decision: the reason stands in its marker.
NOT_RUN = {
    "CONTRIBUTING.md": 2,
    "README.md": 2,
    "docs/command.md": 1,
    "docs/demo-box.md": 1,
    "docs/features.md": 1,
    "docs/generate.md": 4,
    "docs/gpu.md": 1,
    "docs/how-to/slurm.md": 3,
    "docs/install.md": 4,
    "docs/isa.md": 2,
    "docs/learning.md": 2,
    "docs/peers.md": 1,
    "docs/performance.md": 8,
    "docs/planner.md": 1,
    "docs/python.md": 1,
    "docs/start.md": 3,
    "docs/study-go2-pushes.md": 1,
    "docs/sweeps.md": 2,
    "docs/tour.md": 2,
    "docs/viewer.md": 1,
}


def what_is_wrong(page: Page, block: Block) -> str:
    """Why a block is not accounted for; empty if it is."""
    if not block.closed:
        return "is not closed"
    if not block.language:
        return "has no language"
    for marker in block.markers:
        if marker.partition(":")[0] not in MARKERS:
            return f"has a marker that nobody knows: {marker}"
    if block.marker("not run") == "":
        return "says not why it is not run"
    if (test := block.marker("tested by")) is not None:
        return "" if knows(ROOT / test, page) else f"says that {test} tests it, which does not read {page.path.name}"
    if block.language in TESTED or not is_run(block):
        return ""
    if block.language == "text":
        marked = any(block.marker(word) is not None for word in ("output", "output of", "words"))
        return "" if marked else "is text without a marker; output, output of, words or not run"
    return f"is {block.language}, which is not run; make it an example"


def knows(test: Path, page: Page) -> bool:
    return test.is_file() and page.path.name in test.read_text(encoding="utf-8")


class Blocks(unittest.TestCase):
    def test_every_block_is_accounted_for(self) -> None:
        self.assertEqual([f"{where(page, block)}: {wrong}" for page in pages() for block in page.blocks
                          if (wrong := what_is_wrong(page, block))], [])

    def test_blocks_that_are_not_run_are_counted(self) -> None:
        found = Counter(page.name for page in pages() for block in page.blocks if block.marker("not run") is not None)
        self.assertEqual(dict(sorted(found.items())), dict(sorted(NOT_RUN.items())))

    def test_json_can_be_read(self) -> None:
        for page in pages():
            for block in page.blocks:
                if block.language == "json" and is_run(block):
                    with self.subTest(where(page, block)):
                        json.loads(block.code)

    def test_headings_make_a_tree(self) -> None:
        """One title, and no level left out: the site and readers by ear find their way by them."""
        for page in pages():
            levels = [heading.level for heading in page.headings]
            with self.subTest(page.name):
                self.assertEqual(levels[:1], [1])
                self.assertEqual(levels.count(1), 1)
                self.assertTrue(all(b <= a + 1 for a, b in zip(levels, levels[1:])), levels)


class Planted(unittest.TestCase):
    """What is wrong is found."""

    def wrong(self, text: str) -> str:
        page = Page(ROOT / "docs/planted.md", text)
        return what_is_wrong(page, page.blocks[0])

    def test_blocks(self) -> None:
        self.assertEqual(self.wrong("```\nx\n```\n"), "has no language")
        self.assertEqual(self.wrong("```cpp\nx\n"), "is not closed")
        self.assertEqual(self.wrong("```cmake\nx\n```\n"), "is cmake, which is not run; make it an example")
        self.assertEqual(self.wrong("<!-- not run -->\n```sh\nx\n```\n"), "says not why it is not run")
        self.assertEqual(self.wrong("<!-- not rum: why -->\n```sh\nx\n```\n"), "has a marker that nobody knows: not rum: why")
        self.assertRegex(self.wrong("<!-- words -->\ntext\n```text\nx\n```\n"), "without a marker")
        self.assertRegex(self.wrong("<!-- tested by: tests/CMakeLists.txt -->\n```make\nx\n```\n"), "does not read planted.md")
        self.assertEqual(self.wrong("```console\n$ delassus\n```\n"), "")

    def test_output(self) -> None:
        self.assertTrue(agree(["a 1", "[...: more]", "z"], ["a 1", "b", "c", "z"], None))
        self.assertFalse(agree(["a 1", "[...: more]", "z"], ["a 1", "b", "z", "y"], None))
        self.assertFalse(agree(["a 1"], ["a 2"], None))
        self.assertTrue(agree(["a  1.5 s", "b"], ["a 12e-3 s", "b"], ""))
        self.assertFalse(agree(["a 1", "b 1"], ["a 2", "b 2"], "a"))
        self.assertTrue(agree(["file [...].html"], ["file a.html"], None))
        self.assertFalse(agree(["a"], ["a", "b"], None))


if __name__ == "__main__":
    unittest.main()
