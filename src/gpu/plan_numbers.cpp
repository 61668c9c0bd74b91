#include "gpu/plan_numbers.hpp"

#include <algorithm>

#include "delassus/math/error.hpp"

namespace delassus::gpu {
namespace {

[[noreturn]] void refuse(const Constraint& c, const std::string& why) {
  throw Error(std::string(kind_of(c)) + " constraint '" + name_of(c) + "' cannot run on the GPU: " + why +
              "; take it out, or use delassus::Batch");
}

bool moves(const Model& model, int frame) { return model.frame(frame).link != kWorld; }

PointRows of_contact(const Model& model, const Constraint& c, const PointContact& x) {
  if (x.kind != ContactKind::kSliding && x.kind != ContactKind::kFrictionless) refuse(c, "it resists rotation");
  if (moves(model, x.b)) refuse(c, "both of its bodies move");
  if (!moves(model, x.a.frame)) refuse(c, "neither of its bodies moves");
  const Frame& frame = model.frame(x.a.frame);
  return {frame.link, frame.placement * x.a.offset.p, x.axes, row_count(x.kind), x.axes == PointContact{}.axes};
}

/// Held in world axes to what does not move.
PointRows of_pin(const Model& model, const Constraint& c, const LoopClosure& x) {
  const bool is_pin = x.axes == LoopAxes::kWorldAxes && x.free_linear == 0 && x.free_angular == 0b111;
  const bool first = moves(model, x.first.frame), second = moves(model, x.second.frame);
  if (!is_pin) refuse(c, "of loop closures it takes balls in world axes");
  if (first == second) refuse(c, first ? "both of its bodies move" : "neither of its bodies moves");
  const Attachment& a = first ? x.first : x.second;
  const Frame& frame = model.frame(a.frame);
  const double sign = first ? 1 : -1;
  return {frame.link, frame.placement * a.offset.p, Mat3<double>{sign, 0, 0, 0, sign, 0, 0, 0, sign}, 3, false};
}

class Filler {
 public:
  Filler(const Model& model, std::span<const Constraint> constraints, Plan& plan)
      : model_(model), constraints_(constraints), plan_(plan) {
    const int elements = static_cast<int>(plan.elements.size()), slots = plan.num_slots();
    of_slot_ = plan.level ? slot::kLevelNumbers : slot::kNumbers;
    for (int k = 0; plan.base_dof >= 0 && k < kBaseNumbers; ++k) {
      if (model.armature()[at(plan.base_dof + k)] != 0) plan.base_armature = true;
    }
    first_base_ = elements * element::kNumbers + slots * of_slot_;
    plan.numbers.assign(at((first_base_ + (plan.base_armature ? kBaseNumbers : 0)) * plan.lanes), 0.0);
    plan.indices.assign(at((elements * element::kIndices + slots * slot::kIndices) * plan.lanes), -1);
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
    const int c = place.constraint[at(lane)];
    if (c < 0) return;
    const PointRows point = point_rows(model_, constraints_[at(c)]);
    const int elements = static_cast<int>(plan_.elements.size());
    const int n = elements * element::kNumbers + s * of_slot_;
    for (int k = 0; k < 3; ++k) number(n + slot::kPoint + k, lane) = point.point[k];
    for (int k = 0; !plan_.level && k < 9; ++k) number(n + slot::kAxes + k, lane) = point.axes(k / 3, k % 3);
    for (int k = 0; k < point.rows; ++k) {
      index(elements * element::kIndices + s * slot::kIndices + k, lane) = place.row[at(lane)] + k;
    }
  }

  const Model& model_;
  std::span<const Constraint> constraints_;
  Plan& plan_;
  int of_slot_, first_base_;
};

}  // namespace

PointRows point_rows(const Model& model, const Constraint& constraint) {
  if (const auto* contact = std::get_if<PointContact>(&constraint)) return of_contact(model, constraint, *contact);
  if (const auto* loop = std::get_if<LoopClosure>(&constraint)) return of_pin(model, constraint, *loop);
  refuse(constraint, "it takes contacts and pins");
}

void fill_numbers(const Model& model, std::span<const Constraint> constraints, Plan& plan) {
  Filler(model, constraints, plan).fill();
}

}  // namespace delassus::gpu
