// A Status in words.
#pragma once

#include <span>
#include <string>

#include "delassus/constraints/constraint.hpp"
#include "delassus/math/error.hpp"

namespace delassus {

/// What happened and what to do, with the names that the model and the constraints have.
std::string describe(const Status& status, const Model& model, std::span<const Constraint> constraints = {});

}  // namespace delassus
