#include "cli/tour/row_labels.hpp"

#include <fmt/format.h>

#include <array>

namespace delassus::cli {
namespace {

constexpr const char* kLinear = "m/s";
constexpr const char* kAngular = "rad/s";

class Labeller {
 public:
  explicit Labeller(const Model& model) : model_(model) {}

  std::vector<RowLabel> operator()(const PointContact& c) const {
    static const std::array<RowLabel, 6> kRows{
        {{"n", kLinear}, {"t1", kLinear}, {"t2", kLinear}, {"rn", kAngular}, {"rt1", kAngular}, {"rt2", kAngular}}};
    return {kRows.begin(), kRows.begin() + row_count(c.kind)};
  }
  std::vector<RowLabel> operator()(const LoopClosure& c) const {
    std::vector<RowLabel> out;
    for (unsigned k = 0; k < 3; ++k) {
      if (!(c.free_linear >> k & 1U)) out.push_back({std::string(1, "xyz"[k]), kLinear});
    }
    for (unsigned k = 0; k < 3; ++k) {
      if (!(c.free_angular >> k & 1U)) out.push_back({fmt::format("r{}", "xyz"[k]), kAngular});
    }
    return out;
  }
  std::vector<RowLabel> operator()(const Distance&) const { return {{"", kLinear}}; }
  std::vector<RowLabel> operator()(const CentreOfMass&) const {
    return {{"x", kLinear}, {"y", kLinear}, {"z", kLinear}};
  }
  std::vector<RowLabel> operator()(const JointCoupling& c) const {
    // Weights bring units of their own where joints of both kinds are coupled.
    for (const JointCoupling::Term& t : c.terms) {
      if (unit(t.link, t.dof) != unit(c.terms[0].link, c.terms[0].dof)) return {{"", ""}};
    }
    return {{"", c.terms.empty() ? "" : unit(c.terms[0].link, c.terms[0].dof)}};
  }
  std::vector<RowLabel> operator()(const CustomRows& c) const {
    std::vector<RowLabel> out;
    out.reserve(static_cast<std::size_t>(c.rows));
    for (int r = 0; r < c.rows; ++r) out.push_back({std::to_string(r + 1), ""});
    return out;
  }
  /// Limits, friction and polynomials: one row on a degree of freedom.
  template <class OnJoint>
  std::vector<RowLabel> operator()(const OnJoint& c) const {
    return {{"", unit(c.link, c.dof)}};
  }

 private:
  const char* unit(int link, int dof) const {
    return is_displacement(model_.link(link).kind, dof) ? kLinear : kAngular;
  }

  const Model& model_;
};

}  // namespace

std::vector<RowLabel> row_labels(const Model& model, const Constraint& constraint) {
  return std::visit(Labeller(model), constraint);
}

std::string constraint_label(const Constraint& constraint, std::size_t index) {
  return name_of(constraint).empty() ? fmt::format("{} {}", kind_of(constraint), index + 1) : name_of(constraint);
}

}  // namespace delassus::cli
