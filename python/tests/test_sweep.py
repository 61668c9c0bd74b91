"""Sweeps: rows that do not depend on who computes them, results that are whole or not there, and what goes on after a kill."""

from __future__ import annotations

import functools
import json
import multiprocessing
import os
import pickle
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any, Callable, Iterator

import numpy as np
import pytest
import sweep_cases
from built_command import needs_command, run_command
from sweep_cases import LONG, OWN, SLIDE, WALK, own

import delassus
from delassus import _delassus, _function_identity

HERE = Path(__file__).resolve().parent
SANITIZED = "clang_rt" in os.environ.get("LD_PRELOAD", "")
KILLS = int(os.environ.get("DELASSUS_SWEEP_KILLS", "10"))


def read(path: Path | str) -> dict[str, np.ndarray]:
    with np.load(path, allow_pickle=False) as file:
        return dict(file)


@pytest.fixture(scope="session")
def without_harm(tmp_path_factory: pytest.TempPathFactory) -> Callable[[dict[str, Any], str], bytes]:
    """The bytes of results by one thread, each once."""
    kept: dict[str, bytes] = {}
    folder = tmp_path_factory.mktemp("reference")

    def bytes_of(spec: dict[str, Any], ending: str = "npz") -> bytes:
        name = f"{delassus.ParameterSweep(spec).hash}.{ending}"
        if name not in kept:
            run = own if "columns" in spec else None
            try:
                delassus.sweep(spec, folder / name, threads=1, run=run)
            except delassus.Error as error:
                if "HDF5" not in str(error):
                    raise
                pytest.skip(str(error))
            kept[name] = (folder / name).read_bytes()
        return kept[name]

    return bytes_of


@pytest.fixture(scope="module")
def processes() -> Iterator[Executor]:
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        yield pool


