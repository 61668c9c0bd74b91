// Inside the oracle: numbers with a derivative, 3-vectors, and the poses and Jacobians of all frames.
//
// Everything is a template on the number S, which is T for values and Jet<T> for values and their rates.
#pragma once

#include <cmath>
#include <type_traits>
#include <utility>
#include <vector>

#include "delassus/operators/oracle.hpp"

namespace delassus::oracle {

template <class U>
concept Arithmetic = std::is_arithmetic_v<U>;

/// A number x and its rate dx. Run with the coordinates of a motion, any formula yields its own time
/// derivative.
template <class T>
struct Jet {
  T x = 0;
  T dx = 0;

  Jet() = default;
  template <Arithmetic U>
  Jet(U value, T rate = 0) : x(static_cast<T>(value)), dx(rate) {}  // NOLINT: a constant is a number at rest

  friend Jet operator+(const Jet& a, const Jet& b) { return {a.x + b.x, a.dx + b.dx}; }
  friend Jet operator-(const Jet& a, const Jet& b) { return {a.x - b.x, a.dx - b.dx}; }
  friend Jet operator-(const Jet& a) { return {-a.x, -a.dx}; }
  friend Jet operator*(const Jet& a, const Jet& b) { return {a.x * b.x, a.dx * b.x + a.x * b.dx}; }
  friend Jet operator/(const Jet& a, const Jet& b) { return {a.x / b.x, (a.dx - a.x / b.x * b.dx) / b.x}; }
  friend Jet sqrt(const Jet& a) { return {std::sqrt(a.x), a.dx / (2 * std::sqrt(a.x))}; }
  friend Jet sin(const Jet& a) { return {std::sin(a.x), std::cos(a.x) * a.dx}; }
  friend Jet cos(const Jet& a) { return {std::cos(a.x), -std::sin(a.x) * a.dx}; }
};

/// For decisions, which have no rate.
template <class T>
double value_of(const T& a) {
  return static_cast<double>(a);
}
template <class T>
double value_of(const Jet<T>& a) {
  return static_cast<double>(a.x);
}

template <class T>
std::vector<T> rates_of(const Matrix<Jet<T>>& A) {
  std::vector<T> rates;
  for (const Jet<T>& a : A.entries()) rates.push_back(a.dx);
  return rates;
}

/// Numbers of one kind as numbers of another.
template <class S, class Container>
std::vector<S> numbers(const Container& from) {
  std::vector<S> to;
  to.reserve(from.size());
  for (int i = 0; i < static_cast<int>(from.size()); ++i) to.push_back(S(from[i]));
  return to;
}

template <class S, int R, int C>
Matrix<S> matrix(const Mat<double, R, C>& A) {
  return {R, C, std::vector<S>(A.a, A.a + R * C)};
}
template <class S>
Matrix<S> matrix(const Sym3<double>& A) {
  Matrix<S> B(3, 3);
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) B(r, c) = S(A(r, c));
  }
  return B;
}
template <class S>
Matrix<S> column_of(std::vector<S> entries) {
  const int size = static_cast<int>(entries.size());
  return {size, 1, std::move(entries)};
}

/// Rows first to first + count - 1.
template <class S>
Matrix<S> rows_of(const Matrix<S>& A, int first, int count) {
  Matrix<S> B(count, A.cols());
  for (int r = 0; r < count; ++r) {
    for (int c = 0; c < A.cols(); ++c) B(r, c) = A(first + r, c);
  }
  return B;
}
template <class S>
Matrix<S> axis_of(const Matrix<S>& R, int c) {
  return column_of<S>({R(0, c), R(1, c), R(2, c)});
}
template <class S>
Matrix<S> angular(const Matrix<S>& J) {
  return rows_of(J, 0, 3);
}
template <class S>
Matrix<S> linear(const Matrix<S>& J) {
  return rows_of(J, 3, 3);
}

template <class S>
S dot(const Matrix<S>& a, const Matrix<S>& b) {
  return (transposed(a) * b)(0, 0);
}
/// The matrix that multiplies like the vector product with a.
template <class S>
Matrix<S> cross_matrix(const Matrix<S>& a) {
  const S x = a(0, 0), y = a(1, 0), z = a(2, 0), zero(0);
  return {3, 3, {zero, -z, y, z, zero, -x, -y, x, zero}};
}
template <class S>
Matrix<S> cross(const Matrix<S>& a, const Matrix<S>& b) {
  return cross_matrix(a) * b;
}
template <class S>
Matrix<S> identity3() {
  return {3, 3, {S(1), S(0), S(0), S(0), S(1), S(0), S(0), S(0), S(1)}};
}

template <class S>
Matrix<S> normalised(const Matrix<S>& a) {
  using std::sqrt;
  return (S(1) / sqrt(dot(a, a))) * a;
}

