// What proximal methods on a Delassus operator share.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "delassus/operators/delassus_operator.hpp"
#include "operators/refinement.hpp"

namespace delassus {

template <class T>
struct OperatorWork {
  void reserve(int rows) {
    for (std::vector<T>* work : all()) work->reserve(static_cast<std::size_t>(rows));
  }
  void resize(int rows) {
    for (std::vector<T>* work : all()) work->resize(static_cast<std::size_t>(rows));
  }
  std::array<std::vector<T>*, 5> all() { return {&remainder, &step, &error, &diagonal, &saved}; }

  std::vector<T> remainder, step, error, diagonal, saved;
};

/// ‖Λ⁻¹ z‖ / ‖z‖ for a z without a pattern, which no direction of Λ⁻¹ escapes: about the root mean square of the eigenvalues, by
/// one product. (The diagonal itself may be one for every row.)
template <class T>
T size_of_operator(OperatorRef<T> op, std::vector<T>& weights, std::vector<T>& product) {
  std::uint32_t state = 1;
  for (T& x : weights) {
    state = state * 1664525U + 1013904223U;
    x = T(static_cast<double>(static_cast<std::int32_t>(state)) * 0x1p-31);
  }
  op.apply(weights, product);
  T in(0), out(0);
  for (std::size_t r = 0; r < weights.size(); ++r) {
    in += weights[r] * weights[r];
    out += product[r] * product[r];
  }
  return all_lanes(T(0) < out) ? sqrt(out / in) : T(1);
}

/// rᵀ Λ⁻¹ r over the sum of diagonal times r². Leaves the diagonal in the work.
template <class T>
T reach_of_remainder(OperatorRef<T> op, OperatorWork<T>& work) {
  op.apply(work.remainder, work.error);
  op.diagonal(work.diagonal);
  T felt(0), most(0);
  for (std::size_t r = 0; r < work.remainder.size(); ++r) {
    felt += work.remainder[r] * work.error[r];
    most += work.diagonal[r] * work.remainder[r] * work.remainder[r];
  }
  return all_lanes(T(0) < most) ? felt / most : T(0);
}

/// Damping in proportion to the diagonal; rows that nothing moves get what the softest one gets.
template <class T>
Status damp_by_diagonal(OperatorRef<T> op, const T& part, OperatorWork<T>& work) {
  op.diagonal(work.diagonal);
  const T most = largest(work.diagonal.data(), op.rows());
  for (T& d : work.diagonal) d = part * select(T(0) < d, d, most);
  return op.update_damping(Damping<T>(work.diagonal));
}

}  // namespace delassus
