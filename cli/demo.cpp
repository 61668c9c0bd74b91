// `delassus demo`: a quadruped stands on four feet; what the library says about it.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "command.hpp"
#include "delassus/constraints/lower.hpp"
#include "delassus/delassus/any_delassus.hpp"
#include "delassus/delassus/oracle.hpp"
#include "delassus/delassus/planner.hpp"
#include "delassus/delassus/spectrum.hpp"
#include "delassus/io/scene_recipes.hpp"
#include "delassus_matrix.hpp"
#include "heat_map.hpp"
#include "summary.hpp"

namespace delassus::cli {
namespace {

double largest_difference(const std::vector<double>& a, const oracle::Matrix<long double>& b) {
  long double difference = 0, scale = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference = std::max(difference, std::abs(a[i] - b.entries()[i]));
    scale = std::max(scale, std::abs(b.entries()[i]));
  }
  return static_cast<double>(difference / scale);
}

/// Median over batches of the mean time of a call, in microseconds.
template <class Work>
double time_us(Work&& work) {
  using Clock = std::chrono::steady_clock;
  constexpr int kBatches = 51, kCalls = 200;
  std::vector<double> times;
  for (int batch = 0; batch < kBatches; ++batch) {
    const auto start = Clock::now();
    for (int k = 0; k < kCalls; ++k) work();
    times.push_back(std::chrono::duration<double, std::micro>(Clock::now() - start).count() / kCalls);
  }
  std::nth_element(times.begin(), times.begin() + kBatches / 2, times.end());
  return times[kBatches / 2];
}

/// One line for each algorithm: how far from the oracle, how many operations, how long from q to the matrix. Returns the largest
/// difference.
double print_algorithms(const Scene& scene, const OperatorPlan& plan) {
  const Model& model = scene.model;
  Kinematics<double> kin(model);
  ConstraintRows<double> rows;
  lower_structure(model, scene.constraints, rows);
  const std::vector<long double> q(scene.q.begin(), scene.q.end());
  const oracle::Matrix<long double> exact = oracle::delassus_matrix<long double>(model, scene.constraints, q);
  double worst = 0;
  fmt::print("  {:<14}{:>12}{:>14}{:>12}\n", "algorithm", "operations", "us from q", "error");
  for (const OperatorPlan::Candidate& c : plan.candidates) {
    AnyDelassus<double> op(c.algorithm, model, rows);
    std::vector<double> matrix(static_cast<std::size_t>(rows.num_rows()) * rows.num_rows());
    const double time = time_us([&] {
      update_kinematics(model, scene.q, kin);
      require_ok(lower_values(model, kin, scene.constraints, rows), model, scene.constraints);
      require_ok(op.factor(model, kin, rows), model, scene.constraints);
      op.dense(MatrixView<double>(matrix.data(), op.rows(), op.rows()));
    });
    const double error = largest_difference(matrix, exact);
    worst = std::max(worst, error);
    fmt::print("  {:<14}{:>12}{:>14.2f}{:>12.1e}\n", name_of(c.algorithm), c.operations, time, error);
  }
  return worst;
}

void print_matrix(const Scene& scene, const MatrixResult& result) {
  std::vector<HeatMapLabel> labels;
  int row = 0;
  for (const Constraint& c : scene.constraints) {
    labels.push_back({row, fmt::format("{} (n, t1, t2)", name_of(c))});
    row += row_count(c);
  }
  fmt::print(
      "Delassus matrix Λ⁻¹ = J M⁻¹ Jᵀ, {} × {}, 1/kg. Shades from the largest entry down, three to a decade; {}\n",
      result.rows, result.rows,
      stdout_has_colour() ? "red: positive, blue: negative" : "# largest, a leading '-': negative");
  fmt::print("{}\n", heat_map(result.entries, result.rows, labels, stdout_has_colour()));
}

int run() {
  const Scene scene = load_embedded_scene("go2-standing");
  const OperatorPlan plan = plan_operator(scene.model, scene.constraints, kMatrixAlone);
  const MatrixResult result =
      delassus_matrix(std::string(name_of(plan.choice)), scene.model, scene.q, scene.constraints);
  fmt::print("{}, standing on {} point contacts\n\n", one_line_summary(scene), scene.constraints.size());
  print_matrix(scene, result);
  const Spectrum spectrum = make_spectrum(MatrixView<const double>(result.entries.data(), result.rows, result.rows));
  fmt::print("Eigenvalues {:.4g} to {:.4g}, rank {} of {}, condition number {:.3g}\n\n", spectrum.smallest,
             spectrum.largest, spectrum.rank, result.rows, spectrum.condition);

  fmt::print("Every algorithm, against a slow oracle in long double (one core of this machine, median):\n");
  const double error = print_algorithms(scene, plan);
  constexpr double kAgreement = 1e-12;
  fmt::print("All within {:.0e}: {}\n\n", kAgreement, error < kAgreement ? "yes" : "NO");
  const std::string reasons = plan.explain();
  fmt::print("The planner takes {}\n", reasons.substr(0, reasons.find('\n')));
  return error < kAgreement ? 0 : 1;
}

}  // namespace

void add_demo(CLI::App& app, int& exit_code) {
  CLI::App* sub = app.add_subcommand("demo", "Shows what the library does: a quadruped on four feet");
  sub->callback([&exit_code] { exit_code = run(); });
}

}  // namespace delassus::cli
