// The demonstration as a recording for the viewer: the motion of its first run, and curves of all.
#pragma once

#include <string>
#include <vector>

#include "cli/demo/box_result.hpp"
#include "cli/pages/recording.hpp"

namespace delassus::cli {

class BoxRecorder {
 public:
  /// The setup has to live as long as this.
  BoxRecorder(const BoxSetup& setup, int fps);
  BoxRecorder(const BoxRecorder&) = delete;
  BoxRecorder& operator=(const BoxRecorder&) = delete;

  const Model& model() const { return model_; }
  /// The plant of the first run, whenever it has got a torque.
  void note(double t, const BoxPlant& plant);
  /// The document, once all runs are there.
  std::string finish(const BoxResult& result);

 private:
  void add_forces(const BoxPlant& plant, Moment& moment) const;
  std::vector<double> values(const BoxRun& run, double (*value)(const BoxSample&)) const;

  const BoxSetup& setup_;
  Model model_;
  CollisionWorld world_;  // for its shapes
  Recording recording_;
  FrameClock clock_;
  std::vector<double> times_;  // of the frames
  bool landed_ = false;
};

}  // namespace delassus::cli
