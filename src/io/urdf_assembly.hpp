// From the elements of a URDF to a model and its constraints.
#pragma once

#include <vector>

#include "delassus/constraints/constraint.hpp"
#include "delassus/io/urdf.hpp"
#include "io/urdf_tree.hpp"

namespace delassus::io {

/// The model's description, and where in it each link went.
struct UrdfAssembly {
  ModelDescription description;
  std::vector<int> body_of_link;  // kWorld for a root named world
};

UrdfAssembly assemble_urdf(XmlFile& file, const UrdfDocument& document, const UrdfTree& tree,
                           const UrdfOptions& options);

/// Reports what in the description is doubtful; throws an Error, with lines, if it makes no model.
void check_urdf(XmlFile& file, const UrdfDocument& document, const UrdfTree& tree, const ModelDescription& description);

/// The constraints that the document states: mimic joints, loops, couplings.
std::vector<Constraint> urdf_constraints(XmlFile& file, const UrdfDocument& document, const UrdfTree& tree,
                                         const UrdfAssembly& assembly, const Model& model);

}  // namespace delassus::io
