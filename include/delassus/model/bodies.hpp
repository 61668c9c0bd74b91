// Bodies of a model by name, and the same model with another mass of one of them.
#pragma once

#include <optional>
#include <string_view>

#include "delassus/math/mat.hpp"
#include "delassus/model/model.hpp"

namespace delassus {

/// The index of a body in the description. Throws an Error that names a close match if there is none.
int find_body(const Model& model, std::string_view name);

/// What a body is to have, in its own frame. What is not given: the centre of mass stays, and the inertia about it grows with the mass.
struct BodyMass {
  double mass = 0;  // kg
  std::optional<Vec3<double>> com = {};
  std::optional<Sym3<double>> inertia = {};  // about the centre of mass
};

/// A model that differs in one body (its index in the description). Throws an Error for a mass that is not positive, for numbers that are not finite,
/// for a given inertia that no body can have, and where there was no mass that an inertia could grow with.
Model with_mass(const Model& model, int body, const BodyMass& wanted);

}  // namespace delassus
