// Rows and positions of constraints, each written down from its definition in constraint.hpp.
#include <cmath>
#include <variant>

#include "delassus/math/error.hpp"
#include "delassus/operators/oracle.hpp"
#include "operators/oracle_kinematics.hpp"

namespace delassus::oracle {
namespace {

template <class S>
Place<S> place_of(const Kinematics<S>& k, const Attachment& a) {
  return k.places[static_cast<std::size_t>(a.frame)] * a.offset;
}

/// The unit vector along a; where it is zero the constraint has no direction.
template <class S>
Matrix<S> direction(const Matrix<S>& a, const std::string& constraint) {
  if (value_of(dot(a, a)) == 0) throw Error("constraint '" + constraint + "' has no direction in this configuration");
  return normalised(a);
}

/// The rows of A whose axis is not free.
template <class S>
Matrix<S> held(const Matrix<S>& A, unsigned free) {
  std::vector<S> entries;
  for (int axis = 0; axis < 3; ++axis) {
    if ((free >> axis & 1U) != 0) continue;
    for (int c = 0; c < A.cols(); ++c) entries.push_back(A(axis, c));
  }
  return {static_cast<int>(entries.size()) / A.cols(), A.cols(), entries};
}

template <class S>
Matrix<S> stacked(const Matrix<S>& top, const Matrix<S>& bottom) {
  std::vector<S> entries = top.entries();
  entries.insert(entries.end(), bottom.entries().begin(), bottom.entries().end());
  return {top.rows() + bottom.rows(), top.cols(), entries};
}

// How many angular axes are free decides what the angular rows of a loop are.

/// The one axis that is free, or held, of three: -1 if it is not just one.
int only_axis(unsigned mask) { return mask == 1 ? 0 : mask == 2 ? 1 : mask == 4 ? 2 : -1; }
int free_axis(const LoopClosure& c) { return only_axis(c.free_angular); }
int held_axis(const LoopClosure& c) { return only_axis(7U ^ c.free_angular); }

/// A universal joint's arms: axis i of frame 1 and axis j of frame 2, which stay orthogonal.
template <class S>
struct Arms {
  Matrix<S> first, second;
};
template <class S>
Arms<S> arms_of(const LoopClosure& c, const Matrix<S>& R1, const Matrix<S>& R2) {
  const int k = held_axis(c);
  return {axis_of(R1, (k + 1) % 3), axis_of(R2, (k + 2) % 3)};
}

/// The axes, as rows, in which a loop's rows are written.
template <class S>
Matrix<S> loop_axes(const LoopClosure& c, const Matrix<S>& R1) {
  return c.axes == LoopAxes::kFrame1 ? transposed(R1) : identity3<S>();
}

/// The rotation vector of a rotation matrix.
template <class T>
Matrix<T> rotation_vector(const Matrix<T>& R) {
  const T cosine = (R(0, 0) + R(1, 1) + R(2, 2) - 1) / 2;
  const Matrix<T> s = column_of<T>({(R(2, 1) - R(1, 2)) / 2, (R(0, 2) - R(2, 0)) / 2, (R(1, 0) - R(0, 1)) / 2});
  const T sine = std::sqrt(dot(s, s));
  const T angle = std::atan2(sine, cosine);
  if (cosine >= 0) return sine == 0 ? s : (angle / sine) * s;
  // Towards half a turn the antisymmetric part fades; the symmetric one is cos I + (1 - cos) a aᵀ. Take its
  // best column.
  const Matrix<T> aat = T(0.5) * (R + transposed(R)) - cosine * identity3<T>();
  int best = 0;
  for (int i = 1; i < 3; ++i) best = aat(i, i) > aat(best, best) ? i : best;
  const Matrix<T> a = normalised(axis_of(aat, best));
  return (dot(a, s) < 0 ? -angle : angle) * a;
}

/// J of one constraint.
template <class S>
class RowMaker {
 public:
  RowMaker(const Model& model, const Kinematics<S>& k) : model_(model), k_(k) {}

  // The same point of the world, taken on both bodies.
  Matrix<S> operator()(const PointContact& c) const {
    const Matrix<S> point = place_of(k_, c.a).p;
    const Matrix<S> J = velocity_at(k_, c.a.frame, point) - velocity_at(k_, c.b, point);
    const Matrix<S> E = matrix<S>(c.axes);
    return rows_of(stacked(E * linear(J), E * angular(J)), 0, row_count(c.kind));
  }

