// Outcomes of steps in words.
#include <array>
#include <cstdio>

#include "simulation/simulator_parts.hpp"

namespace delassus {
namespace {

std::string number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", x);
  return text;
}

std::string body_name(const Model& model, int body) {
  return body == kWorld ? "the world" : "'" + model.description().bodies[static_cast<std::size_t>(body)].name + "'";
}

/// "joint 'knee'"
std::string dof_text(const Model& model, int v) {
  for (int i = 0; i < model.num_links(); ++i) {
    const Link& link = model.link(i);
    if (v < link.v || v >= link.v + link.nv) continue;
    const std::string joint = "joint '" + model.joint_name(i) + "'";
    return link.nv == 1 ? joint : joint + ", degree of freedom " + std::to_string(v - link.v);
  }
  return "degree of freedom " + std::to_string(v);
}

constexpr std::array<std::string_view, 14> kStepWords{
    "ok",        "bad_control",  "bad_force",     "interpenetrating", "crowded",    "singular_joint", "degenerate",
    "open_loop", "beyond_limit", "not_converged", "contradiction",    "solve_gain", "energy_gain",    "diverged"};
static_assert(kStepWords.size() == static_cast<std::size_t>(StepStatus::Code::kDiverged) + 1);

}  // namespace

std::span<const std::string_view> step_words() { return kStepWords; }
std::string_view name_of(StepStatus::Code code) { return kStepWords[static_cast<std::size_t>(code)]; }

std::string Simulator::Parts::contact_pair(int body_a, int body_b) const {
  return body_name(model, body_a) + " and " + body_name(model, body_b);
}

std::string Simulator::Parts::constraint_text(int index) const {
  if (index < 0 || index >= static_cast<int>(now->constraints.all().size())) return "the problem";
  const int contact = index - now->constraints.first_contact(), limit = index - now->constraints.num_lasting();
  if (contact >= 0 && contact < static_cast<int>(near_.size())) {
    const WorldContact& c = world.contacts()[static_cast<std::size_t>(near_[static_cast<std::size_t>(contact)])];
    return "the contact of " + contact_pair(body_of(c.shape_a), body_of(c.shape_b));
  }
  if (limit >= 0 && contact < 0) {
    const auto which = static_cast<std::size_t>(now->constraints.active_limits()[static_cast<std::size_t>(limit)]);
    return "the limit '" + now->constraints.limits()[which].name + "'";
  }
  const Constraint& c = now->constraints.all()[static_cast<std::size_t>(index)];
  return "the " + std::string(kind_of(c)) + " constraint '" + name_of(c) + "'";
}

std::string Simulator::Parts::describe(const StepStatus& status) const {
  using Code = StepStatus::Code;
  const double time = state.start_time + static_cast<double>(state.steps) * options.dt;
  const std::string where = "step " + std::to_string(state.steps + 1) + " (t = " + number(time) + " s): ";
  const auto index = static_cast<std::size_t>(status.index);
  switch (status.code) {
    case Code::kOk:
      return "ok";
    case Code::kBadControl:
      return where + "the control or target velocity of actuator " + std::to_string(status.index) + " on joint '" +
             actuators[index].joint + "' is not a finite number";
    case Code::kBadForce:
      return where + "the force on " + dof_text(model, status.index) + " is not a finite number";
    case Code::kInterpenetrating:
      return where + contact_pair(status.index, status.other) + " overlap by " + number(status.value) +
             " m at the start; move them apart, or allow it with the option 'start_penetration'";
    case Code::kCrowded:
      return where + "no room for the contacts of " + contact_pair(status.index, status.other) +
             "; raise the option 'collision.capacity' above " + std::to_string(options.collision.capacity);
    case Code::kSingularJoint:
      return where + "joint '" + model.joint_name(status.index) +
             "' is singular: what it moves has no inertia about it here; give the link a mass or the joint an armature";
    case Code::kDegenerate:
      return where + constraint_text(status.index) + " has no direction: its points coincide or its axes are parallel";
    case Code::kOpenLoop:
      return where + constraint_text(status.index) + " does not hold at the start, by " + number(status.value) +
             " (metres or radians); assemble it (SimulationSetup::assemble), or allow it with the option "
             "'start_violation'";
    case Code::kBeyondLimit:
      return where + "the limit '" + now->constraints.limits()[index].name + "' is exceeded at the start, by " +
             number(status.value) +
             " (metres or radians); assemble it (SimulationSetup::assemble), or allow it with the option "
             "'start_violation'";
    case Code::kContradiction:
      return where + constraint_text(status.index) + " cannot hold" +
             (status.other >= 0 ? " against " + constraint_text(status.other) : " beside the others") +
             ": it is missed by " + number(status.value) +
             " m/s; they contradict each other here: give one of them room, or leave it out";
    case Code::kSolveGain:
      return where + "forces of contacts, limits and loops would add " + number(status.value) + " J, most to " +
             body_name(model, status.index) +
             ", and by their laws they only take energy; take shorter steps, or allow it with the options "
             "'gain_per_mass' and 'gain_share'";
    case Code::kEnergyGain:
      return where + number(status.value) + " J would come out of nothing, most in " + body_name(model, status.index) +
             "; take shorter steps, or allow it with the options 'gain_per_mass' and 'gain_share'";
    case Code::kNotConverged:
      return where + constraint_text(status.index) + " is farthest from solved, by " + number(status.value) +
             " m/s, when " + std::string(name_of(report.certificate.reason)) +
             "; allow more iterations, a larger residual with the option 'acceptable', or take shorter steps";
    case Code::kDiverged:
      return where + "the velocity of " + dof_text(model, status.index) + " would be " + number(status.value) +
             "; use smaller forces or gains, or shorter steps";
  }
  return where + "unknown status";
}

}  // namespace delassus
