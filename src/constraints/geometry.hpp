// Where the places of a constraint are, and along which directions its rows act. Shared by values, drift and positions,
// so that all three mean the same rows.
#pragma once

#include <bit>
#include <limits>
#include <span>

#include "delassus/constraints/constraint.hpp"
#include "delassus/constraints/rows.hpp"
#include "delassus/kinematics/kinematics.hpp"
#include "delassus/math/error.hpp"

namespace delassus {

[[noreturn]] inline void throw_other_rows(const Constraint& c) {
  throw Error(std::string(kind_of(c)) + " constraint '" + name_of(c) +
              "' is not the one that the rows were made for; call lower_structure after changing constraints");
}
/// Throws if a constraint is not the one that its rows were made for: another kind or count of rows.
DELASSUS_INLINE void require_same_rows(const Constraint& c, const RowSpan& span) {
  const auto* contact = std::get_if<PointContact>(&c);  // most are, and their count is at hand
  const int rows = contact != nullptr ? row_count(contact->kind) : row_count(c);
  if (static_cast<int>(c.index()) != span.kind || rows != span.rows) throw_other_rows(c);
}
/// Throws if the constraints are not those that the structure was made from, or not as many.
inline void require_same_structure(std::span<const Constraint> constraints, const RowStructure& rows) {
  require_size("constraints", static_cast<int>(constraints.size()), static_cast<int>(rows.spans.size()));
  for (std::size_t e = 0; e < constraints.size(); ++e) require_same_rows(constraints[e], rows.spans[e]);
}

/// A squared length below this fraction of the squared lengths that it is a difference of is rounding.
template <class T>
T direction_tolerance() {
  const double epsilon = 64 * static_cast<double>(std::numeric_limits<Base<T>>::epsilon());
  return T(epsilon * epsilon);
}

[[noreturn]] inline void throw_other_structure() {
  throw Error(
      "a constraint acts on other links or joints, or has other sizes, than the rows were made for; call "
      "lower_structure after changing constraints");
}

/// Frame and link of a constraint that was valid when the structure was made, but may have been changed since.
inline const Frame& frame_of(const Model& model, int frame) {
  if (frame < 0 || frame >= static_cast<int>(model.frames().size())) throw_other_structure();
  return model.frame(frame);
}
inline const Link& link_of(const Model& model, int link) {
  if (link < 0 || link >= model.num_links()) throw_other_structure();
  return model.link(link);
}

/// A point of a frame: its link, the way there from the link's origin, world axes.
template <class T>
struct PlacedPoint {
  PlacedPoint(const Model& model, const Kinematics<T>& kin, const Attachment& a)
      : link(frame_of(model, a.frame).link),
        lever(kin.pose[link].R * cast<T>(model.frame(a.frame).placement * a.offset.p)) {}

  int link;
  Vec3<T> lever;
};

/// From point b to point a.
template <class T>
Vec3<T> separation(const Kinematics<T>& kin, const PlacedPoint<T>& a, const PlacedPoint<T>& b) {
  return kin.pose[a.link].p - kin.pose[b.link].p + (a.lever - b.lever);
}

/// Axis k of a contact: n, t1, t2.
template <class T>
Vec3<T> contact_axis(const PointContact& x, int k) {
  return {{T(x.axes(k, 0)), T(x.axes(k, 1)), T(x.axes(k, 2))}};
}

inline int held_axes(unsigned free) { return 3 - std::popcount(free); }

/// Calls f(k) for each held axis.
template <class F>
void for_each_held(unsigned free, F&& f) {
  for (int k = 0; k < 3; ++k) {
    if (!(free >> k & 1)) f(k);
  }
}

/// The axis that a universal joint holds, or -1 if the number of free angular axes is not two.
inline int universal_axis(const LoopClosure& x) {
  switch (x.free_angular) {
    case 0b110:
      return 0;
    case 0b101:
      return 1;
    case 0b011:
      return 2;
    default:
      return -1;
  }
}

template <class T>
struct LoopGeometry {
  LoopGeometry(const Model& model, const Kinematics<T>& kin, const LoopClosure& x)
      : loop(x),
        first(model, kin, x.first),
        second(model, kin, x.second),
        R1(kin.pose[first.link].R * cast<T>(model.frame(x.first.frame).placement.R * x.first.offset.R)),
        R2(kin.pose[second.link].R * cast<T>(model.frame(x.second.frame).placement.R * x.second.offset.R)),
        gap(separation(kin, first, second)) {}

  /// From link 1's origin to the point where its velocity is taken. Axes that move with frame 1 see frame 2's origin.
  Vec3<T> lever1() const { return loop.axes == LoopAxes::kWorldAxes ? first.lever : first.lever - gap; }

  Vec3<T> axis(int k) const {
    if (loop.axes == LoopAxes::kWorldAxes) return column(Mat3<T>::identity(), k);
    return column(R1, k);
  }
  /// The arms of a universal joint that holds axis k.
  Vec3<T> arm1(int k) const { return column(R1, (k + 1) % 3); }
  Vec3<T> arm2(int k) const { return column(R2, (k + 2) % 3); }

  const LoopClosure& loop;
  PlacedPoint<T> first, second;
  Mat3<T> R1, R2;  // axes of the two frames in the world
  Vec3<T> gap;     // origin 1 - origin 2
};

/// A joint polynomial and its derivatives at x.
template <class T>
T polynomial_value(const JointPolynomial& p, T x) {
  const auto& c = p.coefficients;
  return T(c[0]) + x * (T(c[1]) + x * (T(c[2]) + x * (T(c[3]) + x * T(c[4]))));
}
template <class T>
T polynomial_slope(const JointPolynomial& p, T x) {
  const auto& c = p.coefficients;
  return T(c[1]) + x * (T(2 * c[2]) + x * (T(3 * c[3]) + x * T(4 * c[4])));
}
template <class T>
T polynomial_curvature(const JointPolynomial& p, T x) {
  const auto& c = p.coefficients;
  return T(2 * c[2]) + x * (T(6 * c[3]) + x * T(12 * c[4]));
}
template <class T>
T polynomial_third(const JointPolynomial& p, T x) {
  return T(6 * p.coefficients[3]) + x * T(24 * p.coefficients[4]);
}

}  // namespace delassus
