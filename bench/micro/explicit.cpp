// Time of every explicit algorithm from joint angles to Λ⁻¹: kinematics, rows, matrix; and of those with ways of their own to
// J̄, and one without, from Λ⁻¹ to J̄.
#include <benchmark/benchmark.h>

#include <array>

#include "bench/micro/robots.hpp"
#include "delassus/constraints/constrained_model.hpp"
#include "delassus/constraints/lower.hpp"
#include "delassus/operators/any_delassus.hpp"
#include "scenes/recipes.hpp"

namespace delassus {
namespace {

struct System {
  Model model;
  std::vector<Constraint> constraints;
};

/// Six rows on each foot, or a point under each corner of both soles.
System talos(bool points) {
  Scene robot = bench::robot("talos_like");
  if (points) return {robot.model, bench::contacts(robot.model, 8)};
  const std::array<std::string, 2> feet{"leg_left_6_link", "leg_right_6_link"};
  return {robot.model, make_welds_to_world(robot.model, robot.q, feet)};
}

System system_of(const std::string& scene) {
  if (scene == "talos_like") return talos(false);
  if (scene == "talos_like-points") return talos(true);
  Scene s = make_scene(scene);
  return {s.model, std::move(s.constraints)};
}

void matrix_from_q(benchmark::State& state, const std::string& scene, Algorithm algorithm) {
  const System system = system_of(scene);
  const Model& model = system.model;
  const auto qs = bench::random_configurations(model);
  Kinematics<double> kin(model);
  ConstraintRows<double> rows;
  lower_structure(model, system.constraints, rows);
  AnyDelassus<double> op(algorithm, model, rows);
  std::size_t k = 0;
  for (auto _ : state) {
    update_kinematics(model, qs[k], kin);
    if (!lower_values(model, kin, system.constraints, rows).ok()) throw Error("degenerate");
    if (!op.factor({model, kin, rows}).ok()) throw Error("singular");
    benchmark::ClobberMemory();
    k = (k + 1) % qs.size();
  }
}

template <class Operator>
void inverse_from_matrix(benchmark::State& state, const std::string& scene) {
  const Scene s = make_scene(scene);
  Kinematics<double> kin(s.model);
  update_kinematics(s.model, s.q, kin);
  ConstraintRows<double> rows;
  lower_structure(s.model, s.constraints, rows);
  if (!lower_values(s.model, kin, s.constraints, rows).ok()) throw Error("degenerate");
  Operator op(s.model, rows);
  if (!op.factor({s.model, kin, rows}).ok()) throw Error("singular");
  std::vector<double> out(static_cast<std::size_t>(s.model.nv()) * rows.num_rows());
  const MatrixView<double> J_bar(out.data(), s.model.nv(), rows.num_rows());
  for (auto _ : state) {
    if (!op.consistent_inverse(J_bar).ok()) throw Error("rows depend on each other");
    benchmark::ClobberMemory();
  }
}

struct Entry {
  const char* scene;
  int rows;
};
constexpr Entry kEntries[] = {{"go2-standing", 12}, {"go2-fallen", 27},        {"g1-standing", 24},  {"g1-fallen", 69},
                              {"talos_like", 12},   {"talos_like-points", 24}, {"k2chain:5", 30},    {"k2chain:8", 48},
                              {"k2chain:10", 60},   {"allwelded:16", 96},      {"allwelded:64", 384}};
constexpr Entry kInverses[] = {{"go2-standing", 12}, {"atlas-feet-hands", 24}, {"asimo-hf", 24}, {"humanoid:96", 12}};

// Scenes are made when they run: tables of the library may not be filled yet.
const bool kRegistered = [] {
  for (const Entry& e : kEntries) {
    for (const Algorithm a : kExplicitAlgorithms) {
      const std::string name = std::string(name_of(a)) + "/" + e.scene + "/" + std::to_string(e.rows) + "_rows";
      benchmark::RegisterBenchmark(name.c_str(), matrix_from_q, e.scene, a);
    }
  }
  for (const Entry& e : kInverses) {
    const std::string name = std::string("/") + e.scene + "/" + std::to_string(e.rows) + "_inverse";
    benchmark::RegisterBenchmark(("ltl" + name).c_str(), inverse_from_matrix<LtlDelassus<double>>, e.scene);
    benchmark::RegisterBenchmark(("efpa" + name).c_str(), inverse_from_matrix<EfpaDelassus<double>>, e.scene);
    benchmark::RegisterBenchmark(("pv-osim" + name).c_str(), inverse_from_matrix<PvOsimDelassus<double>>, e.scene);
  }
  return true;
}();

}  // namespace
}  // namespace delassus
