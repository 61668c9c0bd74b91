// A motion as a document that the viewer plays (docs/viewer.md).
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "cli/pages/frame_writer.hpp"
#include "delassus/collision/collision_world.hpp"

namespace delassus::cli {

/// What a recording says of itself.
struct RecordingTitle {
  std::string title, subtitle;
  double dt = 0;  // seconds, of a step
  int fps = 60;   // frames per simulated second
};

/// The document but for its frames, and what follows from them.
nlohmann::json make_recording_head(const RecordingTitle& title, const Model& model,
                                   std::span<const CollisionWorld::Shape> shapes);

/// Which of the steps of a motion are frames.
class FrameClock {
 public:
  explicit FrameClock(double frames_per_second, double start = 0) : rate_(frames_per_second), start_(start) {}
  /// Whether a frame is due at the end of a step of dt. Steps that are longer than a frame are one each.
  bool due(double time, double dt);

 private:
  double rate_, start_;
  double next_ = 0;  // frame
};

class Recording {
 public:
  /// How the motion ended. kFull: the limit of bytes was reached, and what came later is not in it.
  enum class Status : std::uint8_t { kEnded, kFailed, kInterrupted, kFull };

  /// All frames together hold at most so many bytes: what browsers still open without trouble.
  static constexpr std::size_t kMostBytes = 200'000'000;

  Recording(nlohmann::json head, const Model& model);

  /// Nothing happens once it is full.
  void add(const Moment& moment);
  void mark(double time, std::string text);
  /// A further curve: one value for each frame.
  void add_series(std::string name, std::string unit, const std::vector<double>& values);
  /// The words are those of the failure.
  void end(Status status, const std::string& words = "");

  std::size_t frames() const { return frames_.size(); }
  bool is_full() const { return bytes_ > kMostBytes; }
  double last_time() const { return last_time_; }
  std::string document() const;

 private:
  nlohmann::json head_;
  FrameWriter writer_;
  std::vector<std::string> frames_;
  std::size_t bytes_ = 0;
  double last_time_ = 0;
};

/// Throws an Error that names the option if frames of this model would fill a recording by their poses alone.
void require_recordable(std::string_view option, const Model& model, double frames);

}  // namespace delassus::cli
