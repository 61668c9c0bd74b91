// The text of --help.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace delassus::cli {

struct Example {
  std::string line, comment;  // as typed in a shell; what it does
};

/// Shown at the end of the command's help and in the manual page. The tests run every line in a folder with robot.urdf,
/// scene.json and reference/pendulum.json, except those whose comment has the word minute.
void set_examples(CLI::App& app, const std::vector<Example>& examples);

/// Lays out the help of the app and of all commands that are added to it afterwards.
void set_help_layout(CLI::App& app);

}  // namespace delassus::cli
