// Λ⁻¹ and damped solves as one writes them with Eigen, for peers that have M and J but no such call. For each peer by itself:
// what is compiled here must not be shared between modules.
#pragma once

#include <Eigen/Cholesky>
#include <vector>

#include "bench/peers/peer.hpp"

namespace delassus::bench {

using EigenRowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

inline Eigen::Vector3d as_eigen(const Vec3<double>& v) { return {v[0], v[1], v[2]}; }
inline Eigen::Matrix3d as_eigen(const Mat3<double>& m) {
  Eigen::Matrix3d out;
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) out(r, c) = m(r, c);
  }
  return out;
}
inline Eigen::VectorXd as_eigen(const std::vector<double>& x) {
  return Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
}

/// Row by row.
template <class Derived>
std::vector<double> entries_of(const Eigen::MatrixBase<Derived>& m) {
  const EigenRowMajor rows = m;
  return {rows.data(), rows.data() + rows.size()};
}

/// Mass, centre, and inertia about the centre, of a link.
struct CentredInertia {
  explicit CentredInertia(const RigidInertia<double>& about_origin)
      : mass(about_origin.mass), centre(as_eigen(about_origin.moment) / about_origin.mass) {
    for (int r = 0; r < 3; ++r) {
      for (int c = 0; c < 3; ++c) inertia(r, c) = about_origin.rotational(r, c);
    }
    inertia += mass * (centre * centre.transpose() - centre.squaredNorm() * Eigen::Matrix3d::Identity());
  }
  double mass;
  Eigen::Vector3d centre;
  Eigen::Matrix3d inertia;
};

/// Λ⁻¹ of one configuration, and what is solved with it.
struct EigenRows {
  explicit EigenRows(const PeerCase& given)
      : J(given.rows(), given.model.nv()), right_side(as_eigen(given.right_side)), damping(given.damping) {}

  /// (Λ⁻¹ + damping) solution = right side.
  void solve_damped() {
    damped = delassus;
    damped.diagonal().array() += damping;
    factor.compute(damped);
    solution = factor.solve(right_side);
  }

  Eigen::MatrixXd J, delassus, damped;
  Eigen::LLT<Eigen::MatrixXd> factor;
  Eigen::VectorXd right_side, solution;
  double damping;
};

}  // namespace delassus::bench