/// Rotation about a unit vector (Rodrigues).
template <class S>
Matrix<S> rotation(const Matrix<S>& axis, const S& angle) {
  using std::cos, std::sin;
  const Matrix<S> A = cross_matrix(axis);
  return identity3<S>() + sin(angle) * A + (S(1) - cos(angle)) * (A * A);
}

/// Rotation of the quaternion x, y, z, w, of any length but zero.
template <class S>
Matrix<S> rotation_of_quaternion(const S* q) {
  const Matrix<S> A = cross_matrix(column_of<S>({q[0], q[1], q[2]}));
  const S s = S(2) / (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  return identity3<S>() + s * (q[3] * A + A * A);
}

/// Where x goes when z is turned to the unit vector a the shortest way.
template <class S>
Matrix<S> in_plane_x(const Matrix<S>& a) {
  const Matrix<S> x = column_of<S>({S(1), S(0), S(0)}), z = column_of<S>({S(0), S(0), S(1)});
  const Matrix<S> k = cross(z, a);  // sine of the angle times the axis to turn about
  const S cosine = dot(z, a);
  // Opposite to z every axis is shortest: the convention is to turn about x.
  if (value_of(cosine) < 0 && value_of(dot(k, k)) == 0) return column_of<S>({S(1), S(0), S(0)});
  // (1 - cosine) / sine² is 1 / (1 + cosine) without its loss of digits near -z.
  const S factor = value_of(cosine) < 0 ? (S(1) - cosine) / dot(k, k) : S(1) / (S(1) + cosine);
  return x + cross(k, x) + factor * cross(k, cross(k, x));
}

template <class S>
Place<S> operator*(const Place<S>& a, const Pose<double>& b) {
  return {a.R * matrix<S>(b.R), a.p + a.R * matrix<S>(b.p)};
}

/// The velocity that a degree of freedom at rate one gives to all that it carries: turning at w, with the
/// point o moving at u.
template <class S>
struct Motion {
  Matrix<S> w, o, u;
};

/// Moves a place through a joint, and tells the motion of each degree of freedom.
template <class S>
std::vector<Motion<S>> cross_joint(const JointDescription& joint, const S* q, Place<S>& at) {
  const Matrix<S> zero(3, 1);
  const Matrix<S> axis = normalised(matrix<S>(joint.axis)),
                  a = at.R * axis;  // in the joint's frame, in the world
  // The point o is where the joint has taken the frame by the time these are called.
  const auto turning = [&](const Matrix<S>& w) { return Motion<S>{w, at.p, zero}; };
  const auto sliding = [&](const Matrix<S>& u) { return Motion<S>{zero, at.p, u}; };
  switch (joint.kind) {
    case JointKind::kRevolute:
      at.R = at.R * rotation(axis, q[0]);
      return {turning(a)};
    case JointKind::kPrismatic:
      at.p = at.p + q[0] * a;
      return {sliding(a)};
    case JointKind::kHelical:
      at = {at.R * rotation(axis, q[0]), at.p + (S(joint.pitch) * q[0]) * a};
      return {{a, at.p, S(joint.pitch) * a}};
    case JointKind::kCylindrical:
      at = {at.R * rotation(axis, q[0]), at.p + q[1] * a};
      return {turning(a), sliding(a)};
    case JointKind::kUniversal: {
      const Matrix<S> axis2 = normalised(matrix<S>(joint.axis2));
      at.R = at.R * rotation(axis, q[0]);
      const Matrix<S> b = at.R * axis2;
      at.R = at.R * rotation(axis2, q[1]);
      return {turning(a), turning(b)};
    }
    case JointKind::kSpherical:
      at.R = at.R * rotation_of_quaternion(q);
      return {turning(axis_of(at.R, 0)), turning(axis_of(at.R, 1)), turning(axis_of(at.R, 2))};
    case JointKind::kPlanar: {
      const Matrix<S> in_plane = in_plane_x(axis);
      const Matrix<S> x = at.R * in_plane, y = at.R * cross(axis, in_plane);
      at = {at.R * rotation(axis, q[2]), at.p + q[0] * x + q[1] * y};
      return {sliding(x), sliding(y), turning(a)};
    }
    case JointKind::kFree:
      at.p = at.p + at.R * column_of<S>({q[0], q[1], q[2]});
      at.R = at.R * rotation_of_quaternion(q + 3);
      return {turning(axis_of(at.R, 0)), turning(axis_of(at.R, 1)), turning(axis_of(at.R, 2)),
              sliding(axis_of(at.R, 0)), sliding(axis_of(at.R, 1)), sliding(axis_of(at.R, 2))};
  }
  return {};
}

/// 6 × nv: the Jacobian of a frame, given the degrees of freedom between it and the world.
template <class S>
Matrix<S> jacobian_at(const Matrix<S>& point, const std::vector<Motion<S>>& motions, const std::vector<bool>& moves) {
  Matrix<S> J(6, static_cast<int>(motions.size()));
  for (int k = 0; k < J.cols(); ++k) {
    if (!moves[static_cast<std::size_t>(k)]) continue;
    const Motion<S>& m = motions[static_cast<std::size_t>(k)];
    const Matrix<S> velocity = m.u + cross(m.w, point - m.o);
    for (int r = 0; r < 3; ++r) {
      J(r, k) = m.w(r, 0);
      J(3 + r, k) = velocity(r, 0);
    }
  }
  return J;
}

template <class S>
Kinematics<S> kinematics_of(const Model& model, const std::vector<S>& q) {
  const ModelDescription& description = model.description();
  const auto nv = static_cast<std::size_t>(model.nv());
  std::vector<Motion<S>> motions;  // per degree of freedom
  std::vector<Place<S>> places{{identity3<S>(), Matrix<S>(3, 1)}};
  std::vector<std::vector<bool>> moved_by{std::vector<bool>(nv, false)};  // per frame: which degrees of freedom

  int link = 0;
  for (const BodyDescription& body : description.bodies) {
    const auto parent = static_cast<std::size_t>(model.body_frame(body.parent));
    Place<S> at = places[parent];
    std::vector<bool> moves = moved_by[parent];
    for (const JointDescription& joint : body.joints) {
      at = at * joint.placement;
      for (Motion<S>& motion : cross_joint(joint, q.data() + model.link(link).q, at)) {
        moves[motions.size()] = true;
        motions.push_back(std::move(motion));
      }
      ++link;
    }
    places.push_back(at * body.placement);
    moved_by.push_back(moves);
  }
  for (const FrameDescription& frame : description.frames) {
    const auto body = static_cast<std::size_t>(model.body_frame(frame.body));
    places.push_back(places[body] * frame.placement);
    moved_by.push_back(moved_by[body]);
  }

  Kinematics<S> k{places, {}, q};
  for (std::size_t f = 0; f < places.size(); ++f) {
    k.jacobians.push_back(jacobian_at(places[f].p, motions, moved_by[f]));
  }
  return k;
}

/// 6 × nv: the Jacobian of a frame with the velocity of the given point of it, instead of that of its origin.
template <class S>
Matrix<S> velocity_at(const Kinematics<S>& k, int frame, const Matrix<S>& point) {
  Matrix<S> J = k.jacobians[static_cast<std::size_t>(frame)];
  const Matrix<S> arm = point - k.places[static_cast<std::size_t>(frame)].p;
  const Matrix<S> moved = linear(J) - cross_matrix(arm) * angular(J);
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < J.cols(); ++c) J(3 + r, c) = moved(r, c);
  }
  return J;
}

