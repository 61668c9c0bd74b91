// Round cones side by side: contacts with sliding friction that is the same both ways are nearly all there are. Each has three rows, n, t1, t2, and
// those of the next one follow, so that a chunk of them goes into lanes, one contact in each, and no lane waits for what another
// decides. X is a pack, or double for a lone one. What is not of this kind goes through project and sliding_speed of contact_problem.hpp, one by one.
#pragma once

#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "delassus/solvers/contact_problem.hpp"
#include "math/chunks.hpp"
#include "math/columns.hpp"

namespace delassus {

inline constexpr int kConeRows = 3;

/// Sliding friction alone, the same both ways.
inline bool is_round(const ForceBlock& block) {
  return block.kind == SetKind::kFrictionCone && block.rows == kConeRows && block.mu[0] == block.mu[1];
}

template <class X>
DELASSUS_INLINE X magnitude(const X& x) {
  return max(x, -x);
}

template <class X>
struct ConeVector {
  X n, t1, t2;
};

/// Three registers as they stand in memory become one of normals and two of tangents, and back. Entry k of the first kind of vector is entry
/// kRows k + row of the second; a shuffle takes two registers, so that it takes two of them for each.
template <int kWidth, std::size_t... kLane>
DELASSUS_INLINE auto take_row(auto row, std::index_sequence<kLane...>, const auto& a, const auto& b, const auto& c) {
  constexpr int kTwo = 2 * kWidth, kRow = row();
  constexpr auto kFrom = [](int lane) { return kConeRows * lane + kRow; };
  const auto some = __builtin_shufflevector(a, b, (kFrom(kLane) < kTwo ? kFrom(kLane) : 0)...);
  return __builtin_shufflevector(some, c, (kFrom(kLane) < kTwo ? static_cast<int>(kLane) : kFrom(kLane) - kWidth)...);
}

template <int kWidth, std::size_t... kLane>
DELASSUS_INLINE auto put_rows(auto part, std::index_sequence<kLane...>, const auto& n, const auto& t1, const auto& t2) {
  constexpr int kFirst = part() * kWidth;
  constexpr auto kRow = [](int lane) { return (kFirst + lane) % kConeRows; };
  constexpr auto kCone = [](int lane) { return (kFirst + lane) / kConeRows; };
  const auto some = __builtin_shufflevector(n, t1, (kRow(kLane) < 2 ? kRow(kLane) * kWidth + kCone(kLane) : 0)...);
  return __builtin_shufflevector(some, t2, (kRow(kLane) < 2 ? static_cast<int>(kLane) : kWidth + kCone(kLane))...);
}

/// Of cones whose rows begin at `from`.
template <class X>
DELASSUS_INLINE ConeVector<X> load_cones(const double* from) {
  if constexpr (std::same_as<X, double>) {
    return {from[0], from[1], from[2]};
  } else {
    constexpr int kWidth = X::kWidth;
    constexpr auto kLanes = std::make_index_sequence<kWidth>{};
    const X a = load<X>(from), b = load<X>(from + kWidth), c = load<X>(from + 2 * kWidth);
    const auto take = [&](auto row) { return X(take_row<kWidth>(row, kLanes, a.lanes, b.lanes, c.lanes)); };
    return {take(std::integral_constant<int, 0>{}), take(std::integral_constant<int, 1>{}),
            take(std::integral_constant<int, 2>{})};
  }
}

template <class X>
DELASSUS_INLINE void store_cones(double* to, const ConeVector<X>& x) {
  if constexpr (std::same_as<X, double>) {
    to[0] = x.n;
    to[1] = x.t1;
    to[2] = x.t2;
  } else {
    constexpr int kWidth = X::kWidth;
    constexpr auto kLanes = std::make_index_sequence<kWidth>{};
    const auto put = [&](auto part) {
      store(to + part() * kWidth, X(put_rows<kWidth>(part, kLanes, x.n.lanes, x.t1.lanes, x.t2.lanes)));
    };
    put(std::integral_constant<int, 0>{});
    put(std::integral_constant<int, 1>{});
    put(std::integral_constant<int, 2>{});
  }
}

template <class X>
DELASSUS_INLINE X tangent_norm(const ConeVector<X>& x) {
  return sqrt(x.t1 * x.t1 + x.t2 * x.t2);
}

/// The nearest points of the cones ‖y_t‖ <= μ y_n, and by how much shorter than those of x their tangents are. NaN stays NaN.
template <class X>
DELASSUS_INLINE ConeVector<X> project_cones(const X& mu, const ConeVector<X>& x, X& shorter) {
  const X zero(0), one(1), tangent = tangent_norm(x);
  const X reach = mu * tangent + x.n, normal = reach / (one + mu * mu);
  const auto outside = mu * x.n < tangent, polar = reach < zero;
  const X share = select(polar, zero, select(outside, mu * normal / tangent, one));
  shorter = select(polar, tangent, select(outside, tangent - mu * normal, zero));
  return {select(polar, zero, select(outside, normal, x.n)), share * x.t1, share * x.t2};
}

/// Round cones whose rows follow each other.
struct ConeRun {
  int row = 0;    // of the first
  int first = 0;  // its number among all round cones
  int count = 0;
};

/// What of a problem goes through lanes, and what does not.
class ConeRuns {
 public:
  void reserve(int constraints);
  /// Allocates only beyond that.
  void list(std::span<const ForceBlock> blocks);

  std::span<const ConeRun> runs() const { return runs_; }
  const std::vector<double>& mu() const { return mu_; }  // of round cones
  /// Numbers of the blocks that are something else.
  std::span<const int> others() const { return others_; }

 private:
  std::vector<ConeRun> runs_;
  std::vector<double> mu_;
  std::vector<int> others_;
};

/// How many round cones there are from block `first` on, with rows that follow each other.
inline int count_round(std::span<const ForceBlock> blocks, std::size_t first) {
  std::size_t end = first;
  while (end < blocks.size() && is_round(blocks[end]) &&
         (end == first || blocks[end].row == blocks[end - 1].row + kConeRows))
    ++end;
  return static_cast<int>(end - first);
}

}  // namespace delassus
