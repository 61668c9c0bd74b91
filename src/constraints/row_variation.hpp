// What moves the rows of a constraint: which links carry their points and their axes.
#pragma once

#include "constraints/geometry.hpp"
#include "delassus/kinematics/motion_derivatives.hpp"

namespace delassus {

/// Links that carry the point of a block, the axes of its linear rows and those of its angular rows.
struct Carriers {
  int point, axes, spin_axes;
};

inline Carriers carriers_of(const Model& model, const Constraint& constraint, int link) {
  if (const auto* contact = std::get_if<PointContact>(&constraint)) {
    return {frame_of(model, contact->a.frame).link, kWorld, kWorld};
  }
  if (const auto* loop = std::get_if<LoopClosure>(&constraint)) {
    if (loop->axes == LoopAxes::kWorldAxes) return {link, kWorld, kWorld};
    const int first = frame_of(model, loop->first.frame).link;
    return {frame_of(model, loop->second.frame).link, first, universal_axis(*loop) < 0 ? first : kWorld};
  }
  if (std::holds_alternative<CustomRows>(constraint)) return {link, link, link};
  return {link, kWorld, kWorld};
}

/// Row r of a block in parts: the direction that the velocity of the block's point is taken along, and that of the spin.
template <class T>
struct RowParts {
  RowParts(const ConstraintRows<T>& rows, const RowBlock& block, int r) {
    const Force<T> wrench = row_wrench(rows, block, r, Vec3<T>::zero());
    along = wrench.force;
    // About the point of a point block; dense blocks have the link's origin.
    about = block.kind == RowBlock::Kind::kDense || r >= block.linear ? wrench.moment : Vec3<T>::zero();
  }
  Vec3<T> along, about;
};

/// The point of a block in the world.
template <class T>
Vec3<T> point_of(const Kinematics<T>& kin, const ConstraintRows<T>& rows, const RowBlock& block) {
  const Vec3<T>& origin = kin.pose[block.link].p;
  if (block.kind == RowBlock::Kind::kDense) return origin;
  const T* lever = &rows.values[block.value];
  return origin + Vec3<T>{{lever[0], lever[1], lever[2]}};
}

/// From the point of the link's tree, which the vectors of MotionDerivatives are about, to a point of the world.
template <class T>
Vec3<T> from_tree(const Kinematics<T>& kin, const MotionDerivatives<T>& motion, int link, const Vec3<T>& point) {
  return point - kin.pose[link].p + motion.lever[link];
}

/// The block of a span that acts on a link, or -1.
template <class T>
int block_on(const ConstraintRows<T>& rows, const RowSpan& span, int link) {
  for (int b = span.first_block; b < span.first_block + span.blocks; ++b) {
    if (rows.blocks[b].link == link) return b;
  }
  return -1;
}

/// Calls f(dof) for each degree of freedom that carries the link.
template <class F>
DELASSUS_INLINE void for_each_carrier(const Model& model, int link, F&& f) {
  for (; link != kWorld; link = model.link(link).parent) {
    for (int k = model.link(link).v; k < model.link(link).v + model.link(link).nv; ++k) f(k);
  }
}

/// The row whose direction is c/|c|, with a vector c that both links move: a distance has c = p1 - p2 and acts along it, a
/// universal joint c = arm 1 × arm 2 and acts about it. Sides are 0 and 1; motions and wrenches are about the point of the side.
template <class T>
class TurningRow {
 public:
  TurningRow(const Model& model, const Kinematics<T>& kin, const Distance& x) : row_(0) {
    const PlacedPoint<T> p1(model, kin, x.first), p2(model, kin, x.second);
    place(kin, p1, p2, separation(kin, p1, p2));
  }
  TurningRow(const Model& model, const Kinematics<T>& kin, const LoopClosure& x)
      : row_(held_axes(x.free_linear)), about_(true) {
    const LoopGeometry<T> g(model, kin, x);
    arm1_ = g.arm1(universal_axis(x));
    arm2_ = g.arm2(universal_axis(x));
    place(kin, g.first, g.second, cross(arm1_, arm2_));
  }

  int row() const { return row_; }
  int link(int side) const { return link_[side]; }
  const Vec3<T>& point(int side) const { return point_[side]; }

  /// δc of a small motion of one side.
  Vec3<T> change(int side, const Motion<T>& x) const {
    if (about_) return side == 0 ? cross(cross(x.angular, arm1_), arm2_) : cross(arm1_, cross(x.angular, arm2_));
    return side == 0 ? x.linear : -x.linear;
  }
  /// Its transpose: how g·c changes.
  Force<T> pull(int side, const Vec3<T>& g) const {
    if (!about_) return directed(side, g);
    return {side == 0 ? cross(arm1_, cross(arm2_, g)) : cross(arm2_, cross(g, arm1_)), Vec3<T>::zero()};
  }
  /// A direction as the wrench on one side.
  Force<T> directed(int side, const Vec3<T>& d) const {
    const Vec3<T> signed_d = side == 0 ? d : -d;
    return about_ ? Force<T>{signed_d, Vec3<T>::zero()} : Force<T>{Vec3<T>::zero(), signed_d};
  }
  /// How h·ċ changes with a displacement of one side.
  Force<T> pull_rate(int side, const Vec3<T>& h, const Vec3<T>& spin1, const Vec3<T>& spin2) const {
    if (!about_) return directed(side, cross(h, side == 0 ? spin1 : spin2));
    const Vec3<T> g = side == 0 ? cross(cross(arm2_, h), spin1) + cross(cross(spin2, arm2_), h)
                                : cross(h, cross(spin1, arm1_)) + cross(cross(h, arm1_), spin2);
    return {cross(side == 0 ? arm1_ : arm2_, g), Vec3<T>::zero()};
  }
  /// Of the velocities of both sides, the difference that the row looks along.
  Vec3<T> relative(const Motion<T>& side1, const Motion<T>& side2) const {
    return about_ ? side1.angular - side2.angular : side1.linear - side2.linear;
  }
  bool is_about() const { return about_; }

  const Vec3<T>& direction() const { return n_; }
  const T& inverse_length() const { return inverse_; }
  /// The part of x across the direction.
  Vec3<T> across(const Vec3<T>& x) const { return x - dot(n_, x) * n_; }

 private:
  void place(const Kinematics<T>& kin, const PlacedPoint<T>& p1, const PlacedPoint<T>& p2, const Vec3<T>& c) {
    link_[0] = p1.link;
    link_[1] = p2.link;
    point_[0] = kin.pose[p1.link].p + p1.lever;
    point_[1] = kin.pose[p2.link].p + p2.lever;
    inverse_ = T(1) / sqrt(dot(c, c));
    n_ = inverse_ * c;
  }

  int row_;
  bool about_ = false;
  int link_[2];
  Vec3<T> point_[2];
  Vec3<T> arm1_, arm2_, n_;
  T inverse_;
};

/// Calls f with the row of a constraint that turns, if it has one.
template <class T, class F>
void with_turning_row(const Model& model, const Kinematics<T>& kin, const Constraint& constraint, F&& f) {
  if (const auto* distance = std::get_if<Distance>(&constraint)) f(TurningRow<T>(model, kin, *distance));
  if (const auto* loop = std::get_if<LoopClosure>(&constraint); loop != nullptr && universal_axis(*loop) >= 0) {
    f(TurningRow<T>(model, kin, *loop));
  }
}

}  // namespace delassus
