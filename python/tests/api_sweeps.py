"""Arguments for random calls of what runs sweeps: specifications of little work, most of them right, files of them, and executors that end with the call."""

from __future__ import annotations

import copy
import json
import math
import random
from concurrent.futures import Future
from typing import Any, Callable

import delassus

SMALL = 40  # cases that are really computed, at most
RESULTS = ("a.npz", "a.h5", "é b.npz", "a.npz.parts", "a.csv", "none/a.npz", ".npz", "study.json", "")
CASES = (1, 3, 6, 18, SMALL)  # points of grids go into most
LAWS: tuple[Any, ...] = (
    0.5,
    {"grid": [0.2, 0.6]},
    {"grid": {"from": 0.1, "to": 0.4, "count": 3}},
    {"list": [0.1, 0.2, 0.3]},
    {"range": {"from": 1, "to": 0.1, "logarithmic": True}},
    {"uniform": [0.2, 0.9]},
    {"log_uniform": [0.01, 2]},
    {"normal": {"mean": 0.4, "deviation": 0.5}},
    {"choice": {"of": [0.1, 0.9], "weights": [1, 0]}},
)
PARAMETERS = ("friction", "mass_scale", "inertia_scale", "gravity.z", "dt", "height", "roll", "restitution", "push.x", "kd")
NUMBERS = ("height", "tilt", "speed", "distance", "contact_force", "residual")
LISTS = ("q", "v", "position", "orientation", "contact_forces")
ODD: tuple[Any, ...] = (None, True, -1, 0, 1e308, -1e308, math.nan, math.inf, 10**30, "", "x", "\ud800", "a/b", "a\0b", [], {}, [[]])


def simulated(r: random.Random) -> dict[str, Any]:
    spec: dict[str, Any] = {"format": "delassus-sweep-1", "scene": r.choice(("incline:30", "four_bar", "go2-standing", "solo_like"))}
    spec["seconds"] = r.choice((0.004, 0.01, 0.0213))
    spec["cases"], spec["options"] = r.choice(CASES), {"dt": 0.002}
    spec["seed"] = r.choice((0, 7, 2**53))
    if r.random() < 0.3 and spec["scene"] != "incline:30":
        spec["motors"] = {"kp": 60, "kd": 2, "delay": r.choice((0, 0.004))}
    if r.random() < 0.3 and spec["scene"] == "go2-standing":
        spec["push"] = {"body": "base", "seconds": 0.003}
    names = PARAMETERS[: r.choice((7, len(PARAMETERS)))]  # the last ones do not go with everything
    spec["parameters"] = {name: r.choice(LAWS) for name in r.sample(names, r.choice((0, 1, 2)))}
    kept: dict[str, Any] = {key: r.sample(NUMBERS, r.choice((1, 2))) for key in r.sample(("min", "max"), r.choice((0, 1, 2)))}
    kept["final"] = r.sample((*NUMBERS, *LISTS), r.choice((0, 1, 3)))
    if r.random() < 0.3:
        kept["trajectory"] = {"of": ["q"], "rate": r.choice((1, 500, 3e3))}
    if r.random() < 0.3:
        kept["events"] = {"e": {"quantity": r.choice(NUMBERS), r.choice(("above", "below")): 0.1}}
    spec["keep"] = kept
    return spec


def of_own(r: random.Random) -> dict[str, Any]:
    return {
        "format": "delassus-sweep-1",
        "cases": r.choice(CASES),
        "parameters": {name: r.choice(LAWS) for name in r.sample(("radius", "é", "case"), r.choice((0, 1, 2)))},
        "columns": {"area": "m2", "hits": {"whole": True}, "path": {"shape": [2, 2]}},
    }


def mutate(r: random.Random, value: Any) -> Any:
    """One thing in it is another, or is gone."""
    if isinstance(value, dict) and value and r.random() < 0.8:
        key = r.choice(sorted(value))
        out = {k: mutate(r, v) if k == key else v for k, v in value.items()}
        if r.random() < 0.2:
            del out[key]
        return out
    if isinstance(value, list) and value and r.random() < 0.8:
        k = r.randrange(len(value))
        return [*value[:k], mutate(r, value[k]), *value[k + 1 :]]
    return copy.deepcopy(r.choice(ODD))


