// What a scene must satisfy to be written and read back.
#include <algorithm>
#include <cmath>
#include <limits>

#include "delassus/io/scene.hpp"
#include "delassus/math/error.hpp"
#include "io/scene_parts.hpp"
#include "model/wording.hpp"

namespace delassus::io {
namespace {

template <class Container>
bool all_finite(const Container& values) {
  return std::all_of(std::begin(values), std::end(values), [](double x) { return std::isfinite(x); });
}

void require_quaternions(const Model& model, const std::vector<double>& q) {
  for (int i = 0; i < model.num_links(); ++i) {
    const Link& link = model.link(i);
    const int offset = link.kind == JointKind::kFree ? 3 : 0;
    if (link.kind != JointKind::kFree && link.kind != JointKind::kSpherical) continue;
    double square = 0;
    for (int k = 0; k < 4; ++k) {
      const double x = q[static_cast<std::size_t>(link.q + offset + k)];
      square += x * x;
    }
    // Any other length is normalised where it is used.
    if (!(square >= std::numeric_limits<double>::min()) || !std::isfinite(square)) {
      throw Error("the quaternion of joint '" + model.joint_name(i) +
                  "' is zero, or too large; no rotation is 0 0 0 1");
    }
  }
}

}  // namespace

void require_state(const Model& model, std::string_view name, const std::vector<double>& values) {
  const int expected = name == "q" ? model.nq() : model.nv();
  if (values.size() != static_cast<std::size_t>(expected)) {
    throw Error(std::string(name) + " has size " + std::to_string(values.size()) + ", but model " +
                in_quotes(model.name()) + " needs " + std::to_string(expected));
  }
  if (!all_finite(values)) throw Error(std::string(name) + " has an entry that is not finite");
  if (name == "q") require_quaternions(model, values);
}

}  // namespace delassus::io

namespace delassus {

void require_valid(const Scene& scene) {
  io::require_state(scene.model, "q", scene.q);
  io::require_state(scene.model, "v", scene.v);
  io::require_state(scene.model, "tau", scene.tau);
  for (const Constraint& constraint : scene.constraints) require_valid(scene.model, constraint);
}

}  // namespace delassus
