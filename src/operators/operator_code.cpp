#include "operators/operator_code.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <variant>

#include "delassus/constraints/lower.hpp"

namespace delassus {
namespace {

/// Of numbers that were computed from each other on two ways.
constexpr double kRounding = 1e-12;

bool same_inertia(const RigidInertia<double>& a, const RigidInertia<double>& b) {
  return a.mass == b.mass && a.moment == b.moment && a.rotational == b.rotational;
}

bool same_link(const Link& a, const Link& b) {
  return a.parent == b.parent && a.kind == b.kind && a.q == b.q && a.v == b.v && a.pitch == b.pitch &&
         a.placement == b.placement && a.second == b.second && same_inertia(a.inertia, b.inertia);
}

/// Whether all that rows follow from is the same, but for what `update` is given.
bool same_map(const PointContact& a, const PointContact& b) {
  return a.a.frame == b.a.frame && a.b == b.b && a.kind == b.kind;
}
bool same_map(const LoopClosure& a, const LoopClosure& b) {
  return a.first == b.first && a.second == b.second && a.free_linear == b.free_linear &&
         a.free_angular == b.free_angular && a.axes == b.axes;
}
bool same_map(const Distance& a, const Distance& b) { return a.first == b.first && a.second == b.second; }
bool same_map(const JointLimit& a, const JointLimit& b) {
  return a.link == b.link && a.dof == b.dof && a.upper == b.upper;
}
bool same_map(const JointFriction& a, const JointFriction& b) { return a.link == b.link && a.dof == b.dof; }
bool same_map(const JointCoupling& a, const JointCoupling& b) { return a.terms == b.terms; }
bool same_map(const CentreOfMass& /*a*/, const CentreOfMass& /*b*/) { return true; }
bool same_map(const CustomRows& a, const CustomRows& b) {
  return a.rows == b.rows && a.bodies == b.bodies && a.dofs == b.dofs;
}
bool same_map(const JointPolynomial& a, const JointPolynomial& b) {
  return a.link == b.link && a.dof == b.dof && a.other_link == b.other_link && a.other_dof == b.other_dof &&
         a.coefficients == b.coefficients;
}

/// What rows have of one contact.
struct ContactRows {
  int a, b;                   // links
  const double *on_a, *on_b;  // values of its blocks, null on the world
  int directions;
};

ContactRows rows_of(const Model& model, const PointContact& contact, const RowSpan& span,
                    const ConstraintRows<double>& rows) {
  ContactRows r{model.frame(contact.a.frame).link, model.frame(contact.b).link, nullptr, nullptr, span.rows};
  auto block = rows.blocks.begin() + span.first_block;
  if (r.a != kWorld) r.on_a = &rows.values[static_cast<std::size_t>((block++)->value)];
  if (r.b != kWorld) r.on_b = &rows.values[static_cast<std::size_t>(block->value)];
  return r;
}

Vec3<double> vector_at(const double* at) { return {{at[0], at[1], at[2]}}; }

/// Whether the block on b is that on a, seen from there, and further rows repeat the axes.
bool is_one_contact(const ContactRows& r, const Vec3<double>& between) {
  const double* axes = (r.on_a ? r.on_a : r.on_b) + 3;
  for (int k = 9; k < 3 * r.directions; ++k) {
    if (axes[k] != axes[k % 9]) return false;
  }
  if (!r.on_a || !r.on_b) return true;
  for (int k = 0; k < 3 * r.directions; ++k) {
    if (r.on_b[3 + k] != -r.on_a[3 + k]) return false;
  }
  for (int k = 0; k < 3; ++k) {
    const double from_a = r.on_a[k] + between[k];
    if (!(std::abs(r.on_b[k] - from_a) <= kRounding * (std::abs(from_a) + std::abs(r.on_a[k])))) return false;
  }
  return true;
}

bool read_contact(const Model& model, const Kinematics<double>& kin, const PointContact& contact, const ContactRows& r,
                  double* out) {
  const Vec3<double> between = kin.pose[r.a].p - kin.pose[r.b].p;
  if (!is_one_contact(r, between)) return false;
  const Vec3<double> lever = r.on_a ? vector_at(r.on_a) : vector_at(r.on_b) - between;
  const Pose<double>& frame = model.frame(contact.a.frame).placement;
  const Vec3<double> point = transposed(frame.R) * (transposed(kin.pose[r.a].R) * lever - frame.p);
  std::copy_n(point.a, 3, out);
  std::fill(out + 3, out + kContactNumbers, 0.0);  // axes without a row
  for (int k = 0; k < 3 * std::min(r.directions, 3); ++k) out[3 + k] = r.on_a ? r.on_a[3 + k] : -r.on_b[3 + k];
  return true;
}

/// Whether rows of one constraint have the same numbers.
bool same_values(const RowSpan& span, const ConstraintRows<double>& a, const ConstraintRows<double>& b) {
  for (int k = span.first_block; k < span.first_block + span.blocks; ++k) {
    const RowBlock& block = a.blocks[static_cast<std::size_t>(k)];
    if (!std::equal(&a.values[static_cast<std::size_t>(block.value)],
                    &a.values[static_cast<std::size_t>(block.value)] + value_count(block),
                    &b.values[static_cast<std::size_t>(block.value)]))
      return false;
  }
  const auto first = a.weights.begin() + span.first_entry;
  return std::equal(first, first + span.entries, b.weights.begin() + span.first_entry);
}

}  // namespace

int contact_numbers(std::span<const Constraint> constraints) {
  return kContactNumbers * static_cast<int>(std::ranges::count_if(constraints, [](const Constraint& c) {
           return std::holds_alternative<PointContact>(c);
         }));
}

OperatorCode::OperatorCode(const Model& its_model, std::span<const Constraint> its_constraints, bool its_blocks,
                           const OperatorEntry& its_entry, std::shared_ptr<void> its_library)
    : model(its_model),
      constraints(its_constraints.begin(), its_constraints.end()),
      blocks(its_blocks),
      entry(its_entry),
      library(std::move(its_library)) {
  lower_structure(model, constraints, structure);
}

bool OperatorCode::is_of(const Model& other) const {
  return model.is(other) || (std::equal(model.links().begin(), model.links().end(), other.links().begin(),
                                        other.links().end(), same_link) &&
                             model.armature() == other.armature() && model.fixed_moment() == other.fixed_moment() &&
                             model.mass() == other.mass());
}

bool OperatorCode::read_contacts(const StateView<double>& at, ConstraintRows<double>& scratch,
                                 std::span<double> out) const {
  const bool others = out.size() < kContactNumbers * constraints.size();
  if (others && !lower_values<double>(model, at.kin, constraints, scratch).ok()) return false;
  double* next = out.data();
  for (std::size_t e = 0; e < constraints.size(); ++e) {
    const RowSpan& span = structure.spans[e];
    if (const auto* contact = std::get_if<PointContact>(&constraints[e])) {
      if (!read_contact(model, at.kin, *contact, rows_of(model, *contact, span, at.rows), next)) return false;
      next += kContactNumbers;
    } else if (!same_values(span, scratch, at.rows)) {
      return false;
    }
  }
  return true;
}

bool OperatorCode::read_contacts(std::span<const Constraint> others, std::span<double> out) const {
  if (others.size() != constraints.size()) return false;
  double* next = out.data();
  for (std::size_t e = 0; e < constraints.size(); ++e) {
    const bool same = std::visit(
        [&]<class X>(const X& mine) {
          const X* other = std::get_if<X>(&others[e]);
          return other && same_map(mine, *other);
        },
        constraints[e]);
    if (!same) return false;
    if (const auto* contact = std::get_if<PointContact>(&others[e])) {
      next = std::copy_n(contact->a.offset.p.a, 3, next);
      next = std::copy_n(contact->axes.a, 9, next);
    }
  }
  return true;
}

}  // namespace delassus
