"""Random calls with hostile arguments: nothing crashes, hangs, or raises what is not documented."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import api_signatures

import delassus

FUZZER = Path(__file__).with_name("fuzz_api.py")


def test_random_calls() -> None:
    """Some seconds of them; make test-long has more, and `fuzz_api.py --calls N` as many as there is time for."""
    done = subprocess.run([sys.executable, str(FUZZER), "--seconds", "5"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_public_name_is_called() -> None:
    called = {verb.owner or verb.name for verb in api_signatures.verbs()}
    written_in_python = {"ConstrainedDerivatives", "Error", "NumericalError", "SingularError", "Constraint"}
    assert set(delassus.__all__) - called == written_in_python
