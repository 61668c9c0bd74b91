// Which links share a reference point.
//
// In world axes a transform between links is a translation, and between links that share a reference point it is
// nothing. Sharing is cheapest; sharing over a long way loses digits, as the square of distance over link size. So
// each joint is articulated at its own origin, where nothing is lost, and its S and Û are then moved to a point that
// is shared by the links of a tree down to a number of joints; there the next point begins.
#pragma once

#include <cstdint>
#include <vector>

#include "delassus/math/boxed.hpp"
#include "model/limb_model.hpp"

namespace delassus {

struct ReferencePlan {
  /// Measured on chains of 30 links (tests/property): 16 joints keep 1e-14 in double; a humanoid has one point.
  static constexpr int kDefaultHops = 16;

  std::size_t bytes() const { return heap_bytes(shares_parent); }

  /// Whether a link has the reference point of its parent; where it has not, the link's own origin is a new one.
  std::vector<std::uint8_t> shares_parent;
};

/// At most `hops` joints lie between a link and its reference point; 0 gives every link its own. Behind a joint that
/// can carry its link far away (prismatic, cylindrical, planar, free) a new point begins in any case.
ReferencePlan make_reference_plan(const Model& model, int hops = ReferencePlan::kDefaultHops);
/// And where lanes hang on different links.
ReferencePlan make_reference_plan(const FoldedModel& model, int hops = ReferencePlan::kDefaultHops);

}  // namespace delassus
