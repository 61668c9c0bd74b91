// Derivatives of row accelerations, row by row and link by link.
//
// A part of a row is n·u: the velocity u of a link's material at a point p, along n. With ṗ the velocity of what carries the
// point, and n carried by a third link, its acceleration is Γ = n·(u̇ + ω × ṗ) + ṅ·u. Everything is written about p.
#include "constraints/row_derivatives.hpp"

#include "constraints/row_variation.hpp"
#include "math/instantiate.hpp"

namespace delassus {

template <class T>
void RowDerivatives<T>::resize(const ConstraintRows<T>& rows) {
  first.clear();
  std::int32_t count = 0;
  for (const RowBlock& block : rows.blocks) {
    first.push_back(count);
    count += block.rows;
  }
  gradients.resize(static_cast<std::size_t>(count));
}

namespace {

template <class T>
class Gradients {
 public:
  using Gradient = typename RowDerivatives<T>::Gradient;

  Gradients(const Model& model, const Kinematics<T>& kin, const MotionDerivatives<T>& motion,
            const ConstraintRows<T>& rows, double stiffness, double damping, RowDerivatives<T>& work)
      : model_(model), kin_(kin), motion_(motion), rows_(rows), stiffness_(stiffness), damping_(damping), work_(work) {
    for (Gradient& g : work_.gradients) g = {Force<T>::zero(), Force<T>::zero(), Force<T>::zero()};
  }

  void add(const RowSpan& span, const Constraint& constraint) {
    span_ = &span;
    for (int b = span.first_block; b < span.first_block + span.blocks; ++b) {
      const RowBlock& block = rows_.blocks[b];
      const Vec3<T> point = point_of(kin_, rows_, block);
      const Carriers carriers = carriers_of(model_, constraint, block.link);
      const Carried own(*this, block.link, point), place(*this, carriers.point, point);
      const Carried axes(*this, carriers.axes, point), spin_axes(*this, carriers.spin_axes, point);
      const Motion<T> A = acceleration(own);
      for (int r = 0; r < block.rows; ++r) {
        const RowParts<T> part(rows_, block, r);
        if (r < block.linear || block.kind == RowBlock::Kind::kDense) add_along(r, part.along, A, own, place, axes);
        if (r >= block.linear) add_about(r, part.about, A, own, spin_axes);
      }
    }
    with_turning_row(model_, kin_, constraint, [&](const TurningRow<T>& row) { add_turning(row); });
  }

 private:
  /// A link as the point sees it.
  struct Carried {
    Carried(const Gradients& g, int link_, const Vec3<T>& point)
        : link(link_), at(from_tree(g.kin_, g.motion_, link_, point)), V(shifted(g.motion_.velocity[link_], at)) {}
    int link;
    Vec3<T> at;
    Motion<T> V;
  };
  Motion<T> acceleration(const Carried& x) const { return shifted(motion_.acceleration[x.link], x.at); }

  Gradient* gradient(int link, int row) {
    const int b = block_on(rows_, *span_, link);
    return b < 0 ? nullptr : &work_.gradients[work_.first[b] + row];
  }

  /// Γ changes by `shift` with a displacement of the link, Jν by `drag`, and so does Γ with the velocity of the link.
  void displaced(const Carried& x, int row, const Force<T>& shift, const Force<T>& drag) {
    Gradient* g = gradient(x.link, row);
    if (g == nullptr) return;
    g->with_S += shifted(shift + carried(x.V, drag) + scaled(drag, damping_), x.at);
    g->with_rate += shifted(drag, x.at);
  }
  /// The row acts on the link by the wrench w.
  void moved(const Carried& x, const Motion<T>& A, int row, const Force<T>& w) {
    Gradient* g = gradient(x.link, row);
    if (g == nullptr) return;
    const Force<T> turned = carried(x.V, w);
    g->with_S += shifted(carried(A, w) + scaled(turned, damping_) + scaled(w, stiffness_), x.at);
    g->with_rate += shifted(turned + scaled(w, damping_), x.at);
    g->with_second += shifted(w, x.at);
  }
  /// That wrench has a rate.
  void turned(const Carried& x, int row, const Force<T>& w_dot) {
    Gradient* g = gradient(x.link, row);
    if (g == nullptr) return;
    g->with_S += shifted(carried(x.V, w_dot), x.at);
    g->with_rate += shifted(w_dot, x.at);
  }

  /// n·u
  void add_along(int row, const Vec3<T>& n, const Motion<T>& A, const Carried& own, const Carried& place,
                 const Carried& axes) {
    const Vec3<T> none = Vec3<T>::zero();
    const Vec3<T>&w = own.V.angular, &u = own.V.linear, &turn = axes.V.angular, &p_dot = place.V.linear;
    const Vec3<T> n_dot = cross(turn, n), nw = cross(n, w);
    moved(own, A, row, {none, n});
    turned(own, row, {cross(p_dot, n), n_dot});
    displaced(place, row, {none, cross(n, A.angular) + cross(nw, place.V.angular) + cross(n_dot, w)}, {none, nw});
    if (axes.link == kWorld) return;
    displaced(axes, row, {cross(n, A.linear + cross(w, p_dot) + cross(u, turn)), none}, {cross(n, u), none});
  }
  /// n·ω
  void add_about(int row, const Vec3<T>& n, const Motion<T>& A, const Carried& own, const Carried& axes) {
    const Vec3<T> none = Vec3<T>::zero();
    moved(own, A, row, {n, none});
    if (axes.link == kWorld) return;
    const Vec3<T>&w = own.V.angular, &turn = axes.V.angular;
    turned(own, row, {cross(turn, n), none});
    displaced(axes, row, {cross(n, A.angular + cross(w, turn)), none}, {cross(n, w), none});
  }

