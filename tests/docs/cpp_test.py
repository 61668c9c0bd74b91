#!/usr/bin/env python3
"""C++ of the pages compiles: all blocks in one translation unit, each as the body of a function.

  tests/docs/cpp_test.py COMPILER [FLAG...]

What a block does not declare is in context.hpp. Blocks are checked, not linked and not run.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from blocks import ROOT, Block, Page, is_run, pages

COMPILER = sys.argv[1:]
# What begins so cannot stand in a function.
OUTSIDE = re.compile(r"^(?:int main\(|template|namespace|struct .*\{$|class .*\{$|inline )", re.M)


def translation_unit(blocks: list[tuple[Page, Block]]) -> str:
    includes: list[str] = []
    parts: list[str] = []
    for k, (page, block) in enumerate(blocks):
        includes += [line for line in block.lines if line.startswith("#include")]
        code = "".join(("" if line.startswith("#include") else line) + "\n" for line in block.lines)
        code = f'#line {block.line + 1} "{page.name}"\n{code}'
        code = code if OUTSIDE.search(code) else f"inline auto run() {{\n{code}}}\n"
        parts.append(f"namespace delassus::docs::block_{k} {{\n{code}}}\n")
    return "\n".join(['#include "context.hpp"', *dict.fromkeys(includes), *parts])


def errors_of(blocks: list[tuple[Page, Block]]) -> str:
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "blocks.cpp"
        source.write_text(translation_unit(blocks), encoding="utf-8")
        command = [*COMPILER, "-fsyntax-only", f"-I{ROOT / 'tests/docs'}", f"-I{ROOT / 'include'}", str(source)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else done.stderr


class CppBlocks(unittest.TestCase):
    def test_they_compile(self) -> None:
        blocks = [(page, block) for page in pages() for block in page.blocks if block.language == "cpp" and is_run(block)]
        # One that must not: else all may be left out without anybody noticing.
        planted = Page(ROOT / "planted.md", "```cpp\nconst int wrong = model;\n```\n")
        errors = errors_of([*blocks, (planted, planted.blocks[0])])
        self.assertEqual(re.findall(r"(?m)^(?!planted\.md)(\S+\.md:\d+\S*: error:.*)", errors), [], errors)
        self.assertIn("planted.md:2:", errors)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
