#!/usr/bin/env python3
"""Python of the pages: the blocks of a page run one after the other, with the package that is installed for this Python."""

from __future__ import annotations

import contextlib
import io
import os
import tempfile
import unittest

from blocks import ROOT, Page, agree, is_run, pages, trimmed, where


class PythonBlocks(unittest.TestCase):
    def test_pages(self) -> None:
        os.environ["MPLBACKEND"] = "Agg"
        home = os.getcwd()
        for page in pages():
            with tempfile.TemporaryDirectory() as folder, self.subTest(page.name):
                os.chdir(folder)
                os.environ["DELASSUS_CACHE"] = os.path.join(folder, "cache")  # what pages compile is not kept
                try:
                    self.run_page(page)
                finally:
                    os.chdir(home)

    def test_wrong_output_is_found(self) -> None:
        text = "```python\nprint(1)\n```\n\n<!-- output -->\n```text\n{}\n```\n"
        self.run_page(Page(ROOT / "planted.md", text.format(1)))
        with self.assertRaises(AssertionError):
            self.run_page(Page(ROOT / "planted.md", text.format(2)))

    def run_page(self, page: Page) -> None:
        space: dict[str, object] = {"__name__": "__main__"}
        printed = ""
        for k, block in enumerate(page.blocks):
            if block.language == "python" and is_run(block):
                out = io.StringIO()
                # Blank lines before it, so that an error names the line of the page.
                code = compile("\n" * block.line + block.code, page.name, "exec")
                with contextlib.redirect_stdout(out):
                    exec(code, space)  # noqa: S102
                printed = out.getvalue()
            elif block.marker("output") is not None and page.blocks[k - 1].language == "python" and is_run(page.blocks[k - 1]):
                if not agree(trimmed(block.code), trimmed(printed), block.marker("numbers vary")):
                    self.assertEqual(block.code, printed, where(page, block))


if __name__ == "__main__":
    unittest.main()
