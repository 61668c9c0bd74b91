#include "cli/tour/operations.hpp"

namespace delassus::cli {

VerbOperations operations_of(const std::optional<OperatorCount>& calls, const BenchOperator& op, std::int64_t placing) {
  VerbOperations out;
  if (!calls) return out;
  const std::int64_t from_q = placing + calls->factor;
  out[Verb::kMatrixFromQ] = from_q + calls->matrix;
  out[Verb::kProductFromQ] = from_q + calls->product;
  out[Verb::kProduct] = calls->product;
  if (!op.algorithm) return out;
  out[Verb::kSolveFromQ] = from_q + calls->damping + calls->solve;
  out[Verb::kSolve] = calls->solve;
  out[Verb::kRedampSolve] = calls->redamping + calls->solve;
  return out;
}

}  // namespace delassus::cli
