#!/usr/bin/env python3
"""The site can be built without a warning, and is whole: every link of it leads somewhere, nothing comes from elsewhere, and the
reference has all types of the headers and all names of the package.

  tests/docs/site_test.py FOLDER     where the site goes

Exits with 77 where Sphinx, MyST or Furo are absent, so that ctest can skip.
"""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
import unittest
from functools import cached_property
from pathlib import Path
from urllib.parse import unquote

from blocks import ROOT

SITE = Path(sys.argv[1]).resolve()
ABSENT = 77
REFERENCE = re.compile(r'<(\w+)\b[^>]*?\s(?:href|src)="([^"]*)"')
# Types and concepts at the margin, but for specialisations.
DECLARED = re.compile(r"(?m)^(?:class|struct|enum class|concept|using)\s+(?:\[\[\w+\]\]\s+|alignas\(.*\) )?(\w+)\b"
                      r"(?!.*<.*> \{$)")


class HtmlPage:
    def __init__(self, path: Path) -> None:
        self.text = path.read_text(encoding="utf-8")

    @cached_property
    def ids(self) -> set[str]:
        return set(re.findall(r'\sid="([^"]*)"', self.text))

    @cached_property
    def references(self) -> set[tuple[str, str]]:
        return set(REFERENCE.findall(self.text))


class Site(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls) -> None:
        command = [sys.executable, str(ROOT / "docs/site/build.py"), str(SITE)]
        built = subprocess.run(command, capture_output=True, text=True, check=False)
        cls.messages = built.stdout + built.stderr
        cls.code = built.returncode
        cls.pages = {path: HtmlPage(path) for path in sorted(SITE.rglob("*.html"))}

    def test_it_is_built_without_a_warning(self) -> None:
        self.assertEqual((self.messages, self.code), ("", 0))

    def test_links_lead_somewhere(self) -> None:
        wrong = {f"{path.relative_to(SITE)}: {target}" for path, page in self.pages.items() for _, target in page.references
                 if not self.leads_somewhere(path, target)}
        self.assertEqual(sorted(wrong), [])

    def leads_somewhere(self, path: Path, target: str) -> bool:
        file, _, anchor = target.partition("#")
        if re.match(r"https?:|mailto:|data:", target):
            return True
        place = Path(os.path.normpath(path.parent / unquote(file.partition("?")[0]))) if file else path
        return place.is_file() and (not anchor or place not in self.pages or unquote(anchor) in self.pages[place].ids)

    def test_nothing_comes_from_elsewhere(self) -> None:
        """Links may lead out; what a page is made of may not."""
        out = [f"{path.relative_to(SITE)}: {target}" for path, page in self.pages.items() for tag, target in page.references
               if tag != "a" and re.match(r"(https?:)?//", target)]
        fetched = re.compile(r"(@import|url\()\s*[\"']?(https?:|/)")
        styles = [path.name for path in SITE.rglob("*.css") if fetched.search(path.read_text(encoding="utf-8"))]
        self.assertEqual(out + styles, [])

    def test_reference_has_every_type_of_the_headers(self) -> None:
        missing = []
        for header in sorted((ROOT / "include/delassus").glob("*/*.hpp")):
            text = header.read_text(encoding="utf-8")
            page = self.pages[SITE / "reference/cpp" / header.parent.name / (header.stem + ".html")]
            missing += [f"{header.name}: {name}" for name in DECLARED.findall(text)
                        if not any(id == name or id.endswith(f".3a.3a{name}") for id in page.ids)]
        self.assertEqual(missing, [])

    def test_reference_has_every_name_of_the_package(self) -> None:
        import delassus

        ids = set().union(*(page.ids for path, page in self.pages.items() if "reference/python" in path.as_posix()))
        names = [f"delassus.{name}" for name in delassus.__all__] + [f"delassus.plot.{name}" for name in delassus.plot.__all__]
        names += [f"delassus.gym.{name}" for name in ("CartPole", "Go2Stand", "VectorEnv")]
        self.assertEqual([name for name in names if name not in ids], [])


if __name__ == "__main__":
    for module in ("sphinx", "myst_parser", "furo"):
        if importlib.util.find_spec(module) is None:
            print(f"{module} is absent: the site is not tested")
            sys.exit(ABSENT)
    unittest.main(argv=sys.argv[:1])
