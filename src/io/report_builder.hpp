// Collects a LoadReport while a file is read.
#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>

#include "delassus/io/scene.hpp"

namespace delassus::io {

class ReportBuilder {
 public:
  explicit ReportBuilder(std::string file) { report_.file = std::move(file); }

  void ignore(const std::string& what, int line);
  void warn(std::string element, int line, std::string message);
  void miss(const std::string& name, int line, std::vector<std::string> tried);
  /// Takes over the entries of a file that this one includes in `line`; each names its own place.
  void add_included(const LoadReport& other, int line);
  /// The report so far, its entries by line.
  LoadReport report() const;

 private:
  LoadReport report_;
  std::unordered_map<std::string, std::size_t> groups_;
  std::unordered_set<std::string> missing_;
};

/// Throws an Error with all warnings, if there are any: what strict reading does.
void require_no_warnings(const LoadReport& report);

}  // namespace delassus::io
