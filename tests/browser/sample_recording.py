"""A recording for tests of the viewer: small, made of simple formulas, with every kind of shape, marks, series, and contact sets
that change. Nothing in it was simulated; tests know its numbers.

  tests/browser/sample_recording.py > recording.json
"""
import base64
import json
import math
import struct

FRAMES = 31
PERIOD = 1 / 30
LANDING = 10  # the frame of the first contact
MASSES = [6.0, 2.0, 1.0, 2.0, 1.0]
KINDS = ["sphere", "ellipsoid", "cylinder", "capsule", "mesh", "hull"]  # of pieces that lie around
HEAVY = 4.0  # the mass of each piece


def floats(values):
    values = list(values)
    return base64.b64encode(struct.pack(f"<{len(values)}f", *values)).decode()


def integers(values):
    values = list(values)
    return base64.b64encode(struct.pack(f"<{len(values)}i", *values)).decode()


def turn_about_y(angle):
    return [0, math.sin(angle / 2), 0, math.cos(angle / 2)]


def bodies():
    walker = [("torso", -1, "free", 7, 6), ("left_thigh", 0, "revolute", 1, 1), ("left_shank", 1, "revolute", 1, 1),
              ("right_thigh", 0, "revolute", 1, 1), ("right_shank", 3, "revolute", 1, 1)]
    pieces = [(kind, -1, "free", 7, 6) for kind in KINDS]
    out, q, v = [], 0, 0
    for (name, parent, joint, nq, nv), mass in zip(walker + pieces, MASSES + [HEAVY] * len(pieces)):
        out.append({"name": name, "parent": parent, "joint": joint, "joint_name": name + "_joint", "mass": mass,
                    "q": [q, nq], "v": [v, nv]})
        q, v = q + nq, v + nv
    return out


def tetrahedron(size):
    corners = [size, size, size, size, -size, -size, -size, size, -size, -size, -size, size]
    return {"vertices": floats(corners), "triangles": integers([0, 1, 2, 0, 3, 1, 0, 2, 3, 1, 3, 2])}


