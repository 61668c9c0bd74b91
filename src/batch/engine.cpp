// The engines, on vectors as wide as the registers of the processor that this is compiled for.
#include "batch/pack_engine_dynamics.hpp"
#include "batch/pack_engine_operators.hpp"
#include "delassus/math/instantiate.hpp"

namespace delassus {

std::unique_ptr<BatchEngine<double>> make_engine_double(const Model& model, const BatchSets& sets,
                                                        const BatchOptions& options) {
  return std::make_unique<PackEngine<PackDoubles>>(model, sets, options);
}
std::unique_ptr<BatchEngine<float>> make_engine_float(const Model& model, const BatchSets& sets,
                                                      const BatchOptions& options) {
  return std::make_unique<PackEngine<PackFloats>>(model, sets, options);
}

}  // namespace delassus
