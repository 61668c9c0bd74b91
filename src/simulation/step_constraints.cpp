#include "simulation/step_constraints.hpp"

#include <algorithm>
#include <cmath>
#include <variant>

#include "delassus/kinematics/frames.hpp"

namespace delassus {
namespace {

/// Joint velocity, in radians or metres per second, that impacts may change by within a step: limits that could be reached so take part.
constexpr double kSuddenVelocity = 100;

template <class C>
bool same_dof(const C& a, const C& b) {
  return a.link == b.link && a.dof == b.dof;
}
bool same_place(const JointFriction& a, const JointFriction& b) { return same_dof(a, b); }
bool same_place(const JointLimit& a, const JointLimit& b) { return same_dof(a, b) && a.upper == b.upper; }

/// Of the model's own, those that the scene has no other for.
template <class C>
std::vector<C> others(const std::vector<Constraint>& own, std::span<const Constraint> scene) {
  std::vector<C> out;
  for (const Constraint& c : own) {
    const C& mine = std::get<C>(c);
    const bool replaced = std::ranges::any_of(scene, [&](const Constraint& s) {
      const C* theirs = std::get_if<C>(&s);
      return theirs != nullptr && same_place(*theirs, mine);
    });
    if (!replaced) out.push_back(mine);
  }
  return out;
}

}  // namespace

ForceSet force_set(const ContactMaterial& material) {
  if (material.condim == 1 || material.friction[0] == 0) return {SetKind::kNonNegative};
  ForceSet set{SetKind::kFrictionCone};
  set.mu = material.friction[0];
  if (material.condim >= 4) set.mu_torsion = material.friction[1];
  if (material.condim >= 6) set.mu_rolling = material.friction[2];
  return set;
}

ContactKind contact_kind(const ContactMaterial& material) {
  if (material.condim == 1 || material.friction[0] == 0) return ContactKind::kFrictionless;
  if (material.condim == 3) return ContactKind::kSliding;
  return material.condim == 4 ? ContactKind::kTorsional : ContactKind::kRolling;
}

std::vector<JointLimit> make_limits(const Model& model, std::span<const Constraint> scene, bool own) {
  std::vector<JointLimit> out;
  for (const Constraint& c : scene) {
    if (const auto* limit = std::get_if<JointLimit>(&c)) out.push_back(*limit);
  }
  if (!own) return out;
  for (JointLimit& limit : others<JointLimit>(make_joint_limits(model), scene)) out.push_back(std::move(limit));
  return out;
}

bool holds_position(const Constraint& c) {
  return set_of(c).kind == SetKind::kEquality && !std::holds_alternative<CustomRows>(c) &&
         !std::holds_alternative<PointContact>(c);
}

double room_to(const JointLimit& limit, const Model& model, std::span<const double> q) {
  const double at = q[static_cast<std::size_t>(model.link(limit.link).q + limit.dof)];
  return limit.upper ? limit.bound - at : at - limit.bound;
}

Violation worst_limit(const Model& model, std::span<const JointLimit> limits, std::span<const double> q) {
  Violation worst;
  for (std::size_t k = 0; k < limits.size(); ++k) {
    const double excess = -room_to(limits[k], model, q);
    if (!(excess <= worst.value)) worst = {excess, static_cast<int>(k)};
  }
  return worst;
}

Violation worst_opening(const Model& model, const Kinematics<double>& kin, std::span<const Constraint> constraints,
                        const ConstraintRows<double>& rows, std::span<double> position) {
  Violation worst;
  constraint_positions<double>(model, kin, constraints, rows, position);
  for (std::size_t c = 0; c < constraints.size(); ++c) {
    if (!holds_position(constraints[c])) continue;
    for (int r = rows.spans[c].first_row; r < rows.spans[c].first_row + rows.spans[c].rows; ++r) {
      const double opening = std::abs(position[static_cast<std::size_t>(r)]);
      if (!(opening <= worst.value)) worst = {opening, static_cast<int>(c)};
    }
  }
  return worst;
}

StepConstraints::StepConstraints(const Model& model, std::span<const Constraint> scene, const JointLaws& laws,
                                 const StepConstraintOptions& options) {
  for (const Constraint& c : scene) {
    require_valid(model, c);
    if (!std::holds_alternative<JointLimit>(c) && !std::holds_alternative<PointContact>(c)) all_.push_back(c);
  }
  limits_ = make_limits(model, scene, options.joint_limits);
  if (options.joint_friction) {
    for (JointFriction& f : others<JointFriction>(make_joint_friction(model), scene)) all_.emplace_back(std::move(f));
  }
  first_drive_ = static_cast<int>(all_.size());
  for (std::size_t k = 0; k < laws.drives().size(); ++k) {
    const Drive& d = laws.drives()[k];
    if (!d.row) continue;
    drives_.push_back(static_cast<int>(k));
    all_.emplace_back(JointFriction{model.joint_name(d.link) + " motor", d.link, d.dof, {SetKind::kBox, d.limit}});
  }
  num_lasting_ = static_cast<int>(all_.size());
  for (const Constraint& c : all_) lasting_rows_ += row_count(c);
  active_.reserve(limits_.size());
  capacity_ = num_lasting_ + static_cast<int>(limits_.size()) + options.contacts;
  all_.reserve(static_cast<std::size_t>(capacity_));
  rows_.reserve(capacity_);
  lower_structure<double>(model, all_, rows_);
}

void StepConstraints::take_motor_limits(const JointLaws& laws) {
  for (std::size_t k = 0; k < drives_.size(); ++k) {
    const auto at = static_cast<std::size_t>(first_drive_) + k;
    const double limit = laws.drives()[static_cast<std::size_t>(drives_[k])].limit;
    std::get<JointFriction>(all_[at]).set.bound = limit;
    rows_.sets[at].bound = limit;
  }
}

bool StepConstraints::update(const Model& model, const Kinematics<double>& kin, std::span<const double> v, double dt,
                             const CollisionWorld& world, std::span<const int> near) {
  list_limits(kin, model, v, dt);
  const std::size_t first = static_cast<std::size_t>(first_contact()), count = near.size();
  if (all_.size() != first + count) {
    all_.resize(first + count);
    changed_ = true;
  }
  for (std::size_t k = 0; k < count; ++k) {
    put_contact(first + k, model, kin, world, world.contacts()[static_cast<std::size_t>(near[k])]);
  }
  const bool changed = changed_;
  if (changed) lower_structure<double>(model, all_, rows_);
  changed_ = false;
  return changed;
}

/// The constraint of that kind at that place; a new one if there is another.
template <class C>
C& StepConstraints::place(std::size_t index) {
  if (index >= all_.size()) {
    changed_ = true;
    all_.emplace_back(C{});
  }
  if (auto* here = std::get_if<C>(&all_[index])) return *here;
  changed_ = true;
  return all_[index].emplace<C>();
}

void StepConstraints::list_limits(const Kinematics<double>& kin, const Model& model, std::span<const double> v,
                                  double dt) {
  active_.clear();
  for (std::size_t k = 0; k < limits_.size(); ++k) {
    const JointLimit& limit = limits_[k];
    const Link& link = model.link(limit.link);
    const double sign = limit.upper ? -1.0 : 1.0;
    const double room = room_to(limit, model, kin.q);
    const double closing = sign * dt * v[static_cast<std::size_t>(link.v + limit.dof)];
    if (room + std::min(closing, 0.0) > dt * kSuddenVelocity) continue;
    auto& here = place<JointLimit>(static_cast<std::size_t>(num_lasting_) + active_.size());
    active_.push_back(static_cast<int>(k));
    if (!same_place(here, limit) || !(here.set == limit.set)) changed_ = true;
    here.link = limit.link;
    here.dof = limit.dof;
    here.upper = limit.upper;
    here.bound = limit.bound;
    here.set = limit.set;
  }
}

void StepConstraints::put_contact(std::size_t index, const Model& model, const Kinematics<double>& kin,
                                  const CollisionWorld& world, const WorldContact& contact) {
  auto& here = place<PointContact>(index);
  const int a = model.body_frame(world.shapes()[static_cast<std::size_t>(contact.shape_a)].body);
  const int b = model.body_frame(world.shapes()[static_cast<std::size_t>(contact.shape_b)].body);
  const ContactMaterial material = world.material(contact.shape_a, contact.shape_b);
  const ContactKind kind = contact_kind(material);
  const ForceSet set = force_set(material);
  if (here.a.frame != a || here.b != b || here.kind != kind || !(here.set == set)) {
    changed_ = true;
    here.a.frame = a;
    here.b = b;
    here.kind = kind;
    here.set = set;
  }
  const Pose<double> pose = frame_pose(model, kin, a);
  here.a.offset.p = transposed_times(pose.R, contact.position - pose.p);
  here.axes = contact_axes(contact.normal);
  here.gap = contact.gap;
}

}  // namespace delassus
