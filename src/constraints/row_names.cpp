#include "delassus/constraints/describe.hpp"

#include <array>

#include "model/wording.hpp"

namespace delassus {
namespace {

constexpr const char* kLinear = "m";
constexpr const char* kAngular = "rad";
constexpr std::array<const char*, 3> kAxes{"x", "y", "z"};

class Labeller {
 public:
  explicit Labeller(const Model& model) : model_(model) {}

  std::vector<RowLabel> operator()(const PointContact& c) const {
    static const std::array<RowLabel, 6> kRows{{{"n", "normal", kLinear},
                                                {"t1", "tangent 1", kLinear},
                                                {"t2", "tangent 2", kLinear},
                                                {"rn", "angular normal", kAngular},
                                                {"rt1", "angular tangent 1", kAngular},
                                                {"rt2", "angular tangent 2", kAngular}}};
    return {kRows.begin(), kRows.begin() + row_count(c.kind)};
  }
  std::vector<RowLabel> operator()(const LoopClosure& c) const {
    std::vector<RowLabel> out;
    for (unsigned k = 0; k < 3; ++k) {
      if (!(c.free_linear >> k & 1U)) out.push_back(linear(k));
    }
    for (unsigned k = 0; k < 3; ++k) {
      if (!(c.free_angular >> k & 1U))
        out.push_back({std::string("r") + kAxes[k], std::string("angular ") + kAxes[k], kAngular});
    }
    return out;
  }
  std::vector<RowLabel> operator()(const Distance&) const { return {{"", "", kLinear}}; }
  std::vector<RowLabel> operator()(const CentreOfMass&) const { return {linear(0), linear(1), linear(2)}; }
  std::vector<RowLabel> operator()(const JointCoupling& c) const {
    // Weights bring units of their own where joints of both kinds are coupled.
    for (const JointCoupling::Term& t : c.terms) {
      if (unit(t.link, t.dof) != unit(c.terms[0].link, c.terms[0].dof)) return {{"", "", ""}};
    }
    return {{"", "", c.terms.empty() ? "" : unit(c.terms[0].link, c.terms[0].dof)}};
  }
  std::vector<RowLabel> operator()(const CustomRows& c) const {
    std::vector<RowLabel> out;
    out.reserve(static_cast<std::size_t>(c.rows));
    for (int r = 0; r < c.rows; ++r) out.push_back({std::to_string(r + 1), "row " + std::to_string(r + 1), ""});
    return out;
  }
  /// Limits, friction and polynomials: one row on a degree of freedom.
  template <class OnJoint>
  std::vector<RowLabel> operator()(const OnJoint& c) const {
    return {{"", "", unit(c.link, c.dof)}};
  }

 private:
  static RowLabel linear(unsigned k) { return {kAxes[k], std::string("linear ") + kAxes[k], kLinear}; }
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
  if (!name_of(constraint).empty()) return name_of(constraint);
  return std::string(kind_of(constraint)) + " " + std::to_string(index + 1);
}

std::string constraint_name(const Constraint& constraint, std::size_t index) {
  if (name_of(constraint).empty()) return constraint_label(constraint, index);
  return std::string(kind_of(constraint)) + " " + in_quotes(name_of(constraint));
}

std::string row_name(const Model& model, std::span<const Constraint> constraints, int row) {
  int first = 0;
  for (std::size_t k = 0; k < constraints.size(); ++k) {
    const int rows = row_count(constraints[k]);
    if (row < first + rows) {
      const std::string words = row_labels(model, constraints[k])[static_cast<std::size_t>(row - first)].words;
      return constraint_name(constraints[k], k) + (words.empty() ? "" : " ") + words;
    }
    first += rows;
  }
  return "row " + std::to_string(row);
}

}  // namespace delassus
