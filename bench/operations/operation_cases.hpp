// The studies of operation counts in the papers, as lists of scenes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace delassus::cli {

struct OperationCase {
  std::string_view name;
  std::string_view description;  // one phrase, with the figure that it repeats
  std::string_view size;         // what k counts: "k", "links"; empty for a case of one point
  bool sparsity = false;         // also the shares of zeros in J and in the inertia matrix
};

/// One system of a case.
struct CasePoint {
  std::string label, scene;
  int k = 0;  // 0 where the case has no size
};

const std::vector<OperationCase>& operation_cases();

/// Throws an Error with the closest name if there is no such case.
const OperationCase& find_operation_case(const std::string& name);

/// Smallest first; the stems by their number of branches.
std::vector<CasePoint> points_of(const OperationCase& study);

}  // namespace delassus::cli
