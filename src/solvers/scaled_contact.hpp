// The rows of a contact problem in the scale of interior-point methods: λ = c z times the size of the problem, so that each cone is {‖z_t‖ <= z_n},
// whatever its coefficients of friction, each row yields about one, and so do the velocities that forces are needed against.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "delassus/solvers/contact_problem.hpp"
#include "solvers/cone_arithmetic.hpp"

namespace delassus {

/// What the law asks of a row.
enum class RowRole : std::uint8_t {
  kHeld,     // no velocity, any force
  kCone,     // in one of the cones
  kBounded,  // force between two bounds
  kIdle,     // no force: without friction, or with a bound of zero
};

/// Rows of one cone, the normal first: a friction cone without rows that bear nothing, or one row that pushes only.
struct ConeRows {
  int count = 0;
  std::array<int, cone::kMostRows> rows{};

  void read(const std::vector<double>& from, double* to) const {
    for (int k = 0; k < count; ++k) to[k] = from[row(k)];
  }
  void write(const double* from, std::vector<double>& to) const {
    for (int k = 0; k < count; ++k) to[row(k)] = from[k];
  }
  std::size_t row(int k) const { return static_cast<std::size_t>(rows[static_cast<std::size_t>(k)]); }
};

class ScaledContact {
 public:
  /// Memory for so many; find allocates beyond only.
  void reserve(int rows);
  /// `mobility`: per row, what velocity a unit impulse gives.
  void find(std::span<const ForceBlock> blocks, const ContactProblem& problem, const std::vector<double>& mobility);

  /// In the order of blocks and rows.
  const std::vector<ConeRows>& cones() const { return cones_; }
  RowRole role(std::size_t row) const { return roles_[row]; }
  double scale(std::size_t row) const { return scales_[row]; }
  /// Largest |z| of bounded rows.
  double bound(std::size_t row) const { return bounds_[row]; }
  /// Zero: no forces are needed.
  double size() const { return size_; }
  /// How many products of force and velocity vanish at a solution; one at least.
  int degree() const { return degree_; }

  double force(std::size_t row, double z) const { return z * scales_[row] * size_; }
  double unscaled_force(std::size_t row, double lambda) const { return lambda / (scales_[row] * size_); }
  /// Of a velocity σ, without shift.
  double velocity(std::size_t row, double sigma) const { return sigma * scales_[row] / size_; }

 private:
  void add_cone(const ForceBlock& block, const std::vector<double>& mobility);
  void add_row(const ForceBlock& block, std::size_t row, double mobility);
  void measure(std::span<const ForceBlock> blocks, const ContactProblem& problem);

  std::vector<ConeRows> cones_;
  std::vector<RowRole> roles_;
  std::vector<double> scales_, bounds_;
  double size_ = 0;
  int degree_ = 1;
};

}  // namespace delassus
