// RecordingObject: what Python calls a Recording, without any Python in it.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/pages/picture.hpp"
#include "cli/pages/recording.hpp"
#include "delassus/batch/batch_simulator.hpp"

namespace delassus::python {

/// A motion that is being watched: frames for the viewer's page, and for pictures. Its time begins at zero and goes on with every step, whatever the
/// simulation is set back to.
class RecordingObject : public std::enable_shared_from_this<RecordingObject> {
 public:
  /// Of one simulation, from the state that it is in.
  RecordingObject(std::string title, Simulator& simulation, int fps);
  /// Of environments of a batch, side by side in a row with so many metres between them, from where they are. `every`: steps between looks.
  RecordingObject(std::string title, const BatchSimulator& batch, std::vector<int> environments, double spacing,
                  int every, int fps);

  // Called after each step, and after so many steps of a batch.
  void note_step(Simulator& simulation);
  void note_step(const BatchSimulator& batch);
  void note_failure(const std::string& words);

  void stop();

  int num_frames() const;
  std::vector<double> times() const;
  /// The page as text. Throws an Error where this build has no viewer.
  std::string page();
  /// width × height × 3 bytes. Without a camera, one that sees all of the motion so far.
  void paint(int frame, int width, int height, const std::optional<cli::Camera>& camera, std::span<std::uint8_t> rgb);

 private:
  /// What is seen.
  struct Stage {
    Model model;
    std::vector<CollisionWorld::Shape> shapes;
    bool motion_only;  // no forces, rows or energies
  };

  static nlohmann::json head_of(const cli::RecordingTitle& title, const Stage& stage);
  static Stage in_a_row(const BatchSimulator& batch, int count, double spacing);
  /// `step`: seconds of a step of the simulation; `look`: between looks.
  RecordingObject(std::string title, const Stage& stage, double step, double look, int fps);
  bool is_due();
  void add(cli::Moment moment);
  void add(const BatchSimulator& batch);

  mutable std::mutex mutex_;
  std::string title_;
  Model model_;
  std::vector<int> environments_;
  cli::Recording recording_;
  cli::FrameClock clock_;
  cli::Painter painter_;
  Kinematics<double> kin_;
  double look_;
  std::int64_t looks_ = 0;
  bool stopped_ = false, failed_ = false;
  std::vector<std::vector<double>> frames_;  // coordinates
  std::vector<double> times_;
};

}  // namespace delassus::python
