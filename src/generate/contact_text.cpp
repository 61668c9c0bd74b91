#include "generate/contact_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>

#include "generate/c_template.hpp"
#include "generate/contact_law_c.hpp"
#include "generate/contact_solver_c.hpp"
#include "generate/mask_text.hpp"

namespace delassus::generation {
namespace {

using namespace contact_solver_c;

constexpr int kMemory = 5;  // steps that are extrapolated from

template <class F>
std::string list(const Material& m, F&& f) {
  std::string text;
  for (std::size_t e = 0; e < m.constraints.size(); ++e)
    text += (e == 0 ? "" : e % 12 == 0 ? ",\n    " : ", ") + f(m.constraints[e]);
  return text;
}

Words words_of(const Material& m) {
  const std::string p = m.dialect.prefix, real = m.dialect.real();
  const bool is_float = m.dialect.is_float;
  const auto number = [&](double x) { return m.dialect.number(x); };
  int row = 0;
  Words words{
      {"p", p},
      {"real", real},
      {"ROWS", macro(m, "ROWS")},
      {"DAMPING", macro(m, "DAMPING")},
      {"CONSTRAINTS", macro(m, "CONSTRAINTS")},
      {"MEMORY", std::to_string(kMemory)},
      {"abs", is_float ? "fabsf" : "fabs"},
      {"sqrt", is_float ? "sqrtf" : "sqrt"},
      // A product loses more than its last sums do: on Cassie five times as much.
      {"epsilon", number(8 * (is_float ? static_cast<double>(std::numeric_limits<float>::epsilon())
                                       : std::numeric_limits<double>::epsilon()))},
      {"tolerance", number(is_float ? 1e-4 : 1e-8)},
      {"held", number(is_float ? 1e-3 : 1e-5)},
      {"pushing", number(is_float ? 1e-4 : 1e-6)},
      {"regular", number(is_float ? 1e-6 : 1e-10)},
      {"early", status_text({Status::Code::kBadArgument, -1})},
      {"notpositive", status_text({Status::Code::kNotPositive, -1})},
      {"notfinite", status_text({Status::Code::kNotFinite, 0})},
      {"notconverged", status_text({Status::Code::kNotConverged, 0})},
      {"settings", fmt::format("void {0}_contact_settings({0}_contact_solver *s)", p)},
      {"forces",
       fmt::format("uint32_t {0}_contact_forces({0}_contact_solver *s, {0}_factor *f, const {1} free_velocity[{2}],\n"
                   "    {1} lambda[{2}])",
                   p, real, macro(m, "ROWS"))},
      {"sizes", list(m, [](const Constraint& c) { return std::to_string(row_count(c)); })},
      {"kinds", list(m, [](const Constraint& c) { return std::to_string(static_cast<int>(set_of(c).kind)); })},
      {"friction",
       list(m,
            [&](const Constraint& c) { return number(set_of(c).kind == SetKind::kFrictionCone ? set_of(c).mu : 0); })},
      {"bound",
       list(m, [&](const Constraint& c) { return number(set_of(c).kind == SetKind::kBox ? set_of(c).bound : 0); })}};
  words["first"] = list(m, [&](const Constraint& c) { return std::to_string((row += row_count(c)) - row_count(c)); });
  words["fill"] =
      fill_in(m.options.damping == GenerateOptions::DampingForm::kRows ? kFillRows : kFillBlocks, words, m.dialect);
  return words;
}

static_assert(static_cast<int>(SetKind::kEquality) == 0 && static_cast<int>(SetKind::kNonNegative) == 1 &&
              static_cast<int>(SetKind::kBox) == 2 && static_cast<int>(SetKind::kFrictionCone) == 3);

/// Sums and products per row, and what does not depend on the number of rows.
void add_extrapolation(std::int64_t rows, GeneratedCost& cost) {
  constexpr std::int64_t n = kMemory, products = n * (n + 1) / 2 + n;
  cost.additions += rows * (4 + products + n) + 2 * n;
  cost.multiplications += rows * (2 + 2 * products + n) + n + 1;
  ++cost.square_roots;
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t below = n - 1 - i;
    cost.divisions += below + 1;
    cost.additions += below * (n + 1 - i) + below;
    cost.multiplications += below * (n + 1 - i) + below;
  }
}

}  // namespace

GeneratedCost cost_of_contact_iteration(const Material& m, const GeneratedCost& solve) {
  GeneratedCost cost = solve;
  cost.function = "contact_forces";
  const std::int64_t rows = m.trace.rows;
  const auto cones = std::count_if(m.constraints.begin(), m.constraints.end(),
                                   [](const Constraint& c) { return set_of(c).kind == SetKind::kFrictionCone; });
  // Projections, then the right-hand side and the step, as kLaw and kSolver have them.
  cost.additions += 3 * cones + 4 * rows + 4 * cones;
  cost.multiplications += static_cast<std::int64_t>(m.constraints.size()) + 8 * cones + 3 * rows + 4 * cones;
  cost.divisions += 2 * cones;
  cost.square_roots += 2 * cones;
  add_extrapolation(rows, cost);
  cost.scratch_numbers += static_cast<int>(rows) + kMemory * (kMemory + 2);
  return cost;
}

std::string why_no_contact_solver(const Material& m) {
  if (m.trace.rows == 0) return "there are no constraints";
  if (!has_masks(m)) return "rows need dampings of their own: --damping rows or blocks";
  for (const Constraint& c : m.constraints) {
    const ForceSet& set = set_of(c);
    if (set.kind != SetKind::kFrictionCone) continue;
    if (row_count(c) != 3 || (set.mu_across != 0 && set.mu_across != set.mu))
      return "'" + name_of(c) + "' has other friction than that of sliding, the same in all directions";
  }
  return "";
}

std::string contact_declarations(const Material& m) { return fill_in(kDeclarations, words_of(m), m.dialect); }

std::string contact_text(const Material& m) {
  const Words words = words_of(m);
  std::string text;
  for (const char* part : {kTables, kLaw, kWeights, kModes, kExtrapolation, kSolver})
    text += fill_in(part, words, m.dialect);
  return text;
}

}  // namespace delassus::generation
