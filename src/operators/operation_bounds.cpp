#include "operators/operation_bounds.hpp"

#include <algorithm>
#include <vector>

#include "dynamics/carrier_plan.hpp"

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

OperatorCount OperationBounds::operator()(Algorithm algorithm, const Workload& workload) const {
  const bool without_matrix = algorithm >= Algorithm::kLcaba;
  const bool kkt =
      algorithm == Algorithm::kKkt;  // as LTL, but the matrix when it is needed, and products with its factor
  const auto whole = [](bool wanted, double count) { return wanted ? static_cast<std::int64_t>(count) : 0; };
  OperatorCount out;
  if (without_matrix) {
    out.matrix = whole(workload.matrix, 2 * m_ * m_);
    return out;
  }
  const double forming = kkt ? carried_pairs_ : 0, cholesky = m_ * m_ * m_ / 3;
  out.factor = whole(true, kkt ? path_squares_ / 3 + 2 * carried_above_ : factor(algorithm));
  out.matrix = whole(workload.matrix, forming);
  out.product = whole(workload.products > 0, kkt ? 2 * carried_ : m_ * (2 * m_ - 1));
  out.damping = whole(workload.all_dampings() > 0, cholesky + (workload.matrix ? 0 : forming));
  out.redamping = whole(workload.all_dampings() > 1, cholesky);
  out.solve = whole(workload.solves > 0, 2 * m_ * m_);
  return out;
}

}  // namespace delassus
