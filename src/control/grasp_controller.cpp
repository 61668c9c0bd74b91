#include "delassus/control/grasp_controller.hpp"

#include <cmath>
#include <string>

#include "delassus/kinematics/frames.hpp"

namespace delassus {
namespace {

std::string hand_name(std::size_t k) { return "hand " + std::to_string(k); }

std::vector<TaskLevel> make_levels(std::span<const Attachment> hands, const HeldObject& object,
                                   const GraspOptions& options) {
  require_size("hands", static_cast<int>(hands.size()), static_cast<int>(object.hands.size()));
  if (!std::isfinite(options.squeeze)) throw Error("option 'squeeze' is not a finite number");
  if (!(options.tolerance > 0)) throw Error("option 'tolerance' has to be above zero");
  require_gains("the object", options.object);
  // The hands have no gains of their own: their accelerations are those of the object.
  TaskLevel level{"hands", {}, {0, 0}, options.singular};
  for (std::size_t k = 0; k < hands.size(); ++k) {
    level.tasks.push_back(make_pose_task(hand_name(k), hands[k], Pose<double>::identity()));
  }
  std::vector<TaskLevel> out{level};
  out.insert(out.end(), options.below.begin(), options.below.end());
  return out;
}

}  // namespace

template <FloatingPoint T>
GraspController<T>::GraspController(const Model& model, std::span<const Attachment> hands, const HeldObject& object,
                                    const GraspOptions& options)
    : controller_(model, make_levels(hands, object, options), options.held, options.controller, options.actuation),
      hands_(hands.begin(), hands.end()),
      object_(object),
      options_(options),
      rows_(static_cast<std::size_t>(object_.rows())),
      forces_(rows_),
      Lambda_(rows_.size() * rows_.size()) {
  // Held constraints come first, whatever their names.
  for (std::size_t k = 0; k < hands_.size(); ++k) tasks_.push_back(static_cast<int>(options.held.size() + k));
}

template <FloatingPoint T>
Status GraspController<T>::set_target(const PoseTarget& target) noexcept {
  if (const Status s = require_target(target); !s.ok())
    return {s.code, s.code == Status::Code::kBadArgument ? 0 : s.index};
  target_ = target;
  has_target_ = true;
  return {};
}

template <FloatingPoint T>
Pose<T> GraspController<T>::hand_pose(std::size_t hand) const noexcept {
  const State<T>& state = controller_.space().state();
  return frame_pose(state.model(), state.kinematics(), hands_[hand].frame) * cast<T>(hands_[hand].offset);
}

/// The object is where its first hand says.
template <FloatingPoint T>
void GraspController<T>::find_object() noexcept {
  const State<T>& state = controller_.space().state();
  const int frame = hands_[0].frame;
  const Pose<T> pose = hand_pose(0);
  const Motion<T> motion = frame_velocity(state.model(), state.kinematics(), state.velocities(), frame);
  object_.update_from_hand(0, pose, shifted(motion, pose.p - frame_pose(state.model(), state.kinematics(), frame).p));
}

/// Hands that hold something else than was said are a mistake that no torque makes good.
template <FloatingPoint T>
Status GraspController<T>::require_grasp() const noexcept {
  const T tolerance = static_cast<T>(options_.tolerance);
  for (std::size_t k = 1; k < hands_.size(); ++k) {
    const Pose<T> is = hand_pose(k), shall = object_.pose() * cast<T>(object_.object().hands[k]);
    if (norm(is.p - shall.p) < tolerance && norm(rotation_log(is.R * transposed(shall.R))) < tolerance) continue;
    return {Status::Code::kInfeasible, controller_.space().first_row(0) + 6 * static_cast<int>(k)};
  }
  return {};
}

template <FloatingPoint T>
void GraspController<T>::find_acceleration() noexcept {
  if (!has_target_) {  // stay where it is
    target_ = {};
    for (int k = 0; k < 9; ++k) target_.pose.R.a[k] = static_cast<double>(object_.pose().R.a[k]);
    for (int k = 0; k < 3; ++k) target_.pose.p[k] = static_cast<double>(object_.pose().p[k]);
    has_target_ = true;
  }
  const Pose<T> wanted = cast<T>(target_.pose);
  const Vec3<T> turn = rotation_log(object_.pose().R * transposed(wanted.R));
  const Vec3<T> way = object_.pose().p - wanted.p;
  const Motion<T>& velocity = object_.velocity();
  const auto row = [&](const Vec3<double>& a, const Vec3<double>& v, const Vec3<T>& is, const Vec3<T>& off, int k) {
    return pursuing(options_.object, static_cast<T>(a[k]), static_cast<T>(v[k]), is[k], off[k]);
  };
  for (int k = 0; k < 3; ++k) {
    acceleration_.linear[k] = row(target_.acceleration.linear, target_.velocity.linear, velocity.linear, way, k);
    acceleration_.angular[k] = row(target_.acceleration.angular, target_.velocity.angular, velocity.angular, turn, k);
  }
}

template <FloatingPoint T>
ControlStatus GraspController<T>::compute(In<T> q, In<T> v, Out<T> tau) noexcept {
  const Status status = controller_.update(q, v);
  if (!status.ok() && status.code != Status::Code::kSingularTask) return status;
  find_object();
  if (const Status s = require_grasp(); !s.ok()) return s;
  find_acceleration();
  object_.hand_accelerations(acceleration_, rows_.data());
  object_.squeeze(static_cast<T>(options_.squeeze), forces_.data());
  const Vec3<T> gravity = cast<T>(controller_.space().model().gravity());
  object_.distribute(object_.load(acceleration_, gravity), forces_.data(), forces_.data());
  for (std::size_t k = 0; k < tasks_.size(); ++k) {
    const int first = 6 * static_cast<int>(k);
    if (const Status s = controller_.set_acceleration(tasks_[k], VectorView<const T>(&rows_[first], 6)); !s.ok())
      return s;
    if (const Status s = controller_.set_force(tasks_[k], VectorView<const T>(&forces_[first], 6)); !s.ok()) return s;
  }
  return controller_.solve(tau);
}

template <FloatingPoint T>
Status GraspController<T>::inertia(MatrixOut<T> out) const noexcept {
  if (out.rows() != 6 || out.cols() != 6) return {Status::Code::kBadArgument, 0};
  const MatrixView<T> hands(Lambda_.data(), object_.rows(), object_.rows());
  if (const Status s = controller_.space().inertia(0, hands); !s.ok()) return s;
  object_.inertia(MatrixView<const T>(hands.data(), hands.rows(), hands.cols()), out);
  return {};
}

template class GraspController<float>;
template class GraspController<double>;

}  // namespace delassus
