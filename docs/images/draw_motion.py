#!/usr/bin/env python3
"""Draws a motion as one SVG that moves: the robot with its contact forces, and beside it Λ⁻¹ of the moment.

    delassus simulate g1-standing --seconds 1 --fps 40 --quiet --html g1-falls.html
    python3 docs/images/draw_motion.py g1-falls.html docs/images/g1-falls.svg

It reads the recording in a page that `simulate --html` wrote (docs/viewer.md). The frames lie side by side as on a film, and one
CSS animation moves the film; who prefers no motion sees a frame from the middle. Needs nothing but Python.
"""

from __future__ import annotations

import base64
import json
import math
import re
import struct
import sys
from pathlib import Path
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 800, 340
SCALE = 235.0  # pixels in a metre
CENTRE = (240.0, 302.0)  # the pixel of the world's origin
MATRIX = (510.0, 64.0, 220.0)  # left, top and side of Λ⁻¹
AZIMUTH, HEIGHT_OF_EYE = math.radians(-52), math.radians(14)
SLOWER, HOLD = 3, 1.2  # times slower than the motion; seconds that the last frame stays
NEWTON = 0.0015  # metres that a newton is long
HUES = ["#8d7bc4", "#5fae7b", "#d98a94", "#5aaab5", "#c9ae57", "#7e97d1"]
SHADES = ["#fbe0cf", "#f7b795", "#ee8a5c", "#d95f27", "#b03f0c", "#7f2a04"]  # half a decade to each

Vector = tuple[float, float, float]


def floats(text: str) -> tuple[float, ...]:
    data = base64.b64decode(text)
    return struct.unpack(f"<{len(data) // 4}f", data)


def recording_of(page: str) -> dict:
    found = re.search(r'<script type="application/json" id="recording">(.*?)</script>', page, re.S)
    if not found:
        raise SystemExit("the page has no recording; write it with `delassus simulate SCENE --html FILE`")
    return json.loads(found.group(1))


def rotate(q: tuple[float, ...], p: Vector) -> Vector:
    """p in the frame that the quaternion x, y, z, w turns."""
    x, y, z, w = q
    t = (2 * (y * p[2] - z * p[1]), 2 * (z * p[0] - x * p[2]), 2 * (x * p[1] - y * p[0]))
    return (p[0] + w * t[0] + y * t[2] - z * t[1], p[1] + w * t[1] + z * t[0] - x * t[2], p[2] + w * t[2] + x * t[1] - y * t[0])


def add(a: Vector, b: Vector) -> Vector:
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def project(p: Vector) -> Vector:
    """Pixels to the right and down, and the distance towards the eye."""
    right = -p[0] * math.sin(AZIMUTH) + p[1] * math.cos(AZIMUTH)
    ahead = p[0] * math.cos(AZIMUTH) + p[1] * math.sin(AZIMUTH)
    up = p[2] * math.cos(HEIGHT_OF_EYE) - ahead * math.sin(HEIGHT_OF_EYE)
    return (CENTRE[0] + SCALE * right, CENTRE[1] - SCALE * up, ahead * math.cos(HEIGHT_OF_EYE) + p[2] * math.sin(HEIGHT_OF_EYE))


