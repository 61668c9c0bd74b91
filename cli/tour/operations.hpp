// Operations of what is measured, from those of single calls.
#pragma once

#include "bench/measure/operators.hpp"

namespace delassus::cli {

/// `placing`: of kinematics and lowering. Nothing where nothing was counted, or the operator does not have the verb.
VerbOperations operations_of(const std::optional<OperatorCount>& calls, const BenchOperator& op, std::int64_t placing);

}  // namespace delassus::cli
