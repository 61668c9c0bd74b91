#include "model/principal_axes.hpp"

#include <Eigen/Eigenvalues>

namespace delassus {

PrincipalAxes principal_axes(const Sym3<double>& inertia) {
  Eigen::Matrix3d A;
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) A(r, c) = inertia(r, c);
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(A);
  PrincipalAxes out;
  for (int r = 0; r < 3; ++r) {
    out.moments[r] = solver.eigenvalues()[r];
    for (int c = 0; c < 3; ++c) out.axes(r, c) = solver.eigenvectors()(r, c);
  }
  return out;
}

}  // namespace delassus
