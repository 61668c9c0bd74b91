// A robot as MuJoCo reads it, on a floor: the engine's own parser, kinematics and constraints, to compare with.
#pragma once

#include <mujoco/mujoco.h>

#include <memory>
#include <string>
#include <vector>

#include "delassus/io/urdf.hpp"
#include "support/command.hpp"

namespace delassus::testing {

/// MuJoCo refuses the file; what() is its message.
struct MujocoRefuses : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class MujocoModel {
 public:
  /// Reads an MJCF or URDF file with the files beside it, and puts a plane into the world. A URDF gets a world above
  /// its root, with a free joint __root__ where the base floats, and keeps the links that are fixed to others. Then the
  /// inertias that the file gives as full matrices are put back: MuJoCo's principal axes have about nine digits, and it
  /// mends matrices that no body can have. Throws MujocoRefuses.
  explicit MujocoModel(const std::string& path, UrdfOptions::Base base = UrdfOptions::Base::kFloating);

  mjModel& model() { return *model_; }
  const mjModel& model() const { return *model_; }
  mjData& data() { return *data_; }
  const mjData& data() const { return *data_; }
  int floor() const { return floor_; }
  std::string name(int type, int index) const;

  /// Computes everything at a state. Constraints: the equalities, and contacts if wanted; no limits, no friction loss.
  void evaluate(const std::vector<double>& qpos, const std::vector<double>& qvel, bool contacts);
  /// Moves the plane to where the lowest geom is five centimetres below it, so that others touch it too, at qpos. False if no geom can touch it.
  bool raise_floor(const std::vector<double>& qpos);

 private:
  struct Delete {
    void operator()(mjModel* m) const { mj_deleteModel(m); }
    void operator()(mjData* d) const { mj_deleteData(d); }
  };

  TemporaryFolder folder_;
  std::unique_ptr<mjModel, Delete> model_;
  std::unique_ptr<mjData, Delete> data_;
  int floor_ = -1;
};

}  // namespace delassus::testing
