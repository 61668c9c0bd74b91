"""python sweep_script.py pool RESULTS        processes of one's own, which test_sweep.py kills
mpirun python -m mpi4py.futures sweep_script.py mpi FOLDER
"""

from __future__ import annotations

import multiprocessing
import sys
from concurrent.futures import ProcessPoolExecutor

import sweep_cases

import delassus


def in_a_pool(results: str) -> None:
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("fork")) as pool:
        delassus.sweep(sweep_cases.LONG, results, executor=pool, cases_per_task=16)


def on_ranks(folder: str) -> None:
    from mpi4py.futures import MPIPoolExecutor

    with MPIPoolExecutor() as pool:
        delassus.sweep(sweep_cases.SLIDE, f"{folder}/slide.npz", executor=pool, cases_per_task=20)
        delassus.sweep(sweep_cases.OWN, f"{folder}/own.npz", executor=pool, run=sweep_cases.own)


if __name__ == "__main__":
    try:
        {"pool": in_a_pool, "mpi": on_ranks}[sys.argv[1]](sys.argv[2])
    except delassus.Error as error:
        sys.exit(str(error))
