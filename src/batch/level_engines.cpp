// Engines that are chosen by instruction set level (docs/isa.md): the table that a level hands out, and the library's own functions
// of the same names, which go through the table of the level in use.
#include "batch/engine.hpp"
#include "batch/lane_stepper.hpp"
#include "delassus/math/compiled_levels.hpp"

#if DELASSUS_HAS_ISA_LEVELS

#define DELASSUS_LEVEL_TABLE_TYPE BatchEngines
#define DELASSUS_LEVEL_TABLE(N) delassus_batch_level_v##N
#include "math/level_table.hpp"

namespace delassus {

struct BatchEngines {
  decltype(&make_engine_double) make_double;
  decltype(&make_engine_float) make_float;
  decltype(&make_lane_stepper) make_stepper;
};

DELASSUS_DECLARE_LEVEL_TABLES()

#ifdef DELASSUS_ISA_LEVEL

constinit const BatchEngines DELASSUS_THIS_LEVEL_TABLE = {&make_engine_double, &make_engine_float, &make_lane_stepper};

#else

namespace {
DELASSUS_DEFINE_ACTIVE_LEVEL_TABLE()
}  // namespace

std::unique_ptr<BatchEngine<double>> make_engine_double(const Model& model, const BatchSets& sets,
                                                        const BatchOptions& options) {
  return active_level_table().make_double(model, sets, options);
}
std::unique_ptr<BatchEngine<float>> make_engine_float(const Model& model, const BatchSets& sets,
                                                      const BatchOptions& options) {
  return active_level_table().make_float(model, sets, options);
}
std::unique_ptr<LaneStepper> make_lane_stepper(const LanePlan& plan) { return active_level_table().make_stepper(plan); }

#endif

}  // namespace delassus

#endif
