"""Calls run without the GIL, and one object in several threads is safe."""

from __future__ import annotations

import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from reference import some_numbers, updated

import delassus


def test_one_operator_in_many_threads() -> None:
    """Products work in the operator's own memory, so without its lock they would mix."""
    scene = delassus.load("g1-fallen")
    op = updated(scene, "condensed")
    inputs = [some_numbers(op.rows, 16, seed=k) for k in range(8)]
    expected = [op.apply(x) for x in inputs]

    def work(k: int) -> bool:
        out = np.empty_like(inputs[k])
        return all(np.array_equal(op.apply(inputs[k], out=out), expected[k]) for _ in range(200))

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(8)))


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
    expected = [state.inverse_dynamics(some_numbers(scene.model.nv, seed=k)) for k in range(4)]

    def work(k: int) -> bool:
        a = some_numbers(scene.model.nv, seed=k)
        return all(np.array_equal(state.inverse_dynamics(a), expected[k]) for _ in range(2000))

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(work, range(4)))


def test_the_gil_is_free_during_a_call() -> None:
    """While one thread is in a call that takes long, another one counts."""
    scene = delassus.load("pyramid")
    op = updated(scene, "condensed")
    x = some_numbers(op.rows, 5000)
    out = np.empty_like(x)
    interval = sys.getswitchinterval()
    # Python would take the GIL from a counting thread by itself, but never from a call that holds it.
    count, done = 0, threading.Event()

    def product() -> None:
        op.apply(x, out=out)
        done.set()

    thread = threading.Thread(target=product)
    sys.setswitchinterval(1e-5)
    try:
        thread.start()
        while not done.is_set():
            count += 1
        thread.join()
    finally:
        sys.setswitchinterval(interval)
    # With the GIL held, the loop would run only before the call begins and after it ended: some steps.
    assert count > 1000
