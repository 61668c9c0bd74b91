#include "delassus/model/builder.hpp"

#include <cmath>
#include <utility>

#include "delassus/math/error.hpp"
#include "model/wording.hpp"

namespace delassus {
namespace {

/// Throws what the rules for all bodies say of this one. Inertias of files are only warned of, but here somebody wrote one on purpose.
void require_possible(const std::string& model, const BodyDescription& body, bool own_inertia) {
  ModelDescription alone;
  alone.bodies.emplace_back();
  alone.bodies.back().name = body.name;
  alone.bodies.back().inertial = body.inertial;
  const Validation found = validate(alone);
  const auto fail = [&](const Finding& f) {
    throw Error("model " + in_quotes(model) + ": " + f.element + " " + f.message);
  };
  if (!found.errors.empty()) fail(found.errors.front());
  if (own_inertia && !found.warnings.empty()) fail(found.warnings.front());
}

}  // namespace

int find_body(const Model& model, std::string_view name) {
  const std::vector<BodyDescription>& bodies = model.description().bodies;
  ClosestName closest(name);
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    if (bodies[k].name == name) return static_cast<int>(k);
    closest.consider(bodies[k].name);
  }
  throw Error("model " + in_quotes(model.name()) + " has no body named " + in_quotes(name) + closest.hint());
}

Model with_mass(const Model& model, int body, const BodyMass& wanted) {
  ModelDescription description = model.description();
  const auto count = static_cast<int>(description.bodies.size());
  if (body < 0 || body >= count) {
    throw Error("argument 'body' is " + std::to_string(body) + "; model " + in_quotes(model.name()) +
                " has bodies 0 to " + std::to_string(count - 1));
  }
  BodyDescription& changed = description.bodies[static_cast<std::size_t>(body)];
  Inertial& own = changed.inertial;
  if (!(wanted.mass > 0) || !std::isfinite(wanted.mass)) {
    throw Error("argument 'mass' of body " + in_quotes(changed.name) + " is " + std::to_string(wanted.mass) +
                "; give kilograms, more than zero");
  }
  if (!wanted.inertia && !(own.mass > 0)) {
    throw Error("body " + in_quotes(changed.name) + " has no mass that its inertia could grow with; give 'inertia'");
  }
  const double growth = wanted.mass / own.mass;
  for (double& x : own.inertia.a) x *= growth;
  if (wanted.inertia) own.inertia = *wanted.inertia;
  own.mass = wanted.mass;
  if (wanted.com) own.com = *wanted.com;
  require_possible(model.name(), changed, wanted.inertia.has_value());
  return Model(std::move(description));
}

}  // namespace delassus
