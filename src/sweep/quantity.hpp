// What is kept of a case: numbers that a state and the last step have.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "delassus/batch/batch_simulator.hpp"
#include "delassus/kinematics/frames.hpp"
#include "sweep/sweep.hpp"

namespace delassus {

struct Quantity {
  enum class Kind : std::uint8_t {
    kHeight,        // z of a body's origin
    kTilt,          // angle between a body's z axis and where it pointed at the start
    kDistance,      // of a body's origin from where it was at the start, seen from above
    kSpeed,         // of a body's origin
    kPosition,      // of a body's origin
    kOrientation,   // of a body, x y z w
    kContactForce,  // on a body, or the sum on all
    kInContact,     // 1 where a body has a contact force
    kEffort,        // of a motor, or the largest of all
    kResidual,      // by which contact forces miss their law
    kCoordinate,    // one of q
    kVelocity,      // one of v
    kAllQ,
    kAllV,
    kAllEfforts,
    kAllContactForces,
  };
  Kind kind;
  int index = -1;      // of the body, motor, coordinate or degree of freedom; -1: all
  SweepColumn column;  // its name without a folder

  bool is_scalar() const { return column.shape.empty(); }
  /// Whether it says something of a step, and nothing of a start.
  bool is_of_step() const;
};

/// "height:trunk". Throws an Error that names close matches.
Quantity find_quantity(std::string_view name, const SimulationSetup& setup);

/// A table of all of them for docs and messages.
struct QuantityName {
  std::string_view name;
  Quantity::Kind kind;
  enum class Of : std::uint8_t { kNothing, kBody, kActuator, kCoordinate, kVelocity } of;
  bool all;  // may stand without a colon
  std::string_view unit;
};
std::span<const QuantityName> quantity_names();

/// Reads quantities of environments. One for each thread.
class QuantityReader {
 public:
  explicit QuantityReader(const Model& model);

  /// From now on of this environment, as it is now.
  void look_at(const BatchSimulator& batch, int environment);
  /// What `read` compares with: where things are at the start. Three numbers.
  void remember(const Quantity& what, double* start);
  /// As many numbers as the column is wide.
  void read(const Quantity& what, const double* start, double* out);

 private:
  const double* q() const { return batch_->q().at(environment_, 0); }
  const double* v() const { return batch_->v().at(environment_, 0); }
  bool floats_alone(int body) const;
  Pose<double> pose(int body);
  double speed(int body);
  double contact_force(int body) const;
  void place();

  const Model model_;
  Kinematics<double> kin_;
  Velocities<double> vel_;
  const BatchSimulator* batch_ = nullptr;
  int environment_ = 0;
  bool placed_ = false;
};

}  // namespace delassus
