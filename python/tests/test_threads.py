"""Calls run without the GIL, and one object in several threads is safe."""

from __future__ import annotations

import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Callable

import numpy as np
from reference import some_numbers, updated

import delassus


def test_one_operator_in_many_threads() -> None:
    """Products work in the operator's own memory, so without its lock they would mix."""
    scene = delassus.load("g1-fallen")
    op = updated(scene, "condensed")
    inputs = [some_numbers(op.rows, 4000, seed=k) for k in range(4)]  # milliseconds each, so that calls meet
    expected = [op.apply(x) for x in inputs]

    def work(k: int) -> bool:
        out = np.empty_like(inputs[k])
        return all(np.array_equal(op.apply(inputs[k], out=out), expected[k]) for _ in range(10))

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(work, range(4)))


def test_changes_in_another_thread() -> None:
    """Whoever finds the operator without values, or with other rows, gets an Error, and nothing else happens."""
    scene = delassus.load("go2-standing")
    op = updated(scene, "condensed")
    few = scene.constraints[:2]
    stop = threading.Event()
    wrong: list[BaseException] = []

    def change() -> None:
        while not stop.is_set():
            op.set_constraints(few)
            op.update(scene.q)
            op.set_constraints(scene.constraints)
            op.update(scene.q)

    def use() -> None:
        while not stop.is_set():
            try:
                assert op.apply(np.ones(op.rows)).shape[0] in (6, 12)
                op.update_damping(1e-3)
                op.solve(np.ones(op.rows))
            except delassus.Error:
                pass
            except BaseException as error:  # noqa: BLE001
                wrong.append(error)
                return

    threads = [threading.Thread(target=target) for target in (change, use, use)]
    for thread in threads:
        thread.start()
    time.sleep(0.5)
    stop.set()
    for thread in threads:
        thread.join()
    assert not wrong


def test_one_state_in_many_threads() -> None:
    scene = delassus.load("g1")
    state = delassus.State(scene.model, scene.q)
    inputs = [some_numbers(scene.model.nv, 4000, seed=k) for k in range(4)]
    expected = [state.apply_inverse_inertia(x) for x in inputs]

    def work(k: int) -> bool:
        out = np.empty_like(inputs[k])
        return all(np.array_equal(state.apply_inverse_inertia(inputs[k], out=out), expected[k]) for _ in range(10))

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(work, range(4)))


def wait_during(call: Callable[[], object]) -> float:
    """How long this thread waits to do anything while another one is in the call, as a part of the time of the call."""
    times: list[float] = []
    begun = threading.Event()

    def work() -> None:
        begun.set()
        times.append(time.perf_counter())
        call()
        times.append(time.perf_counter())

    thread = threading.Thread(target=work)
    thread.start()
    begun.wait()
    while not times:
        pass
    for _ in range(1000):
        pass
    here = time.perf_counter()
    thread.join()
    return (here - times[0]) / (times[1] - times[0])


def test_the_gil_is_free_during_a_call() -> None:
    op = updated(delassus.load("pyramid"), "condensed")
    x = some_numbers(op.rows, 5000)
    out = np.empty_like(x)
    numbers = some_numbers(300_000).tolist()
    # Of several, since a busy machine may let either thread wait. Sorting takes about as long, and holds the GIL.
    assert min(wait_during(lambda: op.apply(x, out=out)) for _ in range(5)) < 0.5
    assert max(wait_during(lambda: sorted(numbers)) for _ in range(5)) > 0.5
