#include "solvers/cone_lanes.hpp"

namespace delassus {

void ConeRuns::reserve(int constraints) {
  const auto n = static_cast<std::size_t>(constraints);
  runs_.reserve(n);
  mu_.reserve(n);
  others_.reserve(n);
}

void ConeRuns::list(std::span<const ForceBlock> blocks) {
  runs_.clear();
  mu_.clear();
  others_.clear();
  for (std::size_t b = 0; b < blocks.size();) {
    const int count = count_round(blocks, b);
    if (count == 0) {
      others_.push_back(static_cast<int>(b++));
      continue;
    }
    runs_.push_back({blocks[b].row, static_cast<int>(mu_.size()), count});
    for (const std::size_t end = b + static_cast<std::size_t>(count); b < end; ++b) mu_.push_back(blocks[b].mu[0]);
  }
}

}  // namespace delassus
