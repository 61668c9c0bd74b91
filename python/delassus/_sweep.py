"""Many simulations that differ in parameters, on threads of this process or by an executor of the caller's own."""

from __future__ import annotations

import os
import platform
import sys
import time
from collections.abc import Mapping
from typing import Any, Callable, Iterable, NamedTuple, Union

import numpy as np

from delassus import _delassus
from delassus._delassus import ParameterSweep, SweepColumn
from delassus._errors import Error
from delassus._function_identity import claim, require_known

_Folder: Any = _delassus._SweepFolder  # type: ignore[attr-defined]
_Stop: Any = _delassus._SweepStop  # type: ignore[attr-defined]
_is_done: Any = _delassus._sweep_is_done  # type: ignore[attr-defined]

_Path = Union[str, "os.PathLike[str]"]

# Tasks that wait in an executor: enough that no worker waits, and few enough that later ones have the right size.
_TASKS_PER_WORKER, _MOST_TASKS = 3, 4096
_LONGEST_MESSAGE = 500  # characters
_WHOLE = 2**53  # beyond it a float64 is not the number that was meant


class SweepSummary(NamedTuple):
    """What delassus.sweep has done. `failed` is of all cases; None where the manifest beside the results is gone."""

    results: str
    cases: int
    computed: int
    failed: int | None
    seconds: float


class SweepStatus(NamedTuple):
    """How far a sweep is: `done` of `cases`, the ranges (first, end) that are missing, and whether the file of results is there."""

    results: str
    cases: int
    done: int
    failed: int
    missing: tuple[tuple[int, int], ...]
    complete: bool


class SweepCase:
    """What a function of one's own gets: the index of the case, its seed and its parameters by their names."""

    def __init__(self, index: int, seed: int, parameters: dict[str, float]) -> None:
        for name, value in (("index", index), ("seed", seed)):
            if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
                raise TypeError(f"argument '{name}' is an object of {type(value).__name__}; expected an int")
            if not 0 <= value < 2**64:
                raise Error(f"argument '{name}' is out of range; give a whole number from 0 to 2**64 - 1")
        if not isinstance(parameters, dict):
            raise TypeError(f"argument 'parameters' is an object of {type(parameters).__name__}; expected a dict")
        self.index = index
        self.seed = seed
        self.parameters = parameters
        self._rng: np.random.Generator | None = None

    def rng(self) -> np.random.Generator:
        """Random numbers of this case: a generator that begins with the seed. Always the same object, which goes on."""
        if self._rng is None:
            self._rng = np.random.Generator(np.random.Philox(key=self.seed))
        return self._rng

    def __repr__(self) -> str:
        return f"SweepCase(index={self.index}, seed={self.seed}, parameters={self.parameters})"


# ------------------------------------------------------------------------------------- a function of one's own


class _BadResult(Exception):
    """What is wrong with what a function returned."""


def _numbers(value: Any, column: SweepColumn, name: str) -> np.ndarray:
    try:
        array = np.asarray(value)
    except (TypeError, ValueError):
        array = np.asarray(None)
    if array.dtype.kind not in "biuf":
        raise _BadResult(f"{name!r} is no number and no array of numbers: {type(value).__name__}")
    if array.shape != column.shape:
        raise _BadResult(f"{name!r} has shape {array.shape}, and the specification says {column.shape}")
    if column.whole and not np.all((np.abs(array.astype(np.float64)) <= _WHOLE) & (np.floor(array) == array)):
        raise _BadResult(f"{name!r} is not whole (or beyond 2**53), and the specification says that it is")
    return array.astype(np.float64)


