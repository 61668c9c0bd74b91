// The engines, on vectors as wide as the registers of the machine that this is compiled for.
#include "batch/pack_engine_dynamics.hpp"
#include "batch/pack_engine_operators.hpp"
#include "delassus/math/instantiate.hpp"

namespace delassus {

#ifdef __AVX512F__
using BatchDoubles = PackDouble8;
using BatchFloats = PackFloat16;
#else
using BatchDoubles = PackDouble4;
using BatchFloats = PackFloat8;
#endif

std::unique_ptr<BatchEngine<double>> make_engine_double(const Model& model, const BatchSets& sets,
                                                        const BatchOptions& options) {
  return std::make_unique<PackEngine<BatchDoubles>>(model, sets, options);
}
std::unique_ptr<BatchEngine<float>> make_engine_float(const Model& model, const BatchSets& sets,
                                                      const BatchOptions& options) {
  return std::make_unique<PackEngine<BatchFloats>>(model, sets, options);
}

}  // namespace delassus