class Shuffled(Executor):
    """Runs what waits in any order, on a thread of its own; fails after so many tasks."""

    def __init__(self, seed: int, most: int = 10**9) -> None:
        self.random, self.most = random.Random(seed), most
        self.tasks: list[tuple[Future[Any], Callable[[], Any]]] = []
        self.changed = threading.Condition()
        self.order: list[int] = []
        threading.Thread(target=self.work, daemon=True).start()

    def submit(self, function: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        with self.changed:
            self.tasks.append((future, lambda: function(*args, **kwargs)))
            self.order.append(args[1])
            self.changed.notify()
        return future

    def work(self) -> None:
        while True:
            with self.changed:
                self.changed.wait_for(lambda: self.tasks)
                future, task = self.tasks.pop(self.random.randrange(len(self.tasks)))
            if not future.set_running_or_notify_cancel():
                continue
            self.most -= 1
            try:
                if self.most < 0:
                    raise BrokenExecutor("a worker was lost")
                future.set_result(task())
            except Exception as error:  # noqa: BLE001
                future.set_exception(error)


# ----------------------------------------------------------------------------------------- what a case is


def test_columns_values_and_seeds() -> None:
    sweep = delassus.ParameterSweep(WALK)
    assert (sweep.name, len(sweep), sweep.parameters) == (
        "sweep",
        20,
        ("friction", "gravity.z", "height", "kp", "mass_scale"),
    )
    names = [c.name for c in sweep.columns]
    assert names[:6] == ["case", "status", "time", "steps", "inexact_steps", "residual"]
    by_name = {c.name: c for c in sweep.columns}
    assert by_name["final/q"] == delassus.SweepColumn("final/q", "rad, m", (19,), False)
    assert by_name["steps"].whole and by_name["trajectory/contact_forces"].shape == (6, 17, 3)
    rows = sweep.run(3, 9)
    for index in range(3, 9):
        for name, value in sweep.values(index).items():
            assert rows[f"parameters/{name}"][index - 3] == value
    assert rows["case"].tolist() == list(range(3, 9)) and rows["case"].dtype == np.int64
    assert sweep.values(0)["gravity.z"] == -3 and sweep.values(19)["gravity.z"] == -10
    assert [sweep.values(k)["height"] for k in (0, 9, 10, 19)] == [0, 0, 0.05, 0.05]
    assert len({sweep.seed(k) for k in range(20)}) == 20
    assert sweep.seed(7) == delassus.ParameterSweep({**WALK, "cases": 200}).seed(7) != delassus.ParameterSweep({**WALK, "seed": 12}).seed(7)


def test_specifications_as_dicts_files_and_pickles(tmp_path: Path) -> None:
    path = tmp_path / "walk.json"
    path.write_text(json.dumps(WALK))
    sweep = delassus.ParameterSweep(path)
    assert sweep.base_directory == str(tmp_path) and delassus.ParameterSweep(WALK).base_directory == os.getcwd()
    other = pickle.loads(pickle.dumps(sweep))
    assert (other.hash, other.text, other.base_directory) == (sweep.hash, sweep.text, sweep.base_directory)
    assert delassus.ParameterSweep(json.loads(sweep.text)).hash == delassus.ParameterSweep(WALK).hash == sweep.hash
    listed = {**SLIDE, "cases": 3, "parameters": {"friction": {"list": np.linspace(0, 1, 3)}}}
    assert delassus.ParameterSweep(listed).values(1) == {"friction": 0.5}
    assert len(delassus.ParameterSweep({**SLIDE, "cases": np.int64(7)})) == 7
    with pytest.raises(delassus.Error, match="a text of JSON; give the name of a file, or a dict"):
        delassus.ParameterSweep(json.dumps(WALK))
    with pytest.raises(TypeError, match="expected a dict of what JSON has"):
        delassus.ParameterSweep({**SLIDE, "seed": object()})
    with pytest.raises(delassus.Error, match="cannot be written as JSON"):
        delassus.ParameterSweep({**SLIDE, "seconds": np.inf})


def test_rows_are_those_of_a_vector_simulator() -> None:
    """Steps by hand, which share nothing with sweeps but the simulator: the same bits."""
    rows = delassus.ParameterSweep(WALK).run(0, 20)
    assert rows["failures"] == () and not rows["status"].any()
    scene = delassus.load("go2-standing")
    for index, values in ((k, delassus.ParameterSweep(WALK).values(k)) for k in (0, 7, 13)):
        sim = delassus.VectorSimulator(
            *("go2-standing", 1, 0.002), tolerance=1e-4, actuators=delassus.position_actuators(scene.model, 60, 2)
        )
        sim.randomize(
            friction=values["friction"],
            mass_scale=values["mass_scale"],
            kp=values["kp"],
            gravity=(0, 0, values["gravity.z"]),
        )
        q = sim.q[0].copy()
        q[2] += values["height"]
        sim.reset(q=q, v=np.zeros(18))
        heights, efforts, forces = [sim.q[0, 2]], [], []
        for _ in range(5):  # samples, each 10 ms
            sim.step(5)
            heights.append(sim.q[0, 2])
            efforts.append(np.abs(sim.efforts[0]).max())
            forces.append(sim.contact_force[0].copy())
        np.testing.assert_array_equal(rows["final/q"][index], sim.q[0])
        np.testing.assert_array_equal(rows["final/v"][index], sim.v[0])
        np.testing.assert_array_equal(rows["trajectory/height"][index], heights)
        np.testing.assert_array_equal(rows["trajectory/contact_forces"][index][1:], forces)
        assert (rows["min/height"][index], rows["max/effort"][index]) == (min(heights), max(efforts))
        low = [0.01 * k for k, z in enumerate(heights) if z < 0.265]
        np.testing.assert_allclose(rows["events/low"][index], low[0] if low else np.nan, rtol=1e-15)
        assert (rows["steps"][index], rows["time"][index]) == (25, sim.time[0])


def test_rows_do_not_depend_on_their_company() -> None:
    sweep = delassus.ParameterSweep(SLIDE)
    together, alone = sweep.run(0, 40), sweep.run(17, 18)
    for column in sweep.columns:
        np.testing.assert_array_equal(together[column.name][17:18], alone[column.name])
    # The normal law draws some masses below zero: rows with what is wrong.
    failed = dict(together["failures"])
    assert failed and set(failed) == set(np.flatnonzero(together["status"]))
    assert all("mass_scale" in message and "above zero" in message for message in failed.values())
    assert {sweep.status_words[k] for k in together["status"]} == {"ok", "bad_start"}


# ----------------------------------------------------------------------------------------- the same bytes


@pytest.mark.parametrize("ending", ["npz", "h5"])
@pytest.mark.parametrize("threads,cases", [(1, 300), (1, 43), (2, None), (3, 5)])
def test_threads_give_the_same_bytes(
    without_harm: Any, tmp_path: Path, ending: str, threads: int, cases: int | None
) -> None:
    path = tmp_path / f"slide.{ending}"
    expected = without_harm(SLIDE, ending)
    done = delassus.sweep(SLIDE, path, threads=threads, cases_per_task=cases)
    failed = int(np.count_nonzero(delassus.ParameterSweep(SLIDE).run(0, 300)["status"]))
    assert done[:4] == (str(path), 300, 300, failed)
    assert path.read_bytes() == expected
    assert not Path(f"{path}.parts").exists()


def test_pools_of_threads_give_the_same_bytes(without_harm: Any, tmp_path: Path) -> None:
    with ThreadPoolExecutor(2) as pool:
        delassus.sweep(SLIDE, tmp_path / "slide.npz", executor=pool)
        delassus.sweep(OWN, tmp_path / "own.npz", executor=pool, run=own)
    assert (tmp_path / "slide.npz").read_bytes() == without_harm(SLIDE)
    assert (tmp_path / "own.npz").read_bytes() == without_harm(OWN)


@pytest.mark.parametrize("seed", range(3))
def test_any_order_gives_the_same_bytes(without_harm: Any, tmp_path: Path, seed: int) -> None:
    pool = Shuffled(seed)
    pool._max_workers = 30  # type: ignore[attr-defined]
    delassus.sweep(SLIDE, tmp_path / "slide.npz", executor=pool, cases_per_task=(64, 7, 3)[seed])
    assert (tmp_path / "slide.npz").read_bytes() == without_harm(SLIDE)
    delassus.sweep(OWN, tmp_path / "own.npz", executor=pool, run=own, cases_per_task=4)
    assert (tmp_path / "own.npz").read_bytes() == without_harm(OWN)


def test_processes_give_the_same_bytes(without_harm: Any, tmp_path: Path, processes: Executor) -> None:
    for ending in ("npz", "h5"):
        delassus.sweep(SLIDE, tmp_path / f"slide.{ending}", executor=processes, cases_per_task=25)
        assert (tmp_path / f"slide.{ending}").read_bytes() == without_harm(SLIDE, ending)
    delassus.sweep(OWN, tmp_path / "own.npz", executor=processes, run=own)
    assert (tmp_path / "own.npz").read_bytes() == without_harm(OWN)


@pytest.mark.skipif(SANITIZED, reason="the sanitizers are not for Dask")
def test_dask_gives_the_same_bytes(without_harm: Any, tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, local_directory=str(tmp_path)
    ) as cluster, distributed.Client(cluster) as client, client.get_executor() as pool:
        delassus.sweep(SLIDE, tmp_path / "slide.npz", executor=pool, cases_per_task=25)
        delassus.sweep(OWN, tmp_path / "own.npz", executor=pool, run=own)
    assert (tmp_path / "slide.npz").read_bytes() == without_harm(SLIDE)
    assert (tmp_path / "own.npz").read_bytes() == without_harm(OWN)


@pytest.mark.skipif(SANITIZED, reason="the sanitizers are not for MPI")
def test_mpi_gives_the_same_bytes(without_harm: Any, tmp_path: Path) -> None:
    pytest.importorskip("mpi4py")
    if shutil.which("mpirun") is None:
        pytest.skip("mpirun is not installed")
    done = subprocess.run(
        ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "3", sys.executable, "-m", "mpi4py.futures"]
        + [str(HERE / "sweep_script.py"), "mpi", str(tmp_path)],
        env={**os.environ, "PYTHONPATH": str(HERE)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "slide.npz").read_bytes() == without_harm(SLIDE)
    assert (tmp_path / "own.npz").read_bytes() == without_harm(OWN)


@needs_command
def test_the_command_gives_the_same_bytes(without_harm: Any, tmp_path: Path) -> None:
    (tmp_path / "slide.json").write_text(json.dumps(SLIDE))
    for ending in ("npz", "h5"):
        expected = without_harm(SLIDE, ending)
        path = tmp_path / f"slide.{ending}"
        run_command("sweep", tmp_path / "slide.json", "-o", path, "--quiet")
        assert path.read_bytes() == expected
        assert delassus.sweep(SLIDE, path).computed == 0


# ----------------------------------------------------------------------------------- functions of one's own


def test_own_functions(without_harm: Any, tmp_path: Path) -> None:
    without_harm(OWN)
    path = tmp_path / "own.npz"
    done = delassus.sweep(OWN, path, run=own)
    assert (done.computed, done.failed) == (60, 8)
    rows, sweep = read(path), delassus.ParameterSweep(OWN)
    assert path.read_bytes() == without_harm(OWN)
    assert rows["failures/index"].tolist() == list(range(6, 60, 7))
    assert [message.decode() for message in rows["failures/message"]] == sweep_cases.FAILURES
    failed = np.isin(np.arange(60), rows["failures/index"])
    np.testing.assert_array_equal(rows["status"], failed)
    np.testing.assert_array_equal(rows["case"], np.arange(60))
    assert np.isnan(rows["results/path"][failed]).all() and not rows["results/hits"][failed].any()
    assert rows["results/hits"].dtype == np.int64 and rows["results/path"].shape == (60, 4, 2)
    for index in (0, 1, 59):
        case = delassus.SweepCase(index, sweep.seed(index), sweep.values(index))
        row = own(case)
        assert rows["parameters/radius"][index] == case.parameters["radius"]
        assert rows["results/area"][index] == row["area"] and rows["results/hits"][index] == row["hits"]
        np.testing.assert_array_equal(rows["results/path"][index], row["path"])


def test_random_numbers_of_a_case() -> None:
    case = delassus.SweepCase(3, delassus.ParameterSweep(OWN).seed(3), {})
    first, second = case.rng().normal(size=2)
    again = np.random.Generator(np.random.Philox(key=case.seed))
    assert (again.normal(), again.normal()) == (first, second)


def test_cases_of_ones_own_are_checked() -> None:
    for index, seed, parameters in (("0", 1, {}), (0, 1.5, {}), (True, 1, {}), (0, 1, [])):
        with pytest.raises(TypeError, match="expected a"):
            delassus.SweepCase(index, seed, parameters)  # type: ignore[arg-type]
    for index, seed in ((-1, 0), (0, 2**64), (0, 10**5000)):
        with pytest.raises(delassus.Error, match="is out of range"):
            delassus.SweepCase(index, seed, {})


def test_a_specification_without_a_name() -> None:
    with pytest.raises(delassus.Error, match="there is no such file"):
        delassus.ParameterSweep("")


def test_where_a_function_belongs(tmp_path: Path) -> None:
    with pytest.raises(delassus.Error, match="give it as run=function"):
        delassus.sweep(OWN, tmp_path / "a.npz")
    with pytest.raises(delassus.Error, match="does not go with a specification that has a scene"):
        delassus.sweep(SLIDE, tmp_path / "a.npz", run=own)
    with pytest.raises(delassus.Error, match="give an executor, such as"):
        delassus.sweep(OWN, tmp_path / "a.npz", run=own, threads=2)
    with pytest.raises(delassus.Error, match="made by a function of your own"):
        delassus.ParameterSweep(OWN).run(0, 1)
    with ThreadPoolExecutor(1) as pool, pytest.raises(delassus.Error, match="the executor has workers of its own"):
        delassus.sweep(SLIDE, tmp_path / "a.npz", executor=pool, threads=2)
    for wrong in ({"executor": ThreadPoolExecutor}, {"executor": 3}, {"run": 3}, {"threads": "2"}, {"progress": 1.0}):
        with pytest.raises(TypeError, match=f"argument '{next(iter(wrong))}' is"):
            delassus.sweep(SLIDE, tmp_path / "a.npz", **wrong)  # type: ignore[arg-type]
    for wrong in ({"threads": 0}, {"cases_per_task": -1}):
        with pytest.raises(delassus.Error, match="give a whole number from 1"):
            delassus.sweep(SLIDE, tmp_path / "a.npz", **wrong)  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []


def test_functions_that_do_not_pickle_say_so(tmp_path: Path, processes: Executor) -> None:
    with pytest.raises(delassus.Error, match="could not go on .*pickle.*goes on with what is done"):
        delassus.sweep(OWN, tmp_path / "own.npz", executor=processes, run=lambda case: {})


def test_sys_exit_is_a_failed_row(tmp_path: Path, processes: Executor) -> None:
    """In a function it would end the run, and say that all is well."""
    with ThreadPoolExecutor(2) as threads:
        for name, executor in (("here", None), ("threads", threads), ("processes", processes)):
            path = tmp_path / f"{name}.npz"
            assert delassus.sweep(OWN, path, run=sweep_cases.exits, executor=executor).failed == 8
            rows = read(path)
            assert set(rows["failures/message"].tolist()) == {b"SystemExit: 0"}
            assert rows["failures/index"].tolist() == list(range(6, 60, 7))


def test_workers_that_exit(tmp_path: Path) -> None:
    """By sys.exit of what they import, say: an Error, since a SystemExit here would end the caller without a word."""

    class Leaving(ThreadPoolExecutor):
        def submit(self, function: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
            return super().submit(sweep_cases.ends_its_worker, 0)

    with Leaving(1) as pool, pytest.raises(delassus.Error, match=r"ended by sys.exit\(0\).*goes on with what is done"):
        delassus.sweep(OWN, tmp_path / "own.npz", run=own, executor=pool)


def test_control_c_in_a_function(tmp_path: Path) -> None:
    def interrupted(case: delassus.SweepCase) -> dict[str, Any]:
        if case.index == 30:
            raise KeyboardInterrupt
        return own(case)

    for executor in (None, ThreadPoolExecutor(1)):
        with pytest.raises(KeyboardInterrupt):
            delassus.sweep(OWN, tmp_path / f"{executor is None}.npz", run=interrupted, executor=executor, cases_per_task=5)
        assert 30 <= delassus.sweep_status(tmp_path / f"{executor is None}.npz").done < 60


# ------------------------------------------------------------------------------ whose function made the rows


ONE = {"format": "delassus-sweep-1", "cases": 12, "columns": {"x": ""}}


def constant(case: delassus.SweepCase, x: float = 1.0, *, more: float = 0.0) -> dict[str, Any]:
    return {"x": x + more}


class Constant:
    def __call__(self, case: delassus.SweepCase) -> dict[str, Any]:
        return {"x": 1.0}

    def method(self, case: delassus.SweepCase) -> dict[str, Any]:
        return {"x": 2.0}


def decorated(function: Any) -> Any:
    @functools.wraps(function)
    def both(case: delassus.SweepCase) -> Any:
        return function(case)

    return both


def one_of(what: str) -> Any:
    """A function of always the same name."""
    scope: dict[str, Any] = {}
    exec(compile(what, f"{len(what)}.py", "exec"), scope)
    return scope["f"]


DIFFERENT = [
    constant,
    functools.partial(constant, x=2.0),
    functools.partial(constant, x=np.float32(3)),
    functools.partial(constant, x=3),
    functools.partial(constant, more=2.0),
    Constant(),
    Constant().method,
    Constant,
    max,
    one_of("def f(case): return {'x': 1}"),
    one_of("def f(case): return {'x': 1.0}"),
    one_of("def f(case): return {'x': True}"),
    one_of("def f(case): return {'y': 1}"),
    one_of("def f(case): return {'x': case.index}"),
    one_of("def f(case): return {'x': case.seed}"),
    one_of("def f(case, x=1): return {'x': x}"),
    one_of("def f(case, x=2): return {'x': x}"),
    one_of("def f(case, *, x=2): return {'x': x}"),
    one_of(f"def f(case): return {{'x': 0x{'f' * 5000} & case.seed}}"),  # longer than what Python writes as a decimal
    one_of("def f(case): return {'x': (lambda: 1)()}"),
    one_of("def f(case): return {'x': (lambda: 2)()}"),
    one_of("def f(case): return {'x': case.index in {'a', 'b', 'c'}}"),
    one_of("def f(case): return {'x': case.index in {'a', 'b', 'd'}}"),
    decorated(one_of("def f(case): return {'x': 1}")),
    decorated(one_of("def f(case): return {'x': 2}")),
]


def test_functions_are_told_apart() -> None:
    seen = [_function_identity._identity_of(function)["sha256"] for function in DIFFERENT]
    assert len(set(seen)) == len(DIFFERENT)
    for function in DIFFERENT:
        for _ in range(20):  # Python replaces the code of what runs often
            try:
                function(delassus.SweepCase(0, 1, {}))
            except TypeError:
                pass
    assert [_function_identity._identity_of(function)["sha256"] for function in DIFFERENT] == seen
    # Neither lines, files, nor what is no value that stays as it is.
    moved = [one_of("\n\n" + "def f(case, cache={}): return {'x': 1}"), one_of("def f(case, cache={1: 2}): return {'x': 1}")]
    assert _function_identity._identity_of(moved[0]) == _function_identity._identity_of(moved[1])


def test_functions_are_the_same_in_every_process() -> None:
    """Sets of texts have another order in each."""
    words = "import json, test_sweep as t; print(json.dumps([t._function_identity._identity_of(f) for f in t.DIFFERENT]))"
    said = {
        subprocess.run(
            [sys.executable, "-c", words],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join([str(HERE), *sys.path])},
            check=True,
            capture_output=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(said) == 1


def test_another_function_is_refused(tmp_path: Path) -> None:
    """When all is done, and when a part is."""

    def stop(done: int, total: int, seconds: float) -> None:
        if done >= 4:
            raise Enough

    path, f, g = tmp_path / "one.npz", constant, functools.partial(constant, x=2.0)
    with pytest.raises(Enough):
        delassus.sweep(ONE, path, run=lambda case: [time.sleep(0.1), constant(case)][1], progress=stop, cases_per_task=1)
    before = files_of(Path(f"{path}.parts"))
    with pytest.raises(delassus.Error, match="one.npz.function.json' says .* another function than .*constant: of .*<lambda>"):
        delassus.sweep(ONE, path, run=f)
    assert files_of(Path(f"{path}.parts")) == before and not path.exists()

    path = tmp_path / "f.npz"
    assert delassus.sweep(ONE, path, run=f)[1:4] == (12, 12, 0)
    data = path.read_bytes()
    with pytest.raises(delassus.Error, match="choose another name .* or remove them together with this file"):
        delassus.sweep(ONE, path, run=g)
    assert delassus.sweep(ONE, path, run=f).computed == 0
    assert path.read_bytes() == data and not Path(f"{path}.parts").exists()
    for file in tmp_path.glob("f.npz*"):
        file.unlink()
    assert delassus.sweep(ONE, path, run=g).computed == 12
    assert (read(path)["results/x"] == 2).all()
    assert sorted(file.name for file in tmp_path.glob("f.npz*")) == ["f.npz", "f.npz.function.json", "f.npz.manifest.json"]


def test_results_that_do_not_say_whose_function_it_was(tmp_path: Path) -> None:
    """Older ones, and those whose file was removed because a changed function gives the same rows."""
    path = tmp_path / "one.npz"
    delassus.sweep(ONE, path, run=constant)
    beside = Path(f"{path}.function.json")
    text = beside.read_text()
    beside.unlink()
    assert delassus.sweep(ONE, path, run=constant).computed == 0
    assert beside.read_text() == text
    for wrong in ("", "[]", "{}", text[:30]):
        beside.write_text(wrong)
        with pytest.raises(delassus.Error, match="one.npz.function.json' cannot be read .* remove this file alone"):
            delassus.sweep(ONE, path, run=constant)
    head = json.loads(text)
    assert head["function"].endswith("test_sweep.constant")
    beside.write_text(json.dumps({**head, "python": "cpython 3.1", "sha256": "0"}))
    with pytest.raises(delassus.Error, match=r"as cpython 3\.1 reads it; this is .* cannot be told whether"):
        delassus.sweep(ONE, path, run=constant)


def test_functions_that_begin_at_once(tmp_path: Path) -> None:
    """One is first, and the file is of it alone, even where both found none."""
    path = str(tmp_path / "one.npz")
    _function_identity.claim(constant, path)
    with pytest.raises(delassus.Error, match="another function"):
        _function_identity.claim(Constant(), path)
    _function_identity.claim(constant, path)
    assert [file.name for file in tmp_path.iterdir()] == ["one.npz.function.json"]


# ------------------------------------------------------------------------------------------- interruptions


class Enough(Exception):
    pass


def test_progress_and_resumption(without_harm: Any, tmp_path: Path) -> None:
    """What a call for progress raises ends the run; the next one computes what is missing, and nothing else."""
    path, seen = tmp_path / "own.npz", []

    def stop_late(done: int, total: int, seconds: float) -> None:
        seen.append((done, total))
        if done >= 20:
            raise KeyboardInterrupt

    def slow(case: delassus.SweepCase) -> dict[str, Any]:
        time.sleep(0.01)
        return own(case)

    with pytest.raises(KeyboardInterrupt):
        delassus.sweep(OWN, path, run=slow, progress=stop_late, cases_per_task=5)
    status = delassus.sweep_status(path)
    assert 20 <= status.done < 60 and not status.complete and status.missing == ((status.done, 60),)
    assert seen[0][1] == 60 and not path.exists()
    seen.clear()
    with pytest.raises(delassus.Error, match="another function than sweep_cases.own"):
        delassus.sweep(OWN, path, run=own)
    done = delassus.sweep(OWN, path, run=slow, progress=lambda *args: seen.append(args[:2]))
    assert done.computed == 60 - status.done and seen[-1] == (60, 60)
    assert path.read_bytes() == without_harm(OWN)
    assert delassus.sweep_status(path) == (str(path), 60, 60, 8, (), True)
    assert delassus.sweep(OWN, path, run=slow)[1:4] == (60, 0, 8)


def test_control_c_stops_threads(tmp_path: Path) -> None:
    endless = {**SLIDE, "cases": 10**7}
    killer = threading.Timer(0.6, os.kill, (os.getpid(), signal.SIGINT))
    killer.start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        delassus.sweep(endless, tmp_path / "slide.npz", threads=2)
    assert time.monotonic() - start < 10
    assert 0 < delassus.sweep_status(tmp_path / "slide.npz.parts").done < 10**7
    killer = threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT))
    killer.start()
    with pytest.raises(KeyboardInterrupt):
        delassus.ParameterSweep(endless).run(0, 10**5)


def test_progress_of_executors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def raises(done: int, total: int, seconds: float) -> None:
        raise Enough

    with ThreadPoolExecutor(2) as pool:
        with pytest.raises(Enough):
            delassus.sweep(SLIDE, tmp_path / "slide.npz", executor=pool, progress=raises, cases_per_task=10)
        delassus.sweep(SLIDE, tmp_path / "slide.npz", executor=pool, progress=True)
    assert "300 of 300 cases" in capsys.readouterr().err


def test_an_executor_that_breaks(without_harm: Any, tmp_path: Path) -> None:
    path = tmp_path / "slide.npz"
    with pytest.raises(delassus.Error, match=r"\(BrokenExecutor: a worker was lost\): the same call goes on"):
        delassus.sweep(SLIDE, path, executor=Shuffled(1, most=9), cases_per_task=10)
    before = delassus.sweep_status(path)
    assert before.done == 90
    assert delassus.sweep(SLIDE, path).computed == 210
    assert path.read_bytes() == without_harm(SLIDE)


def test_merging_by_hand(without_harm: Any, tmp_path: Path) -> None:
    """Parts that overlap, as two runs at once leave them, and what is left when a run ends before it merged."""
    path = tmp_path / "slide.npz"
    folder = _delassus._SweepFolder.open(delassus.ParameterSweep(SLIDE), str(path))
    stop = _delassus._SweepStop()
    for first, end in ((0, 100), (50, 150), (120, 130), (140, 290)):
        folder.run_range(first, end, stop)
    with pytest.raises(delassus.Error, match="cases 290 to 299 are missing"):
        delassus.sweep_merge(path)
    folder.run_range(290, 300, stop)
    assert delassus.sweep_merge(path) == str(path)
    assert path.read_bytes() == without_harm(SLIDE)
    stop.set()
    assert folder.run_range(0, 10, stop) is None


# ------------------------------------------------------------------------------------------------- kill -9


def children_of(pid: int) -> list[int]:
    try:
        return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except FileNotFoundError:
        return []


def fingerprints(path: Path) -> dict[str, tuple[int, int]]:
    """Parts that are done: their files are written once."""
    found = {}
    for manifest in Path(f"{path}.parts").glob("[0-9]*.json"):
        for file in (manifest, manifest.with_suffix(".npz")):
            stat = file.stat()
            found[file.name] = stat.st_ino, stat.st_mtime_ns
    return found


def wait_for(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.005)


def kill_once(path: Path, choose: random.Random, of_worker: bool) -> str:
    """Starts the sweep and kills a worker or the coordinator. Returns what it said, or "killed"; empty if it came to its end."""
    before, said = len(fingerprints(path)), path.with_suffix(".stderr")
    with said.open("w") as stderr:  # no pipe: workers that nobody waits for would keep it open
        run = subprocess.Popen(
            [sys.executable, str(HERE / "sweep_script.py"), "pool", str(path)], stderr=stderr, start_new_session=True
        )
    try:
        if of_worker or choose.random() < 0.8:  # else it may be killed before it has begun
            wait_for(lambda: run.poll() is not None or len(fingerprints(path)) > before)
        time.sleep(choose.uniform(0, 0.25))
        workers = children_of(run.pid)
        if of_worker and workers:
            os.kill(choose.choice(workers), signal.SIGKILL)
        elif not of_worker:
            run.kill()
        run.wait(timeout=60)
        return "" if run.returncode == 0 else said.read_text() or "killed"
    finally:
        try:
            os.killpg(run.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        run.wait()


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="there is no /proc")
def test_kill_9(without_harm: Any, tmp_path: Path) -> None:
    """Of workers and of the coordinator in turns: what was done stays as it is, and the end is as if nothing had happened."""
    choose = random.Random(KILLS)
    lost_workers = killed = finished = 0
    path, kept = tmp_path / "0.npz", {}
    while lost_workers + killed < KILLS:
        said = kill_once(path, choose, of_worker=lost_workers <= killed)
        if "goes on with what is done" in said:
            lost_workers += 1
        else:
            assert said in ("", "killed")
            killed += said == "killed"
        if path.exists():  # it came to its end before it was killed, or by it
            assert path.read_bytes() == without_harm(LONG)
            finished += 1
            path, kept = tmp_path / f"{finished}.npz", {}
            continue
        now = fingerprints(path)
        assert kept.items() <= now.items()
        kept = now
    assert (lost_workers, killed) == ((KILLS + 1) // 2, KILLS // 2)
    delassus.sweep(LONG, path)
    assert path.read_bytes() == without_harm(LONG)
    np.testing.assert_array_equal(read(path)["case"], np.arange(3000))


# ---------------------------------------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    "changes,words",
    [
        ({"parameters": {"fricton": 1}}, "/parameters/fricton: there is no parameter 'fricton' (did you mean 'friction'?)"),
        ({"parameters": {"friction": {"uniform": [1, 1]}}}, "/parameters/friction/uniform: is empty"),
        ({"parameters": {"friction": {"grid": []}}}, "/parameters/friction/grid: is empty"),
        ({"scene": "no such scene"}, "/scene: "),
        ({"cases": 0}, "/cases: has to be a whole number from 1"),
        ({"format": "delassus-sweep-2"}, "/format: has to be"),
        ({"motrs": {}}, "motrs"),
    ],
)
def test_bad_specifications(tmp_path: Path, changes: dict[str, Any], words: str) -> None:
    with pytest.raises(delassus.Error) as caught:
        delassus.sweep({**SLIDE, **changes}, tmp_path / "slide.npz")
    assert words in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_bad_ranges_and_names(tmp_path: Path) -> None:
    sweep = delassus.ParameterSweep(SLIDE)
    for first, end in ((3, 3), (5, 2), (-1, 4), (0, 301)):
        with pytest.raises(delassus.Error, match="a range of cases that is not empty, from 0 to 300"):
            sweep.run(first, end)
    with pytest.raises(delassus.Error, match="there is no case 300"):
        sweep.values(300)
    with pytest.raises(delassus.Error, match="there is no case -1"):
        sweep.seed(-1)
    with pytest.raises(delassus.Error, match=r"let it end in \.h5"):
        delassus.sweep(SLIDE, tmp_path / "slide.csv")
    with pytest.raises(delassus.Error, match="there is no sweep"):
        delassus.sweep_status(tmp_path / "slide.npz")
    assert list(tmp_path.iterdir()) == []


def test_folders_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "slide.npz.parts").write_text("mine")
    with pytest.raises(delassus.Error, match="slide.npz.parts"):
        delassus.sweep(SLIDE, tmp_path / "slide.npz")
    assert (tmp_path / "slide.npz.parts").read_text() == "mine"
    with pytest.raises(delassus.Error, match="slide.npz.parts"):
        delassus.sweep(SLIDE, tmp_path / "slide.npz.parts/slide.npz")
    (tmp_path / "other.npz").write_text("mine")
    with pytest.raises(delassus.Error, match="other.npz"):
        delassus.sweep(SLIDE, tmp_path / "other.npz")
    assert (tmp_path / "other.npz").read_text() == "mine"


