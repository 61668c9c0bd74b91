// Steps that were hard to solve, as files: problems for `delassus bench contact --problems`.
#pragma once

#include <optional>
#include <string>

#include "cli/shell/options.hpp"
#include "delassus/simulation/simulator.hpp"
#include "io/contact_file.hpp"

namespace delassus::cli {

struct CaptureOptions {
  std::string folder;  // empty: nothing is captured
  int above = 50, most = 100;

  void add_to(Command& app);
};

class StepCapture {
 public:
  /// Makes the folder. Throws an Error if that fails, or if it has files of such names already: they are somebody's.
  StepCapture(const CaptureOptions& options, const std::string& scene, Simulator& simulation);
  ~StepCapture();
  StepCapture(const StepCapture&) = delete;
  StepCapture& operator=(const StepCapture&) = delete;

  /// After each step, be it made or not: writes its problem if it was hard. `step` counts from 1, as messages do.
  void note_step(std::int64_t step);

  int hard_steps() const { return hard_steps_; }
  int files() const { return files_; }

 private:
  void look_at(const SolvedProblem& solved);

  const CaptureOptions& options_;
  Simulator& simulation_;
  std::string prefix_;  // of file names, without the folder
  bool hard_ = false;   // the step that was solved last
  std::optional<io::StoredProblem> problem_;
  int hard_steps_ = 0, files_ = 0;
};

}  // namespace delassus::cli
