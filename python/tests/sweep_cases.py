"""Specifications and functions of test_sweep.py, where processes of all kinds find them."""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np

import delassus

SLIDE: dict[str, Any] = {
    "format": "delassus-sweep-1",
    "name": "slide",
    "scene": "incline:35",
    "seconds": 0.02,
    "cases": 300,
    "seed": 3,
    "options": {"dt": 0.002},
    "parameters": {"friction": {"uniform": [0.2, 1.0]}, "mass_scale": {"normal": {"mean": 0.6, "deviation": 0.3}}},
    "keep": {"final": ["q", "speed"], "max": ["speed"], "trajectory": {"of": ["position"], "rate": 100}},
}

# Takes a second or two, in a hundred parts and more.
LONG = {**SLIDE, "name": "long", "seconds": 0.1, "cases": 3000}

WALK: dict[str, Any] = {
    "format": "delassus-sweep-1",
    "scene": "go2-standing",
    "seconds": 0.05,
    "cases": 20,
    "seed": 11,
    "options": {"dt": 0.002, "tolerance": 1e-4},
    "motors": {"kp": 60, "kd": 2},
    "parameters": {
        "friction": {"uniform": [0.2, 1.0]},
        "mass_scale": {"log_uniform": [0.5, 2]},
        "kp": {"choice": {"of": [20, 60, 100]}},
        "gravity.z": {"range": {"from": -3, "to": -10}},
        "height": {"grid": [0, 0.05]},
    },
    "keep": {
        "final": ["q", "v"],
        "min": ["height"],
        "max": ["effort"],
        "events": {"low": {"quantity": "height", "below": 0.265}},
        "trajectory": {"of": ["height", "contact_forces"], "rate": 100},
    },
}

OWN: dict[str, Any] = {
    "format": "delassus-sweep-1",
    "name": "own",
    "cases": 60,
    "seed": 5,
    "parameters": {"radius": {"uniform": [0.5, 2]}, "kind": {"grid": [0, 1, 2]}},
    "columns": {"area": "m2", "hits": {"whole": True}, "path": {"unit": "m", "shape": [4, 2]}},
}


def own(case: delassus.SweepCase) -> dict[str, Any]:
    """Every seventh case fails, in ways that take turns."""
    radius = case.parameters["radius"]
    points = case.rng().uniform(-radius, radius, size=(100, 2))
    row: dict[str, Any] = {
        "area": np.float32(math.pi * radius**2),
        "hits": int(np.count_nonzero(np.hypot(*points.T) < radius)),
        "path": points[:4],
    }
    if case.index % 7 == 6:
        return broken(row, case.index // 7)
    return row


def broken(row: dict[str, Any], how: int) -> Any:
    if how == 0:
        raise RuntimeError("no luck\0today \ud800")
    if how == 1:
        del row["area"]
    elif how == 2:
        row["aera"] = row["area"]
    elif how == 3:
        row["path"] = row["path"].T
    elif how == 4:
        row["area"] = "large"
    elif how == 5:
        row["hits"] = 0.5
    elif how == 6:
        row["hits"] = math.nan
    else:
        return [row]
    return row


def exits(case: delassus.SweepCase) -> dict[str, Any]:
    """As scripts do, whose exit status would then be that of a run without any mistake."""
    if case.index % 7 == 6:
        sys.exit(0)
    return own(case)


def ends_its_worker(how: int) -> int:
    """What an executor may come back with, by whatever way."""
    sys.exit(how)


FAILURES = [
    "RuntimeError: no luck\\0today \\ud800",
    "the function returned no 'area'",
    "the function returned 'aera', which the specification has no column for",
    "'path' has shape (2, 4), and the specification says (4, 2)",
    "'area' is no number and no array of numbers: str",
    "'hits' is not whole (or beyond 2**53), and the specification says that it is",
    "'hits' is not whole (or beyond 2**53), and the specification says that it is",
    "the function returned an object of list; expected a dict of numbers",
]
