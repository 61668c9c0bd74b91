#include "kinematics/limb_kinematics.hpp"

#include "math/lane_copy.hpp"

namespace delassus {
namespace {

/// Entries of a vector of the robot in lanes; lanes without a source get what `padding` says of the entry.
template <class Padding>
DELASSUS_INLINE void fold(const std::vector<LimbSource>& sources, const double* from, Padding&& padding, Limbs* to) {
  for (std::size_t k = 0; k < sources.size(); ++k) {
    const LimbSource& source = sources[k];
    const auto lane = [&](int l) { return source[l] >= 0 ? from[source[l]] : padding(k, l); };
    to[k] = from_four(lane(0), lane(1), lane(2), lane(3));
  }
}

/// One lane of an object made of Limbs.
template <class X, class Y>
DELASSUS_INLINE void take_lane(const X& from, int lane, Y& to) {
  constexpr int kCount = sizeof(X) / sizeof(Limbs);
  static_assert(sizeof(Y) == kCount * sizeof(double));
  const double* numbers = reinterpret_cast<const double*>(&from) + lane;
  auto* out = reinterpret_cast<double*>(&to);
  DELASSUS_UNROLL
  for (int k = 0; k < kCount; ++k) out[k] = numbers[k * kLimbLanes];
}

}  // namespace

void update_limbs(const LimbModel& limbs, const Kinematics<double>& angles, Kinematics<Limbs>& kin) {
  fold(
      limbs.coordinates, angles.q.data(), [&](std::size_t k, int l) { return limbs.padding[k][l]; }, kin.q.data());
  fold(
      limbs.angles, angles.sine.data(), [](std::size_t, int) { return 0.0; }, kin.sine.data());
  fold(
      limbs.angles, angles.cosine.data(), [](std::size_t, int) { return 1.0; }, kin.cosine.data());
  place_links(limbs.shape, kin);
}

void unfold_links(const Model& model, const LimbModel& limbs, const Kinematics<Limbs>& from,
                  std::span<const std::int32_t> links, bool inertias, Kinematics<double>& to) {
  for (const std::int32_t i : links) {
    const LimbPlace& place = limbs.place[i];
    const int lane = place.lane == LimbPlace::kTrunk ? 0 : place.lane;
    take_lane(from.pose[place.link], lane, to.pose[i]);
    if (inertias) to.inertia[i] = rotated(model.link(i).inertia, to.pose[i].R);
  }
}

}  // namespace delassus
