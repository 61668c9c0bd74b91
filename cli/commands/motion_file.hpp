// The motion of a simulation as a table of comma-separated values (RFC 4180): one row for each moment.
#pragma once

#include <optional>
#include <string>

#include "delassus/simulation/simulator.hpp"
#include "io/new_file.hpp"

namespace delassus::cli {

class MotionFile {
 public:
  /// Writes the names of the columns. Without a path, nothing is ever written. Throws an Error if the file cannot be written.
  MotionFile(const std::string& path, const Model& model);

  /// The state, and what the step that led to it said.
  void add(Simulator& simulation);
  /// At the end: without it the file is what it was before. Throws an Error if not all could be written.
  void keep();

 private:
  std::optional<io::NewFile> file_;
};

}  // namespace delassus::cli
