// The text of --help.
#pragma once

#include <string>
#include <vector>

#include "cli/shell/options.hpp"

namespace delassus::cli {

struct Example {
  std::string line, comment;  // as typed in a shell; what it does
};

/// Shown at the end of the command's help and in the manual page. The tests run every line in a folder with robot.urdf,
/// scene.json, study.json and reference/pendulum.json, except those whose comment has the word minute.
void set_examples(Command& app, const std::vector<Example>& examples);

std::string help_of(const Command& command);

}  // namespace delassus::cli
