#include "bench/operations/operation_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace delassus::cli {
namespace {

/// As `--frames` spells them.
constexpr const char* name_of(CountedFrames frames) {
  switch (frames) {
    case CountedFrames::kWorldAxes:
      return "world";
    case CountedFrames::kLinkAxes:
      return "local";
    case CountedFrames::kLinkAxesFolded:
      return "folded";
  }
  return "";
}

bool has_inverse(const OperationStudy& study) { return study.result == CountedResult::kMatrixAndInverse; }

std::int64_t fewest(const PointCounts& p) {
  std::int64_t out = std::numeric_limits<std::int64_t>::max();
  for (const auto& [algorithm, count] : p.algorithms) out = std::min(out, count.total.total());
  return out;
}

/// One line for each point, one column for each algorithm.
std::string table(const OperationStudy& study) {
  const std::string size = study.study.size.empty() ? "case" : std::string(study.study.size);
  std::string text =
      fmt::format("{:<18}{:>6}{:>6}{:>6}", study.study.name == "stem" ? "stem x branches" : size, "n", "m", "depth");
  for (const Algorithm a : study.algorithms) text += fmt::format("{:>14}", delassus::name_of(a));
  text += '\n';
  for (const PointCounts& p : study.points) {
    text += fmt::format("{:<18}{:>6}{:>6}{:>6}", p.point.label, p.dofs, p.rows, p.depth);
    for (const Algorithm a : study.algorithms) {
      const auto found = p.algorithms.find(a);
      if (found == p.algorithms.end()) {
        text += fmt::format("{:>13} ", "-");
      } else {
        const std::int64_t total = found->second.total.total();
        text += fmt::format("{:>13}{}", total, total == fewest(p) ? '*' : ' ');
      }
    }
    text += '\n';
  }
  return text;
}

std::string stages_text(const PointCounts& p) {
  std::string text = "\nby stage\n";
  for (const auto& [algorithm, count] : p.algorithms) {
    text += fmt::format("  {:<14}", delassus::name_of(algorithm));
    for (std::size_t s = 0; s < count.stages.size(); ++s) {
      text += fmt::format("{}{} {}", s ? ", " : "", count.stages[s].name, count.stages[s].operations.total());
    }
    text += '\n';
  }
  return text;
}

std::string slopes_text(const OperationStudy& study) {
  const std::vector<Slope> slopes = slopes_of(study);
  if (slopes.empty()) return "";
  std::string text = "\nslopes: from one size to its double, the exponent that a power would have\n";
  text += fmt::format("{:<36}", study.study.size);
  for (const Algorithm a : study.algorithms) text += fmt::format("{:>14}", delassus::name_of(a));
  text += '\n';
  for (const Slope& s : slopes) {
    text += fmt::format("{:<36}", fmt::format("{} to {}", s.from, s.to));
    for (const Algorithm a : study.algorithms) {
      const auto found = s.exponents.find(a);
      text += found == s.exponents.end() ? fmt::format("{:>13} ", "-") : fmt::format("{:>13.2f} ", found->second);
    }
    text += '\n';
  }
  return text;
}

std::string left_out_text(const OperationStudy& study) {
  std::string text;
  for (const PointCounts& p : study.points) {
    for (const auto& [algorithm, operations] : p.left_out) {
      text += fmt::format("{}{} at {} {} (about {:.1e} operations)", text.empty() ? "" : ", ",
                          delassus::name_of(algorithm), study.study.size, p.point.label, operations);
    }
  }
  return text.empty() ? "" : "\nleft out, as counting would take long: " + text + "\n";
}

nlohmann::json numbers(const OperationCount& c) {
  return {{"add", c.additions},     {"mul", c.multiplications}, {"div", c.divisions},
          {"sqrt", c.square_roots}, {"trig", c.trigonometric},  {"total", c.total()}};
}

nlohmann::json point_json(const OperationStudy& study, const PointCounts& p) {
  nlohmann::json algorithms = nlohmann::json::object(), stages = nlohmann::json::object();
  for (const auto& [algorithm, count] : p.algorithms) {
    const std::string name(delassus::name_of(algorithm));
    algorithms[name] = numbers(count.total);
    for (const StageCount& s : count.stages) {
      stages[name].push_back(numbers(s.operations));
      stages[name].back()["name"] = s.name;
    }
  }
  nlohmann::json out{
      {"label", p.point.label}, {"scene", p.point.scene},   {"k", p.point.k},  {"n", p.dofs}, {"m", p.rows},
      {"depth", p.depth},       {"algorithms", algorithms}, {"stages", stages}};
  for (const auto& [algorithm, operations] : p.left_out) {
    out["left_out"][std::string(delassus::name_of(algorithm))] = operations;
  }
  if (study.study.sparsity) {
    out["zeros_J"] = p.zeros.jacobian;
    out["zeros_H"] = p.zeros.inertia;
  }
  return out;
}

}  // namespace

std::string as_text(const OperationStudy& study) {
  std::string text = fmt::format(
      "{}: {}\noperations from poses and rows to the lower triangle{}, in {} frames; n degrees of freedom, m rows, * "
      "the "
      "fewest\n\n{}",
      study.study.name, study.study.description, has_inverse(study) ? " and from Λ to J̄" : "", name_of(study.frames),
      table(study));
  if (study.points.size() == 1) text += stages_text(study.points.front());
  if (study.study.sparsity) {
    const ZeroShares& zeros = study.points.front().zeros;
    text += fmt::format("\nzeros: {:.1f} % of J, {:.1f} % of the inertia matrix\n", 100 * zeros.jacobian,
                        100 * zeros.inertia);
  }
  text += slopes_text(study) + left_out_text(study);
  if (study.frames != CountedFrames::kWorldAxes) text += "\ndense is counted in world frames always\n";
  return text;
}

nlohmann::json as_json(const OperationStudy& study) {
  nlohmann::json points = nlohmann::json::array();
  for (const PointCounts& p : study.points) points.push_back(point_json(study, p));
  nlohmann::json out{{"case", study.study.name},      {"description", study.study.description},
                     {"size", study.study.size},      {"frames", name_of(study.frames)},
                     {"inverse", has_inverse(study)}, {"points", points}};
  for (const Slope& s : slopes_of(study)) {
    nlohmann::json exponents = nlohmann::json::object();
    for (const auto& [algorithm, x] : s.exponents) exponents[std::string(delassus::name_of(algorithm))] = x;
    out["slopes"].push_back({{"from", s.from}, {"to", s.to}, {"exponents", exponents}});
  }
  return out;
}

}  // namespace delassus::cli
