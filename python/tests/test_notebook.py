"""The notebooks of examples: their cells run in a fresh interpreter, and print what stands in the file."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("matplotlib")

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "examples/notebooks").glob("*.ipynb"))
MOST_BYTES = 400_000  # pages of a repository should load


def check(path: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(ROOT / "scripts/run-notebook"), "--check", str(path)], capture_output=True, text=True
    )


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_cells_print_what_the_file_has(path: Path) -> None:
    done = check(path)
    assert done.returncode == 0, done.stderr
    assert path.stat().st_size < MOST_BYTES
    code = [cell for cell in json.loads(path.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]
    assert all(cell["outputs"] for cell in code)


@pytest.mark.parametrize(
    ("source", "stored", "good"),
    [
        ("print('half a', 0.5)", "half a 0.502\n", True),  # a part in a hundred is left to other processors
        ("print('half a', 0.5)", "half a 0.52\n", False),
        ("print('half a', 0.5)", "half b 0.5\n", False),
        ("print('half a', 0.5)", None, False),
        ("1 / 0", None, False),
    ],
)
def test_differences_are_found(tmp_path: Path, source: str, stored: str | None, good: bool) -> None:
    outputs = [] if stored is None else [{"output_type": "stream", "name": "stdout", "text": [stored]}]
    path = tmp_path / "small.ipynb"
    path.write_text(json.dumps({"cells": [{"cell_type": "code", "source": [source], "outputs": outputs}]}))
    assert (check(path).returncode == 0) == good


def test_all_notebooks_are_found() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["contact_forces"]
