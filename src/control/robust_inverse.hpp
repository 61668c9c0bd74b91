// An inverse of an inverse inertia Λ⁻¹ that stays bounded where Λ⁻¹ is singular.
//
//   symbol  here
//   D       Λ⁻¹ of a task within what is left to it: symmetric, positive semidefinite
//   s       what its rows yield at best: s⁻¹ D s⁻¹ has no units, and nothing in it is much above one
//   w, v    its eigenvalues and eigenvectors
//   t       the threshold: directions with w < t are weak
#pragma once

#include <vector>

#include "delassus/control/task.hpp"
#include "delassus/math/scalar.hpp"
#include "delassus/math/view.hpp"

namespace delassus {

template <FloatingPoint T>
class RobustInverse {
 public:
  RobustInverse(int rows, const SingularityOptions& options);
  /// For rows that are held whatever it takes, and may depend on each other: directions that nothing moves are left out, and
  /// no others are weak.
  static RobustInverse make_held(int rows);

  /// D is taken from a matrix of any stride. Allocates nothing.
  void factor(MatrixView<const T> D, const T* scale);

  /// Forces from accelerations, bounded: v vᵀ / max(w, t) or what the handling says.
  MatrixView<const T> force() const { return {force_.data(), rows_, rows_}; }
  /// A generalised inverse P with D P D = D: exact along all directions that are to be kept free of what levels below do.
  MatrixView<const T> projection() const { return {(split_ ? projection_ : force_).data(), rows_, rows_}; }
  const LevelReport<T>& report() const { return report_; }

 private:
  bool invert();
  int factor_independent();
  void invert_independent(int rank);
  void split();
  void compose(const T* weight, std::vector<T>& out) const;
  void find_weakest();
  void unscale(std::vector<T>& matrix) const;
  T yield_of(const T& w, const T& damping) const;
  void load(MatrixView<const T> D);

  int rows_;
  SingularityOptions options_;
  T threshold_;
  bool held_ = false;
  bool split_ = false;  // whether force and projection differ
  LevelReport<T> report_;
  std::vector<T> scale_;                    // 1 / s
  std::vector<T> work_, vectors_, weight_;  // s⁻¹ D s⁻¹ and its factors
  std::vector<T> floor_, panel_;
  std::vector<int> order_;  // rows by pivot
  std::vector<T> force_, projection_;
};

}  // namespace delassus
