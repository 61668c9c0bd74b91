// J̇ν, constraint by constraint: the time derivative of each row's velocity at zero joint acceleration.
#include "constraints/geometry.hpp"
#include "constraints/point_acceleration.hpp"
#include "delassus/constraints/lower.hpp"
#include "kinematics/link_inertia.hpp"
#include "math/instantiate.hpp"

namespace delassus {
namespace {

template <class T>
class Drift {
 public:
  Drift(const Model& model, const Kinematics<T>& kin, const Velocities<T>& vel, Out<T> out)
      : model_(model), kin_(kin), vel_(vel), out_(out) {}

  void write(const RowSpan& span, const Constraint& c) {
    span_ = &span;
    for (int r = 0; r < span.rows; ++r) out_[span.first_row + r] = T(0);
    std::visit([this](const auto& x) { this->fill(x); }, c);
  }

 private:
  T& row(int r) { return out_[span_->first_row + r]; }

  const Vec3<T>& spin(int link) const { return vel_.velocity[link].angular; }
  Vec3<T> velocity(int link, const Vec3<T>& r) const { return point_velocity(vel_, link, r); }
  Vec3<T> acceleration(int link, const Vec3<T>& r, const Vec3<T>& u) const {
    return point_acceleration(vel_, link, r, u);
  }
  Vec3<T> acceleration(int link, const Vec3<T>& r) const { return point_acceleration(vel_, link, r); }
  const Vec3<T>& angular_acceleration(int link) const { return vel_.bias_acceleration[link].angular; }

  void fill(const PointContact& x) {
    const PlacedPoint<T> a(model_, kin_, x.a);
    const RelativeAcceleration<T> drift = contact_acceleration(kin_, vel_, a.link, frame_of(model_, x.b).link, a.lever);
    for (int i = 0; i < span_->rows; ++i) {
      row(i) = i < 3 ? dot(contact_axis<T>(x, i), drift.linear) : dot(contact_axis<T>(x, i - 3), drift.angular);
    }
  }

  void fill(const LoopClosure& x) {
    const LoopGeometry<T> g(model_, kin_, x);
    const int link1 = g.first.link, link2 = g.second.link;
    const Vec3<T> r1 = g.lever1();
    const bool fixed_axes = x.axes == LoopAxes::kWorldAxes;
    const Vec3<T> u2 = velocity(link2, g.second.lever);
    const Vec3<T> u1 = fixed_axes ? velocity(link1, r1) : u2;
    const Vec3<T> relative = velocity(link1, r1) - u2;
    const Vec3<T> linear = acceleration(link1, r1, u1) - acceleration(link2, g.second.lever);
    const Vec3<T> relative_spin = spin(link1) - spin(link2);
    const Vec3<T> angular = angular_acceleration(link1) - angular_acceleration(link2);
    const auto along = [&](int k, const Vec3<T>& acceleration, const Vec3<T>& velocity) {
      const Vec3<T> e = g.axis(k);
      return fixed_axes ? dot(e, acceleration) : dot(e, acceleration) + dot(cross(spin(link1), e), velocity);
    };
    int i = 0;
    for_each_held(x.free_linear, [&](int k) { row(i++) = along(k, linear, relative); });
    if (const int k = universal_axis(x); k >= 0) {
      row(i) = universal_row(g, k, angular, relative_spin);
    } else {
      for_each_held(x.free_angular, [&](int axis) { row(i++) = along(axis, angular, relative_spin); });
    }
  }

  /// n = c/|c| with c = (axis of frame 1) × (axis of frame 2): ṅ is the part of ċ across n, over |c|.
  T universal_row(const LoopGeometry<T>& g, int k, const Vec3<T>& angular, const Vec3<T>& relative_spin) const {
    const Vec3<T> a = g.arm1(k), b = g.arm2(k), c = cross(a, b);
    const Vec3<T> c_dot = cross(cross(spin(g.first.link), a), b) + cross(a, cross(spin(g.second.link), b));
    const T inverse = T(1) / sqrt(dot(c, c));
    const Vec3<T> n = inverse * c;
    const Vec3<T> n_dot = inverse * (c_dot - dot(n, c_dot) * n);
    return dot(n, angular) + dot(n_dot, relative_spin);
  }

