"""Reading and writing scenes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import delassus

URDF = """<robot name="arm">
  <link name="base"/>
  <link name="tip"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual/></link>
  <joint name="hinge" type="continuous"><parent link="base"/><child link="tip"/><axis xyz="0 0 1"/></joint>
</robot>"""


def test_names() -> None:
    names = delassus.names()
    assert set(names) == {"robots", "scenes", "generated"}
    assert len(names["robots"]) == 14 and {"go2", "cassie"} <= set(names["robots"])
    for name in (*names["robots"], *names["scenes"], *names["generated"]):
        scene = delassus.load(name)
        assert scene.q.shape == (scene.model.nq,) and scene.v.shape == scene.tau.shape == (scene.model.nv,)


def test_files_and_bases(tmp_path: Path) -> None:
    path = tmp_path / "arm.urdf"
    path.write_text(URDF)
    assert delassus.load(path).model.nv == 1
    assert delassus.load(str(path), floating=True).model.nv == 7
    assert delassus.load("go2").model.nv == 18
    assert delassus.load("go2", floating=False).model.nv == 12
    assert delassus.parse(URDF, "urdf").model == delassus.load(path).model
    mjcf = delassus.parse("<mujoco><worldbody><body><freejoint/><geom size='1'/></body></worldbody></mujoco>", "mjcf")
    assert mjcf.model.nv == 6


def test_a_file_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "go2").write_text(URDF)
    monkeypatch.chdir(tmp_path)
    assert delassus.load("go2").model.name == "arm"


def test_report(tmp_path: Path) -> None:
    report = delassus.parse(URDF, "urdf").report
    assert [i.what for i in report.ignored] == ["link/visual"]
    assert report.ignored[0].line == 4 and report.ignored[0].count == 1
    assert "link/visual" in str(report)
    doubtful = URDF.replace('izz="1"', 'izz="9"')  # more than the sum of the others
    assert delassus.parse(doubtful, "urdf").report.warnings[0].element == "link 'tip'"
    with pytest.raises(delassus.Error, match="tip"):
        delassus.parse(doubtful, "urdf", strict=True)


def test_write_and_read_give_the_same_bits(tmp_path: Path) -> None:
    scene = delassus.load("cassie-standing-friction")
    scene.recipe = "by hand"
    path = tmp_path / "scene.json"
    scene.save(path)
    for copy in (delassus.load(path), delassus.parse(scene.to_json(), "scene")):
        assert copy.model == scene.model
        assert copy.constraints == scene.constraints
        assert copy.recipe == "by hand"
        for name in ("q", "v", "tau"):
            np.testing.assert_array_equal(getattr(copy, name), getattr(scene, name))


def test_scene_from_parts() -> None:
    go2 = delassus.load("go2-standing")
    scene = delassus.Scene(go2.model, q=go2.q, constraints=go2.constraints)
    assert scene.model is go2.model
    assert scene.constraints == go2.constraints
    scene.constraints = scene.constraints[:1]
    assert len(scene.constraints) == 1 and len(go2.constraints) == 4
    scene.v = np.ones(go2.model.nv)
    assert scene.v.sum() == go2.model.nv
    with pytest.raises(delassus.Error, match="argument 'tau' has shape"):
        scene.tau = np.ones(3)
    with pytest.raises(TypeError, match=r"argument 'constraints\[0\]' is an int"):
        scene.constraints = [1]
    assert len(scene.constraints) == 1
    assert repr(scene) == "<delassus.Scene 'go2': nv 18, 1 constraints with 3 rows>"


def test_generated_scenes_take_numbers() -> None:
    assert delassus.load("stem:30x7").model.nv > delassus.load("stem:5x2").model.nv
    with pytest.raises(delassus.Error, match="stem"):
        delassus.load("stem:many")


def test_names_of_any_bytes() -> None:
    """A file in Latin-1: its names are not UTF-8."""
    text = '<robot name="caf\u00e9"><link name="a"/></robot>'
    assert delassus.parse(text, "urdf").model.name == "caf\u00e9"


MESH = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 1 3 4\nf 2 3 4\n"


def test_packages_and_files_that_are_missing(tmp_path: Path) -> None:
    robot, package = tmp_path / "robots" / "stone.urdf", tmp_path / "ws" / "stones"
    robot.parent.mkdir()
    package.mkdir(parents=True)
    (package / "stone.obj").write_text(MESH)
    robot.write_text('<robot name="r"><link name="stone"><collision><geometry>'
                     '<mesh filename="package://stones/stone.obj"/></geometry></collision></link></robot>')
    alone = delassus.load(robot)
    assert [m.name for m in alone.report.missing] == ["package://stones/stone.obj"]
    assert str(tmp_path / "robots" / "stones" / "stone.obj") in alone.report.missing[0].tried
    assert alone.report.files == (str(robot),)
    for path in (package.parent, package, str(package)):
        found = delassus.load(robot, package_paths=[path])
        assert found.report.missing == () and len(found.model.shapes) == 1
        assert found.report.files == (str(robot), str(package / "stone.obj"))
    with pytest.raises(TypeError, match="package_paths"):
        delassus.load(robot, package_paths=str(package))


def test_saving_never_costs_what_was_read(tmp_path: Path) -> None:
    robot = tmp_path / "robot.urdf"
    robot.write_text(URDF)
    scene = delassus.load(robot)
    with pytest.raises(delassus.Error, match="the scene was read from it; choose another name"):
        scene.save(robot)
    assert robot.read_text() == URDF
    scene.save(tmp_path / "scene.json")
    delassus.load(tmp_path / "scene.json").save(tmp_path / "scene.json")
