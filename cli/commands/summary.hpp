// A model in words: sizes, tree, loops, masses.
#pragma once

#include <string>

#include "delassus/io/scene.hpp"

namespace delassus::cli {

/// One line: "go2: 13 links, nq 19, nv 18, depth 4, 16.087 kg".
std::string one_line_summary(const Scene& scene);

/// The tree of bodies with their joints, one per line.
std::string tree_text(const Model& model);

/// The constraints, one per line; those without a name have their index.
std::string constraints_text(const Scene& scene);

}  // namespace delassus::cli