  void fill(const Distance& x) {
    const PlacedPoint<T> a(model_, kin_, x.first), b(model_, kin_, x.second);
    const Vec3<T> d = separation(kin_, a, b);
    const Vec3<T> w = velocity(a.link, a.lever) - velocity(b.link, b.lever);
    const Vec3<T> acc = acceleration(a.link, a.lever) - acceleration(b.link, b.lever);
    const T inverse = T(1) / sqrt(dot(d, d));
    const T speed = inverse * dot(d, w);
    row(0) = inverse * (dot(d, acc) + dot(w, w) - speed * speed);
  }

  void fill(const CentreOfMass&) {
    Vec3<T> sum = Vec3<T>::zero();
    for (int i = 0; i < model_.num_links(); ++i) {
      const double mass = model_.link(i).inertia.mass;
      if (mass > 0) sum += T(mass / model_.mass()) * acceleration(i, T(1 / mass) * link_moment(model_, kin_, i));
    }
    for (int k = 0; k < 3; ++k) row(k) = sum[k];
  }

  /// K is constant in the frame's axes: differentiate the frame's velocity in them.
  void fill(const CustomRows& x) {
    for (const CustomRows::BodyTerm& term : x.bodies) {
      const Frame& frame = frame_of(model_, term.frame);
      if (static_cast<int>(term.K.size()) != 6 * x.rows) throw_other_structure();
      const int link = frame.link;
      if (link == kWorld) continue;
      const Mat3<T> R = kin_.pose[link].R * cast<T>(frame.placement.R);
      const Vec3<T> r = kin_.pose[link].R * cast<T>(frame.placement.p);
      const Vec3<T> angular = transposed_times(R, angular_acceleration(link));
      const Vec3<T> linear = transposed_times(R, acceleration(link, r) - cross(spin(link), velocity(link, r)));
      for (int i = 0; i < x.rows; ++i) {
        const double* K = &term.K[6 * i];
        for (int k = 0; k < 3; ++k) row(i) += T(K[k]) * angular[k] + T(K[k + 3]) * linear[k];
      }
    }
  }

  // Joint rows have constant weights.
  void fill(const JointLimit&) {}
  void fill(const JointFriction&) {}
  void fill(const JointCoupling&) {}

  void fill(const JointPolynomial& x) {
    if (x.other_link < 0) return;
    const Link& other = link_of(model_, x.other_link);
    if (x.other_dof < 0 || x.other_dof >= other.nv) throw_other_structure();
    const T rate = vel_.v[other.v + x.other_dof];
    row(0) = -polynomial_curvature(x, kin_.q[other.q + x.other_dof]) * rate * rate;
  }

  const Model& model_;
  const Kinematics<T>& kin_;
  const Velocities<T>& vel_;
  Out<T> out_;
  const RowSpan* span_ = nullptr;
};

}  // namespace

template <class T>
void constraint_drift(const Model& model, const Kinematics<T>& kin, const Velocities<T>& vel,
                      std::span<const Constraint> constraints, const ConstraintRows<T>& rows, Out<T> drift) {
  require_same_structure(constraints, rows);
  require_size("drift", drift.size(), rows.num_rows());
  Drift<T> writer(model, kin, vel, drift);
  for (int e = 0; e < static_cast<int>(constraints.size()); ++e) writer.write(rows.spans[e], constraints[e]);
}

template <class T>
void stabilised_target(In<T> drift, In<T> velocity, In<T> position, double stiffness, double damping, Out<T> target) {
  require_size("velocity", velocity.size(), drift.size());
  require_size("position", position.size(), drift.size());
  require_size("target", target.size(), drift.size());
  for (int r = 0; r < drift.size(); ++r) target[r] = -drift[r] - T(damping) * velocity[r] - T(stiffness) * position[r];
}

#define DELASSUS_INSTANTIATE(T)                                                                     \
  template void constraint_drift<T>(const Model&, const Kinematics<T>&, const Velocities<T>&,       \
                                    std::span<const Constraint>, const ConstraintRows<T>&, Out<T>); \
  template void stabilised_target<T>(In<T>, In<T>, In<T>, double, double, Out<T>);
DELASSUS_FOR_EACH_SCALAR(DELASSUS_INSTANTIATE)

}  // namespace delassus
