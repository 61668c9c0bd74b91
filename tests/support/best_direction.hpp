// The direction that separates two shapes most, by looking everywhere.
#pragma once

#include <utility>
#include <vector>

#include "support/random_shapes.hpp"

namespace delassus::testing {

/// Many directions, and the best few of them improved by steps that shrink. Slow, and no code shared with collide(): it
/// needs the width of a shape alone.
class BestDirection {
 public:
  explicit BestDirection(int directions) {
    ShapeSource source(7);
    for (int i = 0; i < directions; ++i) directions_.push_back(source.direction());
  }

  /// The distance, or minus the depth. Accurate to 1e-9 where the best direction was among the few that were improved.
  double separation(const PlacedShape& a, const PlacedShape& b) const {
    constexpr std::ptrdiff_t kFew = 8;
    std::vector<Found> found;
    for (const Vec3<double>& n : directions_) found.emplace_back(separation_along(a, b, n), n);
    std::partial_sort(found.begin(), found.begin() + kFew, found.end(),
                      [](const Found& x, const Found& y) { return x.first > y.first; });
    double best = -HUGE_VAL;
    for (std::ptrdiff_t k = 0; k < kFew; ++k) best = std::max(best, improved(a, b, found[static_cast<std::size_t>(k)]));
    return best;
  }

 private:
  using Found = std::pair<double, Vec3<double>>;

  static double improved(const PlacedShape& a, const PlacedShape& b, Found at) {
    double angle = 0;
    for (double step = 0.1; step > 1e-9;) {
      const Vec3<double>& n = at.second;
      const Vec3<double> other = std::abs(n[2]) < 0.6 ? Vec3<double>{{0, 0, 1}} : Vec3<double>{{1, 0, 0}};
      const Vec3<double> u = cross(n, other), w = cross(n, u);
      angle += 1;  // so that ridges are met from other sides each time
      bool better = false;
      for (int k = 0; k < 8 && !better; ++k) {
        const double turn = angle + k * M_PI / 4;
        const Vec3<double> x = n + step * (std::cos(turn) * u + std::sin(turn) * w);
        const Found next{separation_along(a, b, (1 / norm(x)) * x), (1 / norm(x)) * x};
        better = next.first > at.first;
        if (better) at = next;
      }
      if (!better) step *= 0.5;
    }
    return at.first;
  }

  std::vector<Vec3<double>> directions_;
};

}  // namespace delassus::testing
