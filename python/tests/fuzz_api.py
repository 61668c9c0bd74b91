"""Random calls of the package with hostile arguments: nothing may crash, hang, or raise what is not documented.

    python fuzz_api.py --calls 100000      in child processes; prints what it finds, with what repeats it
    python fuzz_api.py --session 17 -v     one session again, here, call by call

A session follows from its number. Each has a scene or two, and some dozens of calls whose results are arguments of
the next. Found is: a signal, a call that takes longer than LONGEST, an exception other than TypeError, delassus.Error
and delassus.NumericalError, and an answer that is no number where all that went in was tame.
"""

from __future__ import annotations

import argparse
import mmap
import os
import pickle
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
from typing import Any, Callable, NamedTuple

import numpy as np
from api_signatures import Verb, plot_verbs, thing, verbs
from api_values import Values, is_tame

import delassus

CALLS = 60  # of a session
SESSIONS = 50  # of a child
LONGEST = 20  # seconds of a call
MOST_MEMORY = 6 << 30  # of a child; what wants more was asked for too much
NOTE = 128  # bytes of the last call
DOCUMENTED = (TypeError, delassus.Error, delassus.NumericalError)
# Words of pybind11 and NumPy for what should never leave the library.
UNDOCUMENTED_TYPE_ERRORS = re.compile("Unable to convert|Unregistered type|nullptr")
# What says so with a nan, as its documentation has it.
MAY_LACK_NUMBERS = {"Operator.residual", "Batch", "BatchController", "VectorSimulator"}


def whole(value: Any) -> Any:
    """What goes into a part of a simulator goes into the simulator."""
    return value.simulator if type(value).__name__ in ("SimulatedBody", "SimulatedJoint") else value


def short(value: Any) -> str:
    if isinstance(value, np.ndarray):
        text = np.array2string(value, threshold=8, edgeitems=2, precision=3).replace("\n", "")
        return f"array({text}, {value.dtype}, shape {value.shape}, strides {value.strides})"
    try:
        text = repr(value)
    except ValueError:  # an int of thousands of digits
        text = f"a {type(value).__name__}"
    return text if len(text) < 160 else text[:160] + "..."


class Call(NamedTuple):
    """What was called, for whoever wants to repeat it."""

    where: str
    action: str
    owner: Any
    args: list[Any]
    kwargs: dict[str, Any]

    def __str__(self) -> str:
        given = [*map(short, self.args), *(f"{name}={short(value)}" for name, value in self.kwargs.items())]
        owner = "" if self.owner is None else f" of {short(self.owner)}"
        return f"{self.where}({', '.join(given)}) [{self.action}]{owner}"


