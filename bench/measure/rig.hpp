// A scene, the memory to compute in, and an operator of any type: the stages that verbs are made of.
#pragma once

#include <algorithm>

#include "bench/measure/scene.hpp"
#include "cli/shell/delassus_matrix.hpp"
#include "delassus/constraints/lower.hpp"
#include "delassus/operators/matrix_free.hpp"

namespace delassus::cli {

/// Of the published sweeps products alone are measured: a solve would measure the matrix that they form for it.
template <class Op, class T>
concept DampedOperator = !std::derived_from<Op, MatrixFreeDelassus<T>>;

/// Taken in turns, so that no call repeats the numbers of the one before.
inline constexpr std::array kDampings{1e-4, 1.1e-4};

template <class Op, class T>
class BenchRig {
 public:
  static constexpr bool kDamped = DampedOperator<Op, T>;

  explicit BenchRig(const BenchScene& scene)
      : scene_(scene),
        x_(to_scalars(scene.x)),
        y_(scene.x.size()),
        kin_(scene.model),
        rows_(make_rows(scene)),
        op_(scene.model, rows_),
        damping_(scene.x.size(), T(kDampings[0])) {
    for (const std::vector<double>& q : scene.q) q_.push_back(to_scalars(q));
  }

  /// What all operators share: kinematics and the lowering of constraints, at the configuration after that of last time.
  void place() {
    update_kinematics<T>(scene_.model, q_[configurations_++ % q_.size()], kin_);
    require(lower_values<T>(scene_.model, kin_, scene_.constraints, rows_));
  }
  void factor_placed() { require(op_.factor({scene_.model, kin_, rows_})); }
  void factor() {
    if constexpr (requires(ConstraintRows<T> & rows) { op_.update(scene_.model, q_[0], scene_.constraints, rows); }) {
      require(op_.update(scene_.model, q_[configurations_++ % q_.size()], scene_.constraints, rows_));
    } else {
      place();
      factor_placed();
    }
  }
  /// The matrix, row by row.
  const std::vector<T>& dense() {
    matrix_.resize(x_.size() * x_.size());
    op_.dense(MatrixView<T>(matrix_.data(), op_.rows(), op_.rows()));
    return matrix_;
  }
  void apply() { op_.apply(x_, y_); }
  /// Another damping than last time.
  void redamp() requires kDamped { require(op_.update_damping(Damping<T>(T(kDampings[dampings_++ % 2])))); }
  /// The same of all rows but equalities, which keep theirs.
  void redamp_contacts() requires kDamped {
    const T value(kDampings[dampings_++ % 2]);
    for (std::size_t c = 0; c < rows_.spans.size(); ++c) {
      if (rows_.sets[c].kind == SetKind::kEquality) continue;
      std::fill_n(damping_.begin() + rows_.spans[c].first_row, rows_.spans[c].rows, value);
    }
    require(op_.update_damping(Damping<T>(damping_)));
  }
  /// Into solution().
  void solve() requires kDamped { require(op_.solve(x_, y_)); }

  const std::vector<T>& solution() const { return y_; }
  std::size_t bytes() const { return op_.bytes(); }

 private:
  static std::vector<T> to_scalars(const std::vector<double>& values) { return {values.begin(), values.end()}; }
  static ConstraintRows<T> make_rows(const BenchScene& scene) {
    ConstraintRows<T> rows;
    lower_structure<T>(scene.model, scene.constraints, rows);
    return rows;
  }
  void require(const Status& status) const { require_ok(status, scene_.model, scene_.constraints); }

  const BenchScene& scene_;
  std::vector<std::vector<T>> q_;
  std::vector<T> x_, y_;
  std::vector<T> matrix_;  // once it is asked for
  Kinematics<T> kin_;
  ConstraintRows<T> rows_;
  Op op_;
  std::vector<T> damping_;                      // of rows, where not all have the same
  unsigned configurations_ = 0, dampings_ = 0;  // so far
};

}  // namespace delassus::cli
