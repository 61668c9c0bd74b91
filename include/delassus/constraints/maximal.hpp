// The same mechanism in maximal coordinates: every moving body free, every joint a loop closure.
#pragma once

#include "delassus/constraints/constrained_model.hpp"

namespace delassus {

/// The bodies of the model with a free joint each, where they are in q, and a closure for each joint: five rows for a
/// revolute or prismatic one. Frames keep names and indices, so constraints on frames hold for both. Limits, armature and
/// the rest of what belongs to degrees of freedom is left out. Throws an Error that names a body with several joints, or a
/// helical or universal joint: closures have no form for them.
ConstrainedModel make_maximal(const Model& model, const std::vector<double>& q);

}  // namespace delassus
