// All that the tour finds out about one contact set.
#pragma once

#include "cli/tour/contact_sets.hpp"
#include "cli/tour/motion.hpp"
#include "cli/tour/operators.hpp"
#include "delassus/operators/matrix_operator.hpp"
#include "delassus/operators/planner.hpp"
#include "delassus/solvers/doctor.hpp"

namespace delassus::cli {

/// What the planner is asked for.
struct TourWorkload {
  std::string_view name, title;
  Workload workload;
};
inline constexpr std::array kTourWorkloads{
    TourWorkload{"matrix", "the matrix", kMatrixAlone},
    TourWorkload{"product", "one product", kOneProduct},
    TourWorkload{"products", "100 products", kHundredProducts},
    TourWorkload{"admm", "30 ADMM iterations", kThirtyIterations},
};

struct SetResult {
  explicit SetResult(const ContactSet& contact_set) : set(contact_set) {}

  ContactSet set;
  int contacts = 0, rows = 0;
  std::vector<double> matrix;  // the oracle's, row by row
  Spectrum spectrum;
  ConstraintReport health;
  MotionResult motion;
  Bounds bounds;
  std::int64_t placing = 0;  // operations that all operators share
  std::vector<OperatorResult> operators;
  std::vector<OperatorPlan> plans;  // one for each of kTourWorkloads

  bool agrees() const {
    return std::ranges::all_of(operators, [&](const OperatorResult& op) { return op.agrees(bounds); });
  }
};

SetResult run_set(const ContactSet& set, const Effort& effort);

/// The first line of the plan's explanation: what was chosen, for what, and why.
std::string reason_of(const OperatorPlan& plan);

}  // namespace delassus::cli
