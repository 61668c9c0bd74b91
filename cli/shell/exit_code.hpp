// What the command returns to the shell.
#pragma once

namespace delassus::cli {

/// manual_texts.hpp and docs/command.md say what they mean.
enum ExitCode : int { kExitOk = 0, kExitCheckFailed = 1, kExitBadInput = 2, kExitInternal = 3 };

}  // namespace delassus::cli