def computable(spec: Any) -> bool:
    """Whether a whole run of it is little work, or is refused."""
    try:
        sweep = spec if isinstance(spec, delassus.ParameterSweep) else delassus.ParameterSweep(spec)
    except Exception:  # noqa: BLE001
        return True  # the call itself says so
    text = json.loads(sweep.text)
    dt = min([text.get("options", {}).get("dt", 1e-3)] + [sweep.values(k).get("dt", 1) for k in range(min(len(sweep), SMALL))])
    return len(sweep) <= SMALL and not (dt > 0 and text.get("seconds", 0) / dt > 1e4)


def specification(r: random.Random) -> Any:
    """A dict, a file of it, or a ParameterSweep. Nothing of it takes long as a whole."""
    while True:
        spec = simulated(r) if r.random() < 0.7 else of_own(r)
        for _ in range(r.choice((0, 0, 0, 1, 2))):
            spec = mutate(r, spec)
        if isinstance(spec, dict) and computable(spec):
            break
    if r.random() < 0.2:
        with open("study.json", "w", encoding="utf-8") as file:
            json.dump(spec, file)
        return "study.json"
    return spec


def of_any_size(r: random.Random) -> Any:
    """For what looks at single cases of it."""
    spec = specification(r)
    if isinstance(spec, dict) and r.random() < 0.5:
        spec["cases"] = r.choice((10**12, 10**12 + 1, 720_000, 1.5))
    return spec


class Here:
    """An executor that does its work at once, or what none should do."""

    def __init__(self, mood: float) -> None:
        self.mood = mood

    def submit(self, function: Callable[..., Any], *args: Any) -> Any:
        if self.mood < 0.1:
            raise RuntimeError("cannot schedule new futures after shutdown")
        if self.mood < 0.2:
            return None
        out: Future[Any] = Future()
        try:
            result = function(*args)
            out.set_result("no result" if self.mood < 0.3 else result)
        except BaseException as error:  # noqa: BLE001
            out.set_exception(error)
        return out


def row(case: delassus.SweepCase) -> dict[str, Any]:
    return {"area": case.rng().uniform(), "hits": case.index, "path": [[1, 2], [3, 4]]}


def odd_row(case: delassus.SweepCase) -> Any:
    if case.index == 0:
        raise ValueError("\udcff\0")
    return ODD[case.index % len(ODD)] if case.index % 2 else {**row(case), "hits": ODD[case.index % len(ODD)]}


class Stop(delassus.Error):
    """What the caller's own function says."""


def refuse(*_: Any) -> None:
    raise Stop("enough")


# By the name of the verb and of the argument; what is hostile to all comes from elsewhere.
ARGUMENTS: dict[tuple[str, str], Callable[[random.Random], Any]] = {
    ("ParameterSweep", "spec"): of_any_size,
    ("ParameterSweep.values", "index"): lambda r: r.choice((0, 1, SMALL, 10**12 - 1, -1)),
    ("ParameterSweep.seed", "index"): lambda r: r.choice((0, 1, SMALL, 10**12 - 1, -1)),
    ("ParameterSweep.run", "first"): lambda r: r.choice((0, 0, 1, 2, -1)),
    ("ParameterSweep.run", "end"): lambda r: r.choice((1, 2, 3, 5, SMALL, -1)),
    ("compile", "compiler"): lambda r: r.choice((None, None, "cc", "no-such-compiler", "")),
    ("compile", "cache"): lambda r: r.choice(("cache", "other cache", "/dev/null/cache")),
    ("sweep", "spec"): specification,
    ("sweep", "output"): lambda r: r.choice(RESULTS) if r.random() < 0.3 else f"{r.randrange(1000)}.npz",
    ("sweep", "executor"): lambda r: Here(r.random()) if r.random() < 0.7 else None,
    ("sweep", "run"): lambda r: r.choice((row, row, odd_row, refuse, None)),
    ("sweep", "threads"): lambda r: r.choice((1, 2, None)),
    ("sweep", "cases_per_task"): lambda r: r.choice((1, 2, 7, 10**6, 2**40, 2**41, None)),
    ("sweep", "progress"): lambda r: r.choice((None, False, lambda *_: None, refuse)),
    ("sweep_merge", "results"): lambda r: r.choice(RESULTS),
    ("sweep_status", "results"): lambda r: r.choice(RESULTS),
}


def is_too_long(where: str, name: str, value: Any) -> bool:
    """Of a value that came from elsewhere: a sweep that somebody else has made, or a range of millions."""
    if (where, name) == ("sweep", "spec"):
        return not computable(value)
    return where == "ParameterSweep.run" and isinstance(value, int) and SMALL < value < 2**62
