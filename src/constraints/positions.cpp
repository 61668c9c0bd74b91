// How far each row is from where it should be.
#include "constraints/geometry.hpp"
#include "delassus/constraints/lower.hpp"
#include "delassus/kinematics/frames.hpp"

namespace delassus {
namespace {

template <FloatingPoint T>
class Positions {
 public:
  Positions(const Model& model, const Kinematics<T>& kin, Out<T> out) : model_(model), kin_(kin), out_(out) {}

  void write(const RowSpan& span, const Constraint& c) {
    span_ = &span;
    for (int r = 0; r < span.rows; ++r) out_[span.first_row + r] = T(0);
    std::visit([this](const auto& x) { this->fill(x); }, c);
  }

 private:
  T& row(int r) { return out_[span_->first_row + r]; }
  T coordinate(int link, int dof) const {
    const Link& l = link_of(model_, link);
    if (dof < 0 || dof >= l.nv) throw_other_structure();
    return kin_.q[l.q + dof];
  }

  void fill(const PointContact& x) { row(0) = T(x.gap); }

  void fill(const LoopClosure& x) {
    const LoopGeometry<T> g(model_, kin_, x);
    int i = 0;
    for_each_held(x.free_linear, [&](int k) { row(i++) = dot(g.axis(k), g.gap); });
    if (const int k = universal_axis(x); k >= 0) {
      // Its rate is (ω1 - ω2)·(a × b): the row, while the axes stay near a right angle.
      row(i) = dot(g.arm1(k), g.arm2(k));
      return;
    }
    const Vec3<T> turn = misalignment(g);
    for_each_held(x.free_angular, [&](int k) { row(i++) = dot(g.axis(k), turn); });
  }

  /// The turn from frame 2 to frame 1 as a vector, whose rate is ω1 - ω2 where it is small. About a free axis any turn
  /// is allowed: then it is the turn between the two positions of that axis.
  static Vec3<T> misalignment(const LoopGeometry<T>& g) {
    for (int k = 0; k < 3; ++k) {
      if (g.loop.free_angular == 1u << k) return cross(column(g.R2, k), column(g.R1, k));
    }
    return rotation_log(g.R1 * transposed(g.R2));
  }

  void fill(const Distance& x) {
    const PlacedPoint<T> a(model_, kin_, x.first), b(model_, kin_, x.second);
    row(0) = norm(separation(kin_, a, b)) - T(x.length);
  }
  void fill(const JointLimit& x) {
    const T room = coordinate(x.link, x.dof) - T(x.bound);
    row(0) = x.upper ? -room : room;
  }
  void fill(const JointFriction&) {}
  void fill(const JointCoupling& x) {
    row(0) = -T(x.offset);
    for (const JointCoupling::Term& t : x.terms) row(0) += T(t.weight) * coordinate(t.link, t.dof);
  }
  void fill(const JointPolynomial& x) {
    const T other = x.other_link < 0 ? T(0) : coordinate(x.other_link, x.other_dof);
    row(0) = coordinate(x.link, x.dof) - polynomial_value(x, other);
  }
  void fill(const CentreOfMass& x) {
    const Vec3<T> centre = centre_of_mass(model_, kin_);
    for (int k = 0; k < 3; ++k) row(k) = centre[k] - T(x.target[k]);
  }
  void fill(const CustomRows& x) {
    if (!x.position.empty() && static_cast<int>(x.position.size()) != x.rows) throw_other_structure();
    for (int r = 0; r < static_cast<int>(x.position.size()); ++r) row(r) = T(x.position[r]);
  }

  const Model& model_;
  const Kinematics<T>& kin_;
  Out<T> out_;
  const RowSpan* span_ = nullptr;
};

}  // namespace

template <FloatingPoint T>
void constraint_positions(const Model& model, const Kinematics<T>& kin, std::span<const Constraint> constraints,
                          const ConstraintRows<T>& rows, Out<T> position) {
  require_same_structure(constraints, rows);
  require_size("position", position.size(), rows.num_rows());
  Positions<T> writer(model, kin, position);
  for (int e = 0; e < static_cast<int>(constraints.size()); ++e) writer.write(rows.spans[e], constraints[e]);
}

#define DELASSUS_INSTANTIATE(T)                                                                          \
  template void constraint_positions<T>(const Model&, const Kinematics<T>&, std::span<const Constraint>, \
                                        const ConstraintRows<T>&, Out<T>);
DELASSUS_INSTANTIATE(float)
DELASSUS_INSTANTIATE(double)

}  // namespace delassus
