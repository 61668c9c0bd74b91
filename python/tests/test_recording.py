"""Recordings: frames, pages, pictures; and that being watched changes nothing."""

from __future__ import annotations

import base64
import gc
import json
import re
import weakref
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import delassus

GO2 = delassus.load("go2-standing")
MOTORS = delassus.position_actuators(GO2.model, kp=200, kd=10)


def robot() -> delassus.Simulator:
    return delassus.Simulator(GO2, dt=2e-3, actuators=MOTORS)


def document(page: str) -> Any:
    found = re.search(r'<script type="application/json" id="recording">(.*?)</script>', page, re.DOTALL)
    assert found
    return json.loads(found.group(1))


def document_of(recording: delassus.Recording) -> Any:
    try:
        return document(recording.html())
    except delassus.Error as error:
        assert "viewer" in str(error)
        pytest.skip("this build has no viewer")


def floats(text: str) -> np.ndarray:
    return np.frombuffer(base64.b64decode(text), dtype="<f4")


# ---------------------------------------------------------------------------------------------------------- frames


def test_frames_come_with_the_steps() -> None:
    sim = robot()
    recording = sim.record(fps=50)
    assert len(recording) == 1
    sim.step(30)
    np.testing.assert_allclose(recording.times, [0, 0.02, 0.04, 0.06], atol=1e-12)  # sums of a few times
    sim.set_state(sim.q.copy(), sim.v.copy(), 5.0)
    sim.step(10)
    np.testing.assert_allclose(recording.times[-1], 0.08, atol=1e-12)  # of its own
    recording.stop()
    sim.step(20)
    assert len(recording) == 5


def test_a_page_has_the_motion() -> None:
    sim = robot()
    recording = sim.record(fps=100)
    sim.step(20)
    page = document_of(recording)
    assert page["format"] == "delassus-recording" and page["status"] == "ended" and len(page["frames"]) == 5
    last = page["frames"][-1]
    np.testing.assert_array_equal(floats(last["q"]), sim.q.astype(np.float32))
    assert len(last["contacts"]) == 4 and len(page["bodies"]) == GO2.model.num_links
    weight = sum(c["force"][2] for c in last["contacts"])
    np.testing.assert_allclose(weight, sum(sim.contacts()["force"][:, 2]), rtol=1e-6)  # seven digits on the page


def test_a_page_is_a_file(tmp_path: Path) -> None:
    sim = robot()
    recording = sim.record()
    document_of(recording)
    recording.save(tmp_path / "go2.html")
    assert document((tmp_path / "go2.html").read_text(encoding="utf-8"))["title"] == GO2.model.name
    with pytest.raises(OSError):
        recording.save(tmp_path / "nowhere" / "go2.html")


def test_a_failure_is_marked() -> None:
    sim = robot()
    recording = sim.record()
    sim.forces[:] = np.nan
    with pytest.raises(delassus.Error):
        sim.step()
    page = document_of(recording)
    assert page["status"] == "failed" and len(page["marks"]) == 1


def test_being_watched_changes_nothing() -> None:
    alone, watched = robot(), robot()
    recording = watched.record(fps=500)
    for sim in (alone, watched):
        sim.control[:] += 0.2
        sim.step(40)
    assert len(recording) == 41
    np.testing.assert_array_equal(alone.q, watched.q)
    assert alone.save() == watched.save()


def test_nobody_watches_what_was_deleted() -> None:
    sim = robot()
    recording = sim.record()
    gone = weakref.ref(recording)
    del recording
    gc.collect()
    assert gone() is None
    sim.step(20)


def test_a_recording_outlives_its_simulator() -> None:
    sim = robot()
    recording = sim.record()
    sim.step(10)
    del sim
    gc.collect()
    assert recording.image(-1, 32, 24).shape == (24, 32, 3)
    document_of(recording)


# ------------------------------------------------------------------------------------------------------ many robots


def vector(n: int) -> delassus.VectorSimulator:
    return delassus.VectorSimulator(GO2, n, dt=2e-3, substeps=5, actuators=MOTORS, tolerance=1e-4, threads=1)


def test_environments_stand_side_by_side() -> None:
    sim = vector(4)
    recording = sim.record([3, 1], fps=50, spacing=2.0)
    sim.targets += np.arange(4)[:, None] * 0.05
    sim.step(6)
    np.testing.assert_allclose(recording.times, [0, 0.02, 0.04, 0.06], atol=1e-12)
    last = document_of(recording)["frames"][-1]
    np.testing.assert_array_equal(floats(last["q"]), sim.q[[3, 1]].ravel().astype(np.float32))
    poses = floats(last["poses"]).reshape(2, -1, 7)
    bases = sim.poses("base")[[3, 1], 0, :3] + [[0, 0, 0], [0, 2, 0]]
    np.testing.assert_allclose(poses[:, 0, :3], bases, atol=1e-6)  # float32 of some metres
    assert last["kinetic"] is None and document_of(recording)["motion_only"]


def test_environments_that_are_watched_do_the_same() -> None:
    alone, watched = vector(3), vector(3)
    for sim in (alone, watched):
        sim.watch_imu("base")
        sim.targets += 0.1
        sim.tau[1] = np.nan  # this one fails
    recording = watched.record(environments=2)
    assert alone.step(7) == watched.step(7) == 1
    assert len(recording) == 4  # 50 a second
    for name in ("q", "v", "contact_force", "status", "time", "efforts", "residual"):
        np.testing.assert_array_equal(getattr(alone, name), getattr(watched, name), err_msg=name)
    np.testing.assert_array_equal(alone.imu(), watched.imu())
    assert alone.message(1) == watched.message(1) != ""


