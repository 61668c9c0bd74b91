#include "collision/patch.hpp"

#include <algorithm>

namespace delassus::collision {
namespace {

/// Normals whose sine is less are one: what edges inside flat ground may differ by.
constexpr double kSameNormal = 1e-4;

/// Makes room: what is furthest in one of twelve directions stays, and what is deepest. So the corners of what is touched stay,
/// whatever comes between them, until there are all points to choose from.
void thin_out(Candidates& list, const Vec3<double>& n) {
  static constexpr int kDirections = 12;
  const Vec3<double> right = perpendicular_to(n), up = cross(n, right);
  bool stays[Candidates::kMost] = {};
  const auto keep_most = [&](const auto& measure) {
    int best = 0;
    for (int k = 1; k < list.count; ++k) {
      if (measure(list.item[k]) > measure(list.item[best])) best = k;
    }
    stays[best] = true;
  };
  for (int d = 0; d < kDirections; ++d) {
    const double angle = 2 * M_PI * d / kDirections;
    const Vec3<double> along = std::cos(angle) * right + std::sin(angle) * up;
    keep_most([&](const Candidate& c) { return dot(along, c.x); });
  }
  keep_most([](const Candidate& c) { return -c.gap; });
  const Candidates all = list;
  list.clear();
  for (int k = 0; k < all.count; ++k) {
    if (stays[k]) list.add(all.item[k].x, all.item[k].gap, all.item[k].feature);
  }
}

/// Four stay. Names of corners are lower than those of crossings: where a crossing is near a corner, the corner stays.
void keep_four(Candidates& list, const Vec3<double>& n, double scale) {
  std::sort(list.item, list.item + list.count,
            [](const Candidate& x, const Candidate& y) { return x.feature < y.feature; });
  reduce(list, n, scale);
}

void add_point(Candidates& list, const Candidate& c, const Vec3<double>& n) {
  for (int k = 0; k < list.count; ++k) {
    Candidate& there = list.item[k];
    if (there.feature != c.feature) continue;
    if (c.gap < there.gap) there = c;
    list.least = std::fmin(list.least, c.gap);
    return;
  }
  if (list.count == Candidates::kMost) thin_out(list, n);
  list.add(c.x, c.gap, c.feature);
}

bool has_feature(const ContactPatch& patch, std::uint32_t feature) {
  for (int k = 0; k < patch.count; ++k) {
    if (patch.points[static_cast<std::size_t>(k)].feature == feature) return true;
  }
  return false;
}

}  // namespace

/// A new group where there is none; in the place of the one that is least deep where they are too many. Null if that is
/// the new one.
Patch::Group* Patch::group_along(const Vec3<double>& n, double least) {
  Group* shallowest = groups_.data();
  for (int k = 0; k < count_; ++k) {
    Group& group = groups_[static_cast<std::size_t>(k)];
    const Vec3<double> across = cross(group.n, n);
    if (dot(group.n, n) > 0 && dot(across, across) < kSameNormal * kSameNormal) return &group;
    if (group.points.least > shallowest->points.least) shallowest = &group;
  }
  Group* place = nullptr;
  if (count_ < kMostGroups) {
    place = &groups_[static_cast<std::size_t>(count_++)];
  } else if (least < shallowest->points.least) {
    place = shallowest;
  }
  if (place) *place = {n, {}};
  return place;
}

void Patch::add(const Vec3<double>& n, const Candidates& points) {
  if (points.count == 0) return;
  Group* group = group_along(n, points.least);
  for (int k = 0; group && k < points.count; ++k) add_point(group->points, points.item[k], group->n);
}

void Patch::finish(const Pose<double>& pose_a, double radius, ContactPatch& out) {
  for (int g = 0; g < count_; ++g) {
    Group& group = groups_[static_cast<std::size_t>(g)];
    keep_four(group.points, group.n, scale_);
    for (int k = 0; k < group.points.count; ++k) {
      const Candidate& c = group.points.item[k];
      std::uint32_t feature = c.feature;
      // One corner may touch along several normals, as a sphere does in a valley.
      while (has_feature(out, feature)) feature += 1U << 24;
      out.points[static_cast<std::size_t>(out.count++)] = {pose_a * (c.x - radius * group.n), pose_a.R * group.n,
                                                           c.gap - radius, feature};
    }
  }
}

}  // namespace delassus::collision
