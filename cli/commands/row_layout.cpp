#include "cli/commands/row_layout.hpp"

namespace delassus::cli {
namespace {

std::vector<double> transposed(const std::vector<double>& A, int columns) {
  const int rows = columns == 0 ? 0 : static_cast<int>(A.size()) / columns;
  std::vector<double> out(A.size());
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < columns; ++c) out[c * rows + r] = A[r * columns + c];
  }
  return out;
}

/// The matrix of w ↦ e_w w + w × e_v, the vector part of the quaternion product w e.
Mat3<double> left_product(const Quaternion<double>& e) {
  return {{e[3], e[2], -e[1], -e[2], e[3], e[0], e[1], -e[0], e[3]}};
}

}  // namespace

void RowLayout::add_same(int count) {
  for (int k = 0; k < count; ++k) rows_.push_back({{here_++, 1.0}});
}

void RowLayout::add_weld(const Mat3<double>& R1, const Mat3<double>& R2, double torque_scale) {
  add_same(3);
  const Quaternion<double> e = quaternion_of(delassus::transposed(R2) * R1);
  const Mat3<double> turn = left_product(e) * delassus::transposed(R2);
  welds_.push_back({size(), {{e[0], e[1], e[2]}}});
  for (int r = 0; r < 3; ++r) {
    rows_.emplace_back();
    for (int c = 0; c < 3; ++c) rows_.back().emplace_back(here_ + c, 0.5 * torque_scale * turn(r, c));
  }
  here_ += 3;
}

void RowLayout::add_pyramid(int rows_here, const std::vector<double>& friction) {
  for (int k = 1; k < rows_here; ++k) {
    rows_.push_back({{here_, 1.0}, {here_ + k, friction[k - 1]}});
    rows_.push_back({{here_, 1.0}, {here_ + k, -friction[k - 1]}});
  }
  here_ += rows_here;
}

void RowLayout::choose_quaternions(const std::vector<double>& J, const std::vector<double>& reference, int columns) {
  const std::vector<double> got = rows(J, columns);
  if (got.size() != reference.size()) return;
  for (Weld& weld : welds_) {
    double agreement = 0;
    for (int i = weld.row * columns; i < (weld.row + 3) * columns; ++i) agreement += got[i] * reference[i];
    if (agreement >= 0) continue;
    weld.position = -weld.position;
    for (int r = weld.row; r < weld.row + 3; ++r) {
      for (auto& [row, factor] : rows_[r]) factor = -factor;
    }
  }
}

std::vector<double> RowLayout::rows(const std::vector<double>& A, int columns) const {
  std::vector<double> out(rows_.size() * columns);
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    for (const auto& [row, factor] : rows_[r]) {
      for (int c = 0; c < columns; ++c) out[r * columns + c] += factor * A[static_cast<std::size_t>(row) * columns + c];
    }
  }
  return out;
}

std::vector<double> RowLayout::both_sides(const std::vector<double>& A) const {
  return rows(transposed(rows(A, here_), here_), size());
}

std::vector<double> RowLayout::positions(const std::vector<double>& here) const {
  std::vector<double> out = rows(here, 1);
  for (const Weld& weld : welds_) {
    for (int k = 0; k < 3; ++k) out[weld.row + k] = weld.position[k];
  }
  return out;
}

}  // namespace delassus::cli
