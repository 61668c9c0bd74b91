// A mechanism in its configuration as data for a drawing: shapes, a skeleton, contacts.
#pragma once

#include <nlohmann/json.hpp>

#include "delassus/io/scene.hpp"

namespace delassus::cli {

/// In the world, metres: `shapes` {kind, size, R (row by row), p, body}, `bones` {from, to, body}, `contacts` {at,
/// normal, name}, `ties` {from, to, name} between what loops and distances hold together, `ground`: whether something
/// touches the world.
nlohmann::json drawing_of(const Scene& scene);

}  // namespace delassus::cli
