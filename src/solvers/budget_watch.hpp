// Whether a solve may go on: iterations of its options and of its budget, and the time of the latter.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>

#include "delassus/solvers/contact_problem.hpp"

namespace delassus {

class BudgetWatch {
 public:
  void begin(int iterations, const SolveBudget& budget) {
    iterations_ = std::min(iterations, budget.iterations);
    timed_ = std::isfinite(budget.seconds);
    if (timed_)
      end_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(budget.seconds));
  }
  /// Whether another iteration may begin after so many.
  bool allows_more(int iterations) const { return iterations < iterations_ && !(timed_ && Clock::now() >= end_); }
  /// Why not, after so many.
  StopReason reason(int iterations) const {
    return iterations < iterations_ ? StopReason::kTime : StopReason::kIterations;
  }

 private:
  using Clock = std::chrono::steady_clock;
  int iterations_ = 0;
  bool timed_ = false;
  Clock::time_point end_{};
};

}  // namespace delassus
