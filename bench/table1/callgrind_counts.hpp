// What scripts/count-instructions measured: instructions and cache lines of single calls.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace delassus::cli {

/// {scene: {operator: {verb: {"instructions": …, "cache_lines": …}}}}
class CallgrindCounts {
 public:
  /// No counts.
  CallgrindCounts() : counts_(nlohmann::json::object()) {}
  /// Throws an Error that names the file.
  explicit CallgrindCounts(const std::string& path);

  /// By verb; null if there are none.
  nlohmann::json of(std::string_view scene, std::string_view op) const;
  /// Distinct lines of the call that uses most of the operator: the damped solve from q, or else the product from q; null if
  /// neither was counted.
  nlohmann::json lines_of(std::string_view scene, std::string_view op) const;

 private:
  nlohmann::json counts_;
};

}  // namespace delassus::cli
