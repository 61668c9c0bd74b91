"""Arrays are read and written in place; what cannot be is an exception that says why."""

from __future__ import annotations

import re
import tracemalloc
from typing import Callable

import numpy as np
import pytest
from reference import some_numbers

import delassus


def panel_in_pieces(rows: int, cols: int) -> list[np.ndarray]:
    """The same numbers with strides of every kind."""
    values = some_numbers(rows, cols)
    wide = np.zeros((2 * rows, 3 * cols))
    wide[::2, ::3] = values
    backwards = np.ascontiguousarray(values[::-1, ::-1])[::-1, ::-1]
    return [values, np.asfortranarray(values), wide[::2, ::3], backwards]


def test_inputs_with_any_strides(op: delassus.Operator) -> None:
    results = [op.apply(panel) for panel in panel_in_pieces(op.rows, 5)]
    for result in results[1:]:
        np.testing.assert_array_equal(result, results[0])


def test_broadcast_input(op: delassus.Operator) -> None:
    panel = np.broadcast_to(some_numbers(op.rows, 1), (op.rows, 3))  # a stride of zero
    np.testing.assert_array_equal(op.apply(panel), op.apply(panel.copy()))


def test_outputs_with_any_strides(op: delassus.Operator) -> None:
    x = some_numbers(op.rows, 5)
    expected = op.apply(x)
    for out in panel_in_pieces(op.rows, 5):
        out[...] = np.nan
        assert op.apply(x, out=out) is out
        np.testing.assert_array_equal(out, expected)
    matrix = np.full((op.rows, 2 * op.rows), np.nan)
    assert op.dense(out=matrix[:, ::2]) is not matrix
    np.testing.assert_array_equal(matrix[:, ::2], op.dense())
    assert np.isnan(matrix[:, 1::2]).all()


def verbs(op: delassus.Operator) -> list[tuple[Callable[..., np.ndarray], tuple, tuple[int, ...]]]:
    """All that write to `out`: the verb, its other arguments and the shape of the result."""
    x, v, m, nv = some_numbers(op.rows), some_numbers(op.model.nv), op.rows, op.model.nv
    q = op.model.neutral()
    state = delassus.State(op.model, q, v)
    return [
        (op.apply, (x,), (m,)),
        (op.apply, (some_numbers(m, 3),), (m, 3)),
        (op.solve, (x,), (m,)),
        (op.solve, (some_numbers(m, 3),), (m, 3)),
        (op.joint_response, (x,), (nv,)),
        (op.dense, (), (m, m)),
        (op.diagonal, (), (m,)),
        (op.damped_inverse, (0.1,), (m, m)),
        (op.jacobian, (), (m, nv)),
        (op.apply_jacobian, (v,), (m,)),
        (op.apply_jacobian_transpose, (x,), (nv,)),
        (op.drift, (v,), (m,)),
        (op.position, (), (m,)),
        (state.inertia_matrix, (), (nv, nv)),
        (state.bias_forces, (), (nv,)),
        (state.inverse_dynamics, (v,), (nv,)),
        (state.forward_dynamics, (v,), (nv,)),
        (state.apply_inverse_inertia, (v,), (nv,)),
        (state.apply_inverse_inertia, (some_numbers(nv, 3),), (nv, 3)),
        (state.centre_of_mass_jacobian, (), (3, nv)),
        (lambda out=None: state.frame_jacobian("FL_foot", out=out), (), (6, nv)),
        (op.model.integrate, (q, v), (len(q),)),
        (op.model.difference, (q, q), (nv,)),
    ]


def test_out_is_written_in_place(op: delassus.Operator) -> None:
    for verb, arguments, shape in verbs(op):
        expected = verb(*arguments)
        assert expected.shape == shape and expected.dtype == np.float64 and expected.flags.writeable
        out = np.full(shape, np.nan)
        address = out.__array_interface__["data"][0]
        assert verb(*arguments, out=out) is out
        assert out.__array_interface__["data"][0] == address
        np.testing.assert_array_equal(out, expected)


def test_bad_outs_are_refused_and_not_written(op: delassus.Operator) -> None:
    for verb, arguments, shape in verbs(op):
        read_only = np.zeros(shape)
        read_only.flags.writeable = False
        longer = np.zeros((shape[0] + 1, *shape[1:]))
        for out, error, words in (
            (np.zeros(shape, np.float32), TypeError, "argument 'out' is an array of float32 .*; expected float64"),
            (np.zeros(shape, ">f8"), TypeError, "argument 'out' is an array of >f8 .*; expected float64"),
            (np.zeros(shape, int), TypeError, "argument 'out' is an array of int64"),
            (np.zeros(shape).tolist(), TypeError, "argument 'out' is a list; expected a NumPy array"),
            (read_only, delassus.Error, "argument 'out' is read-only"),
            (longer, delassus.Error, r"argument 'out' has shape \(.*\); expected \("),
            (np.zeros((*shape, 1)), delassus.Error, r"argument 'out' has shape \(.*\); expected \("),
        ):
            with pytest.raises(error, match=words):
                verb(*arguments, out=out)
            assert not np.any(out)


