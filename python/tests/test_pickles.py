"""Pickles and copies have the same bits."""

from __future__ import annotations

import copy
import pickle
from typing import Any, Callable

import numpy as np
import pytest
from reference import every_kind, some_numbers

import delassus


def through_pickle(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))


@pytest.fixture(params=[through_pickle, copy.deepcopy, copy.copy], ids=["pickle", "deepcopy", "copy"])
def copied(request: pytest.FixtureRequest) -> Callable[[Any], Any]:
    return request.param


@pytest.mark.parametrize("name", delassus.names()["robots"])
def test_models(name: str, copied: Callable[[Any], Any]) -> None:
    model = delassus.load(name).model
    other = copied(model)
    assert other == model
    np.testing.assert_array_equal(
        delassus.State(other).inertia_matrix(), delassus.State(model).inertia_matrix()
    )


def test_values(go2: delassus.Scene, copied: Callable[[Any], Any]) -> None:
    plan = delassus.plan(go2.model, go2.constraints)
    values = [
        *every_kind(go2.model),
        *go2.model.bodies,
        *go2.model.shapes,
        plan,
        plan.condensation,
        plan.candidates[0],
        delassus.Workload(products=3),
        delassus.CondensedOptions(capacity=delassus.CondensedCapacity.room_for(4)),
        delassus.LcabaOptions(seed=7),
        delassus.parse("<robot name='r'><link name='a'><visual/></link></robot>", "urdf").report,
    ]
    for value in values:
        assert copied(value) == value
    assert copied(plan).explain() == plan.explain()


def test_scenes(go2: delassus.Scene, copied: Callable[[Any], Any]) -> None:
    go2.v[:] = some_numbers(go2.model.nv)
    go2.tau[:] = 1
    other = copied(go2)
    for name in ("q", "v", "tau"):
        np.testing.assert_array_equal(getattr(other, name), getattr(go2, name))
    assert (other.model, other.constraints, other.recipe, other.report) == (
        go2.model,
        go2.constraints,
        go2.recipe,
        go2.report,
    )
    other.q[0] = 100
    assert go2.q[0] != 100


@pytest.mark.parametrize("algorithm", delassus.algorithms())
def test_operators(go2: delassus.Scene, algorithm: str, copied: Callable[[Any], Any]) -> None:
    op = delassus.Operator(go2.model, go2.constraints, algorithm)
    assert copied(op).q is None
    op.update(go2.q)
    other = copied(op)
    assert (other.algorithm, other.constraints) == (algorithm, op.constraints)
    np.testing.assert_array_equal(other.dense(), op.dense())
    blocks = [k * np.eye(3) for k in range(1, 5)]
    for damping in (1e-2, np.linspace(0.1, 1, op.rows), blocks):
        op.update_damping(damping)
        b = some_numbers(op.rows)
        np.testing.assert_array_equal(copied(op).solve(b), op.solve(b))


def test_options_and_plans_of_operators(go2: delassus.Scene, copied: Callable[[Any], Any]) -> None:
    planned = delassus.Operator(go2.model, go2.constraints, workload=delassus.Workload(products=100))
    other = copied(planned)
    assert other.plan == planned.plan and other.algorithm == planned.algorithm
    options = delassus.CondensedOptions(refinements=0)
    op = delassus.Operator(go2.model, go2.constraints, "condensed", options=options)
    assert copied(op).algorithm == "condensed"


def test_states(go2: delassus.Scene, copied: Callable[[Any], Any]) -> None:
    state = delassus.State(go2.model, go2.q, some_numbers(go2.model.nv))
    other = copied(state)
    np.testing.assert_array_equal(other.bias_forces(), state.bias_forces())
    other.update(go2.model.neutral())
    np.testing.assert_array_equal(state.q, go2.q)


def test_one_model_stays_one(go2: delassus.Scene) -> None:
    op = delassus.Operator(go2.model, go2.constraints, "ltl")
    scene, other = through_pickle((go2, op))
    assert scene.model is other.model
