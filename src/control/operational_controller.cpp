#include "delassus/control/operational_controller.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "delassus/kinematics/kinematics.hpp"
#include "math/finite.hpp"

namespace delassus {
namespace {

/// Of each row.
template <class T>
std::vector<TaskGains> make_gains(std::span<const TaskLevel> levels, const OperationalSpace<T>& space,
                                  const ControllerOptions& options) {
  require_gains("the posture", options.posture);
  require_gains("held rows", options.held);
  std::vector<TaskGains> out(static_cast<std::size_t>(space.held_rows()), options.held);
  for (int k = 0; k < space.num_levels(); ++k) {
    const TaskLevel& level = levels[static_cast<std::size_t>(k)];
    require_gains("level '" + level.name + "'", level.gains);
    out.insert(out.end(), static_cast<std::size_t>(space.rows(k)), level.gains);
  }
  return out;
}

/// A status that leaves a result to go on with.
bool leaves_result(const Status& status) { return ControlStatus(status).leaves_forces(); }

}  // namespace

template <FloatingPoint T>
OperationalController<T>::OperationalController(const Model& model, std::span<const TaskLevel> levels,
                                                std::span<const Constraint> held, const ControllerOptions& options,
                                                const std::optional<Actuation>& actuation)
    : space_(model, levels, held),
      options_(options),
      gains_(make_gains(levels, space_, options)),
      held_(held.begin(), held.end()),
      held_state_(model, held_),
      dynamics_(model, actuation ? *actuation : Actuation(model)),
      contacts_(model, held_, options.supports),
      driven_(static_cast<std::size_t>(model.nv()), false),
      forces_(model) {
  const auto m = static_cast<std::size_t>(space_.num_rows()), n = static_cast<std::size_t>(model.nv());
  for (std::vector<T>* rows : {&row_velocity_, &row_acceleration_, &row_force_, &wanted_, &position_, &force_}) {
    rows->assign(m, T(0));
  }
  for (std::vector<T>* joints : {&push_, &nu_, &qdd_, &load_, &tau_}) joints->assign(n, T(0));
  for (std::vector<T>* rows : {&held_wish_, &held_force_}) rows->assign(space_.held_rows(), T(0));
  for (const std::int32_t k : dynamics_.actuation().driven()) driven_[k] = true;
  dynamics_.reserve(space_.held_rows());
  const std::vector<double> neutral = model.neutral();
  posture_.assign(neutral.begin(), neutral.end());
}

template <FloatingPoint T>
Status OperationalController<T>::require_rows(int task, int size) const noexcept {
  const auto& spans = space_.state().rows().spans;
  if (task < 0 || task >= static_cast<int>(spans.size())) return {Status::Code::kBadArgument, 0};
  return size == spans[task].rows ? Status{} : Status{Status::Code::kBadArgument, 1};
}

template <FloatingPoint T>
void OperationalController<T>::set_rows(int task, int first, const Vec3<double>& velocity,
                                        const Vec3<double>& acceleration) noexcept {
  const int row = space_.state().rows().spans[task].first_row + first;
  for (int k = 0; k < 3; ++k) {
    row_velocity_[row + k] = static_cast<T>(velocity[k]);
    row_acceleration_[row + k] = static_cast<T>(acceleration[k]);
  }
}

template <FloatingPoint T>
Status OperationalController<T>::set_target(int task, const PoseTarget& target) noexcept {
  const std::span<const Constraint> tasks = space_.tasks().constraints();
  if (task < 0 || task >= static_cast<int>(tasks.size())) return {Status::Code::kBadArgument, 0};
  if (const Status s = require_target(target); !s.ok()) return s;
  if (std::holds_alternative<CentreOfMass>(tasks[task])) {
    return set_target(task, PointTarget{target.pose.p, target.velocity.linear, target.acceleration.linear});
  }
  if (const Status s = space_.tasks().set_target(task, target.pose); !s.ok()) return s;
  const auto& loop = std::get<LoopClosure>(tasks[task]);
  if (loop.free_linear == 0) set_rows(task, 0, target.velocity.linear, target.acceleration.linear);
  if (loop.free_angular == 0) {
    set_rows(task, loop.free_linear == 0 ? 3 : 0, target.velocity.angular, target.acceleration.angular);
  }
  return {};
}

template <FloatingPoint T>
Status OperationalController<T>::set_target(int task, const PointTarget& target) noexcept {
  for (const Vec3<double>* part : {&target.velocity, &target.acceleration}) {
    if (const Status s = require_finite<double>(VectorView<const double>(part->a, 3)); !s.ok()) return s;
  }
  if (const Status s = space_.tasks().set_target(task, target.position); !s.ok()) return s;
  set_rows(task, 0, target.velocity, target.acceleration);
  return {};
}

template <FloatingPoint T>
Status OperationalController<T>::set_target(int task, const ScalarTarget& target) noexcept {
  if (!std::isfinite(target.velocity) || !std::isfinite(target.acceleration)) return {Status::Code::kNotFinite, 0};
  if (const Status s = space_.tasks().set_target(task, target.position); !s.ok()) return s;
  const int row = space_.state().rows().spans[task].first_row;
  row_velocity_[row] = static_cast<T>(target.velocity);
  row_acceleration_[row] = static_cast<T>(target.acceleration);
  return {};
}

template <FloatingPoint T>
Status OperationalController<T>::set_acceleration(int task, In<T> rows) noexcept {
  if (const Status s = require_rows(task, rows.size()); !s.ok()) return s;
  if (const Status s = require_finite<T>(rows); !s.ok()) return s;
  std::copy_n(rows.data(), rows.size(), row_acceleration_.data() + space_.state().rows().spans[task].first_row);
  return {};
}

template <FloatingPoint T>
Status OperationalController<T>::set_force(int task, In<T> rows) noexcept {
  if (const Status s = require_rows(task, rows.size()); !s.ok()) return s;
  if (const Status s = require_finite<T>(rows); !s.ok()) return s;
  std::copy_n(rows.data(), rows.size(), row_force_.data() + space_.state().rows().spans[task].first_row);
  loaded_ = true;
  return {};
}

template <FloatingPoint T>
Status OperationalController<T>::set_posture(In<T> q) noexcept {
  if (q.size() != space_.model().nq()) return {Status::Code::kBadArgument, 0};
  difference(space_.model(), posture_, q, nu_);  // no number where a quaternion is none
  if (const Status s = require_finite<T>(q); !s.ok()) return s;
  if (const Status s = require_finite<T>(nu_); !s.ok()) return s;
  std::copy_n(q.data(), q.size(), posture_.data());
  return {};
}

template <FloatingPoint T>
Status OperationalController<T>::set_posture_force(In<T> tau) noexcept {
  if (tau.size() != space_.model().nv()) return {Status::Code::kBadArgument, 0};
  if (const Status s = require_finite<T>(tau); !s.ok()) return s;
  std::copy_n(tau.data(), tau.size(), push_.data());
  pushed_ = true;
  return {};
}

template <FloatingPoint T>
Status OperationalController<T>::set_held_force(In<T> rows) noexcept {
  if (rows.size() != space_.held_rows()) return {Status::Code::kBadArgument, 0};
  if (const Status s = require_finite<T>(rows); !s.ok()) return s;
  std::copy_n(rows.data(), rows.size(), held_wish_.data());
  return {};
}

template <FloatingPoint T>
Status OperationalController<T>::update(In<T> q, In<T> v) noexcept {
  status_ = space_.update(q, v);
  return status_;
}

template <FloatingPoint T>
Status OperationalController<T>::find_posture() noexcept {
  const State<T>& state = space_.state();
  difference(space_.model(), state.kinematics().q, posture_, nu_);
  const T stiffness = static_cast<T>(options_.posture.stiffness), damping = static_cast<T>(options_.posture.damping);
  for (std::size_t k = 0; k < nu_.size(); ++k) {
    nu_[k] = (driven_[k] ? stiffness * nu_[k] : T(0)) - damping * state.velocities().v[k];
  }
  if (!pushed_) return {};
  const Status status = space_.apply_inverse_mass(push_, qdd_);
  for (std::size_t k = 0; status.ok() && k < nu_.size(); ++k) nu_[k] += qdd_[k];
  return status;
}

template <FloatingPoint T>
void OperationalController<T>::find_accelerations() noexcept {
  const State<T>& state = space_.state();
  state.position(position_);
  for (std::size_t r = 0; r < wanted_.size(); ++r) {
    wanted_[r] = pursuing(gains_[r], row_acceleration_[r], row_velocity_[r], state.velocity()[r], position_[r]);
  }
}

template <FloatingPoint T>
ControlStatus OperationalController<T>::solve(Out<T> tau) noexcept {
  if (tau.size() != space_.model().nv()) return {Status::Code::kBadArgument, 0};
  if (!leaves_result(status_)) return status_;
  const State<T>& state = space_.state();
  if (const Status s = find_posture(); !s.ok()) return s;
  find_accelerations();
  if (const Status s = space_.accelerate(wanted_, nu_, qdd_, force_); !s.ok()) return s;
  if (const Status s = held_state_.update(state.kinematics().q, state.velocities().v); !s.ok()) return s;
  held_force_ = held_wish_;
  if (loaded_) {
    apply_jacobian_transpose<T>(state.model(), state.kinematics(), state.rows(), row_force_, load_, forces_);
    for (T& x : load_) x = -x;
  }
  const Status balanced = dynamics_.solve(held_state_, qdd_, load_, tau_, held_force_);
  if (!leaves_result(balanced)) return balanced;
  std::copy(tau_.begin(), tau_.end(), tau.data());
  return {balanced.ok() ? status_ : balanced, contacts_.judge(held_state_, held_force_)};
}

template <FloatingPoint T>
ControlStatus OperationalController<T>::compute(In<T> q, In<T> v, Out<T> tau) noexcept {
  const Status status = update(q, v);
  return leaves_result(status) ? solve(tau) : ControlStatus(status);
}

template class OperationalController<float>;
template class OperationalController<double>;

}  // namespace delassus
