// Constraints as JSON. Frames and joints are named, not numbered.
#include <algorithm>

#include "io/json_writer.hpp"
#include "io/scene_parts.hpp"
#include "io/scene_words.hpp"

namespace delassus::io {
namespace {

bool same_set(const ForceSet& a, const ForceSet& b) {
  return a.kind == b.kind && same_bits(a.bound, b.bound) && same_bits(a.mu, b.mu) &&
         same_bits(a.mu_torsion, b.mu_torsion) && same_bits(a.mu_rolling, b.mu_rolling) &&
         same_bits(a.mu_across, b.mu_across);
}

std::string axis_letters(unsigned axes) {
  std::string out;
  for (unsigned k = 0; k < 3; ++k) {
    if ((axes >> k & 1U) != 0) out += kAxisLetters[k];
  }
  return out;
}

class ConstraintWriter {
 public:
  ConstraintWriter(const Model& model, OrderedJson& out) : model_(model), out_(out) {}

  void operator()(const PointContact& x) const {
    const PointContact fallback;
    out_["a"] = attachment(x.a);
    if (x.b != fallback.b) out_["b"] = model_.frame(x.b).name;
    put_unless(out_, "axes", x.axes.a, fallback.axes.a);
    put_unless(out_, "gap", x.gap, fallback.gap);
    out_["kind"] = word_for(x.kind, kContactKinds);
  }
  void operator()(const LoopClosure& x) const {
    out_["first"] = attachment(x.first);
    out_["second"] = attachment(x.second);
    if (x.free_linear != 0) out_["free_linear"] = axis_letters(x.free_linear);
    if (x.free_angular != 0) out_["free_angular"] = axis_letters(x.free_angular);
    if (x.axes != LoopAxes::kFrame1) out_["axes"] = word_for(x.axes, kLoopAxes);
  }
  void operator()(const Distance& x) const {
    out_["first"] = attachment(x.first);
    out_["second"] = attachment(x.second);
    out_["length"] = json_number(x.length);
  }
  void operator()(const JointLimit& x) const {
    put_dof(out_, x.link, x.dof);
    out_["side"] = word_for(x.upper ? 1 : 0, kSides);
    out_["bound"] = json_number(x.bound);
  }
  void operator()(const JointFriction& x) const { put_dof(out_, x.link, x.dof); }
  void operator()(const JointCoupling& x) const {
    OrderedJson& terms = out_["terms"] = OrderedJson::array();
    for (const JointCoupling::Term& term : x.terms) {
      OrderedJson entry;
      put_dof(entry, term.link, term.dof);
      entry["weight"] = json_number(term.weight);
      terms.push_back(std::move(entry));
    }
    put_unless(out_, "offset", x.offset, 0);
  }
  void operator()(const CentreOfMass& x) const { out_["target"] = json_numbers(x.target.a); }
  void operator()(const CustomRows& x) const {
    out_["rows"] = x.rows;
    OrderedJson bodies = OrderedJson::array();
    for (const CustomRows::BodyTerm& term : x.bodies) {
      bodies.push_back({{"frame", model_.frame(term.frame).name}, {"K", json_numbers(term.K)}});
    }
    if (!bodies.empty()) out_["bodies"] = std::move(bodies);
    OrderedJson dofs = OrderedJson::array();
    for (const CustomRows::DofTerm& term : x.dofs) dofs.push_back(dof_term(term));
    if (!dofs.empty()) out_["dofs"] = std::move(dofs);
    if (!x.position.empty()) out_["position"] = json_numbers(x.position);
  }
  void operator()(const JointPolynomial& x) const {
    put_dof(out_, x.link, x.dof);
    if (x.other_link >= 0) {
      OrderedJson other;
      put_dof(other, x.other_link, x.other_dof);
      out_["other"] = std::move(other);
    }
    out_["coefficients"] = json_numbers(x.coefficients);
  }

 private:
  OrderedJson attachment(const Attachment& x) const {
    OrderedJson out;
    out["frame"] = model_.frame(x.frame).name;
    put_pose(out, "point", x.offset);
    return out;
  }
  void put_dof(OrderedJson& out, int link, int dof) const {
    out["joint"] = model_.joint_name(link);
    if (dof != 0) out["dof"] = dof;
  }
  OrderedJson dof_term(const CustomRows::DofTerm& term) const {
    const auto after = std::upper_bound(model_.links().begin(), model_.links().end(), term.v,
                                        [](int v, const Link& link) { return v < link.v; });
    const int link = static_cast<int>(after - model_.links().begin()) - 1;
    OrderedJson out;
    put_dof(out, link, term.v - model_.link(link).v);
    out["weights"] = json_numbers(term.weights);
    return out;
  }

  const Model& model_;
  OrderedJson& out_;
};

OrderedJson write_set(const ForceSet& set) {
  const ForceSet fallback;
  OrderedJson out;
  out["kind"] = word_for(set.kind, kSetKinds);
  put_unless(out, "bound", set.bound, fallback.bound);
  put_unless(out, "mu", set.mu, fallback.mu);
  put_unless(out, "mu_across", set.mu_across, fallback.mu_across);
  put_unless(out, "mu_torsion", set.mu_torsion, fallback.mu_torsion);
  put_unless(out, "mu_rolling", set.mu_rolling, fallback.mu_rolling);
  return out;
}

}  // namespace

OrderedJson write_constraint(const Model& model, const Constraint& constraint) {
  OrderedJson out;
  out["type"] = kind_of(constraint);
  if (!name_of(constraint).empty()) out["name"] = name_of(constraint);
  std::visit(ConstraintWriter(model, out), constraint);
  const ForceSet fallback = std::visit([]<class C>(const C&) { return C{}.set; }, constraint);
  if (!same_set(set_of(constraint), fallback)) out["set"] = write_set(set_of(constraint));
  return out;
}

}  // namespace delassus::io
