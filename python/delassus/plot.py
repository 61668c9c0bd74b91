"""Drawings with matplotlib: the matrix as a heat map, and trees of links with what acts on them.

Every function draws on the Axes `ax`, or on new ones, and returns them.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Iterable, Sequence

import numpy as np

import delassus

try:
    import matplotlib.pyplot as plt
    from matplotlib.colors import SymLogNorm
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"delassus.plot draws with matplotlib, of which '{error.name}' is not installed: "
        "`pip install matplotlib`, or python3-matplotlib on Debian",
        name=error.name,
    ) from None

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from delassus import Constraint, Model, Operator, Scene

__all__ = ["condensed_tree", "heat_map", "kinematic_tree", "row_names"]

_CONTACT_ROWS = ("n", "t1", "t2", "turn n", "turn t1", "turn t2")
_BODY = dict(boxstyle="round", facecolor="#eef3fa", edgecolor="#4a6fa5")
_WORLD = dict(boxstyle="round", facecolor="#e8e4da", edgecolor="#7a6f55")
_ROLES = {
    "node": dict(boxstyle="round", facecolor="#f6c9b8", edgecolor="#b5482a"),
    "carried": dict(boxstyle="round", facecolor="#cfe3d4", edgecolor="#3f7d55"),
    "quiet": dict(boxstyle="round", facecolor="#f4f4f4", edgecolor="#aaaaaa"),
}
_CONSTRAINT = "#b5482a"


def row_names(constraints: Iterable[Constraint]) -> list[str]:
    """A name for every row: that of its constraint, and which of its rows it is."""
    names = []
    for constraint in constraints:
        count = constraint.num_rows
        contact = isinstance(constraint, delassus.PointContact)
        parts = _CONTACT_ROWS if contact else [str(k) for k in range(count)]
        names += [f"{constraint.name} {parts[k]}" if count > 1 else constraint.name for k in range(count)]
    return names


def heat_map(op: Operator, ax: Axes | None = None) -> Axes:
    """The matrix of an updated operator, blue for negative and red for positive entries.

    Colours grow with the logarithm of an entry; those below a thousandth of the largest fade linearly to white.
    """
    matrix = op.dense()
    largest = float(np.abs(matrix).max(initial=0.0)) or 1.0
    ax = _axes(ax)
    norm = SymLogNorm(linthresh=1e-3 * largest, vmin=-largest, vmax=largest, base=10)
    image = ax.imshow(matrix, cmap="RdBu_r", norm=norm, interpolation="nearest")
    ax.figure.colorbar(image, ax=ax)
    names = row_names(op.constraints)
    if len(names) <= 60:  # more cannot be read
        ax.set_xticks(range(len(names)), names, rotation=90, fontsize=6)
        ax.set_yticks(range(len(names)), names, fontsize=6)
    ax.set_title(f"{op.model.name}: {op.rows} rows")
    return ax


def kinematic_tree(scene: Scene, ax: Axes | None = None) -> Axes:
    """The links of a scene's model with the bodies that they carry, and the constraints on them.

    Solid lines are joints, dashed ones constraints between links; what holds a link to the world stands below it.
    """
    ax = _draw_links(scene.model, [_BODY] * scene.model.num_links, ax)
    _draw_constraints(scene.model, scene.constraints, ax)
    ax.set_title(f"{scene.model.name}: {scene.model.num_links} links, {len(scene.constraints)} constraints")
    return ax


def condensed_tree(model: Model, constraints: Sequence[Constraint], ax: Axes | None = None) -> Axes:
    """What the condensed tree makes of some constraints: nodes (red), carried links (green) and quiet ones (grey)."""
    roles = delassus.link_roles(model, constraints)
    ax = _draw_links(model, [_ROLES[role] for role in roles], ax)
    _draw_constraints(model, constraints, ax)
    count = Counter(roles)
    ax.set_title(f"{model.name}: " + ", ".join(f"{role} {count[role]}" for role in _ROLES))
    return ax


def _axes(ax: Axes | None) -> Axes:
    return plt.subplots(layout="constrained")[1] if ax is None else ax


def _link_names(model: Model) -> list[str]:
    """The body that a link carries, or its joint if it carries none."""
    names = list(model.joints)
    for body in model.bodies:
        if body.joints:
            names[model.find_joint(body.joints[-1].name)] = body.name
    return names


def _places(parents: Sequence[int]) -> list[tuple[float, float]]:
    """Of the world (last, so that its index is -1) and the links: columns by depth, leaves one below the other."""
    count = len(parents)
    children: list[list[int]] = [[] for _ in range(count + 1)]
    depth = [0] * (count + 1)
    for link, parent in enumerate(parents):
        children[parent].append(link)
        depth[link] = depth[parent] + 1
    height = [0.0] * (count + 1)
    leaves = 0
    waiting = [-1]
    order = []
    while waiting:  # without recursion: chains may be long
        link = waiting.pop()
        order.append(link)
        waiting += reversed(children[link])
        if not children[link]:
            height[link] = -float(leaves)
            leaves += 1
    for link in reversed(order):
        if children[link]:
            height[link] = 0.5 * (height[children[link][0]] + height[children[link][-1]])
    return list(zip(map(float, depth), height))


def _draw_links(model: Model, styles: Sequence[dict], ax: Axes | None) -> Axes:
    ax = _axes(ax)
    parents = model.link_parents
    places = _places(parents)
    for link, parent in enumerate(parents):
        ax.plot(*zip(places[parent], places[link]), color="#4a6fa5", linewidth=1, zorder=1)
    for place, name, style in zip(places, [*_link_names(model), "world"], [*styles, _WORLD]):
        ax.text(*place, name, bbox=style, fontsize=7, ha="center", va="center", zorder=3)
    x, y = zip(*places)
    ax.set_xlim(min(x) - 0.5, max(x) + 0.5)
    ax.set_ylim(min(y) - 1, max(y) + 1)
    ax.set_axis_off()
    return ax


def _draw_constraints(model: Model, constraints: Iterable[Constraint], ax: Axes) -> None:
    """By the links that they join, so that four contact points make one mark."""
    groups: dict[tuple[int, ...], Counter[str]] = {}
    for constraint in constraints:
        if not isinstance(constraint, delassus.CentreOfMass):  # which is of all links
            groups.setdefault(delassus.constraint_links(model, constraint), Counter())[constraint.kind_name] += 1
    places = _places(model.link_parents)
    for links, kinds in groups.items():
        text = ", ".join(f"{count} × {kind}" for kind, count in kinds.items())
        points = np.array([places[link] for link in links])
        if len(points) > 1:
            ax.plot(*points.T, color=_CONSTRAINT, linestyle="--", linewidth=1, zorder=2)
        if len(points):
            x, y = points.mean(axis=0)
            ax.text(x, y - 0.32, text, color=_CONSTRAINT, fontsize=6, ha="center", va="top", zorder=4)
