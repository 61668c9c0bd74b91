#include <array>

#include "bench/lanes/lanes.hpp"
#include "delassus/constraints/lower.hpp"
#include "delassus/operators/limb_delassus.hpp"
#include "model/limb_model.hpp"

namespace delassus::cli {
namespace {

bool runs_in_lanes(const BenchScene& scene) {
  ConstraintRows<double> rows;
  lower_structure<double>(scene.model, scene.constraints, rows);
  return LimbDelassus<double>(scene.model, rows).in_lanes();
}

}  // namespace

LanesResult measure_lanes(const Table1Scene& about, const Effort& effort, double peak_gflops) {
  const BenchScene scene = make_bench_scene(about);
  const std::array operators{find_bench_operator("condensed"), find_bench_operator("limbs")};
  const std::vector<OperatorTimes> times = measure(scene, effort, {}, {.operators = operators});
  const std::shared_ptr<const LimbModel> limbs = make_limb_model(scene.model);
  return {.name = scene.name,
          .nv = scene.model.nv(),
          .rows = scene.rows,
          .links = scene.model.num_links(),
          .fold_links = limbs ? std::optional(limbs->shape.num_links()) : std::nullopt,
          .in_lanes = runs_in_lanes(scene),
          .scalar = times[0],
          .lanes = times[1],
          .operations = operators[0].count(scene),
          .peak_gflops = peak_gflops};
}

std::optional<double> share_of_peak(const LanesResult& result, const OperatorTimes& times, Verb verb) {
  if (!times.time_us[verb] || !result.operations[verb]) return std::nullopt;
  constexpr double kGigaPerMicro = 1e-3;  // operations in a microsecond, as billions in a second
  return kGigaPerMicro * static_cast<double>(*result.operations[verb]) / *times.time_us[verb] / result.peak_gflops;
}

}  // namespace delassus::cli
