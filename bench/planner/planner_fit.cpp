#include "bench/planner/planner_fit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace delassus::cli {
namespace {

constexpr std::array<std::string_view, kCalls> kNames{"factor", "matrix", "product", "damping", "redamping", "solve"};

/// One equation: amounts times costs is the time, both relative to how much the time matters.
struct Equation {
  Amounts left;
  double right;
};

/// Errors of the matrix and of a first damping matter beside the factor that comes before them.
Equation equation_of(const CostSample& sample, int call) {
  const OperatorTime& t = sample.times;
  const double us = t.*OperatorTime::all()[call];
  const double matters = call == 1 ? t.factor + t.matrix : call == 3 ? t.factor + t.damping : us;
  Equation out{with_operations(sample.system, sample.operations.*OperatorCount::all()[call]),
               sample.weight * us / matters};
  for (double& amount : out.left) amount *= sample.weight / (1e3 * matters);
  return out;
}

/// Least squares with unknowns that are not negative: one unknown after the other, over and over. Few equations, so that thousands
/// of rounds take milliseconds.
Amounts solve_nonnegative(const std::vector<Equation>& equations) {
  constexpr int kRounds = 20000;
  std::array<Amounts, kAmounts> normal{};
  Amounts right{}, out{};
  for (const Equation& e : equations) {
    for (std::size_t i = 0; i < kAmounts; ++i) {
      right[i] += e.left[i] * e.right;
      for (std::size_t k = 0; k < kAmounts; ++k) normal[i][k] += e.left[i] * e.left[k];
    }
  }
  for (int round = 0; round < kRounds; ++round) {
    for (std::size_t i = 0; i < kAmounts; ++i) {
      if (normal[i][i] == 0) continue;
      double rest = right[i];
      for (std::size_t k = 0; k < kAmounts; ++k) rest -= normal[i][k] * out[k];
      out[i] = std::max(0.0, out[i] + rest / normal[i][i]);
    }
  }
  return out;
}

bool is_explicit(Algorithm algorithm) { return static_cast<std::size_t>(algorithm) < kExplicitAlgorithms.size(); }

/// A line of the table, from the samples that it is for.
template <class Belongs>
std::string line(const std::vector<CostSample>& samples, int call, const std::string& name, Belongs&& belongs) {
  std::vector<Equation> equations;
  for (const CostSample& sample : samples) {
    if (belongs(sample.algorithm)) equations.push_back(equation_of(sample, call));
  }
  std::vector<std::string> costs;
  for (const double cost : solve_nonnegative(equations)) costs.push_back(fmt::format("{:.4g}", cost));
  return fmt::format("    {{{}}},  // {} {}\n", fmt::join(costs, ", "), name, kNames[static_cast<std::size_t>(call)]);
}

}  // namespace

std::string cost_table(const std::vector<CostSample>& samples, const std::string& machine) {
  std::string text = fmt::format(
      "// Nanoseconds for one of each Amount, in their order. Written by `delassus bench planner --calibrate`.\n"
      "// Measured on: {}.\n#pragma once\n\n#include \"operators/operator_cost.hpp\"\n\nnamespace delassus {{\n"
      "// clang-format off\n\n/// factor of kExplicitAlgorithms.\n"
      "inline constexpr Amounts kFactorCosts[kExplicitAlgorithms.size()]{{\n",
      machine);
  for (const Algorithm a : kExplicitAlgorithms) {
    text += line(samples, 0, std::string(name_of(a)), [=](Algorithm other) { return other == a; });
  }
  text += "};\n\n/// What follows, for all of them.\ninline constexpr Amounts kMatrixCosts[kCalls - 1]{\n";
  for (int call = 1; call < kCalls; ++call) text += line(samples, call, "explicit", is_explicit);
  text += "};\n\n/// The others, call by call.\ninline constexpr Amounts kOtherCosts[][kCalls]{\n";
  for (const Algorithm a : kDirectAlgorithms) {
    if (is_explicit(a)) continue;
    text += "    {\n";
    for (int call = 0; call < kCalls; ++call) {
      text += line(samples, call, std::string(name_of(a)), [=](Algorithm other) { return other == a; });
    }
    text += "    },\n";
  }
  return text + "};\n\n// clang-format on\n}  // namespace delassus\n";
}

}  // namespace delassus::cli
