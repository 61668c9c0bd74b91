// What a mechanism does without forces of constraints, written down with the numbers that an operator of it has factored: accelerations of joints
// and of rows, velocities of rows and their drift.
//
// Where the operator is traced in the axes of the base, so is this. Gravity is the same for all links then, but in other axes: it is left out, and
// is an acceleration of the base that is added afterwards.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "constraints/geometry.hpp"
#include "constraints/point_acceleration.hpp"
#include "delassus/constraints/lower.hpp"
#include "delassus/operators/condensed.hpp"
#include "dynamics/articulated_body.hpp"
#include "dynamics/row_response.hpp"
#include "generate/contact_input.hpp"

namespace delassus::generation {

/// Per row: Jv, J a and J̇v.
template <class T>
struct FreeMotion {
  std::vector<T> acceleration;
  std::vector<T> row_velocity, row_acceleration, row_drift;
};

inline Model without_gravity(const Model& model) {
  ModelDescription description = model.description();
  description.gravity = Vec3<double>::zero();
  return Model(std::move(description));
}

template <class T>
class FreeMotionTracer {
 public:
  /// `base`: from traced axes to those of the world, if they are others; else null. All has to outlive this.
  FreeMotionTracer(const Model& model, std::span<const Constraint> constraints, const Kinematics<T>& kin,
                   const ConstraintRows<T>& rows, const std::vector<ContactInput<T>>& contacts, const Mat3<T>* base)
      : model_(model),
        constraints_(constraints),
        kin_(kin),
        rows_(rows),
        contacts_(contacts),
        base_(base),
        falling_(base == nullptr ? model : without_gravity(model)),
        vel_(model),
        sweep_(model),
        motions_(model) {}

  FreeMotion<T> trace(const CondensedDelassus<T>& op, const std::vector<T>& v, const std::vector<T>& tau) {
    const auto rows = static_cast<std::size_t>(rows_.num_rows());
    FreeMotion<T> out{std::vector<T>(v.size()), std::vector<T>(rows), std::vector<T>(rows), std::vector<T>(rows)};
    update_velocities<T>(model_, kin_, v, vel_);
    apply_jacobian<T>(model_, kin_, rows_, v, out.row_velocity, motions_);
    find_drift(out.row_drift);
    begin_forward_dynamics<T>(falling_, kin_, vel_, op.articulation(), base_ == nullptr ? tau : without_fall(tau),
                              sweep_);
    op.respond_forces(Reach::kAll, sweep_);
    op.respond_motions(Reach::kAll, sweep_);
    out.acceleration = sweep_.joint;
    read_row_response<T>(op.articulation(), rows_, sweep_, out.row_acceleration);
    if (base_ != nullptr) let_fall(out);
    return out;
  }

 private:
  void find_drift(std::vector<T>& drift) {
    constraint_drift<T>(model_, kin_, vel_, constraints_, rows_, drift);
    for (std::size_t e = 0; e < constraints_.size(); ++e) {
      if (const auto* contact = std::get_if<PointContact>(&constraints_[e])) {
        project(rows_.spans[e], motion_of(static_cast<int>(e), *contact), drift);
      } else if (const auto* loop = std::get_if<LoopClosure>(&constraints_[e]);
                 base_ != nullptr && loop != nullptr && loop->axes == LoopAxes::kWorldAxes) {
        project(rows_.spans[e], motion_of(*loop), drift);
      }
    }
  }

  RelativeAcceleration<T> motion_of(int constraint, const PointContact& contact) const {
    const PlacedPoint<T> placed(model_, kin_, contact.a);
    const ContactInput<T>* in = input_of(constraint);
    const Vec3<T> lever = in == nullptr ? placed.lever : lever_of(*in, model_, kin_, contact);
    return contact_acceleration(kin_, vel_, placed.link, model_.frame(contact.b).link, lever);
  }

