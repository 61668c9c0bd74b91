// The constraints that the tour shows a mechanism with.
#pragma once

#include <string>
#include <vector>

#include "cli/shell/model_options.hpp"

namespace delassus::cli {

struct ContactSet {
  std::string name;  // one or two words
  std::string how;   // how it was made: a sentence
  Scene scene;
};

/// A small set, and a richer one if there is any: what a scene says, and joint friction on top; a robot standing and
/// fallen; an arm touched at its tips, and in the middle of its limbs as well. Loops that the model brings stay. Throws
/// an Error if nothing that moves can be touched.
std::vector<ContactSet> make_contact_sets(const ModelOptions& options);

}  // namespace delassus::cli
