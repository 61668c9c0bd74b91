// What may stand next on a line, for shells.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/shell/options.hpp"

namespace delassus::cli {

struct Completion {
  enum class Beside : std::uint8_t { kNothing, kFiles, kFolders };
  struct Candidate {
    std::string word, description;
  };

  std::vector<Candidate> candidates;
  Beside beside = Beside::kNothing;  // what the shell offers as well
};

/// `words` is the line without the command's own name up to the cursor; the last word is the one to complete and may be
/// empty. All of it comes from the tree of commands and from the model that the line names.
Completion complete(const Command& app, std::vector<std::string> words);

/// `delassus complete`, which is not shown: what the scripts ask.
void add_complete(Command& app);

}  // namespace delassus::cli