def test_results_of_another_sweep_stay(tmp_path: Path) -> None:
    path = tmp_path / "slide.npz"
    delassus.sweep({**SLIDE, "cases": 5}, path)
    before = path.read_bytes(), path.stat().st_mtime_ns
    for _ in range(2):
        with pytest.raises(delassus.Error, match="another specification or another scene"):
            delassus.sweep(SLIDE, path)
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before
    assert not Path(f"{path}.parts").exists()


@pytest.fixture
def half(tmp_path: Path) -> Path:
    """A sweep of which a third is done."""
    with pytest.raises(delassus.Error):
        delassus.sweep(SLIDE, tmp_path / "slide.npz", executor=Shuffled(1, most=2), cases_per_task=50)
    assert delassus.sweep_status(tmp_path / "slide.npz").done == 100
    return tmp_path / "slide.npz"


def files_of(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in sorted(folder.iterdir())}


def test_parts_of_another_sweep_or_version_stay(half: Path, processes: Executor) -> None:
    folder = Path(f"{half}.parts")
    with pytest.raises(delassus.Error, match="another specification or another scene"):
        delassus.sweep({**SLIDE, "seed": 4}, half)
    head = json.loads((folder / "sweep.json").read_text())
    head["maker"]["version"] = "0.0.1"
    (folder / "sweep.json").write_text(json.dumps(head))
    before = files_of(folder)
    for executor in (None, processes):
        with pytest.raises(delassus.Error, match="begun by another build .*version 0.0.1"):
            delassus.sweep(SLIDE, half, executor=executor)
    assert files_of(folder) == before and not half.exists()


