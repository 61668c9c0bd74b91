#include "operators/operation_bounds.hpp"

#include <algorithm>
#include <vector>

#include "delassus/dynamics/carrier_plan.hpp"

namespace delassus {
namespace {

/// Operations of carrying a row over one degree of freedom: what the joint feels of it, and what is left. To the world nothing
/// is left.
constexpr double kFeel = 11, kCarry = 23;

/// The links that are acted on in one tree, and how many degrees of freedom are between them and the world.
struct Tree {
  double sites = 0, ways = 0;
};

}  // namespace

OperationBounds::OperationBounds(const Model& model, const RowStructure& rows) : nv_(model.nv()), m_(rows.num_rows()) {
  std::vector<int> above(model.num_links()), root(model.num_links());
  for (int i = 0; i < model.num_links(); ++i) {
    const Link& link = model.link(i);
    const bool is_root = link.parent == kWorld;
    above[i] = is_root ? 0 : above[link.parent] + model.link(link.parent).nv;
    root[i] = is_root ? i : root[link.parent];
    deepest_ = std::max(deepest_, above[i] + link.nv);
    for (double k = above[i]; k < above[i] + link.nv; ++k) path_squares_ += k * k;
  }
  const CarrierPlan plan = make_carrier_plan(model, rows, Meeting::kNeverEnds);
  for (const CarrierPlan::Step& step : plan.steps) {
    const CarrierPlan::Segment& segment = plan.segments[step.segment];
    const Link& link = model.link(step.link);
    double live = 0;
    for (int r = segment.first_run; r < segment.first_run + segment.runs; ++r) live += plan.runs[r].count;
    carried_ += live * link.nv;
    carrying_ += live * link.nv * (link.parent == kWorld ? kFeel : kCarry);
    for (int k = 0; k < link.nv; ++k) carried_above_ += live * (above[step.link] + k);
    carried_pairs_ += live * live * link.nv;
    if (link.parent == kWorld) root_pairs_ += live * live;
  }
  std::vector<bool> acted_on(model.num_links(), false);
  for (const RowBlock& block : rows.blocks) acted_on[block.link] = true;
  std::vector<Tree> trees(model.num_links());
  for (int i = 0; i < model.num_links(); ++i) {
    if (!acted_on[i]) continue;
    trees[root[i]].sites += 1;
    trees[root[i]].ways += above[i] + model.link(i).nv;
  }
  for (const Tree& t : trees) {
    unit_ways_ += t.ways;
    unit_way_pairs_ += t.sites * t.ways;
  }
}

double OperationBounds::factor(Algorithm algorithm) const {
  switch (algorithm) {
    case Algorithm::kDense:
      return nv_ * nv_ * nv_ / 3 + nv_ * nv_ * m_ + nv_ * m_ * m_;
    case Algorithm::kLtl:
      return path_squares_ / 3 + 2 * carried_above_ + carried_pairs_;
    case Algorithm::kPvOsim:
      return carrying_ + carried_pairs_;
    case Algorithm::kEfpa:
      return 2 * carrying_;
    case Algorithm::kKjr:  // six columns from where two links meet to both; half of the way, on average
      return 6 * kCarry * unit_way_pairs_ / 4;
    case Algorithm::kChangKhatib:
      return 6 * kCarry * unit_ways_ / 2;
    default:
      return root_pairs_;
  }
}

/// What comes after the matrix: products and solves with all of it, Cholesky.
double OperationBounds::with_matrix(const Workload& workload) const {
  return workload.products * m_ * (2 * m_ - 1) + workload.all_dampings() * m_ * m_ * m_ / 3 +
         workload.solves * 2 * m_ * m_;
}

/// As LTL, but the matrix only if it is needed, and products with its factor.
double OperationBounds::kkt(const Workload& workload) const {
  const bool forms = workload.matrix || workload.all_dampings() > 0;
  Workload rest = workload;
  rest.products = 0;
  return path_squares_ / 3 + 2 * carried_above_ + (forms ? carried_pairs_ : 0) + workload.products * 2 * carried_ +
         with_matrix(rest);
}

double OperationBounds::operator()(Algorithm algorithm, const Workload& workload) const {
  if (algorithm >= Algorithm::kLcaba) return workload.matrix ? 2 * m_ * m_ : 0;
  return algorithm == Algorithm::kKkt ? kkt(workload) : factor(algorithm) + with_matrix(workload);
}

}  // namespace delassus
