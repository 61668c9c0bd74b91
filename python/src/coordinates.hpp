// Coordinates from outside are looked at: some algorithms would not notice an infinite position or a zero quaternion.
#pragma once

#include "delassus/math/view.hpp"
#include "delassus/model/model.hpp"

namespace delassus::python {

/// Throws a StatusError that names an entry that is no number, or an Error that names a joint with a zero quaternion.
void require_coordinates(const Model& model, VectorView<const double> q);
/// Throws a StatusError that names an entry that is no finite number.
void require_finite(const Model& model, VectorView<const double> values);

}  // namespace delassus::python