def test_manifests_that_were_cut(half: Path) -> None:
    folder = Path(f"{half}.parts")
    manifest = sorted(folder.glob("[0-9]*.json"))[0]
    manifest.write_text(manifest.read_text()[:40])
    before = files_of(folder)
    with pytest.raises(delassus.Error, match="the manifest is damaged: remove it, and the same"):
        delassus.sweep(SLIDE, half)
    assert files_of(folder) == before
    manifest.unlink()
    assert delassus.sweep(SLIDE, half).computed == 250


def test_parts_that_are_damaged(without_harm: Any, half: Path) -> None:
    part = sorted(Path(f"{half}.parts").glob("*.npz"))[0]
    data = bytearray(part.read_bytes())
    data[len(data) // 2] ^= 1
    part.write_bytes(data)
    with pytest.raises(delassus.Error, match="it is damaged; remove it and its manifest"):
        delassus.sweep(SLIDE, half)
    assert not half.exists() and delassus.sweep_status(half).missing == ()
    part.unlink()
    part.with_suffix(".json").unlink()
    assert delassus.sweep(SLIDE, half).computed == 50
    assert half.read_bytes() == without_harm(SLIDE)


def test_workers_that_do_not_see_the_folder(tmp_path: Path, processes: Executor) -> None:
    class Elsewhere(Executor):
        """Workers on another machine, where the folder is not."""

        def submit(self, function: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
            shutil.rmtree(tmp_path / "slide.npz.parts", ignore_errors=True)
            return processes.submit(function, *args, **kwargs)

    with pytest.raises(delassus.Error, match="does not see the folder .*slide.npz.parts.* that all of them share"):
        delassus.sweep(SLIDE, tmp_path / "slide.npz", executor=Elsewhere())


# ------------------------------------------------------------------------------------------------ HDF5


def test_h5py_reads_results(without_harm: Any, tmp_path: Path) -> None:
    h5py = pytest.importorskip("h5py")
    data = without_harm(WALK, "h5")
    (tmp_path / "walk.h5").write_bytes(data)
    sweep = delassus.ParameterSweep(WALK)
    rows = sweep.run(0, 20)
    with h5py.File(tmp_path / "walk.h5") as file:
        for column in sweep.columns:
            dataset = file[column.name]
            np.testing.assert_array_equal(dataset[()], rows[column.name])
            assert dataset.shape == (20, *column.shape) and dataset.attrs.get("unit", "") == column.unit
            assert dataset.dtype == (np.int64 if column.whole else np.float64)
        assert json.loads(file.attrs["specification"]) == json.loads(sweep.text)
        assert file.attrs["hash"] == sweep.hash and file.attrs["version"] == delassus.__version__
