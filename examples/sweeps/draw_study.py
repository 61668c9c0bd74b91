"""Draws the study of examples/sweeps/go2-pushes.json: at which friction and push does Go2 fall?

    delassus sweep examples/sweeps/go2-pushes.json -o go2-pushes.h5
    python3 examples/sweeps/draw_study.py go2-pushes.h5 sweep-go2-pushes.svg

Reads .h5 (with h5py) or .npz; needs NumPy, and matplotlib for the picture. Without the name of a picture it prints numbers alone.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

NAMES = ["parameters/friction", "parameters/push.y", "status", "max/distance", "events/fell", "events/tipped", "events/slipped"]
WORDS = ["stands where it was", "slides and stands", "falls"]
COLOURS = ["#e9edf2", "#7fb2d9", "#c8562c"]


def read(file: str) -> dict[str, np.ndarray]:
    """Columns by their names."""
    if file.endswith(".npz"):
        with np.load(file) as archive:
            return {name: archive[name] for name in NAMES}
    import h5py

    with h5py.File(file) as results:
        return {name: results[name][:] for name in NAMES}


def on_grid(columns: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The same with a row for each friction and a column for each push: the last name of a grid is the fastest."""
    frictions = np.unique(columns["parameters/friction"])
    return {name: column.reshape(len(frictions), -1) for name, column in columns.items()}


def outcome(grid: dict[str, np.ndarray]) -> np.ndarray:
    """0, 1, 2 as in WORDS. An event that was not seen is nan."""
    seen = {name: ~np.isnan(grid[f"events/{name}"]) for name in ("fell", "tipped", "slipped")}
    return np.where(seen["fell"] | seen["tipped"], 2, np.where(seen["slipped"], 1, 0))


def report(grid: dict[str, np.ndarray]) -> None:
    what = outcome(grid)
    counts = ", ".join(f"{(what == k).sum()} {word}" for k, word in enumerate(WORDS))
    print(f"{what.size} cases, {(grid['status'] != 0).sum()} failed; {counts}")
    falls = (what == 2).any(axis=1)
    friction, push = grid["parameters/friction"][:, 0], grid["parameters/push.y"][0]
    least = np.array([push[row][0] for row in what[falls] == 2])
    print(f"it falls at friction {friction[falls].min():.3f} and above, by {least.min():g} N or more")


def draw(grid: dict[str, np.ndarray], file: str) -> None:
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "delassus"
    import matplotlib.pyplot as plt
    from matplotlib.colors import ListedColormap, LogNorm

    push, friction = grid["parameters/push.y"][0], grid["parameters/friction"][:, 0]
    dx, dy = (push[1] - push[0]) / 2, (friction[1] - friction[0]) / 2
    place = {"origin": "lower", "aspect": "auto", "interpolation": "nearest",
             "extent": (push[0] - dx, push[-1] + dx, friction[0] - dy, friction[-1] + dy)}  # fmt: skip
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.8), sharey=True, layout="constrained")
    what = outcome(grid)
    left.imshow(what, cmap=ListedColormap(COLOURS), vmin=0, vmax=2, **place)
    for k, word in enumerate(WORDS):
        rows, columns = np.nonzero(what == k)
        if len(rows):
            left.text(np.median(push[columns]), np.median(friction[rows]), word, ha="center", va="center",
                      color="white" if k == 2 else "#1f2933", fontsize=9, rotation=90 if k == 0 else 0)  # fmt: skip
    left.set_title("what it does", fontsize=10, loc="left")
    left.set_ylabel("friction")
    shade = right.imshow(grid["max/distance"], cmap="viridis", norm=LogNorm(0.01, 5), **place)
    right.contour(push, friction, what == 2, [0.5], colors="white", linewidths=0.8)
    right.set_title("how far the base gets, m (line: it falls)", fontsize=10, loc="left")
    bar = figure.colorbar(shade, ax=right, ticks=[0.01, 0.03, 0.1, 0.3, 1, 3])
    bar.ax.set_yticklabels(["0.01", "0.03", "0.1", "0.3", "1", "3"])
    bar.ax.minorticks_off()
    for axes in (left, right):
        axes.set_xlabel("push to the side for 0.1 s, N")
    figure.savefig(file, metadata={"Date": None} if Path(file).suffix == ".svg" else None, dpi=110)


def main(words: list[str]) -> None:
    if not 1 <= len(words) <= 2:
        raise SystemExit(f"usage: draw_study.py RESULTS [PICTURE]\n\n{__doc__}")
    grid = on_grid(read(words[0]))
    report(grid)
    if len(words) == 2:
        draw(grid, words[1])


if __name__ == "__main__":
    main(sys.argv[1:])