def test_vectors_have_to_be_contiguous(op: delassus.Operator) -> None:
    strided = np.zeros(2 * op.rows)[::2]
    with pytest.raises(delassus.Error, match="argument 'x' is not contiguous: its entries are 16 bytes apart"):
        op.apply(strided)
    with pytest.raises(delassus.Error, match="argument 'out' is not contiguous"):
        op.apply(np.zeros(op.rows), out=strided)


def test_bad_inputs(op: delassus.Operator) -> None:
    m = op.rows
    for x, error, words in (
        (np.zeros(m, np.float32), TypeError, "argument 'x' is an array of float32 with shape (12,); expected float64"),
        (np.zeros(m, complex), TypeError, "argument 'x' is an array of complex128"),
        (np.zeros(m, object), TypeError, "argument 'x' is an array of object"),
        ([0.0] * m, TypeError, "argument 'x' is a list; expected a NumPy array of float64"),
        (None, TypeError, "argument 'x' is None"),
        (1.0, TypeError, "argument 'x' is a float"),
        (np.zeros(m + 1), delassus.Error, "argument 'x' has shape (13,); expected (12,)"),
        (np.zeros((m + 1, 2)), delassus.Error, "argument 'x' has shape (13, 2); expected (12, any)"),
        (np.zeros((1, m, 1)), delassus.Error, "argument 'x' has shape (1, 12, 1); expected (12,)"),
        (np.array(1.0), delassus.Error, "argument 'x' has shape ()"),
    ):
        with pytest.raises(error, match=re.escape(words)):
            op.apply(x)


def test_unaligned_arrays_are_refused(op: delassus.Operator) -> None:
    memory = np.zeros(8 * op.rows + 1, np.uint8)
    unaligned = memory[1:].view(np.float64)
    with pytest.raises(delassus.Error, match="argument 'x' is not aligned"):
        op.apply(unaligned)
    packed = np.zeros(op.rows, np.dtype([("a", np.float64), ("b", np.uint8)]))["a"].reshape(op.rows, 1)
    with pytest.raises(delassus.Error, match="argument 'x' (is not aligned|has strides)"):
        op.apply(packed)


def test_shared_memory(op: delassus.Operator) -> None:
    x = some_numbers(op.rows)
    with pytest.raises(delassus.Error, match="arguments 'x' and 'out' share memory"):
        op.apply(x, out=x)
    both = some_numbers(2 * op.rows)
    with pytest.raises(delassus.Error, match="arguments 'b' and 'out' share memory"):
        op.solve(both[: op.rows], out=both[1 : op.rows + 1])
    expected = op.solve(x)
    assert op.solve(x, out=x) is x  # in place is fine
    np.testing.assert_array_equal(x, expected)
    columns = some_numbers(op.rows, 6)  # between each other, but not shared
    expected = op.apply(columns[:, ::2])
    np.testing.assert_array_equal(op.apply(columns[:, ::2], out=columns[:, 1::2]), expected)


def test_outputs_with_entries_in_one_place(op: delassus.Operator) -> None:
    out = np.lib.stride_tricks.as_strided(np.zeros(op.rows), (op.rows, 3), (8, 0))
    with pytest.raises(delassus.Error, match="argument 'out' has several entries in one place|read-only"):
        op.apply(some_numbers(op.rows, 3), out=out)


def test_nothing_is_copied(op: delassus.Operator) -> None:
    """A call with `out` allocates nothing that grows with the arrays."""
    x, out = some_numbers(op.rows, 20000), np.zeros((op.rows, 20000))
    op.apply(x, out=out)
    tracemalloc.start()  # NumPy reports its memory to it
    try:
        before = tracemalloc.get_traced_memory()[0]
        tracemalloc.reset_peak()
        op.apply(x, out=out)
        op.apply(x[:, ::2], out=out[:, ::2])
        peak = tracemalloc.get_traced_memory()[1] - before
        op.apply(x)
        seen = tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()
    assert peak < 10_000, "some hundred bytes of views; the panel has 1.9 million"
    assert seen > out.nbytes, "that it would be seen"


def test_scene_vectors_are_views(go2: delassus.Scene) -> None:
    q = go2.q
    q[7] = 0.25
    assert go2.q[7] == 0.25
    assert go2.q.__array_interface__["data"] == q.__array_interface__["data"]
    del go2  # the view keeps the memory
    assert q[7] == 0.25


def test_other_results_cannot_be_written_to(go2: delassus.Scene) -> None:
    contact = go2.constraints[0]
    with pytest.raises(ValueError, match="read-only"):
        contact.axes[0, 0] = 2
    with pytest.raises(AttributeError):
        contact.gap = 1.0
    with pytest.raises(AttributeError):
        go2.constraints.append(contact)


def test_panels_without_columns(op: delassus.Operator, go2: delassus.Scene) -> None:
    """NumPy gives them strides of zero."""
    for order in ("C", "F"):
        empty = np.zeros((op.rows, 0), order=order)
        for verb in (op.apply, op.solve):
            assert verb(empty).shape == (op.rows, 0)
            assert verb(empty, out=np.zeros((op.rows, 0), order=order)).shape == (op.rows, 0)
    nothing = np.zeros((go2.model.nv, 0))
    assert delassus.State(go2.model, go2.q).apply_inverse_inertia(nothing).shape == nothing.shape