def _checked(result: Any, columns: Iterable[SweepColumn]) -> dict[str, np.ndarray]:
    """The numbers that the specification names, by the names of their columns."""
    if not isinstance(result, Mapping):
        raise _BadResult(f"the function returned an object of {type(result).__name__}; expected a dict of numbers")
    wanted = {column.name.split("/", 1)[1]: column for column in columns}
    for name in wanted:
        if name not in result:
            raise _BadResult(f"the function returned no {name!r}")
    for name in result:
        if name not in wanted:
            raise _BadResult(f"the function returned {name!r}, which the specification has no column for")
    return {column.name: _numbers(result[name], column, name) for name, column in wanted.items()}


def _message(error: Exception | SystemExit) -> str:
    try:
        words = str(error)
    except (Exception, SystemExit):  # noqa: BLE001
        words = "an exception without words"
    if not isinstance(error, _BadResult):
        words = f"{type(error).__name__}: {words}"
    plain = words.replace("\0", "\\0").encode("utf-8", "backslashreplace").decode("utf-8")
    return plain if len(plain) <= _LONGEST_MESSAGE else plain[:_LONGEST_MESSAGE] + "..."


class _OwnRows:
    """Rows of a range, made by a function. What fails has its case, its status and its parameters; else nan, and 0 in whole numbers."""

    def __init__(self, sweep: ParameterSweep, first: int, end: int) -> None:
        self.sweep, self.first = sweep, first
        self.results = [c for c in sweep.columns if c.name.startswith("results/")]
        self.columns = {
            c.name: np.full((end - first, *c.shape), 0.0 if c.whole else np.nan) for c in sweep.columns
        }
        self.failures: list[tuple[int, str]] = []

    def make(self, index: int, function: Callable[[SweepCase], Mapping[str, Any]]) -> None:
        row, parameters = index - self.first, self.sweep.values(index)
        self.columns["case"][row] = index
        for name, value in parameters.items():
            self.columns[f"parameters/{name}"][row] = value
        try:
            numbers = _checked(function(SweepCase(index, self.sweep.seed(index), parameters)), self.results)
        except (Exception, SystemExit) as error:  # noqa: BLE001
            # Of sys.exit too: it would end the run, and the exit status would say that all is well.
            self.columns["status"][row] = self.sweep.status_words.index("failed")
            self.failures.append((index, _message(error)))
            return
        for name, array in numbers.items():
            self.columns[name][row] = array


def _run_own(folder: Any, function: Any, first: int, end: int, between: Callable[[], bool]) -> int | None:
    """Rows of a range into the folder; how many failed. None where `between` two cases says that nobody waits for them."""
    start = time.perf_counter()
    rows = _OwnRows(folder.sweep, first, end)
    for index in range(first, end):
        if between():
            return None
        rows.make(index, function)
    folder.write(first, end, list(rows.columns.values()), rows.failures, time.perf_counter() - start)
    return len(rows.failures)


# -------------------------------------------------------------------------------------------------- in workers


class _Task(NamedTuple):
    """What workers are told; the specification stands in the folder."""

    results: str
    hash: str
    run: Callable[[SweepCase], Mapping[str, Any]] | None
    stop: Any


# Of this process, for the next tasks: reading a specification takes as long as hundreds of steps.
_folders: dict[tuple[str, str], Any] = {}
_MOST_FOLDERS = 4


def _remember(folder: Any) -> None:
    while len(_folders) >= _MOST_FOLDERS:
        _folders.pop(next(iter(_folders)), None)
    _folders[folder.results, folder.sweep.hash] = folder


def _joined(task: _Task) -> Any:
    folder = _folders.get((task.results, task.hash))
    if folder is not None:
        return folder
    parts = task.results + ".parts"
    if not os.path.exists(os.path.join(parts, "sweep.json")):
        raise Error(
            f"the worker on {platform.node()} does not see the folder {parts!r}, into which workers write their rows; "
            "choose an output on a file system that all of them share"
        )
    try:
        folder = _Folder.join(task.results, task.hash)
    except Error as error:
        raise Error(f"the worker on {platform.node()}: {error}") from None
    _remember(folder)
    return folder