  Matrix<S> operator()(const LoopClosure& c) const {
    const Place<S> one = place_of(k_, c.first), two = place_of(k_, c.second);
    const Matrix<S> E = loop_axes(c, one.R);
    // In axes that move with frame 1 what counts is the motion of point 2 as seen from there.
    const Matrix<S>& point1 = c.axes == LoopAxes::kFrame1 ? two.p : one.p;
    const Matrix<S> J = velocity_at(k_, c.first.frame, point1) - velocity_at(k_, c.second.frame, two.p);
    const Matrix<S> linear_rows = held(E * linear(J), c.free_linear);
    if (held_axis(c) < 0) return stacked(linear_rows, held(E * angular(J), c.free_angular));
    const Arms<S> arms = arms_of(c, one.R, two.R);
    return stacked(linear_rows, transposed(direction(cross(arms.first, arms.second), c.name)) * angular(J));
  }

  Matrix<S> operator()(const Distance& c) const {
    const Matrix<S> p1 = place_of(k_, c.first).p, p2 = place_of(k_, c.second).p;
    const Matrix<S> J = velocity_at(k_, c.first.frame, p1) - velocity_at(k_, c.second.frame, p2);
    return transposed(direction(p1 - p2, c.name)) * linear(J);
  }

  Matrix<S> operator()(const JointLimit& c) const {
    Matrix<S> J(1, model_.nv());
    J(0, model_.link(c.link).v + c.dof) = S(c.upper ? -1 : 1);
    return J;
  }

  Matrix<S> operator()(const JointFriction& c) const {
    Matrix<S> J(1, model_.nv());
    J(0, model_.link(c.link).v + c.dof) = S(1);
    return J;
  }

  Matrix<S> operator()(const JointCoupling& c) const {
    Matrix<S> J(1, model_.nv());
    for (const JointCoupling::Term& t : c.terms) {
      S& entry = J(0, model_.link(t.link).v + t.dof);
      entry = entry + S(t.weight);
    }
    return J;
  }

  // Bodies that are fixed to the world have no velocity, but they count in the mass.
  Matrix<S> operator()(const CentreOfMass&) const {
    Matrix<S> J(3, model_.nv());
    S mass(0);
    int frame = 1;
    for (const BodyDescription& body : model_.description().bodies) {
      const Place<S>& at = k_.places[static_cast<std::size_t>(frame)];
      const S m = S(body.inertial.mass);
      J = J + m * linear(velocity_at(k_, frame, at.p + at.R * matrix<S>(body.inertial.com)));
      mass = mass + m;
      ++frame;
    }
    return (S(1) / mass) * J;
  }

  Matrix<S> operator()(const CustomRows& c) const {
    Matrix<S> J(c.rows, model_.nv());
    for (const CustomRows::BodyTerm& t : c.bodies) {
      const Matrix<S>& frame = k_.jacobians[static_cast<std::size_t>(t.frame)];
      const Matrix<S> E = transposed(k_.places[static_cast<std::size_t>(t.frame)].R);
      const Matrix<S> K(c.rows, 6, numbers<S>(t.K));
      J = J + K * stacked(E * angular(frame), E * linear(frame));
    }
    for (const CustomRows::DofTerm& t : c.dofs) {
      for (int r = 0; r < c.rows; ++r) J(r, t.v) = J(r, t.v) + S(t.weights[static_cast<std::size_t>(r)]);
    }
    return J;
  }

  // The slope term by term, each power by repeated multiplication.
  Matrix<S> operator()(const JointPolynomial& c) const {
    Matrix<S> J(1, model_.nv());
    J(0, model_.link(c.link).v + c.dof) = S(1);
    if (c.other_link < 0) return J;
    const S x = k_.q[static_cast<std::size_t>(model_.link(c.other_link).q + c.other_dof)];
    S slope(0), power(1);
    for (int k = 1; k < 5; ++k) {
      slope = slope + S(k) * S(c.coefficients[static_cast<std::size_t>(k)]) * power;
      power = power * x;
    }
    J(0, model_.link(c.other_link).v + c.other_dof) = -slope;
    return J;
  }

 private:
  const Model& model_;
  const Kinematics<S>& k_;
};

/// The positions of one constraint's rows.
template <class T>
class PositionMaker {
 public:
  PositionMaker(const Model& model, const Kinematics<T>& k, In<T> q) : model_(model), k_(k), q_(q) {}

  Matrix<T> operator()(const PointContact& c) const {
    Matrix<T> x(row_count(c.kind), 1);
    x(0, 0) = T(c.gap);
    return x;
  }

  Matrix<T> operator()(const LoopClosure& c) const {
    const Place<T> one = place_of(k_, c.first), two = place_of(k_, c.second);
    const Matrix<T> E = loop_axes(c, one.R);
    return stacked(held(E * (one.p - two.p), c.free_linear), angular_position(c, E, one.R, two.R));
  }

