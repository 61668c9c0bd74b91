// Steps on the configuration manifold: q ⊕ v and its inverse.
#pragma once

#include "delassus/math/view.hpp"
#include "delassus/model/model.hpp"

namespace delassus {

/// out = q moved for unit time with the constant joint velocities v. A free joint follows the screw motion of its
/// body twist (the exponential of SE(3)). `out` may be q itself.
void integrate(const Model& model, VectorView<const double> q, VectorView<const double> v, VectorView<double> out);
void integrate(const Model& model, VectorView<const float> q, VectorView<const float> v, VectorView<float> out);

/// out = the velocity that takes q0 to q1 in unit time: integrate(q0, out) = q1, by the shortest rotation.
void difference(const Model& model, VectorView<const double> q0, VectorView<const double> q1, VectorView<double> out);
void difference(const Model& model, VectorView<const float> q0, VectorView<const float> q1, VectorView<float> out);

/// Brings every quaternion in q to unit length. Throws an Error that names the joint if one is zero or not finite.
void normalise(const Model& model, VectorView<double> q);
void normalise(const Model& model, VectorView<float> q);

}  // namespace delassus