class Session:
    def __init__(self, number: int, note: Callable[[int, Call], None]) -> None:
        self.number, self.note = number, note
        self.values = Values(number)
        self.verbs = ALL_VERBS
        self.findings: list[str] = []
        self.calls = 0

    def found(self, what: str, call: Call) -> None:
        self.findings.append(f"{what}\n  call {self.calls}: {call}\n  again: fuzz_api.py --session {self.number} -v")

    def run(self, calls: int = CALLS) -> None:
        values = self.values
        about = [verb for verb in self.verbs if verb.owner in values.started]
        while self.calls < calls:
            self.step(values.random.choice(about if about and values.chance(0.6) else self.verbs))

    # ----------------------------------------------------------------------------------------- one call

    def step(self, verb: Verb) -> None:
        if (verb.owner == "plot" or verb.name == "compile") and not self.values.chance(0.02):  # they take long
            return
        owner = None
        if verb.owner and verb.action in ("call", "get", "set") and verb.owner != "plot":
            owner = self.object_for(verb)
        where = f"{verb.owner}.{verb.name}" if verb.owner else verb.name
        for k in range(4):  # what a message teaches is tried at once
            self.values.calm = k > 0
            args, kwargs = self.arguments(where, verb)
            if not self.attempt(where, verb, owner, args, kwargs):
                return

    def object_for(self, verb: Verb) -> Any:
        kept = self.values.pool.get(verb.owner)
        if not kept or self.values.chance(0.1):
            makers = [v for v in self.verbs if v.owner == verb.owner and v.action in ("make", "static")]
            if makers:
                maker = self.values.random.choice(makers)
                for _ in range(3):
                    args, kwargs = self.arguments(verb.owner, maker)
                    if not self.attempt(verb.owner, maker, None, args, kwargs):
                        break
            kept = self.values.pool.get(verb.owner)
        if self.values.chance(0.02) or not kept:
            return self.values.hostile("self")
        return self.values.random.choice(kept)

    def arguments(self, where: str, verb: Verb) -> tuple[list[Any], dict[str, Any]]:
        values = self.values
        if verb.name == "replace" and verb.owner:
            names = [p for (owner, p) in values.fields if owner == verb.owner] + ["no_such_field"]
            chosen = values.random.sample(names, min(len(names), values.random.choice((1, 1, 2))))
            return [], {n: values.fit(verb.owner, n, values.fields.get((verb.owner, n))) for n in chosen}
        args, kwargs = [], {}
        for p in verb.parameters:
            if p.optional and values.chance(0.6):
                continue
            value = values.fit(where, p.name, p.kind)
            if p.by_name or len(args) < verb.parameters.index(p):
                kwargs[p.name] = value
            else:
                args.append(value)
        if values.chance(0.01):
            args.append(None)
        return args, kwargs

    def attempt(self, where: str, verb: Verb, owner: Any, args: list[Any], kwargs: dict[str, Any]) -> bool:
        """Whether it is worth another try."""
        call = Call(where, verb.action, owner, args, kwargs)
        self.calls += 1
        self.note(self.calls, call)
        tame = all(self.tame(v) for v in (owner, *args, *kwargs.values()))
        if not tame and owner is not None:
            self.values.wild.add(id(whole(owner)))
        signal.alarm(LONGEST)
        try:
            result = self.perform(verb, owner, args, kwargs)
        except DOCUMENTED as error:
            return self.learn(where, call, error)
        except BaseException as error:  # noqa: BLE001
            if not isinstance(error, AttributeError) or type(owner).__name__ == verb.owner:  # of this class
                self.found(f"{type(error).__name__}: {error}", call)
            return False
        finally:
            signal.alarm(0)
        self.take(where, call, result, tame)
        return False

    def perform(self, verb: Verb, owner: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
        if verb.action == "get":
            return getattr(owner, verb.name)
        if verb.action == "set":
            return setattr(owner, verb.name, *args)
        if verb.owner and verb.action == "call" and verb.owner != "plot":
            return thing(verb)(owner, *args, **kwargs)
        result = thing(verb)(*args, **kwargs)
        if verb.owner == "plot":
            import matplotlib.pyplot as plt

            plt.close("all")
        return result

    def tame(self, value: Any) -> bool:
        return id(whole(value)) not in self.values.wild and is_tame(value)

    def learn(self, where: str, call: Call, error: BaseException) -> bool:
        text = str(error)
        if isinstance(error, TypeError) and UNDOCUMENTED_TYPE_ERRORS.search(text):
            self.found(f"TypeError: {text}", call)
        if not text.strip():
            self.found(f"{type(error).__name__} without a word", call)
        if shape := re.search(r"argument '(\w+)' .*expected (?:numbers with shape )?\((.*?)\)", text):
            sizes = tuple(-1 if s == "any" else int(s) for s in re.findall(r"any|\d+", shape[2]))
            self.values.shapes[where, shape[1]] = self.values.shapes["", shape[1]] = sizes
            return True
        if names := re.search(r"argument '(\w+)' .*there are (.+)$", text):
            self.values.words[where, names[1]] = tuple(names[2].split(", "))
            return True
        return False

    def take(self, where: str, call: Call, result: Any, tame: bool) -> None:
        self.values.keep(result)
        owner, name = type(call.owner).__name__, where.split(".")[-1]
        if not tame:
            self.values.wild.update(id(item) for item in (result if isinstance(result, (list, tuple)) else [result]))
        elif self.lacks_numbers(result) and not {f"{owner}.{name}", owner} & MAY_LACK_NUMBERS:
            self.found(f"an answer without numbers: {short(result)}", call)
        if type(result).__module__ == "delassus" and self.values.chance(0.1):
            repr(result), result == result, hash(type(result))
            try:
                pickle.loads(pickle.dumps(result))
            except DOCUMENTED as error:
                if "cannot pickle" not in str(error) and "pickle" not in str(error).lower():
                    self.found(f"a pickle that cannot be read: {error}", call)

    @staticmethod
    def lacks_numbers(result: Any) -> bool:
        if isinstance(result, np.ndarray) and result.dtype.kind == "f":
            return bool(np.isnan(result).any())
        return isinstance(result, float) and result != result


ALL_VERBS = [*verbs(), *plot_verbs()]


# ------------------------------------------------------------------------------------------------- processes


def child(first: int, count: int, notes: str) -> int:
    with open(notes, "r+b") as file:
        memory = mmap.mmap(file.fileno(), NOTE)

    def note(number: int, call: Call) -> None:
        memory[:] = f"call {number}: {call.where} [{call.action}]".encode()[:NOTE].ljust(NOTE)

    if "clang_rt" not in os.environ.get("LD_PRELOAD", ""):  # sanitizers have addresses without memory
        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    calls, findings = 0, []
    for number in range(first, first + count):
        session = Session(number, note)
        session.run()
        calls += session.calls
        findings += session.findings
        print(f"done {number} {session.calls}", flush=True)
    for finding in findings:
        print(f"finding {finding!r}")
    return 0


def spawn(first: int, count: int, folder: str) -> tuple[int, int, list[str]]:
    """Sessions in one process: how many were finished, their calls, and what was found."""
    notes = os.path.join(folder, "last-call")
    with open(notes, "wb") as file:
        file.write(b" " * NOTE)
    done = subprocess.run(
        [sys.executable, os.path.abspath(__file__), "--child", str(first), str(count), notes],
        cwd=folder,
        env={**os.environ, "MPLBACKEND": "Agg", "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        errors="backslashreplace",
    )
    lines = [line.split(" ", 1) for line in done.stdout.splitlines()]
    sessions = [rest for word, rest in lines if word == "done"]
    findings = [eval(rest) for word, rest in lines if word == "finding"]  # noqa: S307
    if done.returncode != 0:
        with open(notes, encoding="utf-8") as file:
            last = file.read().strip()
        what = "took too long" if done.returncode == -signal.SIGALRM else f"ended with {done.returncode}"
        number = first + len(sessions)
        findings.append(f"{what}: {last}\n  again: fuzz_api.py --session {number} -v\n{done.stderr[-1500:]}")
    return len(sessions) + (done.returncode != 0), sum(int(s.split()[1]) for s in sessions), findings


def campaign(calls: int, seconds: float, first: int) -> int:
    """Until so many calls, or so many seconds, are over."""
    end = time.monotonic() + seconds
    total, found, number = 0, {}, first
    with tempfile.TemporaryDirectory() as folder:
        while total < calls and time.monotonic() < end:
            count = SESSIONS if seconds > 60 else 10
            finished, made, findings = spawn(number, count, folder)
            number += max(finished, 1)
            total += made
            for finding in findings:
                found.setdefault(re.sub(r"\d+", "#", finding[:90]), finding)
    for finding in found.values():
        print(finding, "\n")
    print(f"{total} calls in sessions {first} to {number - 1}: {len(found)} findings")
    return 1 if found or total == 0 else 0


def replay(number: int, verbose: bool) -> int:
    session = Session(number, lambda k, call: print(k, call, flush=True) if verbose else None)
    session.run()
    for finding in session.findings:
        print(finding)
    return 1 if session.findings else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=10**9, help="at least so many")
    parser.add_argument("--seconds", type=float, default=1e9, help="or so many seconds")
    parser.add_argument("--first", type=int, default=0, help="the session to begin with")
    parser.add_argument("--session", type=int, help="repeat this one")
    parser.add_argument("-v", "--verbose", action="store_true")
    parser.add_argument("--child", nargs=3, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.child:
        return child(int(given.child[0]), int(given.child[1]), given.child[2])
    if given.session is not None:
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            return replay(given.session, given.verbose)
    return campaign(given.calls, given.seconds, given.first)


if __name__ == "__main__":
    sys.exit(main())
