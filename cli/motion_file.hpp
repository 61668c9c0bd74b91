// The motion of a simulation as a table of comma-separated values (RFC 4180): one row for each moment.
#pragma once

#include <cstdio>
#include <string>

#include "delassus/simulation/simulator.hpp"

namespace delassus::cli {

class MotionFile {
 public:
  /// Writes the names of the columns. Without a path, nothing is ever written. Throws an Error if the file cannot be written.
  MotionFile(const std::string& path, const Model& model);
  ~MotionFile();
  MotionFile(const MotionFile&) = delete;
  MotionFile& operator=(const MotionFile&) = delete;

  /// The state, and what the step that led to it said.
  void add(Simulator& simulation);
  /// What was added is in the file then, whatever happens. Throws an Error if it is not.
  void flush();

 private:
  void write(const std::string& text);

  std::string path_;
  std::FILE* file_ = nullptr;
};

}  // namespace delassus::cli
