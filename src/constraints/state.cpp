#include "delassus/constraints/state.hpp"

#include <algorithm>

#include "delassus/math/instantiate.hpp"

namespace delassus {
namespace {

/// Jν from the velocities of links, which are known already.
template <class T>
void read_row_velocity(const ConstraintRows<T>& rows, const Velocities<T>& vel, std::vector<T>& out) {
  for (T& x : out) x = T(0);
  for (const RowBlock& block : rows.blocks) {
    const Motion<T> motion = vel.velocity[block.link];
    for (int r = 0; r < block.rows; ++r) {
      out[block.first_row + r] += dot(motion, row_wrench(rows, block, r, Vec3<T>::zero()));
    }
  }
  for_each_entry(rows, [&](int row, int v, const T& weight) { out[row] += weight * vel.v[v]; });
}

}  // namespace

template <class T>
State<T>::State(const Model& model, std::span<const Constraint> constraints) : model_(model), kin_(model), vel_(model) {
  set_constraints(constraints);
}

template <class T>
void State<T>::set_constraints(std::span<const Constraint> constraints) {
  lower_structure(model_, constraints, rows_);
  // Those that are too many stay, so that their names need no memory when they are needed again.
  if (constraints_.size() < constraints.size()) constraints_.resize(constraints.size());
  count_ = constraints.size();
  std::copy(constraints.begin(), constraints.end(), constraints_.begin());
  velocity_.assign(static_cast<std::size_t>(rows_.num_rows()), T(0));
  drift_.assign(static_cast<std::size_t>(rows_.num_rows()), T(0));
}

template <class T>
void State<T>::move_constraints(std::span<const Constraint> constraints) {
  require_size("constraints", static_cast<int>(constraints.size()), static_cast<int>(count_));
  std::copy(constraints.begin(), constraints.end(), constraints_.begin());
}

template <class T>
Status State<T>::update(In<T> q) {
  update_kinematics<T>(model_, q, kin_);
  return lower_values<T>(model_, kin_, this->constraints(), rows_);
}

template <class T>
void State<T>::update_velocity(In<T> v) {
  update_velocities<T>(model_, kin_, v, vel_);
  read_row_velocity(rows_, vel_, velocity_);
  constraint_drift<T>(model_, kin_, vel_, this->constraints(), rows_, drift_);
}

template <class T>
Status State<T>::update(In<T> q, In<T> v) {
  const Status status = update(q);
  if (status.ok()) update_velocity(v);
  return status;
}

template <class T>
T State<T>::velocity_terms() const {
  T most(0);
  for (const RowBlock& block : rows_.blocks) {
    for (int r = 0; r < block.rows; ++r) {
      const Force<T> row = row_wrench(rows_, block, r, Vec3<T>::zero());
      most = max(most, size_of_terms(row, vel_.velocity[block.link]));
    }
  }
  for_each_entry(rows_, [&](int, int v, const T& weight) {
    const T term = weight * vel_.v[v];
    most = max(most, max(term, -term));
  });
  return most;
}

template <class T>
void State<T>::target(Out<T> a) const {
  require_size("a", a.size(), num_rows());
  for (int r = 0; r < num_rows(); ++r) a[r] = -drift_[r];
}

// clang 14 compiles members of an instantiated class whose constraints do not hold, hence the second look.

template <class T>
void State<T>::target(const Baumgarte& pull, Out<T> a) const requires FloatingPoint<T> {
  if constexpr (FloatingPoint<T>) {
    position(a);
    stabilised_target<T>(drift_, velocity_, a, pull.stiffness, pull.damping, a);
  }
}

template <class T>
void State<T>::position(Out<T> phi) const requires FloatingPoint<T> {
  if constexpr (FloatingPoint<T>) constraint_positions<T>(model_, kin_, this->constraints(), rows_, phi);
}

#define DELASSUS_INSTANTIATE(T) template class State<T>;
DELASSUS_FOR_EACH_SCALAR(DELASSUS_INSTANTIATE)

}  // namespace delassus
