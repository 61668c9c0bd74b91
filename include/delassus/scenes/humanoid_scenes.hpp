// The humanoids of model/humanoids.hpp with the operational points at which the papers looked: six rows each, a weld to
// where the point is, unless it says otherwise.
#pragma once

#include <string_view>

#include "delassus/constraints/constrained_model.hpp"
#include "delassus/scenes/humanoids.hpp"

namespace delassus {

/// The tips of both arms: 12 rows (Chang and Khatib).
ConstrainedModel make_two_armed_scene(const TwoArmedOptions& options);

/// The operational spaces of Fig. 6 of Wensing, Featherstone and Orin.
enum class AsimoPoints {
  kHandsFeet,             // all hands and all feet that are not fixed
  kHandsFeetHead,         // and the head
  kForefingersThumbsFeet  // fingers instead of hands; with four fingers, the first and the last
};
ConstrainedModel make_asimo_scene(const AsimoOptions& options, AsimoPoints points);

/// The tips of the fingers pinned (three rows each), and the soles welded if `feet` (Fig. 6 of the PV-OSIMr paper).
ConstrainedModel make_handed_scene(const HandedOptions& options, bool feet);
/// The tips of one hand pinned: 15 rows on 24 degrees of freedom.
ConstrainedModel make_hand_scene();

}  // namespace delassus