/// Turns the quaternion at q by the angular velocity w, in its own axes, for a time dt.
template <class S>
void turn_quaternion(S* q, const S* w, const S& dt) {
  using std::cos, std::sin, std::sqrt;
  const S speed2 = w[0] * w[0] + w[1] * w[1] + w[2] * w[2];
  if (value_of(speed2) == 0) return;
  const S speed = sqrt(speed2), half = speed * dt / S(2);
  const S s = sin(half) / speed, c = cos(half);
  const S x = s * w[0], y = s * w[1], z = s * w[2];
  const S old[4] = {q[0], q[1], q[2], q[3]};
  q[0] = old[3] * x + old[0] * c + old[1] * z - old[2] * y;
  q[1] = old[3] * y + old[1] * c + old[2] * x - old[0] * z;
  q[2] = old[3] * z + old[2] * c + old[0] * y - old[1] * x;
  q[3] = old[3] * c - old[0] * x - old[1] * y - old[2] * z;
}

/// The coordinates after a time dt at velocity v.
template <class S>
std::vector<S> moved(const Model& model, std::vector<S> q, const std::vector<S>& v, const S& dt) {
  for (const Link& link : model.links()) {
    S* ql = q.data() + link.q;
    const S* vl = v.data() + link.v;
    if (link.kind == JointKind::kSpherical) {
      turn_quaternion(ql, vl, dt);
    } else if (link.kind == JointKind::kFree) {
      const Matrix<S> step = rotation_of_quaternion(ql + 3) * column_of<S>({vl[3] * dt, vl[4] * dt, vl[5] * dt});
      for (int i = 0; i < 3; ++i) ql[i] = ql[i] + step(i, 0);
      turn_quaternion(ql + 3, vl, dt);
    } else {
      for (int i = 0; i < link.nv; ++i) ql[i] = ql[i] + vl[i] * dt;
    }
  }
  return q;
}

/// The frames on their way at velocity v: what is computed from them carries its rate.
template <class T>
Kinematics<Jet<T>> motion_of(const Model& model, In<T> q, In<T> v) {
  return kinematics_of(model, moved(model, numbers<Jet<T>>(q), numbers<Jet<T>>(v), Jet<T>(0, 1)));
}

}  // namespace delassus::oracle
