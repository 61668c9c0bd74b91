"""Arguments for random calls: what a signature asks for, near misses of it, and what nobody should pass."""

from __future__ import annotations

import ast
import math
import random
from typing import Any, Callable

import numpy as np
from api_signatures import aliases, field_kinds
from api_sweeps import ARGUMENTS, is_too_long, simulated

import delassus

SCENES = ("go2-standing", "go2-fallen-friction", "four_bar", "panda", "cassie-standing", "stem:3x2", "boxes", "delta")
WORDS = ("", "world", "x", "xyz", "no such name", "\udcff", "\ud800", "a\0b", "\u00e9", "n" * 5000, "../..", "<robot/>")
ODD_NUMBERS = (math.nan, math.inf, -math.inf, 1e308, -1e308, 1e-320, 1e30, -1.0, 0.0, -0.0)
ODD_INTEGERS = (-1, 2**31, -(2**31) - 1, 2**63, -(2**63) - 1, 10**30, 2**31 - 1, 10**5000)
# Loops that take as long as they are told to, and sizes that are memory: large ones are what was asked for.
PATIENT = {"n", "iterations", "size", "threads", "refinements", "memory", "constraints"}
PATIENT |= {"products", "dampings", "solves"}
TAME = 1e4  # beyond, squares of squares overflow


class Odd:
    """An object of no use."""

    def __repr__(self) -> str:
        return "Odd()"


def is_tame(value: Any) -> bool:
    """Whether numbers in it are such that an answer without numbers is a mistake."""
    if isinstance(value, (bool, str, type(None))):
        return True
    if isinstance(value, (int, float)):
        return abs(value) <= TAME
    if isinstance(value, np.ndarray) and value.dtype.kind in "fiub":
        return bool(np.all(np.abs(value) <= TAME))
    if isinstance(value, (list, tuple)):
        return all(map(is_tame, value))
    return not isinstance(value, (complex, np.ndarray))


def updated_operator(scene: delassus.Scene, algorithm: str) -> delassus.Operator:
    op = delassus.Operator(scene.model, scene.constraints, algorithm)
    op.update(scene.q)
    if algorithm != "matrix-free":
        op.update_damping(1e-3)
    return op


def levels_of(model: delassus.Model) -> list[delassus.TaskLevel]:
    task = delassus.position_task(model, len(model.frames) - 1, (0, 0, 0), name="point")
    return [delassus.TaskLevel("frame", [task])]


def computed(controller: Any, scene: delassus.Scene) -> Any:
    controller.compute(scene.q, scene.v)
    return controller


def held_box(hands: int) -> delassus.HeldObject:
    return delassus.HeldObject(delassus.box_inertial(1.0, (0.1, 0.1, 0.1)), [delassus.Pose()] * hands)


def grasp(scene: delassus.Scene) -> delassus.GraspController:
    return delassus.GraspController(scene.model, [len(scene.model.frames) - 1], held_box(1))


# Objects of the classes that take most to make, such as random arguments seldom do. All others make themselves.
STARTERS: tuple[Callable[[delassus.Scene, random.Random], Any], ...] = (
    lambda s, r: updated_operator(s, r.choice(delassus.algorithms())),
    lambda s, r: delassus.State(s.model, s.q, s.v),
    lambda s, r: delassus.ConstrainedDynamics(s.model, delassus.equalities(s.constraints)),
    lambda s, r: delassus.Integrator(s.model, delassus.equalities(s.constraints)),
    lambda s, r: delassus.Simulator(s),
    lambda s, r: delassus.Simulator(s).body(r.randrange(len(s.model.bodies))),
    lambda s, r: delassus.Simulator(s).joint(r.choice(s.model.joints)),
    lambda s, r: delassus.VectorSimulator(s, 2, threads=1),
    lambda s, r: delassus.Batch(s.model, 3, dtype=r.choice((np.float32, np.float64)), threads=1),
    lambda s, r: computed(delassus.OperationalController(s.model, levels_of(s.model)), s),
    lambda s, r: computed(delassus.OperationalController(s.model, levels_of(s.model)), s).space,
    lambda s, r: delassus.BatchController(s.model, 2, levels_of(s.model), threads=1),
    lambda s, r: grasp(s),
    lambda s, r: delassus.AugmentedObject(held_box(2)),
    lambda s, r: delassus.ParameterSweep(simulated(r)),
    lambda s, r: delassus.CoordinateLayout(s.model, "pinocchio"),
    lambda s, r: delassus.CubicPath(delassus.Pose(), delassus.Pose((1, 0, 0)), 0.0, 1.0),
    lambda s, r: delassus.Surface.hull([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]),
    lambda s, r: delassus.Admm(),
    lambda s, r: delassus.ContactInteriorPoint(),
    lambda s, r: delassus.ContactNewton(),
    lambda s, r: delassus.Pgs(),
)


