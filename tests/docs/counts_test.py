#!/usr/bin/env python3
"""Tables of operation counts on the pages are what `delassus opcount` counts today.

  tests/docs/counts_test.py COMMAND              compares those of single systems
  tests/docs/counts_test.py COMMAND --by-size    those of families of systems, a quarter of a minute
  tests/docs/counts_test.py COMMAND --write      puts the rows of today into the pages
"""

from __future__ import annotations

import functools
import json
import re
import subprocess
import sys
import unittest
from pathlib import Path
from typing import Any, Callable

from blocks import ROOT

COMMAND = Path(sys.argv[1]).absolute()
ALGORITHMS = ("dense", "ltl", "kjr", "chang-khatib", "efpa", "pv-osim", "pv-osimr")


@functools.cache
def study(case: str, frames: str, *options: str) -> dict[str, Any]:
    done = subprocess.run([COMMAND, "opcount", case, "--frames", frames, "--json", *options], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def point(case: str, frames: str, *options: str) -> dict[str, Any]:
    return study(case, frames, *options)["points"][0]


def number(n: int) -> str:
    return f"{n:,}".replace(",", " ")


def totals(at: dict[str, Any]) -> dict[str, int]:
    return {name: at["algorithms"][name]["total"] for name in ALGORITHMS if name in at["algorithms"]}


def single(frames: str) -> Callable[[str], str]:
    """A row of one system, with the fewest in bold."""

    def row(case: str) -> str:
        at = point(case.strip("`"), frames)
        all_totals = totals(at)
        cells = [f"**{number(n)}**" if n == min(all_totals.values()) else number(n) for n in all_totals.values()]
        return " | ".join([case, str(at["n"]), str(at["m"]), str(at["depth"]), *cells])

    return row


def inverse(case: str) -> str:
    """Λ⁻¹ and J̄ by LTL and EFPA."""
    name = case.strip("`")
    at, alone = point(name, "local", "--inverse"), totals(point(name, "local"))
    both = {a: at["algorithms"][a]["total"] for a in ("ltl", "efpa")}
    cells = [alone[a] for a in both] + [both[a] - alone[a] for a in both] + list(both.values())
    return " | ".join([case, str(at["n"]), str(at["m"]), str(at["depth"]), *map(number, cells), f"{100 * both['efpa'] / both['ltl']:.0f} %"])


def growth(case: str, sizes: str, frames: str) -> str:
    first, last = map(int, sizes.split(" to "))
    slope = next(s["exponents"] for s in study(case, frames)["slopes"] if (s["from"], s["to"]) == (first, last))
    return " | ".join([case, sizes, frames, *(f"{slope[a]:.2f}" if a in slope else "–" for a in ALGORITHMS)])


def crossing(case: str, frames: str) -> str:
    """Who needs the fewest up to which size. Of a stem with so many branches: its name with `x` and their number."""
    name = case.strip("`")
    family, _, branches = name.partition(":kx")
    points = [p for p in study(family, frames)["points"] if not branches or p["scene"].endswith(f"x{branches}")]
    who = [" and ".join(a for a, n in totals(p).items() if n == min(totals(p).values())) for p in points]
    parts, at = [], 0
    while at < len(who):
        end = at
        while end + 1 < len(who) and who[end + 1] == who[at]:
            end += 1
        parts.append(f"{who[at]} from {points[at]['k']}" if end + 1 == len(who) else f"{who[at]} to {points[end]['k']}")
        at = end + 1
    return f"{case} | {frames} | " + ", ".join(parts)


def overtaking(case: str, frames: str) -> str:
    """From which stem on one needs fewer operations than another."""
    branches = case.strip("`").partition(":kx")[2]
    points = [totals(p) for p in study("stem", frames)["points"] if p["scene"].endswith(f"x{branches}")]

    def first(a: str, b: str) -> str:
        later = [k for k in range(len(points)) if all(p[a] < p[b] for p in points[k:])]
        return str(later[0] + 1) if later else "–"

    return f"{case} | {frames} | {first('pv-osimr', 'pv-osim')} | {first('efpa', 'pv-osim')} | {first('efpa', 'pv-osimr')}"


Table = tuple[str, str, int, Callable[..., str]]
# The page, the line before the table, how many cells of a row say what it is about, and how the row is made of them.
OF_SYSTEMS: list[Table] = [
    ("docs/operation-counts.md", "Local frames, as the papers write the algorithms (fewest in bold):", 1, single("local")),
    ("docs/operation-counts.md", "Folded:", 1, single("folded")),
    ("docs/operation-counts.md", "World frames:", 1, single("world")),
    ("docs/algorithms/efpa.md", "`delassus opcount CASE --frames local --inverse`, without making Λ, which is the same for both:", 1, inverse),
]
BY_SIZE: list[Table] = [
    ("docs/operation-counts.md", "Exponents between two sizes:", 3, growth),
    ("docs/operation-counts.md", "Which algorithm needs the fewest, by size:", 2, crossing),
    ("docs/operation-counts.md", "From which length of a stem on one needs fewer than another:", 2, overtaking),
]


def rows_after(lines: list[str], title: str) -> range:
    """Where the rows of the table are."""
    first = lines.index(title) + 4  # an empty line, the head, the rule
    last = first
    while last < len(lines) and lines[last].startswith("|"):
        last += 1
    return range(first, last)


def row_of_today(line: str, keys: int, make: Callable[..., str]) -> str:
    return f"| {make(*re.split(r' *[|] *', line.strip('| '))[:keys])} |"


class Counts(unittest.TestCase):
    def test_tables_are_those_of_today(self) -> None:
        for page, title, keys, make in BY_SIZE if sys.argv[2:] == ["--by-size"] else OF_SYSTEMS:
            lines = (ROOT / page).read_text(encoding="utf-8").splitlines()
            rows = rows_after(lines, title)
            self.assertGreater(len(rows), 2, f"{page}: {title}")
            for at in rows:
                with self.subTest(page=page, line=at + 1):
                    self.assertEqual(lines[at], row_of_today(lines[at], keys, make))


def write() -> None:
    for page, title, keys, make in OF_SYSTEMS + BY_SIZE:
        lines = (ROOT / page).read_text(encoding="utf-8").splitlines()
        for at in rows_after(lines, title):
            lines[at] = row_of_today(lines[at], keys, make)
        (ROOT / page).write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write() if sys.argv[2:] == ["--write"] else unittest.main(argv=sys.argv[:1])
