#include "control/row_scales.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "delassus/constraints/describe.hpp"

namespace delassus {
namespace {

/// For each row the first one of the same constraint that measures the same.
std::vector<int> make_kinds(const Model& model, std::span<const Constraint> constraints) {
  std::vector<int> out;
  for (const Constraint& c : constraints) {
    const std::vector<RowLabel> labels = row_labels(model, c);
    const int first = static_cast<int>(out.size());
    for (std::size_t r = 0; r < labels.size(); ++r) {
      std::size_t same = 0;
      while (labels[same].unit != labels[r].unit) ++same;
      out.push_back(first + static_cast<int>(same));
    }
  }
  return out;
}

template <class T>
T sum_of_sizes(const Vec3<T>& x) {
  return std::abs(x[0]) + std::abs(x[1]) + std::abs(x[2]);
}

}  // namespace

template <FloatingPoint T>
RowScales<T>::RowScales(const Model& model, std::span<const Constraint> constraints)
    : kind_(make_kinds(model, constraints)), scale_(kind_.size()), rounding_(kind_.size()) {}

/// What rounding may leave on the diagonal of Λ⁻¹ for each row, of terms that cancel: its wrench about the farthest joint.
template <FloatingPoint T>
void RowScales<T>::find_rounding(const State<T>& state, T mobility) {
  const auto& pose = state.kinematics().pose;
  T square(0);
  for (int i = 1; i < state.model().num_links(); ++i) {
    const Vec3<T> way = pose[i].p - pose[0].p;
    square = std::max(square, dot(way, way));
  }
  const T reach = std::sqrt(square);
  std::fill(rounding_.begin(), rounding_.end(), T(0));
  for (const RowBlock& block : state.rows().blocks) {
    for (int r = 0; r < block.rows; ++r) {
      const Force<T> wrench = row_wrench(state.rows(), block, r, Vec3<T>::zero());
      rounding_[block.first_row + r] += sum_of_sizes(wrench.moment) + reach * sum_of_sizes(wrench.force);
    }
  }
  for (T& x : rounding_) {
    x *= 16 * std::numeric_limits<T>::epsilon();
    x *= x * mobility;
  }
}

/// Rows of one kind are measured by the softest of them: a row that nothing moves is weak beside its neighbours.
template <FloatingPoint T>
const T* RowScales<T>::find(const State<T>& state, T mobility, MatrixView<const T> A) {
  find_rounding(state, mobility);
  T most(0);
  std::fill(scale_.begin(), scale_.end(), T(0));
  for (int r = 0; r < A.rows(); ++r) {
    if (!(A(r, r) > rounding_[r])) continue;
    scale_[kind_[r]] = std::max(scale_[kind_[r]], A(r, r));
    most = std::max(most, A(r, r));
  }
  for (int r = 0; r < A.rows(); ++r) {
    if (kind_[r] != r) {
      scale_[r] = scale_[kind_[r]];
    } else {
      scale_[r] = std::sqrt(scale_[r] > T(0) ? scale_[r] : most > T(0) ? most : T(1));
    }
  }
  return scale_.data();
}

template class RowScales<float>;
template class RowScales<double>;

}  // namespace delassus
