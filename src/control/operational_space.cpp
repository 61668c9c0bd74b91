#include "delassus/control/operational_space.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "control/row_scales.hpp"
#include "control/task_elimination.hpp"
#include "math/finite.hpp"

namespace delassus {
namespace {

int count_rows(std::span<const Constraint> constraints) {
  int rows = 0;
  for (const Constraint& c : constraints) rows += row_count(c);
  return rows;
}

}  // namespace

template <FloatingPoint T>
struct OperationalSpace<T>::Work {
  Work(const Model& model, std::span<const Constraint> constraints) : scales(model, constraints) {}

  TaskElimination<T> elimination;
  RowScales<T> scales;
};

template <FloatingPoint T>
OperationalSpace<T>::OperationalSpace(const Model& model, std::span<const TaskLevel> levels,
                                      std::span<const Constraint> held)
    : tasks_(levels, held),
      state_(model, tasks_.constraints()),
      op_(model, state_.rows()),
      work_(std::in_place, model, tasks_.constraints()),
      row_(static_cast<std::size_t>(state_.num_rows())),
      joint_(static_cast<std::size_t>(model.nv())),
      half_(joint_),
      forces_(model),
      motions_(model),
      dynamics_(model),
      still_(model) {
  if (!held.empty()) work_->elimination.add_held(count_rows(held));
  first_level_ = work_->elimination.num_levels();
  for (const TaskLevel& level : levels) {
    work_->elimination.add(count_rows(level.tasks), level.singular);
    reports_.push_back(!level.singular.best_effort);
  }
}

template <FloatingPoint T>
int OperationalSpace<T>::rows(int level) const {
  return work_->elimination.level(level + first_level_).rows;
}

template <FloatingPoint T>
int OperationalSpace<T>::first_row(int level) const {
  return work_->elimination.level(level + first_level_).first;
}

template <FloatingPoint T>
int OperationalSpace<T>::held_rows() const {
  return first_level_ == 0 ? 0 : work_->elimination.level(0).rows;
}

template <FloatingPoint T>
const LevelReport<T>& OperationalSpace<T>::report(int level) const {
  return work_->elimination.report(level + first_level_);
}

template <FloatingPoint T>
Status OperationalSpace<T>::update(In<T> q, In<T> v) noexcept {
  status_ = check_sizes({{0, q.size(), model().nq()}, {1, v.size(), nv()}});
  if (status_.ok()) status_ = require_finite<T>(q);
  if (status_.ok()) status_ = require_finite<T>(v);
  if (!status_.ok()) return status_;
  static_cast<void>(state_.move_constraints(tasks_.constraints()));  // as many as ever
  status_ = state_.update(q, v);
  if (status_.ok()) status_ = op_.factor(state_);
  if (!status_.ok()) return status_;
  op_.dense(work_->elimination.matrix());
  work_->elimination.factor(work_->scales.find(state_, op_.largest_mobility(), work_->elimination.matrix()));
  for (int k = 0; k < num_levels(); ++k) {
    if (reports_[k] && !report(k).ok()) return {Status::Code::kSingularTask, first_row(k) + report(k).row};
  }
  return {};
}

template <FloatingPoint T>
Status OperationalSpace<T>::require_level(int level) const noexcept {
  if (level < 0 || level >= num_levels()) return {Status::Code::kBadArgument, 0};
  return status_;
}

template <FloatingPoint T>
Status OperationalSpace<T>::require_matrix(int level, const MatrixView<T>& out, int rows, int cols) const noexcept {
  const Status s = require_level(level);
  return s.ok() ? check_sizes({{1, out.rows(), rows}, {1, out.cols(), cols}}) : s;
}

template <FloatingPoint T>
Status OperationalSpace<T>::require_vectors(int level, VectorView<const T> in, int expected_in, int out,
                                            int expected_out) const noexcept {
  Status status = require_level(level);
  if (status.ok()) status = check_sizes({{1, in.size(), expected_in}, {2, out, expected_out}});
  return status.ok() ? require_finite<T>(in) : status;
}

template <FloatingPoint T>
Status OperationalSpace<T>::require_force(int level, const VectorView<T>& force) const noexcept {
  const Status s = require_level(level);
  return s.ok() ? check_sizes({{1, force.size(), rows_of(level)}}) : s;
}

template <FloatingPoint T>
Status OperationalSpace<T>::jacobian(int level, MatrixOut<T> J) const noexcept {
  if (const Status s = require_matrix(level, J, rows_of(level), nv()); !s.ok()) return s;
  for (int c = 0; c < nv(); ++c) {
    std::fill(joint_.begin(), joint_.end(), T(0));
    joint_[c] = T(1);
    apply_jacobian<T>(model(), state_.kinematics(), state_.rows(), joint_, row_, motions_);
    work_->elimination.reduce(level + first_level_, row_.data());
    for (int r = 0; r < rows(level); ++r) J(r, c) = row_[first_row(level) + r];
  }
  return {};
}

template <FloatingPoint T>
Status OperationalSpace<T>::copy_block(int level, const MatrixView<const T>& block,
                                       const MatrixView<T>& out) const noexcept {
  for (int r = 0; r < rows(level); ++r) {
    for (int c = 0; c < rows(level); ++c) out(r, c) = block(r, c);
  }
  return {};
}

template <FloatingPoint T>
Status OperationalSpace<T>::inverse_inertia(int level, MatrixOut<T> inverse) const noexcept {
  if (const Status s = require_matrix(level, inverse, rows_of(level), rows_of(level)); !s.ok()) return s;
  return copy_block(level, work_->elimination.inverse_inertia(level + first_level_), inverse);
}

template <FloatingPoint T>
Status OperationalSpace<T>::inertia(int level, MatrixOut<T> matrix) const noexcept {
  if (const Status s = require_matrix(level, matrix, rows_of(level), rows_of(level)); !s.ok()) return s;
  return copy_block(level, work_->elimination.inertia(level + first_level_), matrix);
}

template <FloatingPoint T>
Status OperationalSpace<T>::consistent_inverse(int level, MatrixOut<T> J_bar) const noexcept {
  if (const Status s = require_matrix(level, J_bar, nv(), rows_of(level)); !s.ok()) return s;
  const MatrixView<const T> inertia = work_->elimination.inertia(level + first_level_);
  for (int c = 0; c < rows(level); ++c) {
    std::fill(row_.begin(), row_.end(), T(0));
    for (int r = 0; r < rows(level); ++r) row_[first_row(level) + r] = inertia(r, c);
    work_->elimination.expand(level + first_level_, row_.data());
    op_.joint_response(row_, joint_);
    for (int k = 0; k < nv(); ++k) J_bar(k, c) = joint_[k];
  }
  return {};
}

template <FloatingPoint T>
Status OperationalSpace<T>::null_space(int level, MatrixOut<T> N) const noexcept {
  if (const Status s = require_matrix(level, N, nv(), nv()); !s.ok()) return s;
  for (int c = 0; c < nv(); ++c) {
    std::fill(half_.begin(), half_.end(), T(0));
    half_[c] = T(1);
    if (const Status s = project_motion(level, half_); !s.ok()) return s;
    for (int k = 0; k < nv(); ++k) N(k, c) = half_[k];
  }
  return {};
}

/// Forces of one level, in its place among the rows; nothing elsewhere.
template <FloatingPoint T>
void OperationalSpace<T>::place_inertia(int level, const T* acceleration) const noexcept {
  std::fill(row_.begin(), row_.end(), T(0));
  work_->elimination.apply_inertia(level + first_level_, acceleration, row_.data() + first_row(level));
}

template <FloatingPoint T>
Status OperationalSpace<T>::apply_inertia(int level, In<T> acceleration, Out<T> force) const noexcept {
  const int m = rows_of(level);
  if (const Status s = require_vectors(level, acceleration, m, force.size(), m); !s.ok()) return s;
  place_inertia(level, acceleration.data());
  std::copy_n(row_.data() + first_row(level), m, force.data());
  return {};
}

template <FloatingPoint T>
Status OperationalSpace<T>::apply_consistent_inverse(int level, In<T> acceleration, Out<T> nu) const noexcept {
  if (const Status s = require_vectors(level, acceleration, rows_of(level), nu.size(), nv()); !s.ok()) return s;
  place_inertia(level, acceleration.data());
  work_->elimination.expand(level + first_level_, row_.data());
  op_.joint_response(row_, nu);
  return {};
}

template <FloatingPoint T>
Status OperationalSpace<T>::apply_consistent_force(int level, In<T> tau, Out<T> force) const noexcept {
  if (const Status s = require_vectors(level, tau, nv(), force.size(), rows_of(level)); !s.ok()) return s;
  op_.begin_motion(tau, half_, row_);
  work_->elimination.reduce(level + first_level_, row_.data());
  work_->elimination.apply_inertia(level + first_level_, row_.data() + first_row(level), force.data());
  return {};
}

template <FloatingPoint T>
Status OperationalSpace<T>::apply_jacobian_transpose(int level, In<T> force, Out<T> tau) const noexcept {
  if (const Status s = require_vectors(level, force, rows_of(level), tau.size(), nv()); !s.ok()) return s;
  std::fill(row_.begin(), row_.end(), T(0));
  std::copy_n(force.data(), rows(level), row_.data() + first_row(level));
  work_->elimination.expand(level + first_level_, row_.data());
  delassus::apply_jacobian_transpose<T>(model(), state_.kinematics(), state_.rows(), row_, tau, forces_);
  return {};
}

template <FloatingPoint T>
Status OperationalSpace<T>::project_motion(int level, Out<T> nu) const noexcept {
  if (const Status s = require_vectors(level, VectorView<const T>(nu.data(), nu.size()), nv(), nv(), nv()); !s.ok())
    return s;
  apply_jacobian<T>(model(), state_.kinematics(), state_.rows(), VectorView<const T>(nu.data(), nv()), row_, motions_);
  work_->elimination.project(level + first_level_, row_.data());
  op_.joint_response(row_, joint_);
  for (int k = 0; k < nv(); ++k) nu[k] -= joint_[k];
  return {};
}

template <FloatingPoint T>
Status OperationalSpace<T>::project_force(int level, Out<T> tau) const noexcept {
  if (const Status s = require_vectors(level, VectorView<const T>(tau.data(), tau.size()), nv(), nv(), nv()); !s.ok())
    return s;
  op_.begin_motion(VectorView<const T>(tau.data(), nv()), half_, row_);
  work_->elimination.project(level + first_level_, row_.data());
  delassus::apply_jacobian_transpose<T>(model(), state_.kinematics(), state_.rows(), row_, joint_, forces_);
  for (int k = 0; k < nv(); ++k) tau[k] -= joint_[k];
  return {};
}

template <FloatingPoint T>
Status OperationalSpace<T>::apply_inverse_mass(In<T> tau, Out<T> nu) const noexcept {
  if (!status_.ok()) return status_;
  if (const Status s = check_vectors(tau, nv(), nu, nv()); !s.ok()) return s;
  if (const Status s = require_finite<T>(tau); !s.ok()) return s;
  op_.begin_motion(tau, half_, row_);
  std::fill(row_.begin(), row_.end(), T(0));
  op_.end_motion(half_, row_, nu);
  return {};
}

/// Λ (J M⁻¹ h - J̇ν), with h and J̇ν at some velocities.
template <FloatingPoint T>
void OperationalSpace<T>::hold_level(int level, const Velocities<T>& vel, const T* drift, T* force) const noexcept {
  bias_forces<T>(model(), state_.kinematics(), vel, joint_, dynamics_);
  op_.begin_motion(joint_, half_, row_);
  if (drift != nullptr) {
    for (int r = 0; r < num_rows(); ++r) row_[r] -= drift[r];
  }
  work_->elimination.reduce(level + first_level_, row_.data());
  work_->elimination.apply_inertia(level + first_level_, row_.data() + first_row(level), force);
}

template <FloatingPoint T>
Status OperationalSpace<T>::bias_force(int level, Out<T> force) const noexcept {
  if (const Status s = require_force(level, force); !s.ok()) return s;
  hold_level(level, state_.velocities(), state_.drift().data(), force.data());
  return {};
}

template <FloatingPoint T>
Status OperationalSpace<T>::gravity_force(int level, Out<T> force) const noexcept {
  if (const Status s = require_force(level, force); !s.ok()) return s;
  std::fill(joint_.begin(), joint_.end(), T(0));
  update_velocities<T>(model(), state_.kinematics(), joint_, still_);
  hold_level(level, still_, nullptr, force.data());
  return {};
}

template <FloatingPoint T>
Status OperationalSpace<T>::accelerate(In<T> acceleration, In<T> nu, Out<T> qdd, Out<T> force) const noexcept {
  if (!status_.ok()) return status_;
  const Status s = check_sizes({{0, acceleration.size(), num_rows()},
                                {1, nu.size(), nv()},
                                {2, qdd.size(), nv()},
                                {3, force.size(), num_rows()}});
  if (!s.ok()) return s;
  apply_jacobian<T>(model(), state_.kinematics(), state_.rows(), nu, row_, motions_);
  for (int r = 0; r < num_rows(); ++r) force[r] = acceleration[r] - state_.drift()[r] - row_[r];
  work_->elimination.solve(force.data());
  op_.joint_response(VectorView<const T>(force.data(), num_rows()), joint_);
  for (int k = 0; k < nv(); ++k) qdd[k] = nu[k] + joint_[k];
  return require_finite<T>(VectorView<const T>(qdd.data(), nv()));
}

template class OperationalSpace<float>;
template class OperationalSpace<double>;

}  // namespace delassus
