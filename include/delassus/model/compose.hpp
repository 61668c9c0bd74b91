// One description from two: a hand on an arm, robots among boxes.
#pragma once

#include <string_view>

#include "delassus/model/description.hpp"

namespace delassus {

/// Appends `part` to `host`. What stands on the world in the part stands on `frame` of the host then (a body, a named frame
/// or "world"), moved by `placement`. All names of the part get the prefix. Its bodies come last, so the coordinates of the
/// host stay where they are and those of the part follow. Keyframes of either are completed by the neutral coordinates of
/// the other; gravity and name are the host's. Throws an Error if the host has no such frame.
void append_model(ModelDescription& host, const ModelDescription& part, std::string_view frame,
                  const Pose<double>& placement, std::string_view prefix);

}  // namespace delassus
