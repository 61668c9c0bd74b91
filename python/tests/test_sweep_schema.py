"""docs/sweep.schema.json and the library agree on what a specification is."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from sweep_cases import LONG, OWN, SLIDE, WALK

import delassus

jsonschema = pytest.importorskip("jsonschema")

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = json.loads((ROOT / "docs/sweep.schema.json").read_text())
EXAMPLES = sorted((ROOT / "examples/sweeps").glob("*.json"))

# All names and laws that there are, in one specification.
EVERYTHING: dict[str, Any] = {
    "format": "delassus-sweep-1",
    "name": "everything",
    "scene": "go2",
    "floating": True,
    "place_on_ground": True,
    "seconds": 0.01,
    "cases": 12,
    "seed": 4,
    "options": {
        **{"dt": 1e-3, "tolerance": 1e-6, "acceptable": 1e-3, "solver": "rigid", "algorithm": "condensed"},
        **{"max_iterations": 100, "restitution": 0, "capacity": 64, "ground": True},
    },
    "motors": {"kp": 50, "kd": 1, "delay": 0.002, "lag": 0.01, "effort_limit": 20},
    "push": {"body": "base", "start": 0.001, "seconds": 0.002, "force": [0, 1, 0]},
    "parameters": {
        "friction": {"grid": [0.5, 1]},
        "latency": {"grid": {"from": 0, "to": 0.004, "count": 3}},
        "dt": 1e-3,
        "tolerance": 1e-5,
        "max_iterations": 50,
        "restitution": 0,
        "height": {"uniform": [0, 0.01]},
        "roll": {"normal": {"mean": 0, "deviation": 0.01}},
        "pitch": 0,
        "yaw": {"range": {"from": 0, "to": 3}},
        "gravity.x": 0,
        "gravity.y": 0,
        "gravity.z": {"log_uniform": [1, 2]},
        "push.x": {"choice": {"of": [1, 2], "weights": [1, 3]}},
        "push.y": 1,
        "push.z": 0,
        "push.start": 0,
        "push.seconds": {"list": [0.001] * 12},
        "mass_scale": 1,
        "mass_scale:base": {"range": {"from": 1, "to": 2, "logarithmic": True}},
        "inertia_scale": 1,
        "com_offset.x:base": 0,
        "com_offset.y:base": 0,
        "com_offset.z:base": 0,
        "kp": 40,
        "kd:FL_calf_joint": 1,
        "effort_limit": 30,
        "q:FL_calf_joint": -1.5,
        "v:FL_calf_joint": 0,
        "target:FL_calf_joint": -1.5,
    },
    "keep": {
        "final": ["q", "v", "efforts", "contact_forces", "position", "orientation:base"],
        "min": ["height", "tilt:base"],
        "max": ["speed", "effort", "contact_force", "residual", "q:FL_calf_joint"],
        "sample": 0.002,
        "events": {"moved": {"quantity": "distance", "above": 0.1}, "up": {"quantity": "in_contact:FL_foot", "below": 0.5}},
        "trajectory": {"of": ["height", "q"], "rate": 500},
    },
}


@pytest.fixture(scope="module")
def schema() -> Any:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    return jsonschema.Draft202012Validator(SCHEMA)


@pytest.mark.parametrize("spec", [SLIDE, LONG, WALK, OWN, EVERYTHING, *EXAMPLES], ids=lambda s: getattr(s, "stem", None))
def test_both_take_what_is_right(schema: Any, spec: Any) -> None:
    document = json.loads(spec.read_text()) if isinstance(spec, Path) else spec
    schema.validate(document)
    assert len(delassus.ParameterSweep(document)) >= 1


def test_everything_can_be_simulated() -> None:
    sweep = delassus.ParameterSweep(EVERYTHING)
    rows = sweep.run(0, 12)
    assert not rows["status"].any(), rows["failures"]
    assert len(sweep.parameters) == len(EVERYTHING["parameters"])


WRONG: list[tuple[str, Any]] = [
    ("format", "delassus-sweep-2"),
    ("format", None),
    ("scene", None),
    ("scene", 3),
    ("seconds", 0),
    ("seconds", "2"),
    ("cases", 0),
    ("cases", 2.5),
    ("seed", -1),
    ("colour", 1),
    ("columns", {"a": "m"}),
    ("floating", 1),
    ("options/dt", 0),
    ("options/solver", "magic"),
    ("options/algorithm", "magic"),
    ("options/capacity", 0),
    ("options/speed", 1),
    ("motors/kp", -1),
    ("motors/kd", -1),
    ("push/body", None),
    ("push/force", [1, 2]),
    ("parameters/wind", 1),
    ("parameters/com_offset.x", 1),
    ("parameters/friction", {}),
    ("parameters/friction", {"grid": []}),
    ("parameters/friction", {"grid": [1], "list": [1]}),
    ("parameters/friction", {"grid": {"from": 0, "to": 1, "count": 1}}),
    ("parameters/friction", {"uniform": [1]}),
    ("parameters/friction", {"log_uniform": [0, 1]}),
    ("parameters/friction", {"normal": {"mean": 1, "deviation": 0}}),
    ("parameters/friction", {"choice": {"of": []}}),
    ("parameters/friction", "high"),
    ("keep/final", "q"),
    ("keep/final", ["q", "q"]),
    ("keep/min", ["position"]),
    ("keep/max", ["weather"]),
    ("keep/sample", 0),
    ("keep/events", {"a/b": {"quantity": "height", "above": 1}}),
    ("keep/events", {"a": {"quantity": "height"}}),
    ("keep/events", {"a": {"quantity": "height", "above": 1, "below": 0}}),
    ("keep/trajectory", {"of": ["q"]}),
    ("keep/trajectory", {"of": ["q"], "rate": 0}),
]


@pytest.mark.parametrize("place,value", WRONG, ids=lambda x: x if isinstance(x, str) else None)
def test_both_refuse_what_is_wrong(schema: Any, place: str, value: Any) -> None:
    document = copy.deepcopy(EVERYTHING)
    *folders, key = place.split("/")
    inside = document
    for folder in folders:
        inside = inside[folder]
    if value is None:
        del inside[key]
    else:
        inside[key] = value
    assert not schema.is_valid(document)
    with pytest.raises(delassus.Error):
        delassus.ParameterSweep(document)
