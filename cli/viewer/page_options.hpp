// --html and --fps, which mean the same in every command.
#pragma once

#include <string>

#include "cli/shell/options.hpp"
#include "delassus/model/model.hpp"

namespace delassus::cli {

void add_fps(Command& app, int& fps, std::string text);

/// A page for the viewer, if --html names one.
struct PageOptions {
  std::string path;
  int fps = 60;  // frames per simulated second

  /// `text` describes --html.
  void add_to(Command& app, std::string text);
  bool wanted() const { return !path.empty(); }
  /// Before work that would be lost: throws an Error if there is no viewer, or the page would be too large.
  void require_possible(const Model& model, double seconds) const;
  /// The document is a recording.
  void write(const std::string& title, const std::string& document) const;
};

}  // namespace delassus::cli
