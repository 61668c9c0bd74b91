// How the forces of rows change with q, beside moving with the links that they act on.
#include "constraints/row_derivatives.hpp"
#include "constraints/row_variation.hpp"
#include "math/instantiate.hpp"

namespace delassus {
namespace {

template <class T>
class ForceDerivatives {
 public:
  ForceDerivatives(const Model& model, const Kinematics<T>& kin, const MotionDerivatives<T>& motion,
                   const ConstraintRows<T>& rows, In<T> lambda, MatrixOut<T> tau_q)
      : model_(model), kin_(kin), motion_(motion), rows_(rows), lambda_(lambda), tau_q_(tau_q) {}

  void subtract(const RowSpan& span, const Constraint& constraint) {
    for (int b = span.first_block; b < span.first_block + span.blocks; ++b) {
      subtract_block(rows_.blocks[b], carriers_of(model_, constraint, rows_.blocks[b].link));
    }
    with_turning_row(model_, kin_, constraint,
                     [&](const TurningRow<T>& row) { subtract_turning(row, lambda_[span.first_row + row.row()]); });
    if (const auto* x = std::get_if<JointPolynomial>(&constraint); x != nullptr && x->other_link >= 0) {
      const Link& other = link_of(model_, x->other_link);
      const int k = other.v + x->other_dof;
      tau_q_(k, k) += polynomial_curvature(*x, kin_.q[other.q + x->other_dof]) * lambda_[span.first_row];
    }
  }

 private:
  /// tau_q loses what the joints of `link` feel of the wrench that f makes of each displacement of `mover`. Wrench and
  /// displacement are about points of their own.
  template <class F>
  void scatter(int link, const Vec3<T>& point, int mover, const Vec3<T>& mover_point, F&& f) {
    if (link == kWorld || mover == kWorld) return;
    const Vec3<T> r = from_tree(kin_, motion_, link, point), r_mover = from_tree(kin_, motion_, mover, mover_point);
    for_each_carrier(model_, mover, [&](int k) {
      const Force<T> wrench = shifted(f(shifted(motion_.S[k], r_mover)), r);
      for_each_carrier(model_, link, [&](int l) { tau_q_(l, k) -= dot(motion_.S[l], wrench); });
    });
  }
  /// The wrench on `link` follows `mover` and not the link itself.
  template <class F>
  void follow(int link, const Vec3<T>& point, int mover, F&& f) {
    if (mover == link) return;
    scatter(link, point, mover, point, f);
    scatter(link, point, link, point, [&](const Motion<T>& x) { return -f(x); });
  }

  void subtract_block(const RowBlock& block, const Carriers& carriers) {
    Vec3<T> force = Vec3<T>::zero(), couple = force;
    for (int r = 0; r < block.rows; ++r) {
      const RowParts<T> part(rows_, block, r);
      force += lambda_[block.first_row + r] * part.along;
      couple += lambda_[block.first_row + r] * part.about;
    }
    const Vec3<T> none = Vec3<T>::zero(), point = point_of(kin_, rows_, block);
    follow(block.link, point, carriers.point, [&](const Motion<T>& x) -> Force<T> {
      return {cross(x.linear, force), none};
    });
    follow(block.link, point, carriers.axes, [&](const Motion<T>& x) -> Force<T> {
      return {none, cross(x.angular, force)};
    });
    if (block.linear == block.rows) return;
    follow(block.link, point, carriers.spin_axes, [&](const Motion<T>& x) -> Force<T> {
      return {cross(x.angular, couple), none};
    });
  }

  void subtract_turning(const TurningRow<T>& row, const T& lambda) {
    const T scale = lambda * row.inverse_length();
    for (int side = 0; side < 2; ++side) {
      for (int mover = 0; mover < 2; ++mover) {
        scatter(row.link(side), row.point(side), row.link(mover), row.point(mover),
                [&](const Motion<T>& x) { return row.directed(side, scale * row.across(row.change(mover, x))); });
      }
    }
  }

  const Model& model_;
  const Kinematics<T>& kin_;
  const MotionDerivatives<T>& motion_;
  const ConstraintRows<T>& rows_;
  VectorView<const T> lambda_;
  MatrixView<T> tau_q_;
};

}  // namespace

template <class T>
void subtract_force_derivatives(const Model& model, const Kinematics<T>& kin, const MotionDerivatives<T>& motion,
                                std::span<const Constraint> constraints, const ConstraintRows<T>& rows, In<T> lambda,
                                MatrixOut<T> tau_q) {
  require_same_structure(constraints, rows);
  require_size("lambda", lambda.size(), rows.num_rows());
  require_size("tau_q (rows)", tau_q.rows(), model.nv());
  require_size("tau_q (columns)", tau_q.cols(), model.nv());
  ForceDerivatives<T> forces(model, kin, motion, rows, lambda, tau_q);
  for (std::size_t e = 0; e < constraints.size(); ++e) forces.subtract(rows.spans[e], constraints[e]);
}

#define DELASSUS_INSTANTIATE(T)                                                                                \
  template void subtract_force_derivatives<T>(const Model&, const Kinematics<T>&, const MotionDerivatives<T>&, \
                                              std::span<const Constraint>, const ConstraintRows<T>&, In<T>,    \
                                              MatrixOut<T>);
DELASSUS_FOR_EACH_COUNTING_SCALAR(DELASSUS_INSTANTIATE)

}  // namespace delassus
