from __future__ import annotations

import pytest
from reference import SCENES, Dense

import delassus


@pytest.fixture(params=SCENES, scope="session")
def scene(request: pytest.FixtureRequest) -> delassus.Scene:
    return delassus.load(request.param)


@pytest.fixture(scope="session")
def dense(scene: delassus.Scene) -> Dense:
    return Dense(scene)


@pytest.fixture
def go2() -> delassus.Scene:
    return delassus.load("go2-standing")


@pytest.fixture
def op(go2: delassus.Scene) -> delassus.Operator:
    """An updated operator with a damping."""
    op = delassus.Operator(go2.model, go2.constraints, algorithm="condensed")
    op.update(go2.q)
    op.update_damping(1e-3)
    return op
