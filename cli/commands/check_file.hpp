// One reference file against the library.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace delassus::cli {

struct FileCheck {
  std::string name;
  bool ok = false;
  std::map<std::string, double> errors;                                   // largest relative error per quantity
  std::map<std::string, std::map<std::string, double>> algorithm_errors;  // the same per algorithm
  std::string message;                                                    // why the file could not be compared
};

/// Relative error up to which a quantity agrees.
inline constexpr double kCheckTolerance = 1e-9;
/// Floor scenes were recorded with the engine's own principal inertias, which have fewer digits.
inline constexpr double kFloorTolerance = 1e-6;
inline double tolerance_of(const std::string& quantity) {
  return quantity.starts_with("floor_") ? kFloorTolerance : kCheckTolerance;
}

/// Never throws for a bad file: it fails with a message.
FileCheck check_file(const std::string& path, const std::string& models, const std::vector<std::string>& algorithms);

}  // namespace delassus::cli
