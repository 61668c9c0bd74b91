#include "gpu/plan_numbers.hpp"

#include <algorithm>
#include <limits>

#include "delassus/constraints/constrained_model.hpp"
#include "delassus/math/error.hpp"
#include "delassus/operators/operator.hpp"
#include "delassus/solvers/contact_problem.hpp"

namespace delassus::gpu {
namespace {

/// Of a cone; none for a limit; -1 for what is held.
double friction_of(const ForceSet& set) {
  return set.kind == SetKind::kFrictionCone ? set.mu : set.kind == SetKind::kNonNegative ? 0 : -1;
}

bool moves(const Model& model, int frame) { return model.frame(frame).link != kWorld; }

PointRows of_contact(const Model& model, const Constraint& c, const PointContact& x) {
  if (x.kind != ContactKind::kSliding && x.kind != ContactKind::kFrictionless) refuse(c, "it resists rotation");
  if (moves(model, x.b)) refuse(c, "both of its bodies move");
  if (!moves(model, x.a.frame)) refuse(c, "neither of its bodies moves");
  const Frame& frame = model.frame(x.a.frame);
  return {frame.link,        frame.placement * x.a.offset.p, x.axes,
          row_count(x.kind), x.axes == PointContact{}.axes,  friction_of(x.set)};
}

Rows of_ball(const Model& model, const Constraint& c, const LoopClosure& x) {
  const bool is_ball = x.axes == LoopAxes::kWorldAxes && x.free_linear == 0 && x.free_angular == 0b111;
  if (!is_ball) refuse(c, "of loop closures it takes balls in world axes");
  const auto place = [&](const Attachment& a) { return model.frame(a.frame).placement * a.offset.p; };
  const int first = model.frame(x.first.frame).link, second = model.frame(x.second.frame).link;
  if (first == second) refuse(c, first == kWorld ? "neither of its bodies moves" : "both of its ends are on one link");
  if (first != kWorld && second != kWorld) return LoopRows{first, second, place(x.first), place(x.second)};
  const double sign = first != kWorld ? 1 : -1;
  return PointRows{first != kWorld ? first : second,
                   place(first != kWorld ? x.first : x.second),
                   Mat3<double>{sign, 0, 0, 0, sign, 0, 0, 0, sign},
                   3,
                   false,
                   friction_of(x.set)};
}

Rows of_joint(const Model& model, const Constraint& c, int link, int dof, double sign) {
  if (model.link(link).kind == JointKind::kFree) refuse(c, "its joint is the free base");
  const ForceSet& set = set_of(c);
  const double infinity = std::numeric_limits<double>::infinity();
  const double high = set.kind == SetKind::kBox ? set.bound : infinity;
  return JointRow{link, dof, sign, set.kind == SetKind::kNonNegative ? 0 : -high, high};
}

/// What velocity a unit impulse gives each row, in some posture: solvers need no more than the size of it.
std::vector<double> mobilities(const Model& model, std::span<const Constraint> constraints, int rows) {
  std::vector<double> out(at(rows), 1.0), x(at(rows)), y(at(rows));
  Operator op(model, {constraints.begin(), constraints.end()});
  if (rows == 0 || !op.update(make_general_configuration(model)).ok()) return out;
  for (int r = 0; r < rows; ++r) {
    x[at(r)] = 1;
    if (op.apply(x, y).ok() && y[at(r)] > kImmovable) out[at(r)] = y[at(r)];
    x[at(r)] = 0;
  }
  return out;
}

class Filler {
 public:
  Filler(const Model& model, std::span<const Constraint> constraints, Plan& plan)
      : model_(model), constraints_(constraints), plan_(plan) {
    const int elements = static_cast<int>(plan.elements.size()), slots = plan.num_slots();
    const int loops = static_cast<int>(plan.loops.size());
    mobilities_ = mobilities(model, constraints, plan.rows);
    of_slot_ = plan.level ? slot::kLevelNumbers : slot::kNumbers;
    for (int k = 0; plan.base_dof >= 0 && k < kBaseNumbers; ++k) {
      if (model.armature()[at(plan.base_dof + k)] != 0) plan.base_armature = true;
    }
    first_slot_ = elements * element::kNumbers;
    first_loop_ = elements * element::kNumbers + slots * of_slot_;
    const int joint_rows = static_cast<int>(plan.joint_rows.size());
    first_joint_row_ = first_loop_ + loops * loop::kNumbers;
    first_base_ = first_joint_row_ + joint_rows * joint_row::kNumbers;
    plan.numbers.assign(at((first_base_ + (plan.base_armature ? kBaseNumbers : 0)) * plan.lanes), 0.0);
    first_loop_index_ = elements * element::kIndices + slots * slot::kIndices;
    first_joint_row_index_ = first_loop_index_ + loops * loop::kIndices;
    plan.indices.assign(at((first_joint_row_index_ + joint_rows * joint_row::kIndices) * plan.lanes), -1);
  }

