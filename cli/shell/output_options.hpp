// -o/--output and --json, which mean the same in every command.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cli/shell/options.hpp"

namespace delassus::cli {

/// The option -o/--output alone, for commands that print what is no report.
void add_output(Command& app, std::string& path);

/// What a command prints goes to stdout, or into the file of -o. It is JSON if --json is given or the file's name ends in
/// .json.
struct OutputOptions {
  std::string path;
  bool json = false;

  void add_to(Command& app);
  bool wants_json() const { return json || path.ends_with(".json"); }
  /// Before work that would be lost, and before anything is read: throws an Error if the file cannot be written.
  void require_writable() const;

  void write(const std::string& text) const;
  /// As one line. Names that are not UTF-8 get replacement characters.
  void write(const nlohmann::json& value) const;
};

}  // namespace delassus::cli
