// Who computes a sweep: the threads of this process, or the ranks of MPI (cli/mpi).
#pragma once

#include <vector>

#include "sweep/sweep_folder.hpp"

namespace delassus::cli {

class SweepTeam {
 public:
  virtual ~SweepTeam() = default;
  /// Processes that share the work.
  virtual int size() const { return 1; }
  /// Whether this process begins, reports and merges; the others only compute.
  virtual bool leads() const { return true; }
  /// Returns when the leader has said so: `ready` of the leader is what all get.
  virtual bool agree(bool ready) { return ready; }
  /// Threads where the line does not say how many; 0: one for each core.
  virtual int threads() const { return 0; }
  /// Of the leader: all of these cases, and what all have done. Of the others: what they are given.
  virtual SweepProgress run(const SweepFolder& folder, std::vector<SweepRange> ranges, const SweepRunOptions& options);
};

}  // namespace delassus::cli