  void fill() {
    int s = 0;
    for (int i = 0; i < static_cast<int>(plan_.elements.size()); ++i) {
      for (int lane = 0; lane < plan_.lanes; ++lane) fill_element(i, lane);
      for (const PointSlot& slot : plan_.slots[at(i)]) {
        for (int lane = 0; lane < plan_.lanes; ++lane) fill_slot(s, slot, lane);
        ++s;
      }
    }
    for (int l = 0; l < static_cast<int>(plan_.loops.size()); ++l) {
      for (int lane = 0; lane < plan_.lanes; ++lane) fill_loop(l, lane);
    }
    for (int r = 0; r < static_cast<int>(plan_.joint_rows.size()); ++r) {
      for (int lane = 0; lane < plan_.lanes; ++lane) fill_joint_row(r, lane);
    }
    for (int k = 0; plan_.base_armature && k < kBaseNumbers; ++k) {
      for (int lane = 0; lane < plan_.lanes; ++lane)
        number(first_base_ + k, lane) = model_.armature()[at(plan_.base_dof + k)];
    }
  }

 private:
  double& number(int k, int lane) { return plan_.numbers[at(k * plan_.lanes + lane)]; }
  std::int32_t& index(int k, int lane) { return plan_.indices[at(k * plan_.lanes + lane)]; }

  /// A lane without a link has an element without mass, whose joint has armature.
  void fill_element(int i, int lane) {
    const Element& e = plan_.elements[at(i)];
    const int n = i * element::kNumbers, link = e.link[at(lane)];
    const auto put_rotation = [&](const Mat3<double>& R) {
      for (int k = 0; k < 9; ++k) number(n + element::kRotation + k, lane) = R(k / 3, k % 3);
    };
    put_rotation(Mat3<double>::identity());
    number(n + element::kArmature, lane) = 1;
    if (link < 0) return;
    const Link& l = model_.link(link);
    const bool first = e.coordinate == 0 && e.dof == 0;
    if (first) {
      put_rotation(l.placement.R);
      for (int k = 0; k < 3; ++k) number(n + element::kTranslation + k, lane) = l.placement.p[k];
    } else if (l.kind == JointKind::kUniversal) {
      put_rotation(l.second);
    }
    number(n + element::kArmature, lane) = model_.armature()[at(l.v + e.dof)];
    number(n + element::kPitch, lane) = l.pitch;
    index(i * element::kIndices + element::kCoordinate, lane) = l.q + e.coordinate;
    index(i * element::kIndices + element::kDof, lane) = l.v + e.dof;
    if (e.massive) fill_mass(n, l.inertia, lane);
  }

  void fill_mass(int n, const RigidInertia<double>& inertia, int lane) {
    number(n + element::kMass, lane) = inertia.mass;
    for (int k = 0; k < 3; ++k) number(n + element::kMoment + k, lane) = inertia.moment[k];
    int k = element::kInertia;
    for (int r = 0; r < 3; ++r) {
      for (int c = r; c < 3; ++c) number(n + k++, lane) = inertia.rotational(r, c);
    }
  }

  void fill_slot(int s, const PointSlot& place, int lane) {
    const int c = place.constraint[at(lane)], first = first_slot_ + s * of_slot_;
    number(first + slot::kMobility, lane) = 1;
    if (c < 0) return;
    const auto point = std::get<PointRows>(rows_of(model_, constraints_[at(c)]));
    const int elements = static_cast<int>(plan_.elements.size());
    const int n = first;
    for (int k = 0; k < 3; ++k) number(n + slot::kPoint + k, lane) = point.point[k];
    for (int k = 0; !plan_.level && k < 9; ++k) number(n + slot::kAxes + k, lane) = point.axes(k / 3, k % 3);
    double mobility = 0;
    for (int k = 0; k < point.rows; ++k) mobility += mobilities_[at(place.row[at(lane)] + k)] / point.rows;
    number(n + slot::kMobility, lane) = mobility;
    number(n + slot::kFriction, lane) = point.friction;
    for (int k = 0; k < point.rows; ++k) {
      index(elements * element::kIndices + s * slot::kIndices + k, lane) = place.row[at(lane)] + k;
    }
  }