  /// What the change of n = c/|c| adds, with ṅ = Pċ/|c| and P = 1 - n nᵀ: δn·a + δṅ·u + ṅ·δu.
  void add_turning(const TurningRow<T>& row) {
    const Carried side[2] = {{*this, row.link(0), row.point(0)}, {*this, row.link(1), row.point(1)}};
    Motion<T> A[2] = {acceleration(side[0]), acceleration(side[1])};
    for (int k = 0; k < 2; ++k) A[k].linear += cross(side[k].V.angular, side[k].V.linear);
    const Vec3<T>& n = row.direction();
    const T& inverse = row.inverse_length();
    const Vec3<T> c_dot = row.change(0, side[0].V) + row.change(1, side[1].V);
    const Vec3<T> u = row.relative(side[0].V, side[1].V), a = row.relative(A[0], A[1]);
    const Vec3<T> n_dot = inverse * row.across(c_dot), h = inverse * row.across(u);
    const Vec3<T> g = inverse * (row.across(a) - dot(n, c_dot) * h - dot(n, u) * n_dot - dot(n_dot, u) * n);
    for (int k = 0; k < 2; ++k) {
      Force<T> shift = row.pull(k, g) + row.pull_rate(k, h, side[0].V.angular, side[1].V.angular);
      if (!row.is_about()) shift += row.directed(k, cross(n_dot, side[k].V.angular));
      displaced(side[k], row.row(), shift, row.pull(k, h));
      turned(side[k], row.row(), row.directed(k, n_dot));
    }
  }

  const Model& model_;
  const Kinematics<T>& kin_;
  const MotionDerivatives<T>& motion_;
  const ConstraintRows<T>& rows_;
  T stiffness_, damping_;
  RowDerivatives<T>& work_;
  const RowSpan* span_ = nullptr;
};

/// A weight that depends on one coordinate. Its row has no links.
template <class T>
void add_polynomial(const Model& model, const Kinematics<T>& kin, const MotionDerivatives<T>& motion,
                    const JointPolynomial& x, int row, double damping, MatrixView<T> row_q, MatrixView<T> row_v) {
  if (x.other_link < 0) return;
  const Link& other = link_of(model, x.other_link);
  const int k = other.v + x.other_dof;
  const T q = kin.q[other.q + x.other_dof], rate = motion.v[k];
  const T curvature = polynomial_curvature(x, q), bend = curvature * rate;
  row_q(row, k) -= curvature * motion.qdd[k] + polynomial_third(x, q) * rate * rate + T(damping) * bend;
  row_v(row, k) -= bend + bend;
}

}  // namespace

template <class T>
void row_derivatives(const Model& model, const Kinematics<T>& kin, const MotionDerivatives<T>& motion,
                     std::span<const Constraint> constraints, const ConstraintRows<T>& rows, double stiffness,
                     double damping, MatrixOut<T> row_q, MatrixOut<T> row_v, RowDerivatives<T>& work) {
  require_same_structure(constraints, rows);
  for (const MatrixView<T>& out : {row_q, row_v}) {
    require_size("row_q, row_v (rows)", out.rows(), rows.num_rows());
    require_size("row_q, row_v (columns)", out.cols(), model.nv());
    for (int r = 0; r < out.rows(); ++r) {
      for (int k = 0; k < out.cols(); ++k) out(r, k) = T(0);
    }
  }
  Gradients<T> gradients(model, kin, motion, rows, stiffness, damping, work);
  for (std::size_t e = 0; e < constraints.size(); ++e) gradients.add(rows.spans[e], constraints[e]);
  for (std::size_t b = 0; b < rows.blocks.size(); ++b) {
    const RowBlock& block = rows.blocks[b];
    for (int r = 0; r < block.rows; ++r) {
      const auto& g = work.gradients[work.first[b] + r];
      for_each_carrier(model, block.link, [&](int k) {
        row_q(block.first_row + r, k) +=
            dot(motion.S[k], g.with_S) + dot(motion.rate[k], g.with_rate) + dot(motion.second[k], g.with_second);
        row_v(block.first_row + r, k) += dot(motion.S[k], g.with_rate) + dot(motion.twice[k], g.with_second);
      });
    }
  }
  for_each_entry(rows, [&](int row, int v, const T& weight) {
    row_q(row, v) += T(stiffness) * weight;
    row_v(row, v) += T(damping) * weight;
  });
  for (std::size_t e = 0; e < constraints.size(); ++e) {
    if (const auto* x = std::get_if<JointPolynomial>(&constraints[e])) {
      add_polynomial<T>(model, kin, motion, *x, rows.spans[e].first_row, damping, row_q, row_v);
    }
  }
}

#define DELASSUS_INSTANTIATE(T)                                                                           \
  template struct RowDerivatives<T>;                                                                      \
  template void row_derivatives<T>(const Model&, const Kinematics<T>&, const MotionDerivatives<T>&,       \
                                   std::span<const Constraint>, const ConstraintRows<T>&, double, double, \
                                   MatrixOut<T>, MatrixOut<T>, RowDerivatives<T>&);
DELASSUS_FOR_EACH_COUNTING_SCALAR(DELASSUS_INSTANTIATE)

}  // namespace delassus
