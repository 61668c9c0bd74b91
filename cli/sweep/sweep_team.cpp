#include "cli/sweep/sweep_team.hpp"

#include <algorithm>
#include <thread>

namespace delassus::cli {

SweepProgress SweepTeam::run(const SweepFolder& folder, std::vector<SweepRange> ranges,
                             const SweepRunOptions& options) {
  const int cores = static_cast<int>(std::max(std::thread::hardware_concurrency(), 1U));
  SweepQueue queue(folder.sweep(), std::move(ranges), options.threads > 0 ? options.threads : cores);
  return run_sweep(folder, queue, options);
}

}  // namespace delassus::cli
