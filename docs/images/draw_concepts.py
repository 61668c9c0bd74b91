"""Draws the two figures of docs/concepts whose lines are numbers of the library:

    build/venv/bin/python docs/images/draw_concepts.py

Operations are counted and shades have twenty levels, so that both are the same on every machine.
"""

import math
from pathlib import Path

import numpy as np

import delassus

HERE = Path(__file__).parent
STYLE = """<style>
    text { font: 13px sans-serif; fill: #7b7b7b; }
    .head { font-weight: bold; font-size: 14px; }
    .small { font-size: 11.5px; }
    .middle { text-anchor: middle; }
    .axis { stroke: #808080; stroke-width: 1.5; fill: none; }
    .line { stroke-width: 2.5; fill: none; }
    .frame { stroke: #808080; stroke-width: 1; fill: none; }
  </style>"""
COLOURS = {"condensed": "#2f74c8", "pv-osim": "#c2620e", "kkt": "#8a63b8", "dense": "#2b8a4b"}


def write(name: str, title: str, height: int, parts: list[str]) -> None:
    size = f'viewBox="0 0 800 {height}" width="800" height="{height}"'
    head = [f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">', f"<title>{title}</title>", STYLE]
    (HERE / name).write_text("\n  ".join([*head, *parts]) + "\n</svg>\n", encoding="utf-8")


def crossing_panel(left: int, title: str, scene: delassus.Scene, admm: bool) -> list[str]:
    """Operations against products, or ADMM iterations with another damping every tenth: both axes are logarithmic."""
    work = delassus.Workload(products=1, dampings=2, solves=1)
    plan = delassus.plan(scene.model, scene.constraints, work, among=COLOURS)
    calls = {candidate.algorithm: candidate.calls for candidate in plan.candidates}
    counts = np.unique(np.logspace(0, 3, 40).round().astype(int))

    def cost(c: delassus.OperatorCount, k: int) -> int:
        return c.factor + (c.damping + (k - 1) // 10 * c.redamping + k * c.solve if admm else k * c.product)

    lowest = math.log10(min(cost(c, 1) for c in calls.values())) - 0.1
    highest = math.log10(max(cost(c, 1000) for c in calls.values())) + 0.1
    x = lambda k: left + 50 + 300 * math.log10(k) / 3  # noqa: E731
    y = lambda n: 250 - 200 * (math.log10(n) - lowest) / (highest - lowest)  # noqa: E731
    parts = [f'<text class="head" x="{left}" y="26">{title}</text>']
    parts.append(f'<path class="axis" d="M{left + 50} 50 V250 H{left + 350}"/>')
    parts += [f'<text class="small middle" x="{x(k):.0f}" y="268">{k}</text>' for k in (1, 10, 100, 1000)]
    for power in range(math.ceil(lowest), math.floor(highest) + 1):
        parts.append(f'<text class="small" x="{left + 20}" y="{y(10**power) + 4:.0f}">1e{power}</text>')
    for name, c in calls.items():
        points = " L".join(f"{x(k):.1f} {y(cost(c, k)):.1f}" for k in counts)
        parts.append(f'<path class="line" stroke="{COLOURS[name]}" d="M{points}"/>')
    what = "ADMM iterations at one configuration" if admm else "products at one configuration"
    return [*parts, f'<text class="small middle" x="{left + 200}" y="286">{what}</text>']


def draw_crossing() -> None:
    parts = crossing_panel(10, "Go2 on four feet, 12 rows", delassus.load("go2-standing"), admm=False)
    parts += crossing_panel(410, "G1 fallen, 69 rows", delassus.load("g1-fallen"), admm=True)
    for k, (name, colour) in enumerate(COLOURS.items()):
        parts.append(f'<path class="line" stroke="{colour}" d="M{160 + 130 * k} 312 h26"/>')
        parts.append(f'<text x="{192 + 130 * k}" y="316">{name}</text>')
    write("concept-crossing.svg", "Operations of products and of ADMM iterations by four operators", 330, parts)


def matrix_panel(left: int, title: str, scene: delassus.Scene) -> list[str]:
    """Entries by size, four decades from the largest down; frames around constraints."""
    op = delassus.Operator(scene.model, scene.constraints, "dense")
    op.update(scene.q)
    size = np.abs(op.dense())
    shade = np.clip(1 + np.log10(np.maximum(size / size.max(), 1e-9)) / 4, 0, 1)
    cell = 216 / op.rows
    parts = [f'<text class="head" x="{left}" y="26">{title}</text>']
    for level in range(1, 21):  # one path for all cells of about the same shade
        cells = zip(*np.nonzero((20 * shade).round() == level))
        square = f"h{cell:.0f}v{cell:.0f}h-{cell:.0f}z"
        path = " ".join(f"M{left + cell * c:.0f} {44 + cell * r:.0f}{square}" for r, c in cells)
        parts += [f'<path fill="#2f74c8" fill-opacity="{level / 20}" d="{path}"/>'] if path else []
    for row in range(0, op.rows + 1, 3):
        at = cell * row
        parts.append(f'<path class="frame" d="M{left + at:.1f} 44 v216 M{left} {44 + at:.1f} h216" opacity="0.5"/>')
    return parts


def draw_matrix() -> None:
    parts = matrix_panel(20, "Go2 on four feet", delassus.load("go2-standing"))
    parts += matrix_panel(280, "G1, four points under each foot", delassus.load("g1-standing"))
    notes = ["Strong colour: large entries;", "a quarter of it: a thousandth;", "none: below 1e-4 of the largest.", "",
             "Feet of Go2 hardly feel each other:", "the trunk is heavy beside a leg.", "",
             "Points under one foot of G1 do:", "two blocks of 12 rows, each of", "rank 6."]  # fmt: skip
    parts += [f'<text x="545" y="{64 + 20 * k}">{note}</text>' for k, note in enumerate(notes)]
    write("concept-matrix.svg", "The Delassus matrices of Go2 and G1, standing", 280, parts)


if __name__ == "__main__":
    draw_crossing()
    draw_matrix()
