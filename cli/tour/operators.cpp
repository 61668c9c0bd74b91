#include "cli/tour/operators.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "delassus/math/error.hpp"
#include "delassus/operators/matrix_free.hpp"
#include "delassus/operators/matrix_operator.hpp"
#include "delassus/operators/planner.hpp"
#include "model/wording.hpp"

namespace delassus::cli {
namespace {

/// Rows up to which every operator is counted: some seconds at most.
constexpr int kMostCountedRows = 200;
/// Multiplications in long double: some seconds.
constexpr double kMostOracleWork = 1e9;

double largest_entry(const oracle::Matrix<long double>& matrix) {
  long double out = 0;
  for (const long double x : matrix.entries()) out = std::max(out, std::abs(x));
  return static_cast<double>(out);
}

/// What is no number is infinitely far away.
double larger(double a, long double b) {
  return std::isnan(b) ? std::numeric_limits<double>::infinity() : std::max(a, static_cast<double>(b));
}

double relative_difference(const std::vector<double>& matrix, const oracle::Matrix<long double>& exact) {
  double out = 0;
  for (std::size_t i = 0; i < matrix.size(); ++i) out = larger(out, std::abs(matrix[i] - exact.entries()[i]));
  return out / largest_entry(exact);
}

/// Of (Λ⁻¹ + damping) z = b: the largest entry of the residual over |b| + |Λ⁻¹ + damping| |z|. Where rows are
/// redundant, z is many times larger than b, and rounding Λ⁻¹ alone leaves a residual of that size.
double relative_residual(const std::vector<double>& z, const std::vector<double>& b,
                         const oracle::Matrix<long double>& exact) {
  double out = 0, b_size = 0, z_size = 0, matrix_size = 0;
  for (int r = 0; r < exact.rows(); ++r) {
    long double left = b[r] - static_cast<long double>(kDampings[0]) * z[r], row_sum = kDampings[0];
    for (int c = 0; c < exact.cols(); ++c) {
      left -= exact(r, c) * z[c];
      row_sum += std::abs(exact(r, c));
    }
    out = larger(out, std::abs(left));
    b_size = std::max(b_size, std::abs(b[r]));
    z_size = std::max(z_size, std::abs(z[r]));
    matrix_size = larger(matrix_size, row_sum);
  }
  return out / (b_size + matrix_size * z_size);
}

/// The calls of a workload, from the planner's own count.
struct Part {
  Workload workload;
  void (*take)(OperatorCount& to, const OperatorCount& from);
};
/// One by one: some calls are cheaper after others, which a user who wants them alone does not make.
constexpr std::array kParts{
    Part{kMatrixAlone, [](OperatorCount& to, const OperatorCount& from) { to.matrix = from.matrix; }},
    Part{kOneProduct, [](OperatorCount& to, const OperatorCount& from) { to.product = from.product; }},
    Part{{.dampings = 2, .solves = 1},
         [](OperatorCount& to, const OperatorCount& from) {
           to.damping = from.damping;
           to.redamping = from.redamping;
           to.solve = from.solve;
         }},
};

using Candidate = OperatorPlan::Candidate;

/// One candidate for each algorithm, in their order; the cheap ones only where there are many rows.
std::vector<Candidate> count_part(const BenchScene& scene, const Workload& workload) {
  std::vector<Candidate> out;
  if (scene.rows > kMostCountedRows) {
    out = plan_operator(scene.model, scene.constraints, workload).candidates;
    std::ranges::sort(out, {}, &Candidate::algorithm);
    return out;
  }
  for (const Algorithm& algorithm : kDirectAlgorithms) {
    out.push_back(plan_operator(scene.model, scene.constraints, workload, {&algorithm, 1}).candidates[0]);
  }
  return out;
}

}  // namespace

oracle::Matrix<long double> exact_matrix(const Scene& scene) {
  double rows = 0;
  for (const Constraint& c : scene.constraints) rows += row_count(c);
  const double dofs = scene.model.nv();
  if (dofs * (dofs + rows) * (dofs + rows) > kMostOracleWork) {
    throw Error(fmt::format(
        "model {} with {} rows on {} degrees of freedom is too large for a tour, which compares with a slow oracle; "
        "take a smaller one, or measure with `delassus bench`",
        in_quotes(scene.model.name()), rows, dofs));
  }
  const std::vector<long double> q(scene.q.begin(), scene.q.end());
  oracle::Matrix<long double> out = oracle::delassus_matrix<long double>(scene.model, scene.constraints, q);
  if (largest_entry(out) == 0) {
    throw Error(fmt::format(
        "model {}: nothing that the constraints act on can move, so the Delassus matrix is zero; constrain a link that "
        "a joint moves",
        in_quotes(scene.model.name())));
  }
  return out;
}

Bounds bounds_of(const Scene& scene) {
  const oracle::Matrix<double> M = oracle::inertia_matrix<double>(scene.model, scene.q);
  const double rounding = std::numeric_limits<double>::epsilon() *
                          make_spectrum(MatrixView<const double>(M.data(), M.rows(), M.cols())).condition;
  const Bounds usual;
  return {std::max(usual.difference, rounding), std::max(usual.residual, rounding)};
}

std::vector<OperatorResult> run_operators(const BenchScene& scene, const oracle::Matrix<long double>& exact,
                                          const Effort& effort) {
  std::vector<OperatorTimes> times = measure(scene, effort, {}, {all_operators(), kVerbs});
  const std::vector<std::optional<OperatorCount>> calls = count_operators(scene);
  std::vector<OperatorResult> out;
  for (std::size_t k = 0; k < times.size(); ++k) {
    const BenchOperator& op = all_operators()[k];
    out.push_back({std::move(times[k]), calls[k], {}, {}});
    if (!out.back().times.left_out.empty()) continue;
    out.back().difference = relative_difference(op.matrix(scene), exact);
    if (const auto z = op.solution(scene)) out.back().residual = relative_residual(*z, scene.x, exact);
  }
  if (std::ranges::none_of(out, [](const OperatorResult& r) { return r.difference.has_value(); })) {
    throw Error("no operator could be measured: " + out.front().times.left_out);
  }
  return out;
}

std::vector<std::optional<OperatorCount>> count_operators(const BenchScene& scene) {
  std::array<std::optional<OperatorCount>, kDirectAlgorithms.size()> counted;
  counted.fill(OperatorCount{});
  for (const Part& part : kParts) {
    for (const Candidate& c : count_part(scene, part.workload)) {
      std::optional<OperatorCount>& count = counted[static_cast<std::size_t>(c.algorithm)];
      if (!c.exact) count.reset();
      if (!count) continue;
      count->factor = c.calls.factor;
      part.take(*count, c.calls);
    }
  }
  std::vector<std::optional<OperatorCount>> out;
  for (const BenchOperator& op : all_operators()) {
    out.push_back(op.algorithm ? counted[static_cast<std::size_t>(*op.algorithm)] : op.calls(scene));
  }
  return out;
}

std::int64_t count_placing(const BenchScene& scene) {
  BenchRig<MatrixFreeDelassus<Counted>, Counted> rig(scene);
  return count_operations([&] { rig.place(); }).total();
}

}  // namespace delassus::cli
