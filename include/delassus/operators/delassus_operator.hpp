// The verbs that solvers need of Λ⁻¹ = J M⁻¹ Jᵀ, whatever computes them; Damping, which they take; OperatorRef, any operator behind one type.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "delassus/constraints/rows.hpp"
#include "delassus/math/arguments.hpp"
#include "delassus/math/error.hpp"
#include "delassus/math/view.hpp"

namespace delassus {

/// R⁻¹ as operators take it: one number for all rows, one per row, or one block per constraint. A view: the numbers have to live as long as
/// the call that they are given to.
template <class T>
class Damping {
 public:
  enum class Kind : std::uint8_t { kScalar, kDiagonal, kBlocks, kUnsymmetric };

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
  /// The same with blocks that need be neither symmetric nor positive: Newton's matrix of Coulomb's law (docs/algorithms/contact-interior-point.md).
  /// Factored by LU without pivoting; kNotPositive names a row whose pivot vanishes.
  static Damping unsymmetric(In<T> values) {
    Damping d(values);
    d.kind_ = Kind::kUnsymmetric;
    return d;
  }

  Kind kind() const { return kind_; }
  const T& scalar() const { return scalar_; }
  /// Per row, or of all blocks.
  VectorView<const T> values() const { return values_; }

  bool has_blocks() const { return kind_ == Kind::kBlocks || kind_ == Kind::kUnsymmetric; }

  /// Whether there are as many numbers as rows, or as entries of blocks.
  bool fits(std::span<const RowSpan> spans, int rows) const {
    if (!has_blocks()) return kind_ == Kind::kScalar || values_.size() == rows;
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

/// Any operator, seen through one pointer and a table of its verbs, so that solvers are compiled once, in the library. The operator has to
/// live as long as this.
template <class T>
class OperatorRef {
 public:
  template <class Op>
  requires(!std::same_as<std::remove_const_t<Op>, OperatorRef> && DelassusOperator<Op, T>)
      OperatorRef(Op& op)  // NOLINT: implicit by design
      : op_(&op), verbs_(&kVerbs<Op>) {}

  int rows() const { return verbs_->rows(op_); }
  CallStatus apply(In<T> x, Out<T> y) const { return verbs_->apply(op_, x, y); }
  CallStatus apply_panel(MatrixIn<T> x, MatrixOut<T> y) const { return verbs_->apply_panel(op_, x, y); }
  CallStatus joint_response(In<T> x, Out<T> acceleration) const { return verbs_->joint_response(op_, x, acceleration); }
  Status update_damping(const Damping<T>& damping) const { return verbs_->update_damping(op_, damping); }
  Status solve(In<T> b, Out<T> z) const { return verbs_->solve(op_, b, z); }
  Status solve_panel(MatrixIn<T> b, MatrixOut<T> z) const { return verbs_->solve_panel(op_, b, z); }
  CallStatus dense(MatrixOut<T> matrix) const { return verbs_->dense(op_, matrix); }
  CallStatus diagonal(Out<T> out) const { return verbs_->diagonal(op_, out); }
  std::size_t bytes() const { return verbs_->bytes(op_); }

 private:
  struct Verbs {
    int (*rows)(const void*);
    CallStatus (*apply)(const void*, In<T>, Out<T>);
    CallStatus (*apply_panel)(const void*, MatrixIn<T>, MatrixOut<T>);
    CallStatus (*joint_response)(const void*, In<T>, Out<T>);
    Status (*update_damping)(void*, const Damping<T>&);
    Status (*solve)(const void*, In<T>, Out<T>);
    Status (*solve_panel)(const void*, MatrixIn<T>, MatrixOut<T>);
    CallStatus (*dense)(const void*, MatrixOut<T>);
    CallStatus (*diagonal)(const void*, Out<T>);
    std::size_t (*bytes)(const void*);
  };

  template <class Op>
  static const Op& as(const void* op) {
    return *static_cast<const Op*>(op);
  }
  /// Operators need not say how a product went.
  template <class Call>
  static CallStatus status_of(Call&& call) {
    if constexpr (std::convertible_to<decltype(call()), CallStatus>) {
      return call();
    } else {
      call();
      return {};
    }
  }
  template <class Op>
  static constexpr Verbs kVerbs{
      [](const void* op) { return as<Op>(op).rows(); },
      [](const void* op, In<T> x, Out<T> y) { return status_of([&] { return as<Op>(op).apply(x, y); }); },
      [](const void* op, MatrixIn<T> x, MatrixOut<T> y) {
        return status_of([&] { return as<Op>(op).apply_panel(x, y); });
      },
      [](const void* op, In<T> x, Out<T> y) { return status_of([&] { return as<Op>(op).joint_response(x, y); }); },
      [](void* op, const Damping<T>& damping) { return static_cast<Op*>(op)->update_damping(damping); },
      [](const void* op, In<T> b, Out<T> z) { return as<Op>(op).solve(b, z); },
      [](const void* op, MatrixIn<T> b, MatrixOut<T> z) { return as<Op>(op).solve_panel(b, z); },
      [](const void* op, MatrixOut<T> matrix) { return status_of([&] { return as<Op>(op).dense(matrix); }); },
      [](const void* op, Out<T> out) { return status_of([&] { return as<Op>(op).diagonal(out); }); },
      [](const void* op) { return as<Op>(op).bytes(); }};

  void* op_;
  const Verbs* verbs_;
};

static_assert(DelassusOperator<OperatorRef<double>, double>);

}  // namespace delassus
