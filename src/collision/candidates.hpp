// Contact points of two cores along a normal, before there are at most four.
#pragma once

#include "collision/feature.hpp"

namespace delassus::collision {

struct Candidate {
  Vec3<double> x;  // on the core of a, axes of a
  double gap;      // of the cores
  std::uint32_t feature;
};

struct Candidates {
  static constexpr int kMost = 2 * Feature::kMost + 1;
  Candidate item[kMost];
  int count = 0;
  double least = HUGE_VAL;  // of all gaps

  void clear() {
    count = 0;
    least = HUGE_VAL;
  }
  void add(const Vec3<double>& x, double gap, std::uint32_t feature) {
    if (count == kMost) return;
    item[count++] = {x, gap, feature};
    if (gap < least) least = gap;
  }
};

/// What touches along n, which separates the cores by `separation`: the features of a and b that face each other, clipped
/// against each other as they are seen along n. Gaps are at most `reach`.
void gather(const ConvexPair& pair, const Vec3<double>& n, double separation, double reach, Candidates& out);

/// The one point where cores touch that the normal separates by `separation`, whatever the features look like.
void add_deepest(const ConvexPair& pair, const Vec3<double>& n, double separation, Candidates& out);

/// gather(), and whether the points prove that nothing separates the cores more: they cannot be further apart than two of
/// their points are.
bool gather_proven(const ConvexPair& pair, const Vec3<double>& n, double separation, double reach, Candidates& out);

/// gather(), and add_deepest() where that missed the deepest point.
void gather_deepest(const ConvexPair& pair, const Vec3<double>& n, double separation, double reach, Candidates& out);

/// Keeps four that span most, among them the deepest. Near ties the order decides, not rounding.
void reduce(Candidates& list, const Vec3<double>& n, double scale);

}  // namespace delassus::collision