  Matrix<T> operator()(const Distance& c) const {
    const Matrix<T> arm = place_of(k_, c.first).p - place_of(k_, c.second).p;
    return column_of<T>({std::sqrt(dot(arm, arm)) - T(c.length)});
  }

  Matrix<T> operator()(const JointLimit& c) const {
    const T room = q_[model_.link(c.link).q + c.dof] - T(c.bound);
    return column_of<T>({c.upper ? -room : room});
  }

  Matrix<T> operator()(const JointFriction& /*c*/) const { return Matrix<T>(1, 1); }

  Matrix<T> operator()(const JointCoupling& c) const {
    T sum = -T(c.offset);
    for (const JointCoupling::Term& t : c.terms) sum += T(t.weight) * q_[model_.link(t.link).q + t.dof];
    return column_of<T>({sum});
  }

  Matrix<T> operator()(const JointPolynomial& c) const {
    T room = q_[model_.link(c.link).q + c.dof] - T(c.coefficients[0]);
    if (c.other_link < 0) return column_of<T>({room});
    const T x = q_[model_.link(c.other_link).q + c.other_dof];
    T power = 1;
    for (std::size_t k = 1; k < 5; ++k) {
      power *= x;
      room -= T(c.coefficients[k]) * power;
    }
    return column_of<T>({room});
  }

  Matrix<T> operator()(const CentreOfMass& c) const {
    Matrix<T> moment(3, 1);
    T mass = 0;
    std::size_t frame = 1;
    for (const BodyDescription& body : model_.description().bodies) {
      const Place<T>& at = k_.places[frame++];
      moment = moment + T(body.inertial.mass) * (at.p + at.R * matrix<T>(body.inertial.com));
      mass += T(body.inertial.mass);
    }
    return (1 / mass) * moment - matrix<T>(c.target);
  }

  Matrix<T> operator()(const CustomRows& c) const {
    return c.position.empty() ? Matrix<T>(c.rows, 1) : column_of(numbers<T>(c.position));
  }

 private:
  /// Each form has the angular rows times the velocity as its rate, once the frames agree.
  static Matrix<T> angular_position(const LoopClosure& c, const Matrix<T>& E, const Matrix<T>& R1,
                                    const Matrix<T>& R2) {
    if (held_axis(c) >= 0) {
      const Arms<T> arms = arms_of(c, R1, R2);
      return column_of<T>({dot(arms.first, arms.second)});
    }
    // With one axis free its two images must be parallel; turning 1 by a small r moves axis 2 × axis 1 by r's
    // part across the axis.
    const int k = free_axis(c);
    const Matrix<T> error = k >= 0 ? cross(axis_of(R2, k), axis_of(R1, k)) : rotation_vector(R1 * transposed(R2));
    return held(E * error, c.free_angular);
  }

  const Model& model_;
  const Kinematics<T>& k_;
  In<T> q_;
};

template <class S>
Matrix<S> rows_of_all(const Model& model, const std::vector<Constraint>& constraints, const Kinematics<S>& k) {
  Matrix<S> J(0, model.nv());
  for (const Constraint& c : constraints) {
    require_valid(model, c);
    J = stacked(J, std::visit(RowMaker<S>(model, k), c));
  }
  return J;
}

}  // namespace

template <class T>
Matrix<T> constraint_jacobian(const Model& model, const std::vector<Constraint>& constraints, In<T> q) {
  return rows_of_all(model, constraints, kinematics<T>(model, q));
}

template <class T>
std::vector<T> constraint_position(const Model& model, const std::vector<Constraint>& constraints, In<T> q) {
  const Kinematics<T> k = kinematics<T>(model, q);
  Matrix<T> x(0, 1);
  for (const Constraint& c : constraints) {
    require_valid(model, c);
    x = stacked(x, std::visit(PositionMaker<T>(model, k, q), c));
  }
  return x.entries();
}

template <class T>
std::vector<T> constraint_drift(const Model& model, const std::vector<Constraint>& constraints, In<T> q, In<T> v) {
  require_size("q", q.size(), model.nq());
  require_size("v", v.size(), model.nv());
  return rates_of(rows_of_all(model, constraints, motion_of<T>(model, q, v)) * column_of(numbers<Jet<T>>(v)));
}

#define DELASSUS_INSTANTIATE(T)                                                                        \
  template Matrix<T> constraint_jacobian<T>(const Model&, const std::vector<Constraint>&, In<T>);      \
  template std::vector<T> constraint_position<T>(const Model&, const std::vector<Constraint>&, In<T>); \
  template std::vector<T> constraint_drift<T>(const Model&, const std::vector<Constraint>&, In<T>, In<T>);

DELASSUS_INSTANTIATE(double)
DELASSUS_INSTANTIATE(long double)
#undef DELASSUS_INSTANTIATE

}  // namespace delassus::oracle
