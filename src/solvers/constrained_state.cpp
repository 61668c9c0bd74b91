#include "delassus/solvers/constrained_state.hpp"

#include "delassus/dynamics/row_response.hpp"
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
  for (const JointEntry<T>& entry : rows.entries) out[entry.row] += entry.weight * vel.v[entry.v];
}

}  // namespace

template <class T>
ConstrainedState<T>::ConstrainedState(const Model& model, std::span<const Constraint> constraints)
    : model_(&model), kin_(model), vel_(model) {
  set_constraints(constraints);
}

template <class T>
void ConstrainedState<T>::set_constraints(std::span<const Constraint> constraints) {
  lower_structure(*model_, constraints, rows_);
  constraints_ = constraints;
  velocity_.assign(static_cast<std::size_t>(rows_.num_rows()), T(0));
  drift_.assign(static_cast<std::size_t>(rows_.num_rows()), T(0));
}

template <class T>
Status ConstrainedState<T>::update(In<T> q, In<T> v) {
  update_kinematics<T>(*model_, q, kin_);
  update_velocities<T>(*model_, kin_, v, vel_);
  const Status status = lower_values<T>(*model_, kin_, constraints_, rows_);
  if (!status.ok()) return status;
  read_row_velocity(rows_, vel_, velocity_);
  constraint_drift<T>(*model_, kin_, vel_, constraints_, rows_, drift_);
  return {};
}

template <class T>
T ConstrainedState<T>::velocity_terms() const {
  T most(0);
  for (const RowBlock& block : rows_.blocks) {
    for (int r = 0; r < block.rows; ++r) {
      const Force<T> row = row_wrench(rows_, block, r, Vec3<T>::zero());
      most = max(most, size_of_terms(row, vel_.velocity[block.link]));
    }
  }
  for (const JointEntry<T>& entry : rows_.entries) {
    const T term = entry.weight * vel_.v[entry.v];
    most = max(most, max(term, -term));
  }
  return most;
}

template <class T>
void ConstrainedState<T>::target(Out<T> a) const {
  require_size("a", a.size(), num_rows());
  for (int r = 0; r < num_rows(); ++r) a[r] = -drift_[r];
}

// clang 14 compiles members of an instantiated class whose constraints do not hold, hence the second look.

template <class T>
void ConstrainedState<T>::target(const Baumgarte& pull, Out<T> a) const requires FloatingPoint<T> {
  if constexpr (FloatingPoint<T>) {
    position(a);
    stabilised_target<T>(drift_, velocity_, a, pull.stiffness, pull.damping, a);
  }
}

template <class T>
void ConstrainedState<T>::position(Out<T> phi) const requires FloatingPoint<T> {
  if constexpr (FloatingPoint<T>) constraint_positions<T>(*model_, kin_, constraints_, rows_, phi);
}

#define DELASSUS_INSTANTIATE(T) template class ConstrainedState<T>;
DELASSUS_FOR_EACH_SCALAR(DELASSUS_INSTANTIATE)

}  // namespace delassus
