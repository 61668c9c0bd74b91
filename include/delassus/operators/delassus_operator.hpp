// The verbs that solvers need of Λ⁻¹ = J M⁻¹ Jᵀ, whatever computes them.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

#include "delassus/constraints/rows.hpp"
#include "delassus/math/arguments.hpp"
#include "delassus/math/error.hpp"
#include "delassus/math/view.hpp"

namespace delassus {

// R⁻¹ as operators take it: one number for all rows, one per row, or one symmetric block per constraint.

/// A view: the numbers have to live as long as the call that they are given to.
template <class T>
class Damping {
 public:
  enum class Kind : std::uint8_t { kScalar, kDiagonal, kBlocks };

  Damping(const T& scalar)
      : kind_(Kind::kScalar), scalar_(scalar), values_(nullptr, 0) {}  // NOLINT: implicit by design
  /// One positive number per row.
  template <class V>
  requires std::convertible_to<V, VectorView<const T>> Damping(const V& diagonal)  // NOLINT: implicit by design
      : kind_(Kind::kDiagonal), scalar_(0), values_(diagonal) {}
  /// For each constraint with m rows its m × m block by rows, positive definite and symmetric (the lower triangle is
  /// read); constraints in their order, no gaps.
  static Damping blocks(In<T> values) {
    Damping d(values);
    d.kind_ = Kind::kBlocks;
    return d;
  }

  Kind kind() const { return kind_; }
  const T& scalar() const { return scalar_; }
  /// Per row, or of all blocks.
  VectorView<const T> values() const { return values_; }

  /// Whether there are as many numbers as rows, or as entries of blocks.
  bool fits(std::span<const RowSpan> spans, int rows) const {
    if (kind_ != Kind::kBlocks) return kind_ == Kind::kScalar || values_.size() == rows;
    std::int64_t entries = 0;
    for (const RowSpan& span : spans) entries += static_cast<std::int64_t>(span.rows) * span.rows;
    return values_.size() == entries;
  }

 private:
  Kind kind_;
  T scalar_;
  VectorView<const T> values_;
};

/// Rows are in the order of insertion, never permuted. Vectors have rows() entries, joint vectors nv; panels have rows()
/// rows and any number of columns. An operator belongs to one thread at a time, for its const verbs as well: they work in
/// its memory.
///
///   apply           y = Λ⁻¹ x, never damped
///   apply_panel     the same for every column
///   joint_response  ν̇ = M⁻¹ Jᵀ x
///   update_damping  takes R⁻¹ and factors at once; never goes back to the kinematics
///   solve           z = (R⁻¹ + Λ⁻¹)⁻¹ b with the last damping; b and z may be the same vector
///   solve_panel     the same for every column
///   dense           the matrix
///   diagonal        its diagonal
///   bytes           memory that the operator holds, beside itself
///
/// None of them throws: a wrong size, or a call before what it needs, is kBadArgument (docs/arguments.md).
template <class Op, class T>
concept DelassusOperator = requires(Op op, const Op& ready, VectorView<const T> in, VectorView<T> out,
                                    MatrixView<const T> panel_in, MatrixView<T> panel_out, const Damping<T>& damping) {
  { ready.rows() } -> std::same_as<int>;
  ready.apply(in, out);
  ready.apply_panel(panel_in, panel_out);
  ready.joint_response(in, out);
  { op.update_damping(damping) } -> std::same_as<Status>;
  { ready.solve(in, out) } -> std::same_as<Status>;
  { ready.solve_panel(panel_in, panel_out) } -> std::same_as<Status>;
  ready.dense(panel_out);
  ready.diagonal(out);
  { ready.bytes() } -> std::same_as<std::size_t>;
};

}  // namespace delassus
