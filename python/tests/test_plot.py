"""Drawings: that they hold what they should."""

from __future__ import annotations

from typing import Iterator

import numpy as np
import pytest

import delassus

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")


@pytest.fixture(autouse=True)
def close_figures() -> Iterator[None]:
    yield
    import matplotlib.pyplot as plt

    plt.close("all")


def texts_of(ax: matplotlib.axes.Axes) -> set[str]:
    return {text.get_text() for text in ax.texts}


def test_heat_map(op: delassus.Operator) -> None:
    ax = delassus.plot.heat_map(op)
    (image,) = ax.get_images()
    np.testing.assert_array_equal(image.get_array(), op.dense())
    assert image.norm.vmin == -image.norm.vmax
    labels = [label.get_text() for label in ax.get_yticklabels()]
    assert labels == delassus.plot.row_names(op.constraints)
    assert len(labels) == 12 and labels[0].endswith(" n") and labels[1].endswith(" t1")
    ax.figure.canvas.draw()


def test_kinematic_tree() -> None:
    scene = delassus.load("cassie-standing")
    ax = delassus.plot.kinematic_tree(scene)
    texts = texts_of(ax)
    assert {"world", *(b.name for b in scene.model.bodies if b.joints)} <= texts
    assert any("contact" in text for text in texts) and any("loop" in text for text in texts)
    joints = [line for line in ax.lines if line.get_linestyle() == "-"]
    assert len(joints) == scene.model.num_links
    ax.figure.canvas.draw()


def test_condensed_tree(go2: delassus.Scene) -> None:
    import matplotlib.pyplot as plt

    own = plt.figure().add_subplot()
    assert delassus.plot.condensed_tree(go2.model, go2.constraints, ax=own) is own
    assert own.get_title() == "go2: node 1, carried 12, quiet 0"
    colours = {text.get_bbox_patch().get_edgecolor() for text in own.texts if text.get_bbox_patch()}
    assert len(colours) == 3  # the world, the node and the carried links


def test_long_chains() -> None:
    scene = delassus.load("swimmer:200")
    assert len(delassus.plot.kinematic_tree(scene).lines) >= scene.model.num_links
