#include "delassus/control/held_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "delassus/constraints/constrained_model.hpp"
#include "delassus/constraints/lower.hpp"
#include "delassus/kinematics/frames.hpp"

namespace delassus {
namespace {

/// Keeps the worse of two, if it is beyond rounding.
void take(ContactExcess& worst, ContactFault fault, int held, double beyond, double limit) {
  if (!(beyond > limit) || fault < worst.fault) return;
  if (fault == worst.fault && beyond <= worst.beyond) return;
  worst = {fault, held, beyond};
}

/// Rows of a contact: normal, two tangents, rotation about the normal, about both tangents.
ContactFault fault_of_row(int row) {
  if (row < 3) return ContactFault::kSlips;
  return row == 3 ? ContactFault::kTwists : ContactFault::kTips;
}

/// ‖λ_t / μ‖ <= λ_n, named after the row that takes the largest share.
template <class T>
void judge_cone(const ForceBlock& block, const T* force, int held, double limit, ContactExcess& worst) {
  const double normal = std::max(0.0, static_cast<double>(force[0]));
  take(worst, ContactFault::kPulls, held, -static_cast<double>(force[0]), limit);
  double sum = 0, most = 0;
  int row = 0;
  for (int r = 1; r < block.rows; ++r) {
    const double mu = block.mu[static_cast<std::size_t>(r - 1)], load = std::abs(static_cast<double>(force[r]));
    if (mu == 0) {
      take(worst, fault_of_row(r), held, load, limit);
      continue;
    }
    sum += (load / mu) * (load / mu);
    if (load / mu <= most) continue;
    most = load / mu;
    row = r;
  }
  if (row == 0) return;
  const double mu = block.mu[static_cast<std::size_t>(row - 1)];
  take(worst, fault_of_row(row), held, mu * (std::sqrt(sum) - normal), limit);
}

template <class T>
void judge_set(const ForceBlock& block, const T* force, int held, double limit, ContactExcess& worst) {
  if (block.kind == SetKind::kFrictionCone) return judge_cone(block, force, held, limit, worst);
  for (int r = 0; r < block.rows; ++r) {
    const auto f = static_cast<double>(force[r]);
    if (block.kind == SetKind::kNonNegative) take(worst, ContactFault::kPulls, held, -f, limit);
    if (block.kind == SetKind::kBox) take(worst, ContactFault::kSlips, held, std::abs(f) - block.bound, limit);
  }
}

/// The attachment that a support is about: on the body that moves.
std::optional<Attachment> attachment_of(const Model& model, const Constraint& held) {
  if (const auto* contact = std::get_if<PointContact>(&held)) return contact->a;
  const auto* loop = std::get_if<LoopClosure>(&held);
  if (loop == nullptr) return {};
  return model.frame(loop->first.frame).link == kWorld ? loop->second : loop->first;
}

[[noreturn]] void fail(const Support& support, const std::string& what) {
  throw Error("support of '" + support.held + "' " + what);
}

void require_numbers(const Support& support) {
  if (!(support.mu >= 0) || !(support.mu_torsion >= 0)) fail(support, "has a coefficient of friction below zero");
  for (const Vec3<double>& corner : support.sole) {
    if (!std::isfinite(corner[0] + corner[1] + corner[2])) fail(support, "has a corner that is not finite");
  }
}

int find_held(const Support& support, std::span<const Constraint> held) {
  std::string names;
  for (std::size_t k = 0; k < held.size(); ++k) {
    if (name_of(held[k]) == support.held) return static_cast<int>(k);
    names += (k == 0 ? "" : ", ") + name_of(held[k]);
  }
  fail(support, "names no held constraint; there are: " + (names.empty() ? std::string("none") : names));
}

/// A line has no inside.
bool spans_an_area(const std::vector<Vec3<double>>& points) {
  double area = 0, size = 0;
  for (const Vec3<double>& a : points) {
    for (const Vec3<double>& b : points) {
      area = std::max(area, norm(cross(a - points[0], b - points[0])));
      size = std::max(size, norm(b - a));
    }
  }
  return area > 1e-6 * size * size && size > 0;
}

/// By how much the wrench, about the origin of `corners`, turns over the line from one corner to another; nothing where that is no edge.
template <class T>
T over_edge(const std::vector<Vec3<T>>& corners, const Mat3<T>& R, const Vec3<T>& normal, const Force<T>& wrench,
            std::size_t i, std::size_t j) {
  const Vec3<T> from = R * corners[i], along = R * corners[j] - from;
  const Vec3<T> inwards = cross(normal, along);
  const T length = norm(inwards);
  const T rounding = T(1e-5) * length * length;
  if (!(length > 0)) return 0;
  for (const Vec3<T>& corner : corners) {
    if (dot(R * corner - from, inwards) < -rounding) return 0;
  }
  const Vec3<T> edge = cross(inwards, normal);  // along, in the plane
  return -dot(wrench.moment - cross(from, wrench.force), edge) / length;
}

}  // namespace

template <FloatingPoint T>
HeldContacts<T>::HeldContacts(const Model& model, std::span<const Constraint> held, std::span<const Support> supports) {
  ConstraintRows<double> rows;
  lower_structure(model, held, rows);
  const std::vector<double> still(static_cast<std::size_t>(rows.num_rows()));
  list_force_blocks({.spans = rows.spans, .sets = rows.sets, .free_velocity = still}, sets_);
  for (const Support& support : supports) feet_.push_back(make_foot(model, held, support));
}

template <FloatingPoint T>
typename HeldContacts<T>::Foot HeldContacts<T>::make_foot(const Model& model, std::span<const Constraint> held,
                                                          const Support& support) const {
  require_numbers(support);
  const int index = find_held(support, held);
  const auto place = attachment_of(model, held[static_cast<std::size_t>(index)]);
  if (!place) fail(support, "is of no contact and no loop, which alone stand on something");
  if (model.frame(place->frame).link == kWorld) fail(support, "is of a constraint of the world alone");
  if (!support.sole.empty() && !spans_an_area(support.sole)) {
    fail(support, "needs a sole of at least three corners that lie on no line, or none at all");
  }
  Vec3<double> middle = Vec3<double>::zero();
  for (const Vec3<double>& corner : support.sole) middle += (1.0 / static_cast<double>(support.sole.size())) * corner;
  const Mat3<double> axes = contact_axes(support.normal);
  Foot out{index,
           model.frame(place->frame).link,
           place->frame,
           cast<T>(place->offset),
           cast<T>(Vec3<double>{{axes(0, 0), axes(0, 1), axes(0, 2)}}),
           static_cast<T>(support.mu),
           static_cast<T>(support.mu_torsion),
           {},
           cast<T>(middle)};
  for (const Vec3<double>& corner : support.sole) out.sole.push_back(cast<T>(corner - middle));
  return out;
}

/// Of its constraint, about a point of the world.
template <FloatingPoint T>
Force<T> HeldContacts<T>::wrench_on(const Foot& foot, const State<T>& state, std::span<const T> force,
                                    const Vec3<T>& point) const noexcept {
  const ConstraintRows<T>& rows = state.rows();
  const RowSpan& span = rows.spans[static_cast<std::size_t>(foot.held)];
  const Vec3<T> to_link = state.kinematics().pose[foot.link].p - point;
  Force<T> out = Force<T>::zero();
  for (int b = span.first_block; b < span.first_block + span.blocks; ++b) {
    const RowBlock& block = rows.blocks[static_cast<std::size_t>(b)];
    if (block.link != foot.link) continue;
    for (int r = 0; r < block.rows; ++r) {
      out += scaled(row_wrench(rows, block, r, to_link), force[static_cast<std::size_t>(block.first_row + r)]);
    }
  }
  return out;
}

template <FloatingPoint T>
void HeldContacts<T>::judge_foot(const Foot& foot, const State<T>& state, std::span<const T> force, T limit,
                                 ContactExcess& worst) const noexcept {
  const Pose<T> pose = frame_pose(state.model(), state.kinematics(), foot.frame) * foot.offset;
  const Vec3<T>& n = foot.normal;
  const Force<T> wrench = wrench_on(foot, state, force, pose.p + pose.R * foot.middle);
  const T normal = dot(n, wrench.force), push = std::max(normal, T(0));
  take(worst, ContactFault::kPulls, foot.held, -normal, limit);
  const auto beyond = [&](T load, T mu) { return std::isfinite(mu) ? load - mu * push : T(0); };
  const Vec3<T> along = wrench.force - normal * n;
  take(worst, ContactFault::kSlips, foot.held, beyond(norm(along), foot.mu), limit);
  if (normal > limit) {
    // About the centre of pressure, where the force along the ground acts.
    const Vec3<T> centre = (1 / normal) * cross(n, wrench.moment);
    const T torsion = dot(n, wrench.moment - cross(centre, wrench.force));
    take(worst, ContactFault::kTwists, foot.held, beyond(std::abs(torsion), foot.mu_torsion), limit);
  }
  for (std::size_t i = 0; i < foot.sole.size(); ++i) {
    for (std::size_t j = 0; j < foot.sole.size(); ++j) {
      if (i == j) continue;
      take(worst, ContactFault::kTips, foot.held, over_edge(foot.sole, pose.R, n, wrench, i, j), limit);
    }
  }
}

template <FloatingPoint T>
ContactExcess HeldContacts<T>::judge(const State<T>& state, std::span<const T> force) const noexcept {
  T most(0);
  for (const T f : force) most = std::max(most, std::abs(f));
  const T limit = std::sqrt(std::numeric_limits<T>::epsilon()) * most;
  ContactExcess worst;
  for (std::size_t k = 0; k < sets_.size(); ++k) {
    judge_set(sets_[k], force.data() + sets_[k].row, static_cast<int>(k), limit, worst);
  }
  for (const Foot& foot : feet_) judge_foot(foot, state, force, limit, worst);
  return worst;
}

std::vector<Support> make_supports(const Model& model, const std::vector<double>& q, std::span<const Constraint> held) {
  const std::vector<Constraint> touching = make_ground_contacts(model, q);
  std::vector<Support> out;
  for (const Constraint& c : held) {
    const auto place = std::holds_alternative<LoopClosure>(c) ? attachment_of(model, c) : std::nullopt;
    if (!place) continue;
    const Frame& frame = model.frame(place->frame);
    const Pose<double> to_sole = inverse(frame.placement * place->offset);
    Support support{.held = name_of(c)};
    for (const Constraint& t : touching) {
      const auto& contact = std::get<PointContact>(t);
      const Frame& other = model.frame(contact.a.frame);
      if (other.link != frame.link || other.link == kWorld) continue;
      support.sole.push_back((to_sole * other.placement * contact.a.offset).p);
      if (contact.set.kind == SetKind::kFrictionCone) support.mu = std::min(support.mu, contact.set.mu);
    }
    if (support.sole.empty()) continue;
    if (!spans_an_area(support.sole)) support.sole.clear();
    out.push_back(std::move(support));
  }
  return out;
}

template class HeldContacts<float>;
template class HeldContacts<double>;

}  // namespace delassus
