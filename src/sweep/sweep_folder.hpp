// A sweep on disk: parts that are whole or not there, so that a run may end at any moment and go on later, on this machine or on others that see the folder.
//
// Beside results.h5 stands results.h5.parts: the specification, and for each part its rows and a manifest with range, hash, machine and duration, written last. When all
// cases are there, merge() makes the file of results of them, with the same bytes whatever the parts were.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sweep/sweep.hpp"

namespace delassus {

/// What the bits of rows depend on besides the specification.
struct SweepMaker {
  std::string version, commit, compiler, isa;
  bool operator==(const SweepMaker&) const = default;
};
/// This library, on this processor.
SweepMaker this_maker();

/// A part that is done.
struct SweepPart {
  SweepRange range;
  std::string file;  // of its rows
  std::string sha256, machine;
  std::int64_t bytes = 0, failed = 0;
  double seconds = 0;
};

class SweepFolder {
 public:
  /// For this file of results. Makes the folder if there is none. Throws an Error where the folder, or the file, is of another specification, version or processor: nothing is written then.
  static SweepFolder open(const ParameterSweep& sweep, const std::string& results);
  /// The folder that another process has made. Throws an Error where this one does not see it after so many seconds: file systems
  /// that machines share may take a while to show what another has made.
  static SweepFolder join(const ParameterSweep& sweep, const std::string& results, double patience = 5);
  /// The folder that is there, of the file of results or by its own name.
  static SweepFolder find(const std::string& path);

  const ParameterSweep& sweep() const { return sweep_; }
  const SweepMaker& maker() const { return maker_; }
  const std::string& results() const { return results_; }
  const std::string& folder() const { return folder_; }

  /// Parts that are done, by range, without those that lie within others. Throws an Error that names a damaged manifest.
  std::vector<SweepPart> parts() const;
  /// How many of the cases that are done have failed.
  std::int64_t failed() const;
  /// What is not done of a range.
  std::vector<SweepRange> missing(SweepRange within) const;
  std::vector<SweepRange> missing() const { return missing({0, sweep_.size()}); }

  /// A part, whole or not at all. Several threads and processes may write at once.
  void write(const SweepRows& rows, double seconds) const;

  /// Writes the file of results and its manifest, and removes the folder. Throws an Error that says which cases are missing, or which part is damaged; then nothing has changed.
  /// `progress` is told the share that is done.
  void merge(const std::function<void(double)>& progress = {}) const;

 private:
  SweepFolder(const ParameterSweep& sweep, std::string results, const SweepMaker& maker);

  ParameterSweep sweep_;
  SweepMaker maker_;
  std::string results_, folder_;
};

/// Whether the file of results is there already. Throws an Error if it is of another sweep.
bool is_done(const ParameterSweep& sweep, const std::string& results);

/// What the manifest beside a file of results says.
struct FinishedParts {
  std::vector<SweepPart> parts;
  std::int64_t cases = 0, failed = 0;
};
struct FinishedSweep {
  std::string results;
  FinishedParts manifest;
};
/// Of a file of results, or its folder. Nothing while there is work to be done, or where the manifest is gone.
std::optional<FinishedSweep> finished_sweep(const std::string& path);

/// Where workers get their next cases from. Safe to be called by several threads.
class SweepSource {
 public:
  virtual ~SweepSource() = default;
  /// As many as take about as long as a part should, for a worker that does so many cases a second (zero: not known yet).
  virtual std::optional<SweepRange> next(double cases_per_second) = 0;
};

/// The source of one process.
class SweepQueue : public SweepSource {
 public:
  /// `workers`: that share it. Parts have at most so many cases that their rows fit into memory.
  SweepQueue(const ParameterSweep& sweep, std::vector<SweepRange> ranges, int workers);
  ~SweepQueue() override;
  std::optional<SweepRange> next(double cases_per_second) override;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

struct SweepProgress {
  std::int64_t done = 0;    // cases of this run
  std::int64_t failed = 0;  // among them
  double seconds = 0;       // since it began
};

struct SweepRunOptions {
  int threads = 0;  // 0: as many as there are cores
  /// Called on the calling thread now and then.
  std::function<void(const SweepProgress&)> progress{};
  /// Asked often, by all threads: whether to leave what is begun and return.
  std::function<bool()> stop{};
};

/// Simulates what the source gives, and writes parts. Throws the first Error of a worker.
SweepProgress run_sweep(const SweepFolder& folder, SweepSource& source, const SweepRunOptions& options = {});

}  // namespace delassus
