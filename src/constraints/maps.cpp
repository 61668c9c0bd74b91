#include "delassus/constraints/lower.hpp"

#include "delassus/math/error.hpp"
#include "math/instantiate.hpp"

namespace delassus {

template <class T>
void apply_jacobian(const Model& model, const Kinematics<T>& kin, const ConstraintRows<T>& rows, In<T> nu, Out<T> y,
                    LinkMotions<T>& work) {
  require_size("nu", nu.size(), model.nv());
  require_size("y", y.size(), rows.num_rows());
  for (int i = 0; i < model.num_links(); ++i) {
    const Link& link = model.link(i);
    Motion<T> m = shifted(work.motion[link.parent], kin.offset[i]);
    for (int k = link.v; k < link.v + link.nv; ++k) m += scaled(kin.S[k], nu[k]);
    work.motion[i] = m;
  }
  for (int r = 0; r < rows.num_rows(); ++r) y[r] = T(0);
  const Vec3<T> here = Vec3<T>::zero();
  for (const RowBlock& block : rows.blocks) {
    for (int r = 0; r < block.rows; ++r) {
      y[block.first_row + r] += dot(work.motion[block.link], row_wrench(rows, block, r, here));
    }
  }
  for_each_entry(rows, [&](int row, int v, const T& weight) { y[row] += weight * nu[v]; });
}

template <class T>
void apply_jacobian_transpose(const Model& model, const Kinematics<T>& kin, const ConstraintRows<T>& rows, In<T> lambda,
                              Out<T> tau, LinkForces<T>& work) {
  require_size("lambda", lambda.size(), rows.num_rows());
  require_size("tau", tau.size(), model.nv());
  for (int i = kWorld; i < model.num_links(); ++i) work.force[i] = Force<T>::zero();
  const Vec3<T> here = Vec3<T>::zero();
  for (const RowBlock& block : rows.blocks) {
    for (int r = 0; r < block.rows; ++r) {
      work.force[block.link] += scaled(row_wrench(rows, block, r, here), lambda[block.first_row + r]);
    }
  }
  for (int i = model.num_links() - 1; i >= 0; --i) {
    const Link& link = model.link(i);
    for (int k = link.v; k < link.v + link.nv; ++k) tau[k] = dot(kin.S[k], work.force[i]);
    work.force[link.parent] += shifted(work.force[i], kin.offset[i]);
  }
  for_each_entry(rows, [&](int row, int v, const T& weight) { tau[v] += weight * lambda[row]; });
}

template <class T>
void constraint_jacobian(const Model& model, const Kinematics<T>& kin, const ConstraintRows<T>& rows, MatrixOut<T> J) {
  require_size("J (rows)", J.rows(), rows.num_rows());
  require_size("J (columns)", J.cols(), model.nv());
  for (int r = 0; r < J.rows(); ++r) {
    for (int c = 0; c < J.cols(); ++c) J(r, c) = T(0);
  }
  for (const RowBlock& block : rows.blocks) {
    for (int r = 0; r < block.rows; ++r) {
      Force<T> wrench = row_wrench(rows, block, r, Vec3<T>::zero());
      for (int i = block.link; i != kWorld; i = model.link(i).parent) {
        const Link& link = model.link(i);
        for (int k = link.v; k < link.v + link.nv; ++k) J(block.first_row + r, k) += dot(kin.S[k], wrench);
        wrench = shifted(wrench, kin.offset[i]);
      }
    }
  }
  for_each_entry(rows, [&](int row, int v, const T& weight) { J(row, v) += weight; });
}

#define DELASSUS_INSTANTIATE(T)                                                                                  \
  template void apply_jacobian<T>(const Model&, const Kinematics<T>&, const ConstraintRows<T>&, In<T>, Out<T>,   \
                                  LinkMotions<T>&);                                                              \
  template void apply_jacobian_transpose<T>(const Model&, const Kinematics<T>&, const ConstraintRows<T>&, In<T>, \
                                            Out<T>, LinkForces<T>&);                                             \
  template void constraint_jacobian<T>(const Model&, const Kinematics<T>&, const ConstraintRows<T>&, MatrixOut<T>);
DELASSUS_FOR_EACH_SCALAR(DELASSUS_INSTANTIATE)

}  // namespace delassus
