// Contacts of a block: candidate points within the margin, one environment per lane, and whether bodies touch each other.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "batch/lane_plan.hpp"
#include "delassus/collision/collide.hpp"
#include "delassus/kinematics/kinematics.hpp"
#include "math/lane_masks.hpp"

namespace delassus {

/// A slot within the margin in some lane.
template <class P>
struct LaneContact {
  int slot = 0, link = 0, body = 0;
  Vec3<P> normal{};
  Vec3<P> lever{};  // from the link's origin to the point, world axes
  P gap{};
  P mobility{}, k{};     // stiffness: one over the mobility
  P mu{}, cone_share{};  // friction, and 1 / (1 + mu²)
  MaskOf<P> within{};    // of the margin
  MaskOf<P> acts{};      // has rows in this step
  Vec3<P> g{};           // velocity of the point without impulses, and its bias
  Vec3<P> before{};      // and before the step
  Vec3<P> u{}, target{}, lambda{};
};

/// Two bodies that touch nearly, in one lane.
struct LaneTouch {
  int lane, link_a, link_b;
  Vec3<double> position, normal;
  double gap;
};

template <class P>
DELASSUS_INLINE Vec3<P> point_velocity(const Motion<P>& m, const Vec3<P>& lever) {
  return m.linear + cross(m.angular, lever);
}

template <class P>
class LaneContacts {
 public:
  explicit LaneContacts(const LanePlan& plan) : plan_(plan), balls_(plan.capsules.size()) {
    contacts.reserve(static_cast<std::size_t>(plan.num_slots()));
  }

  /// At the configuration of kin. `alive`: lanes that are looked at.
  void find(const Kinematics<P>& kin, MaskOf<P> alive);

  std::vector<LaneContact<P>> contacts;
  std::vector<LaneTouch> touches;
  /// Lanes whose contacts are not those of the full collision.
  MaskOf<P> unlike{};

 private:
  static constexpr int kMost = CandidateShape::kMostCorners;
  struct Slots {
    std::array<Vec3<P>, kMost> lever;
    std::array<P, kMost> gap;
  };

  void find_on_plane(const Kinematics<P>& kin, std::size_t shape, std::size_t plane);
  void place_points(const CandidateShape& shape, const Pose<P>& pose, const Vec3<P>& n, P height, Slots& out) const;
  void place_rims(const CandidateShape& shape, const Pose<P>& pose, const Vec3<P>& n, P height, Slots& out) const;
  void place_ellipsoid(const CandidateShape& shape, const Pose<P>& pose, const Vec3<P>& n, P height, Slots& out) const;
  void find_touches(const Kinematics<P>& kin, MaskOf<P> alive);
  MaskOf<P> may_touch(const Kinematics<P>& kin, int i, int j) const;
  void touch(const Kinematics<P>& kin, int i, int j, int lane);

