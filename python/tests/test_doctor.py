"""The constraint doctor: data, text, errors."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from built_command import needs_command, run_command

import delassus


def test_healthy(go2: delassus.Scene) -> None:
    report = delassus.diagnose(go2.model, go2.constraints, go2.q)
    assert (report.health, report.dofs, report.rank, report.mobility) == ("healthy", 18, 12, 6)
    assert report.findings == () and report.dependencies == ()
    assert report.independent == tuple(range(12))
    assert report.text == str(report)
    assert report.text.startswith("healthy: 12 independent rows\n")
    assert report.rows[0].name == "contact 'FL_foot/1' normal"
    # A matrix with a unit diagonal: its eigenvalues add up to its size, to rounding.
    assert report.eigenvalues.sum() == pytest.approx(12, abs=1e-12)


def test_a_report_without_findings_has_a_text() -> None:
    assert delassus.ConstraintReport(health="unknown").text.startswith("no diagnosis\n")


def test_dependent_rows_are_zero() -> None:
    scene = delassus.load("g1-standing")
    report = delassus.diagnose(scene.model, scene.constraints, scene.q)
    assert (report.health, report.rank, len(report.rows)) == ("redundant", 12, 24)
    op = delassus.Operator(scene.model, scene.constraints, algorithm="dense")
    op.update(scene.q)
    J = op.jacobian()
    assert report.rank == np.linalg.matrix_rank(J)
    assert len(report.dependencies) == 12
    for d in report.dependencies:
        # Weights below 1e-6 of the largest are left out.
        assert np.abs(d.weights @ J[list(d.rows)]).max() < 1e-5 * np.abs(J).max()
        assert d.weights[0] == 1 and d.exact


def test_finds_contradictions(go2: delassus.Scene) -> None:
    foot = delassus.PointContact(go2.model, "FL_foot")
    twice = [foot, foot.replace(name="again", gap=0.1)]
    report = delassus.diagnose(go2.model, twice, go2.q)
    assert report.health == "unhealthy"
    assert report.findings[0].kind == "contradiction"
    assert "'again' normal" in report.findings[0].text
    assert report.constraints[1].violated and report.constraints[1].linear == 0.1


def test_velocities(go2: delassus.Scene) -> None:
    v = np.zeros(go2.model.nv)
    v[5] = 0.5
    feet = [delassus.PointContact(go2.model, foot) for foot in ("FL_foot", "RR_foot")]
    report = delassus.diagnose(go2.model, feet, go2.q, v)
    assert [f.kind for f in report.findings] == ["velocity"]
    op = delassus.Operator(go2.model, feet, algorithm="dense")
    op.update(go2.q)
    np.testing.assert_allclose([row.velocity for row in report.rows], op.jacobian() @ v, atol=1e-14)


def test_tolerance() -> None:
    scene = delassus.load("four_bar")
    q = scene.q + np.array([1e-4, 0, 0])
    report = delassus.diagnose(scene.model, scene.constraints, q)
    assert (report.health, report.position_tolerance, report.rank_is_certain) == ("redundant", 1e-3, True)
    assert "up to 0.001 counts as in place" in report.text
    strict = delassus.diagnose(scene.model, scene.constraints, q, tolerance=1e-6)
    assert [f.kind for f in strict.findings][0] == "position"
    assert "delassus.assemble" in strict.findings[0].advice
    with pytest.raises(delassus.Error, match="'tolerance'"):
        delassus.diagnose(scene.model, scene.constraints, q, tolerance=-1)


def test_no_diagnosis(go2: delassus.Scene) -> None:
    q = go2.q.copy()
    q[7] = np.nan
    with pytest.raises(delassus.NumericalError) as caught:
        delassus.diagnose(go2.model, go2.constraints, q)
    assert (caught.value.code, caught.value.index) == ("not_finite", 7)
    with pytest.raises(delassus.Error, match="'q'"):
        delassus.diagnose(go2.model, go2.constraints, q[1:].copy())
    with pytest.raises(TypeError, match="'constraints'"):
        delassus.diagnose(go2.model, 3, go2.q)  # type: ignore[arg-type]


def test_without_constraints(go2: delassus.Scene) -> None:
    report = delassus.diagnose(go2.model, [], go2.q)
    assert (report.mobility, report.health) == (18, "healthy")


def test_copies() -> None:
    scene = delassus.load("cassie")
    report = delassus.diagnose(scene.model, scene.constraints, scene.q)
    for other in (pickle.loads(pickle.dumps(report)), copy.deepcopy(report)):
        assert other == report
        assert str(other) == str(report)


@needs_command
@pytest.mark.parametrize("name", ["cassie", "g1-fallen", "four_bar", "go2-standing"])
def test_the_text_is_that_of_the_command(name: str) -> None:
    scene = delassus.load(name)
    report = delassus.diagnose(scene.model, scene.constraints, scene.q, scene.v)
    assert run_command("doctor", name).strip() == report.text.strip()