def _work(task: _Task, first: int, end: int) -> tuple[int, int | None, float]:
    """A part of a sweep, into the folder. Returns how many cases, how many failed, and seconds."""
    folder = _joined(task)
    start = time.perf_counter()
    if task.run is None:
        failed = folder.run_range(first, end, task.stop)
    else:
        failed = _run_own(folder, task.run, first, end, task.stop.is_set)
    return end - first, failed, time.perf_counter() - start


# ---------------------------------------------------------------------------------------------------- progress


class _Line:
    """progress=True: a line on stderr that is written over, or one now and then where that is no terminal."""

    def __init__(self, before: int) -> None:
        self.before, self.next = before, 10.0
        self.terminal = sys.stderr is not None and sys.stderr.isatty()

    def __call__(self, done: int, total: int, seconds: float) -> None:
        if sys.stderr is None or not (self.terminal or done == total or seconds >= self.next):
            return
        self.next = seconds + 10.0
        now = done - self.before
        left = f", {seconds * (total - done) / now:.0f} s left" if 0 < now and done < total else ""
        text = f"{done} of {total} cases{left}"
        end = "\n" if done == total or not self.terminal else ""
        print(f"\r{text:<60}" if self.terminal else text, end=end, file=sys.stderr, flush=True)


class _Watch:
    """Counts the cases of this call, and tells the caller now and then."""

    EVERY = 0.2  # seconds

    def __init__(self, folder: Any, progress: Any) -> None:
        self.total = len(folder.sweep)
        self.before = self.total - sum(end - first for first, end in folder.missing())
        self.tell = _Line(self.before) if progress is True else progress or None
        self.computed = 0
        self.start = time.perf_counter()
        self.next = 0.0

    def seconds(self) -> float:
        return time.perf_counter() - self.start

    def add(self, cases: int) -> None:
        self.computed += cases
        self.look()

    def look(self) -> bool:
        if self.tell is not None and self.seconds() >= self.next:
            self.next = self.seconds() + self.EVERY
            self.tell(self.before + self.computed, self.total, self.seconds())
        return False

    def set(self, computed: int, _failed: int) -> None:
        self.computed = computed
        self.look()

    def end(self) -> None:
        if self.tell is not None:
            self.tell(self.before + self.computed, self.total, self.seconds())


# --------------------------------------------------------------------------------------------- who computes it


def _compute_here(folder: Any, run: Any, threads: int, cases_per_task: int, watch: _Watch) -> None:
    if run is None:
        source = folder.source(threads or os.cpu_count() or 1, cases_per_task)
        folder.run_on_threads(source, threads, watch.set)
        return
    source, rate = folder.source(1, cases_per_task), 1.0  # one case first: nobody knows how long it takes
    while (part := source.next(rate)) is not None:
        start, (first, end) = time.perf_counter(), part
        _run_own(folder, run, first, end, watch.look)
        watch.add(end - first)
        rate = (end - first) / max(time.perf_counter() - start, 1e-6)


def _workers_of(executor: Any) -> int:
    """As far as executors say; a guess makes tasks smaller or larger than they had to be."""
    count = getattr(executor, "_max_workers", None)  # of Python, and of mpi4py
    if isinstance(count, int) and count > 0:
        return count
    client = getattr(executor, "_client", None)  # of Dask
    if client is not None:
        try:
            return max(sum(client.nthreads().values()), 1)
        except Exception:  # noqa: BLE001
            pass
    return os.cpu_count() or 1


def _compute_elsewhere(executor: Any, task: _Task, source: Any, tasks: int, watch: _Watch) -> None:
    """Keeps so many tasks waiting, until all are done."""
    from concurrent.futures import FIRST_COMPLETED, wait

    waiting: set[Any] = set()
    rate = 0.0 if task.run is None else 1.0
    try:
        while True:
            while len(waiting) < tasks and (part := source.next(rate)) is not None:
                waiting.add(executor.submit(_work, task, *part))
            if not waiting:
                return
            done, waiting = wait(waiting, timeout=_Watch.EVERY, return_when=FIRST_COMPLETED)
            for future in done:
                try:
                    cases, _, seconds = future.result()
                except SystemExit as error:  # such as of a file of the function's that a worker imports
                    raise RuntimeError(f"a worker was ended by sys.exit({error})") from error
                rate = cases / max(seconds, 1e-6)
                watch.add(cases)
            watch.look()
    finally:
        task.stop.set()  # those that run in threads of this process
        for future in waiting:
            future.cancel()