def hull(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Corners of the convex hull in their order (Andrew's monotone chain)."""
    ordered = sorted(set(points))

    def turns_back(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> bool:
        return (b[0] - a[0]) * (c[1] - a[1]) <= (b[1] - a[1]) * (c[0] - a[0])

    def half(some: list[tuple[float, float]]) -> list[tuple[float, float]]:
        out: list[tuple[float, float]] = []
        for p in some:
            while len(out) > 1 and turns_back(out[-2], out[-1], p):
                out.pop()
            out.append(p)
        return out[:-1]

    return half(ordered) + half(ordered[::-1]) or ordered


def corners(shape: dict) -> list[Vector]:
    """Points of which a shape is the hull; those of a round one lie on circles."""
    a, b, c = shape["size"]
    if shape["kind"] == "box":
        return [(x, y, z) for x in (-a, a) for y in (-b, b) for z in (-c, c)]
    turns = [2 * math.pi * k / 12 for k in range(12)]
    if shape["kind"] == "cylinder":
        return [(a * math.cos(t), a * math.sin(t), z) for t in turns for z in (-b, b)]
    if shape["kind"] == "capsule":
        return [(0, 0, -b), (0, 0, b)]
    raise SystemExit(f"draw_motion.py draws no shapes of kind {shape['kind']} yet")


def limb_of(bodies: list[dict], k: int) -> int:
    """The first body of the unbranched chain that a body is in."""
    children = [body["parent"] for body in bodies]
    while bodies[k]["parent"] >= 0 and children.count(bodies[k]["parent"]) == 1:
        k = bodies[k]["parent"]
    return k


def path(points: list[tuple[float, float]]) -> str:
    return "M" + " ".join(f"{x:.0f} {y:.0f}" for x, y in points)


def solid(shape: dict, pose: tuple[float, ...]) -> tuple[float, str]:
    """How near a shape is, and its outline."""

    def place(p: Vector) -> Vector:
        in_body = add(shape["position"], rotate(shape["quaternion"], p))
        return project(add(pose[:3], rotate(pose[3:], in_body)))

    x, y, depth = place((0, 0, 0))
    radius = SCALE * shape["size"][0]
    if shape["kind"] == "sphere":
        return depth, f'<circle cx="{x:.0f}" cy="{y:.0f}" r="{radius:.0f}"/>'
    points = [place(p)[:2] for p in corners(shape)]
    if shape["kind"] == "capsule":
        return depth, f'<path d="{path(points)}" style="stroke:currentColor;stroke-width:{2 * radius:.0f};stroke-linecap:round"/>'
    return depth, f'<path d="{path(hull(points))}z"/>'


def robot(recording: dict, poses: tuple[float, ...]) -> list[str]:
    """The shapes, far ones first; one colour for each limb."""
    limbs = sorted({limb_of(recording["bodies"], k) for k in range(len(recording["bodies"]))})
    drawn = []
    for shape in recording["shapes"]:
        k = shape["body"]
        if k >= 0:
            hue = limbs.index(limb_of(recording["bodies"], k)) % len(HUES)
            drawn.append((*solid(shape, poses[7 * k : 7 * k + 7]), hue))
    return [text.replace(" ", f' class="h{hue}" ', 1) for _, text, hue in sorted(drawn)]


def arrows(contacts: list[dict]) -> list[str]:
    shafts = []
    for contact in contacts:
        start, force = contact["position"], contact["force"]
        if math.hypot(*force) > 5:
            tip = add(start, tuple(NEWTON * f for f in force))
            shafts.append(path([project(start)[:2], project(tip)[:2]]))
    return [f'<path class="force" d="{"".join(shafts)}"/>'] if shafts else []


def matrix(frame: dict, structure: dict) -> list[str]:
    """The largest entry for each pair of contacts, in shades over three decades; runs of one shade are one line."""
    lower = floats(frame["matrix"])
    block = structure["block"]
    spans = [range(row["first"] // block, (row["first"] + row["count"] - 1) // block + 1)
             for row in structure["rows"] if row["kind"] == "contact"]  # others have other units
    entry = lambda r, c: abs(lower[max(r, c) * (max(r, c) + 1) // 2 + min(r, c)])  # noqa: E731
    cells = [[max(entry(r, c) for r in a for c in b) for b in spans] for a in spans]
    largest = max(map(max, cells))
    shade = lambda x: math.floor(len(SHADES) + 2 * math.log10(x / largest) - 1e-9) if x > 0 else -1  # noqa: E731
    runs = [""] * len(SHADES)
    for r, row in enumerate([shade(x) for x in line] for line in cells):
        c = 0
        while c < len(row):
            end = next((k for k in range(c, len(row)) if row[k] != row[c]), len(row))
            if row[c] >= 0:
                runs[row[c]] += f"M{c} {r + 0.5}h{end - c}"
            c = end
    left, top, side = MATRIX
    size = side / len(spans)
    lines = "".join(f'<path class="s{k}" d="{d}"/>' for k, d in enumerate(runs) if d)
    return [f'<g transform="translate({left:.0f} {top:.0f})scale({size:.3f})">{lines}</g>']


def frame_parts(recording: dict, frame: dict) -> list[str]:
    parts = robot(recording, floats(frame["poses"])) + arrows(frame["contacts"])
    rows = 0
    if "matrix" in frame and frame["structure"] >= 0:
        structure = recording["structures"][frame["structure"]]
        rows = sum(row["count"] for row in structure["rows"] if row["kind"] == "contact")
        parts += matrix(frame, structure)
    words = f'{frame["t"]:.2f} s: {len(frame["contacts"])} contacts, {rows} rows'
    return [*parts, f'<text x="{MATRIX[0]:.0f}" y="306">{words}</text>']


def floor() -> str:
    edge = [k / 4 for k in range(-3, 4)]
    ends = [((x, edge[0], 0), (x, edge[-1], 0)) for x in edge] + [((edge[0], y, 0), (edge[-1], y, 0)) for y in edge]
    lines = "".join(path([project(a)[:2], project(b)[:2]]) for a, b in ends)
    return f'<path class="floor" d="{lines}"/>'


def style(count: int, fps: float) -> str:
    """The film moves by one frame at a time, and stays on the last."""
    play, end = (count - 1) * SLOWER / fps, WIDTH * (count - 1)
    share = 100 * play / (play + HOLD)
    hues = "\n".join(f".h{k} {{ fill: {c}; color: {c} }}" for k, c in enumerate(HUES))
    shades = "\n".join(f".film g g .s{k} {{ stroke: {c} }}" for k, c in enumerate(SHADES))
    return f"""
text {{ font: 13px sans-serif; fill: #7b7b7b }}
.title {{ font-size: 15px; font-weight: bold }}
.floor {{ stroke: #8884; fill: none }}
.film {{ animation: play {play + HOLD:.2f}s steps({count - 1}) infinite; transform: translateX(-{WIDTH * (count // 3)}px) }}
.film circle, .film path {{ stroke: #0004 }}
.film .force {{ stroke: #d9480f; stroke-width: 3; stroke-linecap: round; fill: none }}
.film g g path {{ stroke-width: 1; fill: none }}
{hues}
{shades}
@keyframes play {{ 0% {{ transform: none }} {share:.1f}%, 100% {{ transform: translateX(-{end}px) }} }}
@media (prefers-reduced-motion: reduce) {{ .film {{ animation: none }} }}
"""


def draw(recording: dict) -> str:
    frames = [frame for frame in recording["frames"] if frame["contacts"]]  # the first has none yet
    film = "\n".join(f'<g transform="translate({WIDTH * k})">{"".join(frame_parts(recording, frame))}</g>'
                     for k, frame in enumerate(frames))
    title = escape(recording["title"])
    left, top, side = MATRIX
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" role="img">',
        f"<title>{title}: the motion, its contact forces, and the Delassus matrix of the moment</title>",
        f"<style>{style(len(frames), recording['fps'])}</style>", floor(),
        f'<text class="title" x="{left:.0f}" y="32">Λ⁻¹ = J M⁻¹ Jᵀ</text>',
        f'<text x="{left:.0f}" y="51">how a force at one contact moves another</text>',
        f'<rect x="{left:.0f}" y="{top:.0f}" width="{side:.0f}" height="{side:.0f}" fill="none" stroke="#8884"/>',
        f'<text x="{left:.0f}" y="325">{SLOWER} times slower</text>', f'<g class="film">\n{film}\n</g>', "</svg>\n"])


def main(page: str, picture: str) -> None:
    Path(picture).write_text(draw(recording_of(Path(page).read_text(encoding="utf-8"))), encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    main(*sys.argv[1:])
