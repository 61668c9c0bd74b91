// What a scene must satisfy to be written and read back.
#include <algorithm>
#include <cmath>
#include <limits>

#include "delassus/io/scene.hpp"
#include "delassus/math/error.hpp"
#include "io/scene_parts.hpp"
#include "io/wording.hpp"

namespace delassus::io {
namespace {

template <class Container>
bool all_finite(const Container& values) {
  return std::all_of(std::begin(values), std::end(values), [](double x) { return std::isfinite(x); });
}

/// What require_valid(model, constraint) leaves to us: the numbers inside.
class NumberChecker {
 public:
  explicit NumberChecker(const Constraint& constraint) : constraint_(constraint) {}

  void operator()(const CentreOfMass& x) const {
    if (!all_finite(x.target.a)) fail("has a target that is not finite");
  }
  void operator()(const CustomRows& x) const {
    bool finite = all_finite(x.position);
    for (const CustomRows::BodyTerm& term : x.bodies) finite = finite && all_finite(term.K);
    for (const CustomRows::DofTerm& term : x.dofs) finite = finite && all_finite(term.weights);
    if (!finite) fail("has numbers that are not finite");
  }
  template <class Other>
  void operator()(const Other& /*x*/) const {}

  void check(const ForceSet& set) const {
    if (!(set.bound >= 0)) fail("has a set whose bound is negative");
    for (const double mu : {set.mu, set.mu_torsion, set.mu_rolling}) {
      if (!(mu >= 0) || !std::isfinite(mu))
        fail("has a coefficient of friction that is negative or not finite");
    }
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(std::string(kind_of(constraint_)) + " constraint '" + name_of(constraint_) + "' " + what);
  }

  const Constraint& constraint_;
};

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

void require_complete(const Model& model, const Constraint& constraint) {
  require_valid(model, constraint);
  const NumberChecker checker(constraint);
  std::visit(checker, constraint);
  checker.check(set_of(constraint));
}

}  // namespace delassus::io

namespace delassus {

void require_valid(const Scene& scene) {
  io::require_state(scene.model, "q", scene.q);
  io::require_state(scene.model, "v", scene.v);
  io::require_state(scene.model, "tau", scene.tau);
  for (const Constraint& constraint : scene.constraints) io::require_complete(scene.model, constraint);
}

}  // namespace delassus
