// The rows of another engine as sums of the library's rows.
#pragma once

#include <utility>
#include <vector>

#include "delassus/math/rotation.hpp"

namespace delassus::cli {

/// Built row by row, in the order of the engine's rows.
class RowLayout {
 public:
  /// Rows that are the same here.
  void add_same(int count);
  /// The six rows of a weld in world axes, as MuJoCo has them. With e = q2⁻¹ q1 the quaternion of frame 1 in frame 2,
  /// the angular positions are the vector part of e and the angular rows its rate, times the scale: half of
  /// (e_w + e_v ×) R2ᵀ (ω1 - ω2). Near the goal that is half the difference of angular velocities in the axes of 2.
  void add_weld(const Mat3<double>& R1, const Mat3<double>& R2, double torque_scale);
  /// The rows of a contact in a pyramidal cone: the normal row plus and minus friction times each of the others.
  void add_pyramid(int rows_here, const std::vector<double>& friction);

  int size() const { return static_cast<int>(rows_.size()); }

  /// A quaternion and its negative are the same rotation: takes for each weld the one that the engine took, told by
  /// its rows. `J` are the library's rows.
  void choose_quaternions(const std::vector<double>& J, const std::vector<double>& reference, int columns);

  /// L A, where A has as many rows as the library, and `columns` columns.
  std::vector<double> rows(const std::vector<double>& A, int columns) const;
  /// L A Lᵀ of a symmetric A.
  std::vector<double> both_sides(const std::vector<double>& A) const;
  /// The engine's positions from the library's.
  std::vector<double> positions(const std::vector<double>& here) const;

 private:
  struct Weld {
    int row;  // the first angular one
    Vec3<double> position;
  };
  std::vector<std::vector<std::pair<int, double>>> rows_;  // (row here, factor)
  std::vector<Weld> welds_;
  int here_ = 0;
};

}  // namespace delassus::cli
