// The engines, on vectors as wide as the registers that this is compiled for: once for each instruction set level, or once with the
// flags of the build where there are no levels (docs/isa.md).
#include "delassus/math/compiled_levels.hpp"

#if defined(DELASSUS_ISA_LEVEL) || !DELASSUS_HAS_ISA_LEVELS

#include "batch/pack_engine_dynamics.hpp"
#include "batch/pack_engine_operators.hpp"
#include "batch/pack_stepper_motion.hpp"
#include "batch/pack_stepper_solve.hpp"
#include "math/instantiate.hpp"

namespace delassus {

std::unique_ptr<BatchEngine<double>> make_engine_double(const Model& model, const BatchSets& sets,
                                                        const BatchOptions& options) {
  return std::make_unique<PackEngine<PackDoubles>>(model, sets, options);
}
std::unique_ptr<BatchEngine<float>> make_engine_float(const Model& model, const BatchSets& sets,
                                                      const BatchOptions& options) {
  return std::make_unique<PackEngine<PackFloats>>(model, sets, options);
}

std::unique_ptr<LaneStepper> make_lane_stepper(const LanePlan& plan) {
  return std::make_unique<PackStepper<PackDoubles>>(plan);
}

}  // namespace delassus

#endif
