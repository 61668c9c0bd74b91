"""Plans, and what the condensed tree makes of constraints."""

from __future__ import annotations

from collections import Counter

import pytest

import delassus


def test_plan(go2: delassus.Scene) -> None:
    plan = delassus.plan(go2.model, go2.constraints, delassus.Workload(products=100))
    assert plan.choice == plan.candidates[0].algorithm
    assert [c.time_us for c in plan.candidates] == sorted(c.time_us for c in plan.candidates)
    assert {c.algorithm for c in plan.candidates} < set(delassus.algorithms())
    assert (plan.dofs, plan.rows, plan.constraints) == (18, 12, 4)
    assert plan.explain().startswith(plan.choice + ": ")
    best = plan.candidates[0]
    assert best.exact and best.operations == best.calls.factor + best.calls.matrix + 100 * best.calls.product
    assert best.time_us == pytest.approx(best.times.factor + best.times.matrix + 100 * best.times.product)


def test_plan_among_some(go2: delassus.Scene) -> None:
    plan = delassus.plan(go2.model, go2.constraints, among=["dense", "efpa"])
    assert {c.algorithm for c in plan.candidates} == {"dense", "efpa"}
    assert plan.workload == delassus.Workload(matrix=True)
    with pytest.raises(delassus.Error, match="did you mean 'efpa'"):
        delassus.plan(go2.model, go2.constraints, among=["efa"])


def test_auto(go2: delassus.Scene) -> None:
    for workload in (delassus.Workload(products=1), delassus.Workload(solves=30, dampings=4), None):
        op = delassus.Operator(go2.model, go2.constraints, workload=workload)
        assert op.algorithm == op.plan.choice == delassus.plan(go2.model, go2.constraints, workload).choice
    assert delassus.Operator(go2.model, go2.constraints, "ltl").plan is None


def test_condensation(go2: delassus.Scene) -> None:
    roles = Counter(delassus.link_roles(go2.model, go2.constraints))
    condensation = delassus.condensation(go2.model, go2.constraints)
    assert roles == {"carried": 12, "node": 1}  # four legs on a trunk
    assert (condensation.nodes, condensation.carried, condensation.links) == (1, 12, 13)
    assert condensation.jointwise[0].reason == "branches"
    assert "carried" in str(condensation)
    two = delassus.link_roles(go2.model, go2.constraints[:1])
    assert Counter(two)["quiet"] == 9