  void fill_loop(int l, int lane) {
    const LoopSlot& place = plan_.loops[at(l)];
    const int c = place.constraint[at(lane)];
    if (c < 0) return;
    const auto rows = std::get<LoopRows>(rows_of(model_, constraints_[at(c)]));
    const bool in_order = plan_.last_element[at(rows.first)] == place.a;
    const Vec3<double>&a = in_order ? rows.point_on_first : rows.point_on_second,
          &b = in_order ? rows.point_on_second : rows.point_on_first;
    const int n = first_loop_ + l * loop::kNumbers;
    for (int k = 0; k < 3; ++k)
      number(n + loop::kPoint + k, lane) = a[k], number(n + loop::kPoint + 3 + k, lane) = b[k];
    number(n + loop::kSign, lane) = in_order ? 1 : -1;
    index(first_loop_index_ + l, lane) = place.row[at(lane)];
  }

  void fill_joint_row(int r, int lane) {
    const JointRowSlot& place = plan_.joint_rows[at(r)];
    const int n = first_joint_row_ + r * joint_row::kNumbers;
    number(n + joint_row::kStiffness, lane) = 1;
    if (place.constraint[at(lane)] < 0) return;
    const auto row = std::get<JointRow>(rows_of(model_, constraints_[at(place.constraint[at(lane)])]));
    number(n + joint_row::kSign, lane) = row.sign;
    number(n + joint_row::kStiffness, lane) = 1 / mobilities_[at(place.row[at(lane)])];
    number(n + joint_row::kLow, lane) = row.low;
    number(n + joint_row::kHigh, lane) = row.high;
    index(first_joint_row_index_ + r, lane) = place.row[at(lane)];
  }

  const Model& model_;
  std::span<const Constraint> constraints_;
  Plan& plan_;
  std::vector<double> mobilities_;  // of each row
  int of_slot_, first_slot_, first_loop_, first_loop_index_, first_joint_row_, first_joint_row_index_, first_base_;
};

}  // namespace

void refuse(const Constraint& c, const std::string& why) {
  throw Error(std::string(kind_of(c)) + " constraint '" + name_of(c) + "' cannot run on the GPU: " + why +
              "; take it out, or use delassus::Batch");
}

Rows rows_of(const Model& model, const Constraint& constraint) {
  if (const auto* contact = std::get_if<PointContact>(&constraint)) return of_contact(model, constraint, *contact);
  if (const auto* loop = std::get_if<LoopClosure>(&constraint)) return of_ball(model, constraint, *loop);
  if (const auto* limit = std::get_if<JointLimit>(&constraint)) {
    return of_joint(model, constraint, limit->link, limit->dof, limit->upper ? -1 : 1);
  }
  if (const auto* friction = std::get_if<JointFriction>(&constraint)) {
    return of_joint(model, constraint, friction->link, friction->dof, 1);
  }
  refuse(constraint, "it takes contacts, pins, balls, joint limits and joint friction");
}

std::string contact_fault(const Model& model, std::span<const Constraint> constraints) {
  for (const Constraint& c : constraints) {
    const auto rows = rows_of(model, c);
    const ForceSet& set = set_of(c);
    const auto fault = [&](const char* why) {
      return std::string(kind_of(c)) + " constraint '" + name_of(c) + "' " + why;
    };
    if (std::holds_alternative<LoopRows>(rows)) return fault("is a loop");
    if (const auto* point = std::get_if<PointRows>(&rows)) {
      const bool limit = set.kind == SetKind::kNonNegative && point->rows == 1;
      const bool cone = set.kind == SetKind::kFrictionCone && set.mu_across == 0;
      if (!limit && !cone && set.kind != SetKind::kEquality)
        return fault("has another set of forces than a round cone of friction");
    }
  }
  return "";
}

void fill_numbers(const Model& model, std::span<const Constraint> constraints, Plan& plan) {
  Filler(model, constraints, plan).fill();
}

}  // namespace delassus::gpu
