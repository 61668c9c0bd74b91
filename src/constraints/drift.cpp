// J̇ν, constraint by constraint: the time derivative of each row's velocity at zero joint acceleration.
#include "delassus/constraints/lower.hpp"
#include "delassus/math/instantiate.hpp"
#include "loop_geometry.hpp"

namespace delassus {
namespace {

template <class T>
class Drift {
 public:
  Drift(const Model& model, const Kinematics<T>& kin, const Velocities<T>& vel, const ConstraintRows<T>& rows, Out<T> out)
      : model_(model), kin_(kin), vel_(vel), rows_(rows), out_(out) {}

  void write(const RowSpan& span, const Constraint& c) {
    span_ = &span;
    for (int r = 0; r < span.rows; ++r) out_[span.first_row + r] = T(0);
    std::visit([this](const auto& x) { this->fill(x); }, c);
  }

 private:
  const Anchor& anchor(int i) const { return rows_.anchors[span_->first_anchor + i]; }
  Vec3<T> lever(const Anchor& a) const { return kin_.pose[a.link].R * cast<T>(a.local.p); }
  T& row(int r) { return out_[span_->first_row + r]; }

  const Vec3<T>& spin(int link) const { return vel_.velocity[link].angular; }
  Vec3<T> velocity(int link, const Vec3<T>& r) const { return shifted(vel_.velocity[link], r).linear; }
  /// d/dt of velocity(link, r) where the point at r moves with velocity u of its own.
  Vec3<T> acceleration(int link, const Vec3<T>& r, const Vec3<T>& u) const {
    return shifted(vel_.bias_acceleration[link], r).linear + cross(spin(link), u - vel_.velocity[link].linear);
  }
  Vec3<T> acceleration(int link, const Vec3<T>& r) const { return acceleration(link, r, velocity(link, r)); }
  const Vec3<T>& angular_acceleration(int link) const { return vel_.bias_acceleration[link].angular; }

  void fill(const PointContact& x) {
    const Anchor& a = anchor(0);
    const int b = anchor(1).link;
    const Vec3<T> r = lever(a);
    const Vec3<T> u = velocity(a.link, r);
    const Vec3<T> at_b = r + (kin_.pose[a.link].p - kin_.pose[b].p);
    const Vec3<T> linear = acceleration(a.link, r) - acceleration(b, at_b, u);
    const Vec3<T> angular = angular_acceleration(a.link) - angular_acceleration(b);
    for (int i = 0; i < span_->rows; ++i) {
      const int k = i < 3 ? i : i - 3;
      row(i) = dot(Vec3<T>{{T(x.axes(k, 0)), T(x.axes(k, 1)), T(x.axes(k, 2))}}, i < 3 ? linear : angular);
    }
  }

