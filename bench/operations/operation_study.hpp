// Counts the operations of every explicit algorithm on the systems of a case.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "bench/operations/operation_cases.hpp"
#include "delassus/operators/operation_counts.hpp"

namespace delassus::cli {

/// Which shares of J and of the inertia matrix are zero for every configuration.
struct ZeroShares {
  double jacobian = 0, inertia = 0;
};

struct PointCounts {
  CasePoint point;
  int dofs = 0, rows = 0, depth = 0;
  std::map<Algorithm, AlgorithmCount> algorithms;
  std::map<Algorithm, double> left_out;  // with the operations that were to be expected
  ZeroShares zeros;
};

struct OperationStudy {
  OperationCase study;
  CountedFrames frames;
  CountedResult result;
  std::vector<Algorithm> algorithms;  // all that are counted in these frames
  std::vector<PointCounts> points;
};

/// Growth between two sizes: the exponent that a power of k would have.
struct Slope {
  int from = 0, to = 0;
  std::map<Algorithm, double> exponents;
};

/// `on_point` hears of each point before it is counted. An algorithm that grows too far to be run within seconds is left out
/// at the points where it does.
OperationStudy count_case(const OperationCase& study, CountedFrames frames, CountedResult result,
                          const std::function<void(std::size_t at, std::size_t of)>& on_point);

/// From each size to its double, where both were counted; none for stems, which grow by a line and not by a power.
std::vector<Slope> slopes_of(const OperationStudy& study);

}  // namespace delassus::cli
