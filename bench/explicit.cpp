// Time of every explicit algorithm from joint angles to Λ⁻¹: kinematics, rows, matrix.
#include <benchmark/benchmark.h>

#include "bench/robots.hpp"
#include "delassus/constraints/lower.hpp"
#include "delassus/delassus/chang_khatib.hpp"
#include "delassus/delassus/dense.hpp"
#include "delassus/delassus/efpa.hpp"
#include "delassus/delassus/kjr.hpp"

namespace delassus {
namespace {

template <class Operator>
void matrix_from_q(benchmark::State& state, const std::string& name, int count) {
  const Scene scene = bench::robot(name);
  const Model& model = scene.model;
  const std::vector<Constraint> constraints = bench::contacts(model, count);
  const auto qs = bench::random_configurations(model);
  Kinematics<double> kin(model);
  ConstraintRows<double> rows;
  lower_structure(model, constraints, rows);
  Operator op(model, rows);
  std::size_t k = 0;
  for (auto _ : state) {
    update_kinematics(model, qs[k], kin);
    if (!lower_values(model, kin, constraints, rows).ok()) throw Error("degenerate");
    if (!op.factor(model, kin, rows).ok()) throw Error("singular");
    benchmark::ClobberMemory();
    k = (k + 1) % qs.size();
  }
}

template <class Operator>
bool register_algorithm(const std::string& algorithm) {
  const auto add = [&](const std::string& robot, int contacts) {
    const std::string name = algorithm + "/" + robot + "/" + std::to_string(3 * contacts) + "_rows";
    benchmark::RegisterBenchmark(name.c_str(), matrix_from_q<Operator>, robot, contacts);
  };
  add("go2", 4);
  add("go2", 9);
  add("g1", 8);
  add("g1", 23);
  return true;
}

const bool kDense = register_algorithm<DenseDelassus<double>>("dense");
const bool kKjr = register_algorithm<KjrDelassus<double>>("kjr");
const bool kChangKhatib = register_algorithm<ChangKhatibDelassus<double>>("chang_khatib");
const bool kEfpa = register_algorithm<EfpaDelassus<double>>("efpa");

}  // namespace
}  // namespace delassus
