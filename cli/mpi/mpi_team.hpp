// The ranks of MPI as the team of a sweep. Rank 0 gives out cases and computes as well; files travel through the folder that all ranks see, so messages are a few numbers.
#pragma once

#include "cli/sweep/sweep_team.hpp"

namespace delassus::cli {

/// MPI from here to the end of the program.
class MpiTeam : public SweepTeam {
 public:
  MpiTeam(int& argc, char**& argv);
  ~MpiTeam() override;

  int size() const override { return size_; }
  bool leads() const override { return rank_ == 0; }
  bool agree(bool ready) override;
  /// mpirun has a rank for each core, as a rule.
  int threads() const override { return 1; }
  SweepProgress run(const SweepFolder& folder, std::vector<SweepRange> ranges, const SweepRunOptions& options) override;

  /// Ends all ranks: one of them failed, and the others would wait for it for ever.
  [[noreturn]] void abort(int exit_code);

 private:
  SweepProgress lead(const SweepFolder& folder, std::vector<SweepRange> ranges, const SweepRunOptions& options);
  SweepProgress follow(const SweepFolder& folder, const SweepRunOptions& options);

  int rank_ = 0, size_ = 1;
};

}  // namespace delassus::cli