# --------------------------------------------------------------------------------------------------------- pictures


def ball(radius: float = 0.5, height: float = 3.0, ground: bool = False) -> delassus.Recording:
    builder = delassus.ModelBuilder("ball", gravity=(0, 0, 0))
    body = builder.add_body("ball", "world", delassus.Joint("float", "free", placement=delassus.Pose((0, 0, height))), delassus.sphere_inertial(1.0, radius))
    builder.add_shape(delassus.Shape(body=body, kind="sphere", size=(radius, 0, 0)))
    options = delassus.SimulationOptions(ground=ground)
    return delassus.Simulator(builder.make_model(), options).record()


def test_a_ball_is_as_large_as_it_is_far() -> None:
    """Its outline is a circle of slope r / √(d² − r²); the ball has 24 sides, and covers 0.97 to 1 of it."""
    recording = ball()
    for distance in (2.0, 5.0, 20.0):
        picture = recording.image(0, 400, 300, eye=(distance, 0, 3), target=(0, 0, 3)).astype(int)
        covered = np.count_nonzero(np.abs(picture - picture[0, 0]).sum(axis=2) > 30)
        slope = 0.5 / np.sqrt(distance**2 - 0.25)
        circle = np.pi * (150 / np.tan(np.radians(20)) * slope) ** 2
        assert 0.97 - 4 / np.sqrt(circle) < covered / circle < 1 + 4 / np.sqrt(circle)  # half a pixel around it
        rows, columns = np.nonzero(np.abs(picture - picture[0, 0]).sum(axis=2) > 30)
        assert abs(rows.mean() - 149.5) < 1 and abs(columns.mean() - 199.5) < 1


def test_light_comes_from_above_and_leaves_a_shadow() -> None:
    recording = ball(height=1.0, ground=True)
    eye = np.array([-6.0, 4, 6])
    picture = recording.image(0, 200, 200, eye=eye, target=(0, 0, 0)).astype(int)
    ahead = -eye / np.linalg.norm(eye)
    right = np.cross(ahead, [0, 0, 1])
    right /= np.linalg.norm(right)
    # From the ball's centre along the light, (0.35, -0.45, 0.82), to the ground.
    way = np.array([-0.35 / 0.82, 0.45 / 0.82, 0]) - eye
    scale = 100 / np.tan(np.radians(20)) / (way @ ahead)
    column, row = round(100 + scale * (way @ right)), round(100 - scale * (way @ np.cross(right, ahead)))
    bright = picture[5, 5].sum()
    assert 0.6 * bright < picture[row, column].sum() < 0.85 * bright
    assert np.ptp(picture[row, column]) < 20  # gray: not the ball
    side = recording.image(0, 200, 200, eye=(6, 0, 1), target=(0, 0, 1)).astype(int)
    assert side[80, 100].sum() > 1.1 * side[120, 100].sum()


def test_pictures_show_all_of_a_robot() -> None:
    sim = robot()
    recording = sim.record(fps=20)
    sim.step(100)
    pictures = np.stack(list(recording.images(160, 120)))
    assert pictures.shape == (5, 120, 160, 3) and pictures.dtype == np.uint8
    coloured = (pictures.max(axis=3).astype(int) - pictures.min(axis=3)) > 40  # neither ground nor sky
    assert coloured.sum(axis=(1, 2)).min() > 400
    border = coloured.copy()
    border[:, 2:-2, 2:-2] = False
    assert not border.any()
    np.testing.assert_array_equal(pictures[-1], recording.image(-1, 160, 120))


def test_what_is_behind_the_camera_is_cut_off() -> None:
    recording = ball(ground=True)
    inside = recording.image(0, 40, 30, eye=(0.1, 0, 3), target=(0.2, 0, 3.0)).astype(int)
    assert np.ptp(inside.sum(axis=2)) < 300 and (inside[:, :, 2] > inside[:, :, 0]).all()  # nothing but the ball's blue
    recording.image(0, 40, 30, eye=(0.5, 0, 3), target=(2, 0, 3))


def test_calls_without_a_recording_are_type_errors() -> None:
    for name in ("__len__", "stop", "html", "image", "images"):
        with pytest.raises(TypeError):
            getattr(delassus.Recording, name)(None, *([0] if name == "image" else []))


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda r: r.image(1), "'frame' is 1, and there are 1 frames"),
        (lambda r: r.image(0, width=0), "'width' is 0"),
        (lambda r: r.images(height=10**6), "'height' is 1000000"),
        (lambda r: r.image(0, eye=(0, 0, 1)), "both 'eye' and 'target'"),
        (lambda r: r.image(0, eye=(0, 0, 1), target=(0, 0, 1)), "eye and target"),
        (lambda r: r.image(0, eye=(0, 0, np.nan), target=(0, 0, 1)), "eye"),
        (lambda r: robot().record(fps=0), "'fps' is 0"),
        (lambda r: vector(2).record(2), "'environments' has 2"),
        (lambda r: vector(2).record([]), "'environments' is empty"),
        (lambda r: vector(2).record(0, spacing=np.inf), "'spacing'"),
    ],
)
def test_wrong_calls_name_the_argument(call: Any, words: str) -> None:
    with pytest.raises(delassus.Error, match=words):
        call(ball())
