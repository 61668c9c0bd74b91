"""Surfaces of hulls, meshes and height fields."""

from __future__ import annotations

import pathlib
import pickle

import numpy as np
import pytest

import delassus

TETRAHEDRON = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]])
SIDES = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
OBJ = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


def test_mesh_from_arrays() -> None:
    surface = delassus.Surface(TETRAHEDRON, SIDES)
    np.testing.assert_array_equal(surface.vertices, TETRAHEDRON)
    np.testing.assert_array_equal(surface.triangles, SIDES)
    assert surface.triangles.dtype == np.int32
    assert surface.heights is None and surface.source == ""
    np.testing.assert_array_equal(surface.low, [0, 0, 0])
    np.testing.assert_array_equal(surface.high, [1, 1, 1])
    assert repr(surface) == "Surface(vertices=4, triangles=4)"
    assert not surface.vertices.flags.writeable


def test_heights() -> None:
    heights = np.arange(6.0).reshape(2, 3)
    surface = delassus.Surface.from_heights(heights, half_x=2, half_y=1)
    np.testing.assert_array_equal(surface.heights, heights)
    np.testing.assert_array_equal(surface.vertices[1], [0, -1, 1])  # the middle of the first row, at low y
    assert surface.triangles.shape == (4, 3)
    assert repr(surface) == "Surface(heights=2x3)"


def test_hull_drops_points_inside() -> None:
    points = np.vstack([[0.1, 0.1, 0.1], TETRAHEDRON])
    hull = delassus.Surface.hull(points)
    np.testing.assert_array_equal(hull.vertices, TETRAHEDRON)
    assert hull.triangles.shape == (4, 3)


def test_files(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "part.obj"
    path.write_text(OBJ)
    surface = delassus.Surface.load(path, scale=(1, 2, 3))
    np.testing.assert_array_equal(surface.high, [1, 2, 3])
    assert surface.source == str(path)
    assert delassus.Surface.load(path) == delassus.Surface(TETRAHEDRON, SIDES)  # wherever they came from


@pytest.mark.parametrize(
    "surface", [delassus.Surface(TETRAHEDRON, SIDES), delassus.Surface.from_heights(np.eye(3), 1, 1)], ids=repr
)
def test_pickles(surface: delassus.Surface) -> None:
    again = pickle.loads(pickle.dumps(surface))
    assert again == surface
    shape = delassus.Shape("s", -1, "mesh", surface=surface)
    assert pickle.loads(pickle.dumps(shape)) == shape
    assert shape.replace(surface=None) != shape


def test_errors(tmp_path: pathlib.Path) -> None:
    with pytest.raises(delassus.Error, match="triangle 0 names vertex 4 of 4; the first is 0"):
        delassus.Surface(TETRAHEDRON, [[0, 1, 4]])
    with pytest.raises(delassus.Error, match="'triangles' has an entry that is no index"):
        delassus.Surface(TETRAHEDRON, [[0, 1, 1.5]])
    with pytest.raises(delassus.Error, match="'heights' needs two dimensions"):
        delassus.Surface.from_heights([1, 2, 3], 1, 1)
    with pytest.raises(delassus.Error, match="half extent of a height field is not positive"):
        delassus.Surface.from_heights(np.eye(3), 0, 1)
    with pytest.raises(delassus.Error, match="4 points that lie in one plane"):
        delassus.Surface.hull(TETRAHEDRON * [1, 1, 0])
    with pytest.raises(delassus.Error, match="part.stl: there is no such file"):
        delassus.Surface.load(tmp_path / "part.stl")
    with pytest.raises(TypeError, match="argument 'surface' is a float; expected an object of delassus.Surface, or None"):
        delassus.Shape("s", -1, "mesh", surface=1.0)  # type: ignore[arg-type]


def test_a_hull_rests_on_heights() -> None:
    half = np.array([0.2, 0.15, 0.1])
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * half
    builder = delassus.ModelBuilder("drop")
    joint = delassus.Joint("free", "free", placement=delassus.Pose(p=(0.07, 0.03, 0.105)))
    builder.add_body("box", "world", joint, delassus.box_inertial(2, half))
    builder.add_shape(delassus.Shape("hull", 0, "hull", surface=delassus.Surface.hull(corners)))
    ground = delassus.Surface.from_heights(np.zeros((11, 11)), 1, 1)
    builder.add_shape(delassus.Shape("field", -1, "heightfield", surface=ground))
    try:
        sim = delassus.Simulator(builder.make_model(), delassus.SimulationOptions(ground=False))
    except delassus.Error as error:
        if "built without Bullet" in str(error):
            pytest.skip(str(error))
        raise
    sim.step(500)
    # A depth of a tenth of a millimetre is what the contact model leaves at this step.
    np.testing.assert_allclose(sim.q[:3], [0, 0, -0.005], rtol=0, atol=2e-4)


def test_heights_that_are_no_grid() -> None:
    for heights in ([[1], [2, 3]], [1, 2], None, [["a"]]):
        with pytest.raises((delassus.Error, TypeError), match="heights"):
            delassus.Surface.from_heights(heights, 1.0, 1.0)