  /// In axes of the world each body has its own point.
  RelativeAcceleration<T> motion_of(const LoopClosure& loop) const {
    const PlacedPoint<T> a(model_, kin_, loop.first), b(model_, kin_, loop.second);
    return {point_acceleration(vel_, a.link, a.lever) - point_acceleration(vel_, b.link, b.lever),
            vel_.bias_acceleration[a.link].angular - vel_.bias_acceleration[b.link].angular};
  }

  /// Along the directions that the rows have: those of their first block, which are of the first body, or of the second if the first is the world.
  void project(const RowSpan& span, const RelativeAcceleration<T>& motion, std::vector<T>& drift) const {
    if (span.blocks == 0) return;
    const RowBlock& block = rows_.blocks[span.first_block];
    const bool is_second = block.link != first_link(span);
    for (int r = 0; r < block.rows; ++r) {
      const T* d = &rows_.values[block.value + 3 + 3 * r];
      const T along = dot(Vec3<T>{{d[0], d[1], d[2]}}, r < block.linear ? motion.linear : motion.angular);
      drift[block.first_row + r] = is_second ? -along : along;
    }
  }
  int first_link(const RowSpan& span) const {
    const Constraint& c = constraints_[static_cast<std::size_t>(&span - rows_.spans.data())];
    const auto* contact = std::get_if<PointContact>(&c);
    return model_.frame(contact != nullptr ? contact->a.frame : std::get<LoopClosure>(c).first.frame).link;
  }

  /// Everything with the base. What holds links to each other does not feel it.
  /// Gravity along an axis of the base's joint; the traced base is where it is placed.
  T gravity_along(int k) const {
    const Mat3<T> child = *base_ * cast<T>(model_.link(0).placement.R);
    return dot(column(child, k), cast<T>(model_.gravity()));
  }

  /// Armature of the base has no weight: it takes a force to let it fall with the links.
  std::vector<T> without_fall(std::vector<T> tau) const {
    for (int k = 0; k < 3; ++k) {
      const int v = model_.link(0).v + 3 + k;
      tau[v] -= T(model_.armature()[v]) * gravity_along(k);
    }
    return tau;
  }

  void let_fall(FreeMotion<T>& out) const {
    const Vec3<T> gravity = cast<T>(model_.gravity());
    for (int k = 0; k < 3; ++k) out.acceleration[model_.link(0).v + 3 + k] += gravity_along(k);
    for (std::size_t e = 0; e < constraints_.size(); ++e) {
      const auto* contact = std::get_if<PointContact>(&constraints_[e]);
      if (contact == nullptr || model_.frame(contact->b).link != kWorld) continue;
      const RowSpan& span = rows_.spans[e];
      for (int r = 0; r < std::min<int>(span.rows, 3); ++r)
        out.row_acceleration[span.first_row + r] += dot(axis(static_cast<int>(e), *contact, r), gravity);
    }
  }

  /// Of the world.
  Vec3<T> axis(int constraint, const PointContact& contact, int k) const {
    const ContactInput<T>* in = input_of(constraint);
    return in == nullptr ? contact_axis<T>(contact, k)
                         : Vec3<T>{{in->axes.a[3 * k], in->axes.a[3 * k + 1], in->axes.a[3 * k + 2]}};
  }
  const ContactInput<T>* input_of(int constraint) const {
    const auto at =
        std::find_if(contacts_.begin(), contacts_.end(), [&](const auto& in) { return in.constraint == constraint; });
    return at == contacts_.end() ? nullptr : &*at;
  }

  const Model& model_;
  std::span<const Constraint> constraints_;
  const Kinematics<T>& kin_;
  const ConstraintRows<T>& rows_;
  const std::vector<ContactInput<T>>& contacts_;
  const Mat3<T>* base_;
  Model falling_;
  Velocities<T> vel_;
  Sweep<T> sweep_;
  LinkMotions<T> motions_;
};

}  // namespace delassus::generation
