// The order in which another library has the joints of a model.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "delassus/kinematics/coordinate_layout.hpp"

namespace delassus {

struct JointPart {
  int link;
  int part;  // the degree of freedom, of a planar joint that is three joints there; -1: the whole joint
};

/// As the names say. Throws an Error unless every joint is named once.
std::vector<JointPart> make_named_order(const Model& model, Library library, std::span<const std::string> names);

/// As the library orders what it reads from a file: depth first. Throws an Error where a Model cannot tell.
std::vector<JointPart> make_file_order(const Model& model, Library library);

}  // namespace delassus