def _call_executor(executor: Any, folder: Any, run: Any, cases_per_task: int, watch: _Watch) -> None:
    _remember(folder)
    workers = _workers_of(executor)
    task = _Task(folder.results, folder.sweep.hash, run, _Stop())
    source = folder.source(workers, cases_per_task)
    failure: list[BaseException] = []

    class Told(Exception):
        """What the caller's own function for progress raised."""

    def tell(*args: Any) -> None:
        try:
            told(*args)
        except Exception as error:  # noqa: BLE001
            failure.append(error)
            raise Told from error

    told = watch.tell
    if told is not None:
        watch.tell = tell
    try:
        _compute_elsewhere(executor, task, source, min(_TASKS_PER_WORKER * workers, _MOST_TASKS), watch)
    except Told:
        raise failure[0] from None
    except Error:
        raise
    except Exception as error:
        raise Error(
            f"the executor could not go on ({type(error).__name__}: {error}): the same call goes on with what is done"
        ) from error
    finally:
        watch.tell = told


# --------------------------------------------------------------------------------------------------- arguments


def _count(value: Any, name: str, most: int) -> int:
    """0 where nothing is given."""
    if value is None:
        return 0
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"argument '{name}' is an object of {type(value).__name__}; expected an int or None")
    count = int(value)
    if not 1 <= count <= most:
        raise Error(f"argument '{name}' is out of range; give a whole number from 1 to {most}")
    return count


def _require_function(sweep: ParameterSweep, run: Any) -> None:
    if run is not None and not callable(run):
        raise TypeError(f"argument 'run' is an object of {type(run).__name__}; expected a function or None")
    if sweep.has_own_run and run is None:
        raise Error("the specification has 'columns' of a function of your own; give it as run=function")
    if run is not None and not sweep.has_own_run:
        raise Error(
            "argument 'run' does not go with a specification that has a scene; "
            "leave it out, or give 'columns' in place of 'scene'"
        )


def _require_executor(executor: Any, run: Any, threads: int) -> None:
    if executor is not None and (isinstance(executor, type) or not callable(getattr(executor, "submit", None))):
        raise TypeError(
            f"argument 'executor' is {'the class' if isinstance(executor, type) else 'an object of'} "
            f"{getattr(executor, '__name__', type(executor).__name__)}; expected an executor of concurrent.futures"
        )
    if executor is not None and threads:
        raise Error("argument 'threads' is of this process, and the executor has workers of its own; leave out one of them")
    if run is not None and threads > 1:
        raise Error(
            "argument 'threads' does not go with 'run': functions of Python run one at a time in a process; "
            "give an executor, such as concurrent.futures.ProcessPoolExecutor()"
        )


# ------------------------------------------------------------------------------------------------------ public


