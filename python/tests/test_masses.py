"""Model.with_mass and Scene.with_model."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
from reference import EPS

import delassus

URDF = """<robot name="arm">
  <link name="base"/>
  <link name="rod"><inertial><origin xyz="{com}"/><mass value="{mass}"/>
    <inertia ixx="{x}" iyy="{y}" izz="{z}" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="hand"><inertial><mass value="0.5"/><inertia ixx="1e-3" iyy="1e-3" izz="1e-3" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="hinge" type="continuous"><parent link="base"/><child link="rod"/><axis xyz="0 1 0"/></joint>
  <joint name="slide" type="prismatic"><parent link="rod"/><child link="hand"/><origin xyz="0 0 0.4"/><axis xyz="1 0 0"/>
    <limit lower="-1" upper="1" effort="10" velocity="10"/></joint>
</robot>"""


def arm(mass: float = 2, com: str = "0 0 0.2", moments: tuple[float, float, float] = (0.04, 0.05, 0.01)) -> delassus.Model:
    x, y, z = moments
    return delassus.parse(URDF.format(mass=mass, com=com, x=x, y=y, z=z), "urdf").model


def test_it_equals_a_file_with_these_numbers() -> None:
    model = arm()
    heavy = model.with_mass("rod", 8)
    assert heavy == arm(8, moments=(0.16, 0.20, 0.04))  # powers of two scale without rounding
    assert heavy.mass == 8.5 and model.mass == 2.5
    other = model.with_mass("rod", 3, com=(0.01, 0, 0.3), inertia=(0.07, 0.08, 0.02))
    assert other == arm(3, "0.01 0 0.3", (0.07, 0.08, 0.02))
    assert other == model.with_mass(1, 3, com=[0.01, 0, 0.3], inertia=np.diag([0.07, 0.08, 0.02]))
    q = np.array([0.3, 0.1])
    for changed, written in ((heavy, arm(8, moments=(0.16, 0.20, 0.04))), (other, arm(3, "0.01 0 0.3", (0.07, 0.08, 0.02)))):
        np.testing.assert_array_equal(delassus.State(changed, q).inertia_matrix(), delassus.State(written, q).inertia_matrix())


def test_mass_of_a_scene() -> None:
    """M grows by what the kilograms more are, about the same centre of mass, in every link that carries them; a sum of squares, rounded some times."""
    scene = delassus.load("go2-standing")
    before = next(b.inertial for b in scene.model.bodies if b.name == "base")
    heavy = scene.with_model(scene.model.with_mass("base", before.mass + 3, inertia=before.inertia))
    assert heavy.model.mass == pytest.approx(scene.model.mass + 3, rel=10 * EPS)
    state = delassus.State(scene.model, scene.q)
    M, more = state.inertia_matrix(), delassus.State(heavy.model, scene.q).inertia_matrix()
    J = state.frame_jacobian("base")
    arm = state.frame_pose("base").R @ before.com
    at_mass = J[3:] + np.cross(J[:3].T, arm).T
    np.testing.assert_allclose(more, M + 3 * at_mass.T @ at_mass, rtol=0, atol=100 * EPS * np.abs(more).max())


def test_scene_with_model() -> None:
    scene = delassus.load("go2-standing")
    scene.v[:] = 0.1
    model = scene.model.with_mass("base", 10.0)
    heavy = scene.with_model(model)
    assert heavy.model is model and scene.model is not model
    assert heavy.constraints == scene.constraints and heavy.recipe == scene.recipe
    for name in ("q", "v", "tau"):
        np.testing.assert_array_equal(getattr(heavy, name), getattr(scene, name))
        assert not np.shares_memory(getattr(heavy, name), getattr(scene, name))
    op, plain = (delassus.Operator(s.model, s.constraints, "condensed") for s in (heavy, scene))
    op.update(heavy.q), plain.update(scene.q)
    # More mass, less mobility: Λ⁻¹ is J M⁻¹ Jᵀ, up to the rounding of its entries.
    eigenvalues = np.linalg.eigvalsh(plain.dense() - op.dense())
    assert eigenvalues.min() > -1e-12 * np.abs(plain.dense()).max() and eigenvalues.max() > 0
    with pytest.raises(delassus.Error, match="argument 'model' is another mechanism"):
        scene.with_model(delassus.load("panda").model)
    with pytest.raises(delassus.Error, match="links and frames have to be the same"):
        scene.with_model(delassus.append_model(scene.model, arm(), prefix="x_"))
    with pytest.raises(TypeError):
        scene.with_model(None)  # type: ignore[arg-type]
    assert copy.deepcopy(heavy).model == model


@pytest.mark.parametrize("factor", [2.0, 0.5])
def test_a_simulator_equals_a_randomised_environment(factor: float) -> None:
    """Bit for bit: the factors scale without rounding, the inertias of links are summed in one order, and without lanes an environment makes the same steps."""
    scene = delassus.load("go2-standing")
    motors = delassus.position_actuators(scene.model, kp=200, kd=10)
    mass = next(b.inertial.mass for b in scene.model.bodies if b.name == "base")
    sim = delassus.Simulator(scene.with_model(scene.model.with_mass("base", factor * mass)), dt=2e-3, actuators=motors)
    many = delassus.VectorSimulator(scene, 1, dt=2e-3, actuators=motors, threads=1, lanes=False)
    many.randomize(mass_scale={"base": factor})
    for s in (sim, many):
        s.step(50)
    np.testing.assert_array_equal(sim.q, many.q[0])
    np.testing.assert_array_equal(sim.v, many.v[0])
    assert sim.body("base").mass == factor * mass


@pytest.mark.parametrize(
    "body, mass, more, words",
    [
        ("rod", 0, {}, "argument 'mass' of body 'rod' is 0.*give kilograms, more than zero"),
        ("rod", -1, {}, "argument 'mass' of body 'rod'"),
        ("rod", np.nan, {}, "argument 'mass' of body 'rod' is nan"),
        ("rod", np.inf, {}, "argument 'mass' of body 'rod' is inf"),
        ("rodd", 1, {}, "model 'arm' has no body named 'rodd' .did you mean 'rod'"),
        (9, 1, {}, "argument 'body' is 9"),
        (None, 1, {}, "argument 'body' is None; expected the name or the index of a body"),
        ("rod", "1", {}, "argument 'mass' is a str; expected a number"),
        ("base", 1, {}, "body 'base' has no mass that its inertia could grow with; give 'inertia'"),
        ("rod", 1, {"com": (0, np.nan, 0)}, "body 'rod' has a mass, centre of mass or inertia that is not finite"),
        ("rod", 1, {"com": (0, 0)}, "argument 'com' has shape"),
        ("rod", 1, {"inertia": (1, 1, 3)}, "body 'rod' has moments of inertia that break the triangle inequality"),
        ("rod", 1, {"inertia": (1, 1, -1)}, "body 'rod' has a negative moment of inertia"),
        ("rod", 1, {"inertia": [[1, 5, 0], [5, 1, 0], [0, 0, 1]]}, "body 'rod' has an inertia matrix that is not positive semidefinite"),
        ("rod", 1, {"inertia": [[1, 5, 0], [0, 1, 0], [0, 0, 1]]}, "argument 'inertia' is not symmetric"),
        ("rod", 1, {"inertia": (1, 1, 1, 1)}, "argument 'inertia' has shape"),
        ("rod", 1, {"inertia": 1}, "argument 'inertia' has shape"),
    ],
)
def test_what_no_body_can_have(body: Any, mass: Any, more: dict[str, Any], words: str) -> None:
    model = arm()
    with pytest.raises((delassus.Error, TypeError), match=words):
        model.with_mass(body, mass, **more)
    assert model == arm()


def test_a_point_mass_on_a_body_without() -> None:
    assert arm().with_mass("base", 1.5, inertia=(0, 0, 0)).mass == 4.0
