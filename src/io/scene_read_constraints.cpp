// Constraints from JSON.
#include <algorithm>
#include <limits>

#include "delassus/math/error.hpp"
#include "io/scene_parts.hpp"
#include "io/scene_words.hpp"
#include "model/wording.hpp"

namespace delassus::io {
namespace {

constexpr int kMaxRows = 1'000'000;

int read_frame(const Model& model, const JsonCursor& cursor) {
  const std::string& name = cursor.string();
  if (!model.has_frame(name)) {
    ClosestName closest(name);
    for (const Frame& frame : model.frames()) closest.consider(frame.name);
    cursor.fail("the model has no frame " + in_quotes(name) + closest.hint());
  }
  return model.find_frame(name);
}

int read_joint(const Model& model, const JsonCursor& cursor) {
  const std::string& name = cursor.string();
  if (!model.has_joint(name)) {
    ClosestName closest(name);
    for (int i = 0; i < model.num_links(); ++i) closest.consider(model.joint_name(i));
    cursor.fail("the model has no joint " + in_quotes(name) + closest.hint());
  }
  return model.find_joint(name);
}

int read_dof(const Model& model, const JsonCursor& cursor, int link) {
  const auto dof = cursor.find("dof");
  return dof ? dof->integer(0, model.link(link).nv - 1) : 0;
}

Attachment read_attachment(const Model& model, const JsonCursor& cursor) {
  cursor.allow_keys({"frame", "point", "rotation", "rpy"});
  return {read_frame(model, cursor.at("frame")), read_pose(cursor, "point")};
}

std::uint8_t read_axis_letters(const JsonCursor& cursor, const char* key) {
  const auto letters = cursor.find(key);
  if (!letters) return 0;
  unsigned axes = 0;
  for (const char letter : letters->string()) {
    const std::size_t k = std::string_view("xyz").find(letter);
    if (k == std::string_view::npos || (axes >> k & 1U) != 0)
      letters->fail("must be some of the letters xyz, each once");
    axes |= 1U << k;
  }
  return static_cast<std::uint8_t>(axes);
}

void read(const Model& model, const JsonCursor& cursor, PointContact& out) {
  cursor.allow_keys({"type", "name", "a", "b", "axes", "gap", "kind", "set"});
  out.a = read_attachment(model, cursor.at("a"));
  if (const auto b = cursor.find("b")) out.b = read_frame(model, *b);
  if (const auto axes = cursor.find("axes")) out.axes = axes->matrix<3, 3>();
  if (const auto gap = cursor.find("gap")) out.gap = gap->number();
  if (const auto kind = cursor.find("kind")) out.kind = static_cast<ContactKind>(kind->word(kContactKinds));
}

void read(const Model& model, const JsonCursor& cursor, LoopClosure& out) {
  cursor.allow_keys({"type", "name", "first", "second", "free_linear", "free_angular", "axes", "set"});
  out.first = read_attachment(model, cursor.at("first"));
  out.second = read_attachment(model, cursor.at("second"));
  out.free_linear = read_axis_letters(cursor, "free_linear");
  out.free_angular = read_axis_letters(cursor, "free_angular");
  if (const auto axes = cursor.find("axes")) out.axes = static_cast<LoopAxes>(axes->word(kLoopAxes));
}

void read(const Model& model, const JsonCursor& cursor, Distance& out) {
  cursor.allow_keys({"type", "name", "first", "second", "length", "set"});
  out.first = read_attachment(model, cursor.at("first"));
  out.second = read_attachment(model, cursor.at("second"));
  out.length = cursor.at("length").number();
}

void read(const Model& model, const JsonCursor& cursor, JointLimit& out) {
  cursor.allow_keys({"type", "name", "joint", "dof", "side", "bound", "set"});
  out.link = read_joint(model, cursor.at("joint"));
  out.dof = read_dof(model, cursor, out.link);
  out.upper = cursor.at("side").word(kSides) == 1;
  out.bound = cursor.at("bound").number();
}

void read(const Model& model, const JsonCursor& cursor, JointFriction& out) {
  cursor.allow_keys({"type", "name", "joint", "dof", "set"});
  out.link = read_joint(model, cursor.at("joint"));
  out.dof = read_dof(model, cursor, out.link);
}

void read(const Model& model, const JsonCursor& cursor, JointCoupling& out) {
  cursor.allow_keys({"type", "name", "terms", "offset", "set"});
  for (const JsonCursor& element : cursor.at("terms").elements()) {
    element.allow_keys({"joint", "dof", "weight"});
    JointCoupling::Term term;
    term.link = read_joint(model, element.at("joint"));
    term.dof = read_dof(model, element, term.link);
    term.weight = element.at("weight").number();
    out.terms.push_back(term);
  }
  if (const auto offset = cursor.find("offset")) out.offset = offset->number();
}

void read(const Model& /*model*/, const JsonCursor& cursor, CentreOfMass& out) {
  cursor.allow_keys({"type", "name", "target", "set"});
  out.target = cursor.at("target").matrix<3, 1>();
}

void read(const Model& model, const JsonCursor& cursor, CustomRows& out) {
  cursor.allow_keys({"type", "name", "rows", "bodies", "dofs", "position", "set"});
  out.rows = cursor.at("rows").integer(1, kMaxRows);
  if (const auto bodies = cursor.find("bodies")) {
    for (const JsonCursor& element : bodies->elements()) {
      element.allow_keys({"frame", "K"});
      out.bodies.push_back({read_frame(model, element.at("frame")), element.at("K").numbers()});
    }
  }
  if (const auto dofs = cursor.find("dofs")) {
    for (const JsonCursor& element : dofs->elements()) {
      element.allow_keys({"joint", "dof", "weights"});
      const int link = read_joint(model, element.at("joint"));
      out.dofs.push_back({model.link(link).v + read_dof(model, element, link), element.at("weights").numbers()});
    }
  }
  if (const auto position = cursor.find("position")) out.position = position->numbers();
}

void read(const Model& model, const JsonCursor& cursor, JointPolynomial& out) {
  cursor.allow_keys({"type", "name", "joint", "dof", "other", "coefficients", "set"});
  out.link = read_joint(model, cursor.at("joint"));
  out.dof = read_dof(model, cursor, out.link);
  if (const auto other = cursor.find("other")) {
    other->allow_keys({"joint", "dof"});
    out.other_link = read_joint(model, other->at("joint"));
    out.other_dof = read_dof(model, *other, out.other_link);
  }
  const Vec<double, 5> coefficients = cursor.at("coefficients").matrix<5, 1>();
  std::copy(std::begin(coefficients.a), std::end(coefficients.a), out.coefficients.begin());
}

void read_set(const JsonCursor& cursor, ForceSet& set) {
  cursor.allow_keys({"kind", "bound", "mu", "mu_across", "mu_torsion", "mu_rolling"});
  // What the set states is the whole of it: nothing is left of the constraint's default one.
  set = ForceSet{};
  set.kind = static_cast<SetKind>(cursor.at("kind").word(kSetKinds));
  if (const auto bound = cursor.find("bound")) set.bound = bound->number_or_infinity();
  if (const auto mu = cursor.find("mu")) set.mu = mu->number();
  if (const auto across = cursor.find("mu_across")) set.mu_across = across->number();
  if (const auto torsion = cursor.find("mu_torsion")) set.mu_torsion = torsion->number();
  if (const auto rolling = cursor.find("mu_rolling")) set.mu_rolling = rolling->number();
}

/// The alternative whose kind_of() is at that position, which is its position in the variant.
template <std::size_t I = 0>
Constraint make_empty(std::size_t index) {
  if constexpr (I < std::variant_size_v<Constraint>) {
    return index == I ? Constraint(std::in_place_index<I>) : make_empty<I + 1>(index);
  } else {
    throw Error("no such constraint");
  }
}

template <std::size_t... I>
auto constraint_words(std::index_sequence<I...>) {
  return std::array<std::string_view, sizeof...(I)>{kind_of(Constraint(std::in_place_index<I>))...};
}

}  // namespace

Constraint read_constraint(const Model& model, const JsonCursor& cursor) {
  static const auto kTypes = constraint_words(std::make_index_sequence<std::variant_size_v<Constraint>>());
  Constraint out = make_empty(cursor.at("type").word(kTypes));
  std::visit(
      [&](auto& constraint) {
        read(model, cursor, constraint);
        if (const auto name = cursor.find("name")) constraint.name = name->string();
        if (const auto set = cursor.find("set")) read_set(*set, constraint.set);
      },
      out);
  try {
    require_valid(model, out);
  } catch (const Error& error) {
    cursor.fail(error.what());
  }
  return out;
}

}  // namespace delassus::io