def hills(cells, size):
    """A square of triangles with waves on it."""
    side = cells + 1
    at = [(i % side, i // side) for i in range(side * side)]
    corners = [c for x, y in at for c in (size * x / cells, size * y / cells, 0.05 * math.sin(2 * x) * math.cos(1.5 * y))]
    quads = [(y * side + x) for y in range(cells) for x in range(cells)]
    return {"vertices": floats(corners),
            "triangles": integers(k for a in quads for k in (a, a + 1, a + side + 1, a, a + side + 1, a + side))}


def shape(name, body, kind, size, position=(0, 0, 0), **more):
    return {"name": name, "body": body, "kind": kind, "size": list(size), "position": list(position),
            "quaternion": [0, 0, 0, 1], **more}


def shapes():
    leg = [shape(f"{side}_{part}", body, "capsule", (0.05, 0.13, 0), (0, 0, -0.18))
           for body, side, part in ((1, "left", "thigh"), (2, "left", "shank"), (3, "right", "thigh"), (4, "right", "shank"))]
    feet = [shape(f"{side}_foot", body, "box", (0.1, 0.05, 0.02), (0.03, 0, -0.36))
            for body, side in ((2, "left"), (4, "right"))]
    sizes = {"sphere": (0.1, 0, 0), "ellipsoid": (0.14, 0.09, 0.07), "cylinder": (0.08, 0.1, 0), "capsule": (0.06, 0.1, 0)}
    pieces = [shape(kind, 5 + k, kind, sizes.get(kind, (0, 0, 0)), **({} if kind in sizes else {"surface": 0}))
              for k, kind in enumerate(KINDS)]
    return [shape("ground", -1, "plane", (0, 0, 0)), shape("torso", 0, "box", (0.12, 0.18, 0.22), (0, 0, 0.2)), *leg, *feet,
            *pieces, shape("hills", -1, "heightfield", (0, 0, 0), (0.6, -0.5, 0.03), surface=1, colour="#8aa67c"),
            shape("kerb", -1, "box", (0.3, 0.1, 0.05), (-0.6, 0.9, 0.05))]


def poses(k):
    height = 0.76 + max(0.0, 0.25 * (1 - k / LANDING))
    knee = 0.35 * max(0.0, math.sin(math.pi * (k - LANDING) / (FRAMES - LANDING)))
    out = [0.02 * k / FRAMES, 0, height - 0.12 * knee, *turn_about_y(0.1 * knee)]
    for y in (0.12, -0.12):
        hip = [0, y, height - 0.12 * knee]
        knee_at = [hip[0] + 0.36 * math.sin(knee), y, hip[2] - 0.36 * math.cos(knee)]
        out += [*hip, *turn_about_y(-knee), *knee_at, *turn_about_y(knee)]
    for j in range(len(KINDS)):
        angle = math.pi * (0.35 + 0.3 * j)
        out += [0.9 * math.cos(angle), 0.9 * math.sin(angle), 0.12 + max(0, 0.3 - 0.02 * k), *turn_about_y(0.05 * k)]
    return out


def contact(a, name, position, force):
    return {"a": a, "b": 0, "position": position, "normal": [0, 0, 1], "force": force, "mu": 0.6, "gap": -1e-5, "row": 0}


FOOT = {"left": (6, 2), "right": (7, 4)}  # shape and body


def structure(sides):
    rows = [{"name": f"{side}_foot / ground", "first": 3 * k, "count": 3, "kind": "contact", "bodies": [FOOT[side][1], -1],
             "labels": ["normal", "tangent 1", "tangent 2"], "units": ["m/s"] * 3} for k, side in enumerate(sides)]
    nodes = [{"parent": -1, "body": 0, "label": "torso", "rows": [], "size": 6, "kind": "node"}]
    nodes += [{"parent": 0, "body": FOOT[side][1], "label": f"{side} leg", "rows": [3 * k, 3 * k + 1, 3 * k + 2], "size": 3,
               "kind": "carried"} for k, side in enumerate(sides)]
    return {"rows": rows, "nodes": nodes}


def entry(k, r, c):
    """Of the matrix of frame k: large on the diagonal, smaller and of both signs elsewhere."""
    return (1 + 0.2 * r) * (1 + 0.01 * k) if r == c else 0.3 * (-1) ** (r + c) * 10 ** (-abs(r - c) / 2)


def frame(k):
    sides = [] if k < LANDING else ["left"] if k < 2 * LANDING else ["left", "right"]
    weight = 9.81 * sum(MASSES)
    contacts = []
    for row, side in enumerate(sides):
        y, share = (0.12 if side == "left" else -0.12), 1 / len(sides)
        contacts.append({**contact(FOOT[side][0], side, [0.05, y, 0.0], [0.2 * share * weight, 0, share * weight]), "row": row})
    falling = max(0.0, 1 - k / LANDING)
    out = {"t": k * PERIOD, "poses": floats(poses(k)), "q": floats(0.01 * j * k for j in range(53)),
           "v": floats(0.1 * j for j in range(46)), "kinetic": 30 * (1 - falling) * math.exp(-0.2 * max(0, k - LANDING)),
           "potential": 80 + 30 * falling, "velocity_residual": 1e-9 * (1 + k) if sides else None,
           "force_residual": 1e-6 * (1 + k) if sides else None, "iterations": 5 + k % 4 if sides else 0,
           "penetration": 1e-5 if sides else 0.0, "contacts": contacts, "structure": len(sides) - 1}
    rows = 3 * len(sides)
    if rows:
        out["matrix"] = floats(entry(k, r, c) for r in range(rows) for c in range(r + 1))
    return out


def recording(frames=range(FRAMES)):
    return {"format": "delassus-recording", "version": 1, "title": "sample", "subtitle": "made for tests, not simulated",
            "dt": PERIOD, "live": False, "up": [0, 0, 1], "bodies": bodies(), "shapes": shapes(),
            "surfaces": [tetrahedron(0.09), hills(12, 1.2)], "structures": [structure(["left"]), structure(["left", "right"])],
            "frames": [frame(k) for k in frames], "marks": [{"t": LANDING * PERIOD, "text": "touch down"}],
            "series": [{"name": "hand error", "unit": "mm", "values": [0.1 * k for k in frames]}]}


if __name__ == "__main__":
    print(json.dumps(recording()))
