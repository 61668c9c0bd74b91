#include "collision/candidates.hpp"

#include "collision/seen_along.hpp"

namespace delassus::collision {
namespace {

/// Corners that are outside a face by this fraction of the size lie on its border: a stack that creeps keeps its names.
constexpr double kBorder = 1e-4;
/// Gaps that differ by this fraction of the size are ties, and so are distances and areas, which matter less.
constexpr double kGapTie = 1e-5, kSpanTie = 1e-3;
/// Candidates along a face's normal that are within this fraction of its separation, and of the size, prove that nothing
/// separates the shapes more.
constexpr double kProof = 1e-6, kProofOfSize = 1e-9;
/// A manifold that misses the deepest point by more than this fraction of the size gets it added.
constexpr double kMissed = 1e-6;

Seen see(const View& view, const Feature& f, bool of_a, const ConvexPair& p) {
  Seen s;
  s.count = f.count;
  s.name = f.name;
  s.of_a = of_a;
  for (int k = 0; k < f.count; ++k) {
    s.point[k] = view.see(of_a ? f.point[k] : p.R * f.point[k] - p.D);
    s.code[k] = f.code[k];
  }
  return s;
}

/// The point of s that is nearest to the middle of t.
const SeenPoint& nearest(const Seen& s, const Seen& t) {
  SeenPoint middle{0, 0, 0};
  for (int k = 0; k < t.count; ++k) {
    middle.x += t.point[k].x / t.count;
    middle.y += t.point[k].y / t.count;
  }
  int best = 0;
  for (int k = 1; k < s.count; ++k) {
    if (distance2(s.point[k], middle) < distance2(s.point[best], middle)) best = k;
  }
  return s.point[best];
}

double area_of(const Vec3<double>& n, const Vec3<double>& a, const Vec3<double>& b, const Vec3<double>& c) {
  return dot(n, cross(b - a, c - a));
}

/// The item with the highest score; of scores that are nearly the same, the first.
template <class Score>
int best_of(const Candidates& list, double tie, Score score) {
  int best = 0;
  double highest = -HUGE_VAL;
  for (int k = 0; k < list.count; ++k) {
    const double s = score(list.item[k]);
    if (s > highest + tie) {
      highest = s;
      best = k;
    }
  }
  return best;
}

}  // namespace

void gather(const ConvexPair& p, const Vec3<double>& n, double separation, double reach, Candidates& out) {
  const double spread = reach - separation;
  const View view(n);
  const Seen a = see(view, facing(p.a, -n, spread), true, p);
  const Seen b = see(view, facing(p.b, transposed_times(p.R, n), spread), false, p);
  const bool flat_a = a.count > 2, flat_b = b.count > 2;
  // The subject is the one that is clipped.
  const bool swap = flat_a && !flat_b;
  const Seen &subject = swap ? b : a, &other = swap ? a : b;
  Touch touch[2 * Feature::kMost];
  int count = 0;
  if (flat_a || flat_b) {
    count = clip_to_polygon(subject, other, kBorder * p.scale, touch);
  } else if (a.count == 2 && b.count == 2) {
    count = meet_segments(subject, other, kBorder * p.scale, touch);
  }
  for (int k = 0; k < count; ++k) {
    const Touch& t = touch[k];
    const double gap = swap ? t.height - t.at.height : t.at.height - t.height;
    if (gap <= reach) out.add(view.place(t.at, swap ? t.height : t.at.height), gap, t.feature);
  }
}

void add_deepest(const ConvexPair& p, const Vec3<double>& n, double separation, Candidates& out) {
  const View view(n);
  const Feature feature_a = facing(p.a, -n, 0), feature_b = facing(p.b, transposed_times(p.R, n), 0);
  const Seen a = see(view, feature_a, true, p), b = see(view, feature_b, false, p);
  const bool from_a = a.count <= b.count;
  const SeenPoint& near = from_a ? nearest(a, b) : nearest(b, a);
  Vec3<double> x = view.place(near, from_a ? near.height : near.height + separation);
  std::uint32_t name = 4U << 28 | a.name << 8 | b.name;
  if (a.count == 1 || b.count == 1) name = corner_name(a.count == 1 ? a : b, 0);
  if (a.count == 2 && b.count == 2) {
    Touch touch[2 * Feature::kMost];
    if (meet_segments(a, b, 0, touch) > 0) x = view.place(touch[0].at, touch[0].at.height);
  }
  for (int k = 0; k < out.count; ++k) {
    if (out.item[k].feature == name) out.item[k] = out.item[--out.count];
  }
  out.add(x, separation, name);
}

bool gather_proven(const ConvexPair& p, const Vec3<double>& n, double separation, double reach, Candidates& out) {
  if (!(separation > 0)) return false;
  out.clear();
  gather(p, n, separation, reach, out);
  return out.least <= separation * (1 + kProof) + kProofOfSize * p.scale;
}

void gather_deepest(const ConvexPair& p, const Vec3<double>& n, double separation, double reach, Candidates& out) {
  out.clear();
  gather(p, n, separation, reach, out);
  if (!(out.least <= separation + kMissed * p.scale)) add_deepest(p, n, separation, out);
}

void reduce(Candidates& list, const Vec3<double>& n, double scale) {
  if (list.count <= 4) return;
  const double tie = kSpanTie * scale, area_tie = kSpanTie * scale * scale;
  const double deepest = list.least + kGapTie * scale;
  // A direction that no symmetric pair of shapes has.
  const Vec3<double> aside{{0.83, 0.47, 0.31}};
  const int k0 = best_of(list, tie, [&](const Candidate& c) { return c.gap > deepest ? -HUGE_VAL : dot(aside, c.x); });
  const Vec3<double> p0 = list.item[k0].x;
  const int k1 = best_of(list, tie, [&](const Candidate& c) { return norm(c.x - p0); });
  const Vec3<double> p1 = list.item[k1].x;
  const int k2 = best_of(list, area_tie, [&](const Candidate& c) { return std::abs(area_of(n, p0, p1, c.x)); });
  const Vec3<double> p2 = list.item[k2].x;
  const double turn = area_of(n, p0, p1, p2) < 0 ? -1 : 1;
  // What a fourth corner adds to the triangle.
  const int k3 = best_of(list, area_tie, [&](const Candidate& c) {
    const double over01 = turn * area_of(n, p1, p0, c.x), over12 = turn * area_of(n, p2, p1, c.x),
                 over20 = turn * area_of(n, p0, p2, c.x);
    return std::fmax(over01, std::fmax(over12, over20));
  });
  const int chosen[4] = {k0, k1, k2, k3};
  Candidates kept;
  for (int i = 0; i < 4; ++i) {
    bool again = false;
    for (int j = 0; j < i; ++j) again |= chosen[j] == chosen[i];
    if (!again) kept.add(list.item[chosen[i]].x, list.item[chosen[i]].gap, list.item[chosen[i]].feature);
  }
  list = kept;
}

}  // namespace delassus::collision
