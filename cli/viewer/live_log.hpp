// The last frames of a running simulation, as events for pages that watch it (server-sent events, docs/viewer.md).
#pragma once

#include <cstdint>
#include <deque>
#include <string>

#include "cli/pages/structures.hpp"

namespace delassus::cli {

class LiveLog {
 public:
  /// Kept for pages that come later.
  static constexpr int kMostFrames = 1200;
  static constexpr std::size_t kMostBytes = 32'000'000;
  /// Of one event, but for the first that a page gets. One that cannot keep up misses the others.
  static constexpr std::int64_t kMostAtOnce = 30;

  /// The structures of all frames, which may change; they have to live as long as this.
  explicit LiveLog(const Structures& structures) : structures_(structures) {}

  void add(std::string frame);
  /// Time begins again: all frames are forgotten.
  void restart();
  void set_status(std::string status, std::string message, double speed);
  const std::string& status() const { return status_; }

  /// How far a page is.
  struct Reader {
    int run = -1, version = -1;
    std::int64_t next = 0;
    std::int64_t structures = 0;  // it has those with lower numbers
  };
  /// The event that brings it up to date; empty if it is.
  std::string next_event(Reader& reader) const;

 private:
  const Structures& structures_;
  std::deque<std::string> frames_;
  std::int64_t first_ = 0;  // number of the oldest frame
  std::size_t bytes_ = 0;
  int run_ = 0;      // how often time has begun again
  int version_ = 0;  // of the status
  std::string status_ = "running", message_;
  double speed_ = 1;
};

}  // namespace delassus::cli
