// Ctrl-C during work that can be left in good order.
#pragma once

namespace delassus::cli {

/// While it lives, the first SIGINT or SIGTERM is noted and no more; the second ends the process as ever.
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  bool asked() const;
  /// Ends the process by the signal that was noted, as the shell expects it.
  [[noreturn]] static void obey();
};

}  // namespace delassus::cli
