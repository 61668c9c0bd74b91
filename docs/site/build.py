#!/usr/bin/env python3
"""Builds the site of the documentation, offline, from docs/, the public headers and the Python package.

  docs/site/build.py FOLDER      the site is then at FOLDER/index.html

Needs Sphinx, MyST and Furo (Debian: python3-sphinx, python3-myst-parser, furo) and a Python that can import the package:
`make docs` has both. Any warning is an error.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

from pages import ROOT, SITE

# What is needed beside the standard library, and the Debian package that brings it.
NEEDED = {"sphinx": "python3-sphinx", "myst_parser": "python3-myst-parser", "furo": "furo", "delassus": "none; `make python`"}


def require_modules() -> None:
    for module, package in NEEDED.items():
        if importlib.util.find_spec(module) is None:
            sys.exit(f"{sys.executable} has no module {module} (Debian: {package}); `make docs` installs what the site needs")


def mend_theme(static: Path) -> None:
    """Makes Debian's Furo (2022.12.07+dfsg) work without a server: its script imports another as a module, which a page from a
    file may not, and its style takes normalize.css from the root of a server. As others package it there is nothing to mend."""
    script, style = static / "scripts/furo.js", static / "styles/furo.css"
    importing = re.compile(r'^import Gumshoe from "\./(gumshoe-patched\.js)";\n')
    code = script.read_text(encoding="utf-8")
    if match := importing.match(code):
        script.write_text((static / "scripts" / match[1]).read_text(encoding="utf-8") + code[match.end() :], encoding="utf-8")
    text = style.read_text(encoding="utf-8")
    if match := re.match(r"@import url\(/javascript/(\S+)\);", text):
        reset = Path("/usr/share/javascript", match[1]).read_text(encoding="utf-8")
        style.write_text(reset + text[match.end() :], encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where the site goes")
    folder = parser.parse_args().folder.resolve()
    require_modules()
    from stage import Stage  # needs them

    source = folder.with_name(folder.name + "-source")
    Stage(source).fill()
    version = re.search(r"VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8").partition("project(")[2])
    environment = {**os.environ, "DELASSUS_SITE": str(SITE), "DELASSUS_VERSION": version[1] if version else ""}
    # The old site first: pages that are gone would stay.
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-E", "-j", "auto", "-c", str(SITE), "-b", "html",
               "-d", str(source / ".doctrees"), str(source), str(folder)]
    code = subprocess.run(command, env=environment, check=False).returncode
    mend_theme(folder / "_static")
    return code


if __name__ == "__main__":
    sys.exit(main())
