// The two halves of the scene format, for the model and for the constraints.
#pragma once

#include <nlohmann/json.hpp>

#include "delassus/constraints/constraint.hpp"
#include "io/json_reader.hpp"

namespace delassus::io {

/// Keys keep the order in which they are written here.
using OrderedJson = nlohmann::ordered_json;

OrderedJson write_model(const ModelDescription& description);
OrderedJson write_constraint(const Model& model, const Constraint& constraint);

ModelDescription read_model(const JsonCursor& cursor);
Constraint read_constraint(const Model& model, const JsonCursor& cursor);

/// A frame in another, as "position" and either "rotation" (a matrix by rows) or "rpy".
Pose<double> read_pose(const JsonCursor& cursor, const char* position_key);

/// The surface of a shape: vertices and triangles, heights, or a file beside the scene.
std::shared_ptr<const Surface> read_surface(const JsonCursor& cursor);

/// Throw an Error, without a place, for what could not be written and read back.
void require_state(const Model& model, std::string_view name, const std::vector<double>& values);

}  // namespace delassus::io
