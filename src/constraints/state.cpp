#include "delassus/constraints/state.hpp"

#include <algorithm>

#include "math/instantiate.hpp"

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
Status State<T>::move_constraints(std::span<const Constraint> constraints) {
  if (constraints.size() != count_) return {Status::Code::kBadArgument, 0};
  std::copy(constraints.begin(), constraints.end(), constraints_.begin());
  return {};
}

template <class T>
Status State<T>::update(In<T> q) {
  if (const Status s = check_sizes({{0, q.size(), model_.nq()}}); !s.ok()) return s;
  update_kinematics<T>(model_, q, kin_);
  Status lowered;
  const Status same =
      as_status(kTooEarly.index, [&] { lowered = lower_values<T>(model_, kin_, this->constraints(), rows_); });
  return same.ok() ? lowered : same;
}

template <class T>
Status State<T>::update_velocity(In<T> v) {
  if (const Status s = check_sizes({{0, v.size(), model_.nv()}}); !s.ok()) return s;
  update_velocities<T>(model_, kin_, v, vel_);
  read_row_velocity(rows_, vel_, velocity_);
  constraint_drift<T>(model_, kin_, vel_, this->constraints(), rows_, drift_);
  return {};
}

template <class T>
Status State<T>::update(In<T> q, In<T> v) {
  if (const Status s = check_vectors(q, model_.nq(), v, model_.nv()); !s.ok()) return s;
  const Status status = update(q);
  return status.ok() ? update_velocity(v) : status;
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
CallStatus State<T>::target(Out<T> a) const {
  if (const Status s = check_sizes({{0, a.size(), num_rows()}}); !s.ok()) return spoiled(s, a);
  for (int r = 0; r < num_rows(); ++r) a[r] = -drift_[r];
  return {};
}

// clang 14 compiles members of an instantiated class whose constraints do not hold, hence the second look.

template <class T>
CallStatus State<T>::target(const Baumgarte& pull, Out<T> a) const requires FloatingPoint<T> {
  if constexpr (FloatingPoint<T>) {
    if (a.size() != num_rows()) return spoiled(Status{Status::Code::kBadArgument, 1}, a);
    position(a);
    stabilised_target<T>(drift_, velocity_, a, pull.stiffness, pull.damping, a);
  }
  return {};
}

template <class T>
CallStatus State<T>::position(Out<T> phi) const requires FloatingPoint<T> {
  if (const Status s = check_sizes({{0, phi.size(), num_rows()}}); !s.ok()) return spoiled(s, phi);
  if constexpr (FloatingPoint<T>) constraint_positions<T>(model_, kin_, this->constraints(), rows_, phi);
  return {};
}

#define DELASSUS_INSTANTIATE(T) template class State<T>;
DELASSUS_FOR_EACH_SCALAR(DELASSUS_INSTANTIATE)

}  // namespace delassus
