#include "bench/operations/operation_study.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "delassus/constraints/lower.hpp"
#include "dynamics/carrier_plan.hpp"
#include "scenes/recipes.hpp"

namespace delassus::cli {
namespace {

/// Counting takes some nanoseconds per operation, or less, so this is a second or two at most.
constexpr double kMostOperations = 4e8;

/// What the last two sizes let expect of the next; nothing to fear while there are not two.
double expected(const std::vector<PointCounts>& before, Algorithm algorithm, int k) {
  const PointCounts *last = nullptr, *first = nullptr;
  for (const PointCounts& p : before) {
    if (p.point.k >= k || !p.algorithms.contains(algorithm)) continue;
    first = last;
    last = &p;
  }
  if (!first || first->point.k >= last->point.k) return 0;
  const auto total = [&](const PointCounts* p) {
    return static_cast<double>(p->algorithms.at(algorithm).total.total());
  };
  const double exponent = std::log(total(last) / total(first)) / std::log(1.0 * last->point.k / first->point.k);
  return total(last) * std::pow(1.0 * k / last->point.k, exponent);
}

ZeroShares zero_shares(const Scene& scene) {
  const Model& model = scene.model;
  ConstraintRows<double> rows;
  lower_structure<double>(model, scene.constraints, rows);
  const CarrierPlan plan = make_carrier_plan(model, rows, Meeting::kNeverEnds);
  const double n = model.nv(), m = rows.num_rows();
  double J = 0, M = 0;
  for (const CarrierPlan::Step& step : plan.steps) {
    const CarrierPlan::Segment& segment = plan.segments[step.segment];
    for (int r = segment.first_run; r < segment.first_run + segment.runs; ++r) {
      J += plan.runs[r].count * model.link(step.link).nv;
    }
  }
  std::vector<double> above(model.num_links());
  for (int i = 0; i < model.num_links(); ++i) {
    const Link& link = model.link(i);
    above[i] = link.parent == kWorld ? 0 : above[link.parent] + model.link(link.parent).nv;
    M += link.nv * (link.nv + 2 * above[i]);  // a block on the diagonal, and one on each side of it per ancestor
  }
  return {1 - J / (n * m), 1 - M / (n * n)};
}

}  // namespace

OperationStudy count_case(const OperationCase& study, CountedFrames frames, CountedResult result,
                          const std::function<void(std::size_t at, std::size_t of)>& on_point) {
  OperationStudy out{study, frames, result, {}, {}};
  std::ranges::copy_if(kExplicitAlgorithms, std::back_inserter(out.algorithms),
                       [&](Algorithm a) { return is_counted(a, frames, result); });
  const std::vector<CasePoint> points = points_of(study);
  for (std::size_t at = 0; at < points.size(); ++at) {
    on_point(at, points.size());
    const Scene scene = make_scene(points[at].scene);
    PointCounts counts{points[at], scene.model.nv(), 0, scene.model.depth(), {}, {}, {}};
    for (const Constraint& c : scene.constraints) counts.rows += row_count(c);
    for (const Algorithm a : out.algorithms) {
      const double operations = expected(out.points, a, points[at].k);
      if (operations > kMostOperations) {
        counts.left_out[a] = operations;
      } else {
        counts.algorithms[a] = count_algorithm(a, frames, scene.model, scene.constraints, scene.q, result);
      }
    }
    if (study.sparsity) counts.zeros = zero_shares(scene);
    out.points.push_back(std::move(counts));
  }
  return out;
}

std::vector<Slope> slopes_of(const OperationStudy& study) {
  std::vector<Slope> out;
  if (study.study.size.empty() || study.study.name == "stem") return out;
  for (const PointCounts& from : study.points) {
    const auto to = std::ranges::find(study.points, 2 * from.point.k, [](const PointCounts& p) { return p.point.k; });
    if (to == study.points.end()) continue;
    Slope slope{from.point.k, to->point.k, {}};
    for (const auto& [algorithm, count] : to->algorithms) {
      const auto before = static_cast<double>(from.algorithms.at(algorithm).total.total());
      slope.exponents[algorithm] = std::log2(static_cast<double>(count.total.total()) / before);
    }
    out.push_back(std::move(slope));
  }
  return out;
}

}  // namespace delassus::cli