  void fill(const LoopClosure& x) {
    const LoopGeometry<T> g(kin_, x, anchor(0), anchor(1));
    const Vec3<T> r1 = g.sliding_lever1();
    const bool fixed_axes = x.axes == LoopAxes::kWorldAxes;
    const Vec3<T> u2 = velocity(g.link2, g.lever2);
    const Vec3<T> u1 = fixed_axes ? velocity(g.link1, r1) : u2;
    const Vec3<T> relative = velocity(g.link1, r1) - u2;
    const Vec3<T> linear = acceleration(g.link1, r1, u1) - acceleration(g.link2, g.lever2);
    const Vec3<T> relative_spin = spin(g.link1) - spin(g.link2);
    const Vec3<T> angular = angular_acceleration(g.link1) - angular_acceleration(g.link2);
    const auto along = [&](int k, const Vec3<T>& acceleration, const Vec3<T>& velocity) {
      const Vec3<T> e = g.axis(k);
      return fixed_axes ? dot(e, acceleration) : dot(e, acceleration) + dot(cross(spin(g.link1), e), velocity);
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
    const Vec3<T> a = column(g.R1, (k + 1) % 3), b = column(g.R2, (k + 2) % 3);
    const Vec3<T> c = g.universal_direction(k);
    const Vec3<T> c_dot = cross(cross(spin(g.link1), a), b) + cross(a, cross(spin(g.link2), b));
    const T inverse = T(1) / sqrt(dot(c, c));
    const Vec3<T> n = inverse * c;
    const Vec3<T> n_dot = inverse * (c_dot - dot(n, c_dot) * n);
    return dot(n, angular) + dot(n_dot, relative_spin);
  }

  void fill(const Distance&) {
    const Anchor& a = anchor(0);
    const Anchor& b = anchor(1);
    const Vec3<T> r1 = lever(a), r2 = lever(b);
    const Vec3<T> d = kin_.pose[a.link].p - kin_.pose[b.link].p + (r1 - r2);
    const Vec3<T> w = velocity(a.link, r1) - velocity(b.link, r2);
    const Vec3<T> acc = acceleration(a.link, r1) - acceleration(b.link, r2);
    const T inverse = T(1) / sqrt(dot(d, d));
    const T speed = inverse * dot(d, w);
    row(0) = inverse * (dot(d, acc) + dot(w, w) - speed * speed);
  }

  void fill(const CentreOfMass&) {
    Vec3<T> sum = Vec3<T>::zero();
    for (int i = 0; i < model_.num_links(); ++i) {
      const double mass = model_.link(i).inertia.mass;
      if (mass > 0) sum += T(mass / model_.mass()) * acceleration(i, T(1 / mass) * kin_.inertia[i].moment);
    }
    for (int k = 0; k < 3; ++k) row(k) = sum[k];
  }

  /// K is constant in the frame's axes: differentiate the frame's velocity in them.
  void fill(const CustomRows& x) {
    for (int t = 0; t < static_cast<int>(x.bodies.size()); ++t) {
      const Anchor& a = anchor(t);
      if (a.link == kWorld) continue;
      const Mat3<T> R = kin_.pose[a.link].R * cast<T>(a.local.R);
      const Vec3<T> r = lever(a);
      const Vec3<T> angular = transposed_times(R, angular_acceleration(a.link));
      const Vec3<T> linear = transposed_times(R, acceleration(a.link, r) - cross(spin(a.link), velocity(a.link, r)));
      for (int i = 0; i < x.rows; ++i) {
        const double* K = &x.bodies[t].K[6 * i];
        for (int k = 0; k < 3; ++k) row(i) += T(K[k]) * angular[k] + T(K[k + 3]) * linear[k];
      }
    }
  }

  // Joint rows have constant weights.
  void fill(const JointLimit&) {}
  void fill(const JointFriction&) {}
  void fill(const JointCoupling&) {}

  const Model& model_;
  const Kinematics<T>& kin_;
  const Velocities<T>& vel_;
  const ConstraintRows<T>& rows_;
  Out<T> out_;
  const RowSpan* span_ = nullptr;
};

}  // namespace

template <class T>
void constraint_drift(const Model& model, const Kinematics<T>& kin, const Velocities<T>& vel,
                      std::span<const Constraint> constraints, const ConstraintRows<T>& rows, Out<T> drift) {
  require_size("constraints", static_cast<int>(constraints.size()), static_cast<int>(rows.spans.size()));
  require_size("drift", drift.size(), rows.num_rows());
  Drift<T> writer(model, kin, vel, rows, drift);
  for (int e = 0; e < static_cast<int>(constraints.size()); ++e) writer.write(rows.spans[e], constraints[e]);
}

template <class T>
void stabilised_target(In<T> drift, In<T> velocity, In<T> position, double stiffness, double damping,
                       Out<T> target) {
  require_size("velocity", velocity.size(), drift.size());
  require_size("position", position.size(), drift.size());
  require_size("target", target.size(), drift.size());
  for (int r = 0; r < drift.size(); ++r) target[r] = -drift[r] - T(damping) * velocity[r] - T(stiffness) * position[r];
}

#define DELASSUS_INSTANTIATE(T)                                                                                     \
  template void constraint_drift<T>(const Model&, const Kinematics<T>&, const Velocities<T>&,                       \
                                    std::span<const Constraint>, const ConstraintRows<T>&, Out<T>);                 \
  template void stabilised_target<T>(In<T>, In<T>, In<T>, double, double, Out<T>);
DELASSUS_FOR_EACH_SCALAR(DELASSUS_INSTANTIATE)

}  // namespace delassus
