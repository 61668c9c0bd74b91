#include "delassus/solvers/constrained_inverse_dynamics.hpp"

#include <algorithm>

namespace delassus {

Actuation::Actuation(const Model& model) {
  for (const Link& link : model.links()) {
    auto& list = link.kind == JointKind::kFree ? passive_ : driven_;
    for (int k = link.v; k < link.v + link.nv; ++k) list.push_back(k);
  }
}

Actuation::Actuation(const Model& model, std::span<const std::string> motors) {
  std::vector<bool> has_motor(static_cast<std::size_t>(model.nv()), false);
  for (const std::string& name : motors) {
    const Link& link = model.link(model.find_joint(name));
    if (has_motor[link.v]) throw Error("argument 'motors': joint '" + name + "' comes twice");
    for (int k = link.v; k < link.v + link.nv; ++k) {
      driven_.push_back(k);
      has_motor[k] = true;
    }
  }
  for (int k = 0; k < model.nv(); ++k) {
    if (!has_motor[k]) passive_.push_back(k);
  }
}

}  // namespace delassus
