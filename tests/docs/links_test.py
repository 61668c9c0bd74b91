#!/usr/bin/env python3
"""Every link and image of the pages leads to a file and an anchor that are there. Nothing outside of the tree is asked for."""

from __future__ import annotations

import os
import re
import unittest
from pathlib import Path

from blocks import ROOT, Page, documents

# `one`, `two` in [`file`](path), and the same as two cells of a table: names that stand in that file.
NAMED = re.compile(r"((?:`[\w:]+`(?:, | and )?)+) (?:in|\|) \[`[^`]+`\]\(([^)#]+\.[ch]pp)\)")


class Links(unittest.TestCase):
    def setUp(self) -> None:
        self.pages = {path: Page(path) for path in documents()}

    def findings(self) -> list[str]:
        return [f"{page.name}:{link.line}: {link.target}: {wrong}" for page in self.pages.values() for link in page.links
                if (wrong := self.what_is_wrong(page, link.target))]

    def what_is_wrong(self, page: Page, target: str) -> str:
        file, _, anchor = target.partition("#")
        if re.match(r"(https?|mailto):", target):
            return ""
        path = Path(os.path.normpath(page.path.parent / file)) if file else page.path
        if path not in self.pages and not (path.exists() and path.is_relative_to(ROOT)):
            return "there is no such file"
        if anchor and path.suffix == ".md":
            known = (self.pages.get(path) or Page(path)).anchors
            return "" if anchor in known else f"there is no such heading; there are {', '.join(sorted(known))}"
        return ""

    def test_links_lead_somewhere(self) -> None:
        self.assertEqual(self.findings(), [])

    def misnamed(self) -> list[str]:
        return [f"{page.name}:{number}: {name} is not in {file}" for page in self.pages.values() for number, line in page.prose
                for names, file in NAMED.findall(line) for name in re.findall(r"`([\w:]+)`", names)
                if not re.search(rf"\b{name.split('::')[-1]}\b", (page.path.parent / file).read_text(encoding="utf-8"))]

    def test_functions_are_in_the_files_that_are_named(self) -> None:
        self.assertEqual(self.misnamed(), [])

    def test_images_have_words_for_those_who_do_not_see_them(self) -> None:
        without = [f"{page.name}:{link.line}: {link.target}" for page in self.pages.values() for link in page.links
                   if link.image and len(link.text) < 5]
        self.assertEqual(without, [])

    def test_references_without_a_target(self) -> None:
        """[text][label] and [text] with a definition are not used: the check would not see where they lead."""
        found = [f"{page.name}:{number}" for page in self.pages.values() for number, line in page.prose
                 if re.match(r"\s*\[[^\]]+\]:\s+\S", line)]
        self.assertEqual(found, [])

    def test_broken_ones_are_found(self) -> None:
        text = "# A page\n\nA [file](none.md), a\n[heading](#a-pages), `[code](none)`, [itself](#a-page), ![](../LICENSE).\n"
        page = Page(ROOT / "docs/planted.md", text + "```text\n[block](none.md)\n```\n")
        self.pages = {page.path: page}
        self.assertEqual(len(page.links), 4)
        self.assertEqual([line.split(": ")[:2] for line in self.findings()],
                         [["docs/planted.md:3", "none.md"], ["docs/planted.md:4", "#a-pages"]])

    def test_functions_in_other_files_are_found(self) -> None:
        text = "# A page\n\n`include`, `lost` and `Lost::gone_for_good` in [`this`](../tests/meta/source_tree.cpp)\n"
        page = Page(ROOT / "docs/planted.md", text)
        self.pages = {page.path: page}
        self.assertEqual([line.split(": ")[1].split()[0] for line in self.misnamed()], ["lost", "Lost::gone_for_good"])


if __name__ == "__main__":
    unittest.main()