class Values:
    """Of one session: a pool of objects that calls have returned, and what messages have taught."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.numbers = np.random.default_rng(seed)
        self.aliases, self.fields = aliases(), field_kinds()
        self.pool: dict[str, list[Any]] = {}
        self.wild: set[int] = set()  # ids of objects in the pool that numbers beyond TAME went into
        self.shapes: dict[tuple[str, str], tuple[int, ...]] = {}
        self.words: dict[tuple[str, str], tuple[str, ...]] = {}
        scenes = [delassus.load(name) for name in self.random.sample(SCENES, 2)]
        self.model = scenes[0].model
        for scene in scenes:
            self.keep(scene)
            self.keep(scene.model)
        self.constraints = list(scenes[0].constraints)
        self.calm = False  # whether hostile arguments are rare
        self.started: list[str] = []  # the classes that this session is about
        for start in self.random.sample(STARTERS, 4):
            try:
                self.keep(start(scenes[0], self.random))
            except (delassus.Error, delassus.NumericalError):  # not for each scene
                continue
        self.started = [name for name in self.pool if name not in ("Scene", "Model")]
        for constraint in self.constraints[:6]:
            self.keep(constraint)

    def keep(self, value: Any) -> None:
        """Results are arguments of what follows."""
        if isinstance(value, (list, tuple)) and not hasattr(value, "_fields"):
            for item in value[:3]:
                self.keep(item)
        name = type(value).__name__
        if type(value).__module__.startswith("delassus"):
            kept = self.pool.setdefault(name, [])
            kept.append(value)
            if len(kept) > 8:
                kept.pop(self.random.randrange(2, 8))

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    # ------------------------------------------------------------------------------------------- hostile

    def hostile(self, name: str) -> Any:
        choice = self.random.randrange(9)
        if choice == 0:
            return None
        if choice == 1:
            return self.random.choice(ODD_NUMBERS)
        if choice == 2:
            return self.random.choice(ODD_INTEGERS) if name not in PATIENT else self.random.choice((-1, 2**31, 2**63))
        if choice == 3:
            return self.random.choice(WORDS)
        if choice == 4:
            return self.random.choice([Odd(), object, b"bytes", {}, {"a": 1}, (), [], [None], [[1], [2, 3]], 1j, True])
        if choice == 5 and self.pool:
            return self.random.choice(self.pool[self.random.choice(sorted(self.pool))])
        return self.odd_array(self.shapes.get(("", name), (self.random.choice((0, 1, 3, self.model.nv)),)))

    def odd_array(self, shape: tuple[int, ...]) -> Any:
        """Wrong in shape, in type, in layout, or in its numbers."""
        good = self.array(shape)
        choice = self.random.randrange(9)
        if choice == 0:
            return self.array(tuple(n + self.random.choice((-1, 0, 1)) if n else n for n in shape) or (1,))
        if choice == 1:
            return good.astype(self.random.choice([np.float32, np.int64, complex, bool, object, ">f8", "S8"]))
        if choice == 2:
            return np.repeat(good, 2, axis=0)[::2] if good.ndim else good
        if choice == 3:
            return good[::-1] if good.ndim else good
        if choice == 4:
            return np.frombuffer(b"\0" + good.tobytes(), dtype=np.uint8)[1:].view(np.uint8)
        if choice == 5:
            return np.broadcast_to(np.float64(1), good.shape)
        if choice == 6:
            good.flags.writeable = False
            return good
        if choice == 7:
            return self.array((*shape, self.random.choice((0, 1, 2))))
        if good.size:
            good.flat[self.random.randrange(good.size)] = self.random.choice(ODD_NUMBERS)
        return good

    # -------------------------------------------------------------------------------------------- fitting

    def array(self, shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
        if shape == (3, 3) and self.chance(0.7):
            return np.eye(3)
        shape = tuple(self.random.choice((0, 1, 2, 5)) if n < 0 else min(n, 4096) for n in shape)
        return self.numbers.normal(size=shape) * self.random.choice((0.1, 1.0, 10.0))

    def array_for(self, verb: str, name: str) -> Any:
        m = self.model
        if name in ("q", "q0", "q1", "value") and self.chance(0.7):
            q = m.integrate(m.neutral(), 0.3 * self.numbers.normal(size=m.nv))
            learned = self.shapes.get((verb, name), q.shape)
            return q if learned == q.shape else np.resize(q, tuple(2 if n < 0 else n for n in learned))
        known = self.shapes.get((verb, name))
        return self.array(known if known is not None else (self.random.choice((3, m.nv, m.nq, 6, 1)),))

    def word(self, verb: str, name: str) -> str:
        known = self.words.get((verb, name))
        if known and self.chance(0.8):
            return self.random.choice(known)
        names = ("point", "frame", *self.model.frames, *self.model.joints, *(c.name for c in self.constraints))
        return self.random.choice((*names, *SCENES, *WORDS))

    def number(self, name: str) -> float:
        return self.random.choice((0.0, 1.0, 0.5, -1.0, 1e-3, 1e-9, self.random.gauss(0, 1)))

    def instance(self, verb: str, name: str) -> Any:
        """An object of a class: one that is there, mostly of this session's model."""
        if name == "Model" and self.chance(0.8):
            return self.model
        kept = self.pool.get(name)
        return self.random.choice(kept) if kept else None

    def default(self, verb: str, kind: str) -> Any:
        """A value of a class that needs nothing, or None."""
        try:
            return getattr(delassus, kind)()
        except (TypeError, delassus.Error):
            return None

    def fit(self, verb: str, name: str, kind: ast.expr | None) -> Any:
        make = ARGUMENTS.get((verb, name))
        if self.chance(0.02 if self.calm else 0.1):
            value = self.hostile(name)
            return make(self.random) if make and is_too_long(verb, name, value) else value
        return make(self.random) if make else self.of_kind(verb, name, kind)

    def of_kind(self, verb: str, name: str, kind: ast.expr | None) -> Any:
        if isinstance(kind, ast.Constant):
            return self.of_kind(verb, name, ast.parse(kind.value, mode="eval").body) if kind.value else None
        if isinstance(kind, ast.BinOp):
            return self.of_kind(verb, name, self.random.choice((kind.left, kind.left, kind.right)))
        if isinstance(kind, ast.Name):
            return self.of_name(verb, name, kind.id)
        if isinstance(kind, ast.Subscript):
            return self.of_generic(verb, name, ast.unparse(kind.value), kind.slice)
        if isinstance(kind, ast.Attribute):
            return self.array_for(verb, name) if "npt" in ast.unparse(kind) else self.word(verb, name)
        return self.hostile(name)

    def of_name(self, verb: str, name: str, kind: str) -> Any:
        if kind in ("_Array", "_BatchArray", "_Numbers"):
            return self.array_for(verb, name)
        if kind in self.aliases:
            return self.of_kind(verb, name, self.aliases[kind])
        if kind == "str":
            return self.word(verb, name)
        if kind == "int":
            return self.random.choice((0, 1, 2, 3) if name in PATIENT else (0, 1, 2, 3, 5, 17))
        if kind == "float":
            return self.number(name)
        if kind == "bool":
            return self.chance(0.5)
        if kind in ("object", "Any"):
            return self.hostile(name)
        found = self.instance(verb, kind)
        return self.default(verb, kind) if found is None else found

    def of_generic(self, verb: str, name: str, kind: str, inner: ast.expr) -> Any:
        parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
        if kind == "Literal":
            return ast.literal_eval(self.random.choice(parts))
        if kind == "Union":
            return self.of_kind(verb, name, self.random.choice(parts))
        if kind in ("Sequence", "Iterable", "list"):
            if ast.unparse(inner) == "Constraint" and self.chance(0.6):
                return self.constraints
            return [self.fit(verb, name, parts[0]) for _ in range(self.random.choice((0, 1, 1, 2, 3)))]
        if kind == "tuple":
            return tuple(self.fit(verb, name, part) for part in parts if not isinstance(part, ast.Constant))
        if kind == "Mapping":
            return {self.word(verb, name): self.fit(verb, name, parts[1]) for _ in range(self.random.choice((0, 1, 2)))}
        return self.array_for(verb, name)  # npt.NDArray[...]
