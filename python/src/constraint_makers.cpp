// Constraints that follow from a model: limits, friction, contacts with the ground, welds to the world.
#include "bindings.hpp"
#include "constraints.hpp"
#include "delassus/constraints/constrained_model.hpp"
#include "delassus/constraints/lower.hpp"
#include "model_arguments.hpp"

namespace delassus::python {
namespace {

using Constraints = Convert<std::vector<Constraint>>;

std::vector<double> coordinates(const Model& model, const py::object& q) { return numbers_from(q, "q", {model.nq()}); }

std::vector<std::string> names_from(const py::object& frames) {
  return Convert<std::vector<std::string>>::from(frames, "frames");
}

/// The links that rows of a constraint act on, or whose joints they do; ascending.
std::vector<int> links_of(const Model& model, const Constraint& constraint) {
  RowStructure rows;
  lower_structure(model, std::span(&constraint, 1), rows);
  std::vector<bool> touched(static_cast<std::size_t>(model.num_links()), false);
  for (const RowBlock& block : rows.blocks) touched[static_cast<std::size_t>(block.link)] = true;
  for (const JointEntry& entry : rows.entries) {
    const auto moved = [&](const Link& link) { return link.v <= entry.v && entry.v < link.v + link.nv; };
    const auto found = std::find_if(model.links().begin(), model.links().end(), moved);
    touched[static_cast<std::size_t>(found - model.links().begin())] = true;
  }
  std::vector<int> out;
  for (int k = 0; k < model.num_links(); ++k) {
    if (touched[static_cast<std::size_t>(k)]) out.push_back(k);
  }
  return out;
}

}  // namespace

void bind_constraint_makers(py::module_& m) {
  m.def(
      "joint_limits", [](const Model& model) { return Constraints::to(make_joint_limits(model)); }, py::arg("model"),
      "The limits, lower and upper, that the model's joints have, as a tuple of JointLimit.");
  m.def(
      "joint_friction",
      [](const Model& model, const py::object& otherwise) {
        return Constraints::to(make_joint_friction(model, Convert<double>::from(otherwise, "otherwise")));
      },
      py::arg("model"), py::arg("otherwise") = 0.0,
      "The friction losses that the model's joints have, as a tuple of JointFriction. Joints without one, but for "
      "free\n"
      "ones, get that of `otherwise` (Nm or N); if it is zero, they have no friction.");
  m.def(
      "ground_contacts",
      [](const Model& model, const py::object& q, const py::object& margin) {
        return Constraints::to(
            make_ground_contacts(model, coordinates(model, q), {}, Convert<double>::from(margin, "margin")));
      },
      py::arg("model"), py::arg("q"), py::arg("margin") = 1e-3,
      "A PointContact for every support point of the model's shapes that is at most `margin` (metres) above the plane\n"
      "z = 0, or below it, at the coordinates q (nq,).");
  m.def(
      "welds_to_world",
      [](const Model& model, const py::object& q, const py::object& frames) {
        return Constraints::to(make_welds_to_world(model, coordinates(model, q), names_from(frames)));
      },
      py::arg("model"), py::arg("q"), py::arg("frames"),
      "Welds named frames to the world where they are at q (nq,): six rows each, a tuple of LoopClosure.");
  m.def(
      "pins_to_world",
      [](const Model& model, const py::object& q, const py::object& frames) {
        return Constraints::to(make_pins_to_world(model, coordinates(model, q), names_from(frames)));
      },
      py::arg("model"), py::arg("q"), py::arg("frames"),
      "Pins the origins of named frames to the world where they are at q (nq,): three rows each, a tuple of "
      "LoopClosure.");
  m.def(
      "constraint_links",
      [](const Model& model, const py::object& constraint) {
        return Convert<std::vector<int>>::to(links_of(model, Convert<Constraint>::from(constraint, "constraint")));
      },
      py::arg("model"), py::arg("constraint"),
      "The links that a constraint acts on, or whose joints it does: a tuple of indices, ascending.");
}

}  // namespace delassus::python
