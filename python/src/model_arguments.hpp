// Frames, bodies, joints and places of a model, as Python names them.
#pragma once

#include "convert.hpp"
#include "delassus/constraints/constraint.hpp"

namespace delassus::python {

/// A name, or an index. Throws an Error with the closest name if there is none.
int frame_index(const Model& model, py::handle frame, std::string_view argument);
/// Of a body, in model.bodies.
int body_index(const Model& model, py::handle body, std::string_view argument);
/// Of the link that a joint moves.
int link_index(const Model& model, py::handle joint, std::string_view argument);
/// A name or an index of a frame, or an Attachment as it is.
Attachment attachment_of(const Model& model, py::handle place, std::string_view argument);

}  // namespace delassus::python
