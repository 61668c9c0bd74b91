#include "bench/table1/callgrind_counts.hpp"

#include <fmt/format.h>

#include <fstream>

#include "bench/measure/verb.hpp"
#include "delassus/math/error.hpp"
#include "io/files_beside.hpp"
#include "model/wording.hpp"

namespace delassus::cli {
namespace {

/// Null where a level is missing.
nlohmann::json member(const nlohmann::json& from, std::string_view key) {
  if (!from.is_object()) return nullptr;
  const auto found = from.find(key);
  return found == from.end() ? nlohmann::json(nullptr) : *found;
}

}  // namespace

CallgrindCounts::CallgrindCounts(const std::string& path) {
  std::ifstream file(path);
  if (!file) {
    throw Error(fmt::format("--cache-lines {}: cannot read the file{}", in_quotes(path), nearest_file_hint(path)));
  }
  counts_ = nlohmann::json::parse(file, nullptr, false);
  if (!counts_.is_object()) {
    throw Error(fmt::format("--cache-lines {}: give the file that scripts/count-instructions wrote", in_quotes(path)));
  }
}

nlohmann::json CallgrindCounts::of(std::string_view scene, std::string_view op) const {
  return member(member(counts_, scene), op);
}

nlohmann::json CallgrindCounts::lines_of(std::string_view scene, std::string_view op) const {
  const nlohmann::json verbs = of(scene, op);
  for (const Verb verb : {Verb::kSolveFromQ, Verb::kProductFromQ}) {
    nlohmann::json lines = member(member(verbs, name_of(verb)), "cache_lines");
    if (lines.is_number_integer()) return lines;
  }
  return nullptr;
}

}  // namespace delassus::cli