  const LanePlan& plan_;
  std::vector<Vec3<P>> balls_;  // centres of capsules
};

template <class P>
Pose<double> pose_in_lane(const Pose<P>& pose, int lane) {
  Pose<double> out;
  for (int k = 0; k < 9; ++k) out.R.a[k] = pose.R.a[k][lane];
  for (int k = 0; k < 3; ++k) out.p[k] = pose.p[k][lane];
  return out;
}

template <class P>
void LaneContacts<P>::find(const Kinematics<P>& kin, MaskOf<P> alive) {
  contacts.clear();
  unlike = mask_of<P>(false);
  for (std::size_t s = 0; s < plan_.points.shapes.size(); ++s) {
    for (std::size_t p = 0; p < plan_.points.planes.size(); ++p) {
      if (plan_.points.touchable[s * plan_.points.planes.size() + p] != 0) find_on_plane(kin, s, p);
    }
  }
  find_touches(kin, alive);
}

/// Balls around the points.
template <class P>
void LaneContacts<P>::place_points(const CandidateShape& shape, const Pose<P>& pose, const Vec3<P>& n, P height,
                                   Slots& out) const {
  const P radius(shape.radius);
  for (int k = 0; k < shape.slots; ++k) {
    const Vec3<P> x = pose.R * cast<P>(shape.points[static_cast<std::size_t>(k)]);
    out.gap[k] = height + dot(n, x) - radius;
    out.lever[k] = x - radius * n;
  }
}

/// On each rim down, up, and to both sides. Where the axis is along the normal, nothing is down: there the angles are fixed to the body.
template <class P>
void LaneContacts<P>::place_rims(const CandidateShape& shape, const Pose<P>& pose, const Vec3<P>& n, P height,
                                 Slots& out) const {
  constexpr double kUpright = 1e-6;  // the square of the sine between the two
  const Mat3<P> axes = pose.R * cast<P>(shape.axes);
  const Vec3<P> x{{axes(0, 0), axes(1, 0), axes(2, 0)}}, z{{axes(0, 2), axes(1, 2), axes(2, 2)}};
  const P cosine = dot(n, z);
  const Vec3<P> across = cosine * z - n;  // down, in the plane of the rim
  const P sine2 = dot(across, across);
  const MaskOf<P> leans = P(kUpright) < sine2;
  const P scale = P(1.0) / sqrt(select(leans, sine2, P(1.0)));
  Vec3<P> down;
  for (int c = 0; c < 3; ++c) down[c] = select(leans, scale * across[c], x[c]);
  const Vec3<P> side = cross(z, down);
  const P radius(shape.radius);
  for (int end = 0; end < 2; ++end) {
    const Vec3<P> centre = pose.R * cast<P>(shape.points[static_cast<std::size_t>(end)]);
    const Vec3<P> reach[4] = {radius * down, -(radius * down), radius * side, -(radius * side)};
    for (int k = 0; k < 4; ++k) {
      const Vec3<P> point = centre + reach[k];
      out.lever[4 * end + k] = point;
      out.gap[4 * end + k] = height + dot(n, point);
    }
  }
}

/// The point whose normal is -n.
template <class P>
void LaneContacts<P>::place_ellipsoid(const CandidateShape& shape, const Pose<P>& pose, const Vec3<P>& n, P height,
                                      Slots& out) const {
  const Mat3<P> axes = pose.R * cast<P>(shape.axes);
  const Vec3<P> along = transposed_times(axes, n);
  Vec3<P> scaled_along;
  for (int c = 0; c < 3; ++c) scaled_along[c] = P(shape.half_axes[c]) * along[c];
  const P scale = P(-1.0) / sqrt(dot(scaled_along, scaled_along));
  for (int c = 0; c < 3; ++c) scaled_along[c] = scale * P(shape.half_axes[c]) * scaled_along[c];
  out.lever[0] = pose.R * cast<P>(shape.centre) + axes * scaled_along;
  out.gap[0] = height + dot(n, out.lever[0]);
}

template <class P>
void LaneContacts<P>::find_on_plane(const Kinematics<P>& kin, std::size_t index, std::size_t plane_index) {
  const CandidateShape& shape = plan_.points.shapes[index];
  const CandidatePlane& plane = plan_.points.planes[plane_index];
  const P margin(plan_.options.collision.margin);
  const Vec3<P> n = cast<P>(plane.normal);
  const Pose<P>& pose = kin.pose[shape.link];
  const P height = dot(n, pose.p) - P(plane.offset);
  const P ball = height + dot(n, pose.R * cast<P>(shape.centre)) - P(shape.bound);
  if (!any_lane(ball < margin)) return;
  Slots slots;
  if (shape.kind == CandidateShape::Kind::kPoints) {
    place_points(shape, pose, n, height, slots);
  } else if (shape.kind == CandidateShape::Kind::kRims) {
    place_rims(shape, pose, n, height, slots);
  } else {
    place_ellipsoid(shape, pose, n, height, slots);
  }
  P total(0.0);
  const std::size_t planes = plan_.points.planes.size();
  for (int k = 0; k < shape.slots; ++k) {
    const MaskOf<P> near = !(margin < slots.gap[k]);
    total += select(near, P(1.0), P(0.0));
    if (!any_lane(near)) continue;
    P deeper(0.0);
    if (shape.slots > CandidateShape::kMostActive) {
      for (int j = 0; j < shape.slots; ++j) {
        const MaskOf<P> before = j < k ? !(slots.gap[k] < slots.gap[j]) : slots.gap[j] < slots.gap[k];
        deeper += select(before, P(1.0), P(0.0));
      }
    }
    const MaskOf<P> within = near & (deeper < P(CandidateShape::kMostActive - 0.5));
    if (!any_lane(within)) continue;
    LaneContact<P> contact;
    contact.slot = static_cast<int>(plane_index) * plan_.points.num_slots + shape.first_slot + k;
    contact.link = shape.link;
    contact.body = shape.body;
    contact.normal = n;
    contact.lever = slots.lever[k];
    contact.gap = slots.gap[k];
    contact.within = within;
    contact.mu = P(plan_.friction[index * planes + plane_index]);
    contact.mobility = P(plan_.mobility[static_cast<std::size_t>(shape.first_slot + k)]);
    contact.k = P(1 / plan_.mobility[static_cast<std::size_t>(shape.first_slot + k)]);
    contacts.push_back(contact);
  }
  if (shape.spread) unlike = unlike | (P(CandidateShape::kMostActive + 0.5) < total);
}

/// Whether the capsules around two shapes are within the margin: nearest points of two segments.
template <class P>
MaskOf<P> LaneContacts<P>::may_touch(const Kinematics<P>& kin, int i, int j) const {
  constexpr double kTiny = 1e-12;
  const LaneCapsule &a = plan_.capsules[static_cast<std::size_t>(i)], &b = plan_.capsules[static_cast<std::size_t>(j)];
  const Pose<P>&pa = kin.pose[a.link], &pb = kin.pose[b.link];
  const Vec3<P> a0 = pa * cast<P>(a.a), b0 = pb * cast<P>(b.a);
  const Vec3<P> da = pa.R * cast<P>(a.b - a.a), db = pb.R * cast<P>(b.b - b.a), r = a0 - b0;
  const P zero(0.0), one(1.0);
  const P aa = dot(da, da) + P(kTiny), bb = dot(db, db) + P(kTiny), ab = dot(da, db), ar = dot(da, r), br = dot(db, r);
  const P denominator = max(aa * bb - ab * ab, P(kTiny * kTiny));
  const auto clamped = [&](P x) { return min(max(x, zero), one); };
  const P s0 = clamped((ab * br - ar * bb) / denominator);
  const P t = clamped((ab * s0 + br) / bb);
  const P s = clamped((ab * t - ar) / aa);
  const Vec3<P> apart = r + s * da - t * db;
  const double reach = a.radius + b.radius + plan_.options.collision.margin + 1e-5;
  return dot(apart, apart) < P(reach * reach);
}

template <class P>
void LaneContacts<P>::find_touches(const Kinematics<P>& kin, MaskOf<P> alive) {
  touches.clear();
  for (std::size_t k = 0; k < balls_.size(); ++k) {
    const LaneCapsule& capsule = plan_.capsules[k];
    balls_[k] = kin.pose[capsule.link] * cast<P>(capsule.centre);
  }
  for (const auto& [i, j] : plan_.pairs) {
    const Vec3<P> apart = balls_[static_cast<std::size_t>(i)] - balls_[static_cast<std::size_t>(j)];
    const double reach = plan_.capsules[static_cast<std::size_t>(i)].reach +
                         plan_.capsules[static_cast<std::size_t>(j)].reach + plan_.options.collision.margin;
    if (!any_lane(dot(apart, apart) < P(reach * reach))) continue;
    const LaneBits near = bits_of(may_touch(kin, i, j) & alive);
    for (int lane = 0; lane < P::kWidth; ++lane) {
      if (has_lane(near, lane)) touch(kin, i, j, lane);
    }
  }
}

template <class P>
void LaneContacts<P>::touch(const Kinematics<P>& kin, int i, int j, int lane) {
  const auto place = [&](int k) {
    const CollisionWorld::Shape& s = plan_.moving[static_cast<std::size_t>(k)];
    return PlacedShape{s.kind, s.size, pose_in_lane(kin.pose[s.link], lane) * s.placement, s.surface.get()};
  };
  const int a = plan_.capsules[static_cast<std::size_t>(i)].link, b = plan_.capsules[static_cast<std::size_t>(j)].link;
  ContactPatch found;
  collide(place(i), place(j), plan_.options.collision.margin, found);
  for (int k = 0; k < found.count; ++k) {
    const ContactPatch::Point& c = found.points[static_cast<std::size_t>(k)];
    touches.push_back({lane, a, b, c.position, c.normal, c.gap});
  }
}

}  // namespace delassus