def sweep(
    spec: ParameterSweep | str | os.PathLike[str] | dict[str, Any],
    output: str | os.PathLike[str],
    *,
    executor: Any = None,
    run: Callable[[SweepCase], Mapping[str, Any]] | None = None,
    threads: int | None = None,
    cases_per_task: int | None = None,
    progress: bool | Callable[[int, int, float], Any] | None = None,
) -> SweepSummary:
    """Simulates all cases of a specification (a file, a dict, or a ParameterSweep) and writes a file of results, .h5 or .npz (docs/sweeps.md).

    The same specification gives the same bytes, whoever computes it and in whatever order. Until all is done, parts stand in the folder
    `output` + ".parts": a call that was interrupted, or whose workers died, is repeated and goes on with them. Results that are there already are
    left as they are; those of another specification are an Error, and nothing is written over.

    executor: of concurrent.futures, mpi4py.futures or Dask (Client.get_executor()), and not shut down here; its workers have to see the folder of `output`.
    None: threads of this process, `threads` of them (None: one for each core).
    run: for a specification with "columns", a function that makes a row: from a SweepCase a dict of numbers or arrays by the names of the columns. What raises
    an exception (sys.exit too), or returns something else, is a row with the status "failed", its parameters, nan, and 0 in columns of whole numbers. Without an
    executor it is called in this process, one case after the other. The file `output` + ".function.json" says which function it was, by its own code, and another
    one is an Error; what it calls, values that it closes over, and global data are not compared.
    cases_per_task: so many to a part; None: as many as take some seconds. progress: True for a line on stderr, or a function of the cases that are done, all
    cases, and the seconds since this call began; what it raises ends the call.
    """
    what = spec if isinstance(spec, ParameterSweep) else ParameterSweep(spec)
    results = os.path.abspath(os.fspath(output))
    threads, cases_per_task = _count(threads, "threads", 4096), _count(cases_per_task, "cases_per_task", 2**40)
    _require_function(what, run)
    _require_executor(executor, run, threads)
    if not (progress is None or isinstance(progress, bool) or callable(progress)):
        raise TypeError(f"argument 'progress' is an object of {type(progress).__name__}; expected True, None or a function")
    start = time.perf_counter()
    done = _is_done(what, results)
    if run is not None:
        require_known(run, results, done)
    if done:
        return SweepSummary(results, len(what), 0, _failures_of(results), time.perf_counter() - start)
    folder = _Folder.open(what, results)
    if run is not None:
        claim(run, results)
    watch = _Watch(folder, progress)
    try:
        if executor is None:
            _compute_here(folder, run, threads, cases_per_task, watch)
        else:
            _call_executor(executor, folder, run, cases_per_task, watch)
        watch.end()
        failed = folder.failed()
        folder.merge()
    except Error:
        if os.path.exists(folder.folder) or not _is_done(what, results):
            raise
        # Another call with the same sweep was faster, has merged its parts and ours, and taken the folder away.
        return SweepSummary(results, len(what), watch.computed, _failures_of(results), time.perf_counter() - start)
    return SweepSummary(results, len(what), watch.computed, failed, time.perf_counter() - start)


def _from_manifest(results: str) -> SweepStatus | None:
    """Of a file of results that is there."""
    import json

    try:
        with open(results + ".manifest.json", encoding="utf-8") as file:
            manifest = json.load(file)
        cases = max(part["end"] for part in manifest["parts"])
        failed = int(manifest["failed"])
    except (OSError, ValueError, LookupError, TypeError):
        return None
    return SweepStatus(results, cases, cases, failed, (), True) if os.path.exists(results) else None


def _failures_of(results: str) -> int | None:
    status = _from_manifest(results)
    return None if status is None else status.failed


def sweep_status(results: str | os.PathLike[str]) -> SweepStatus:
    """How far a sweep is, by the file of results that it was given, or the folder of its parts."""
    name = os.fspath(results)
    path = os.path.abspath(name[: -len(".parts")] if name.rstrip("/").endswith(".parts") else name)
    done = _from_manifest(path)
    if done is not None:
        return done
    folder = _Folder.find(results)
    missing = folder.missing()
    cases = len(folder.sweep)
    left = sum(end - first for first, end in missing)
    failed = folder.failed()
    return SweepStatus(path, cases, cases - left, failed, missing, os.path.exists(path))


def sweep_merge(results: str | os.PathLike[str]) -> str:
    """Makes the file of results of parts that are all done, by its name, or the folder's; delassus.sweep does it by itself. Returns its name."""
    folder = _Folder.find(results)
    folder.merge()
    return str(folder.results)
