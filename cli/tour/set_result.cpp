#include "cli/tour/set_result.hpp"

namespace delassus::cli {

SetResult run_set(const ContactSet& set, const Effort& effort) {
  const oracle::Matrix<long double> exact = exact_matrix(set.scene);
  const BenchScene bench(set.name, set.scene);
  SetResult out{set, bench.contacts, bench.rows, {exact.entries().begin(), exact.entries().end()}, {}, {}, {}, 0, {},
                {}};
  out.spectrum = make_spectrum(MatrixView<const double>(out.matrix.data(), out.rows, out.rows));
  out.health = diagnose(set.scene.model, set.scene.constraints, set.scene.q, set.scene.v);
  out.bounds = bounds_of(set.scene);
  out.placing = count_placing(bench);
  out.operators = run_operators(bench, exact, effort);
  for (const TourWorkload& w : kTourWorkloads) {
    out.plans.push_back(plan_operator(bench.model, bench.constraints, w.workload));
  }
  return out;
}

std::string reason_of(const OperatorPlan& plan) {
  const std::string words = plan.explain();
  return words.substr(0, words.find('\n'));
}

}  // namespace delassus::cli
