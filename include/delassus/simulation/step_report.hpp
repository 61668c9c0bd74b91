// What a time step says of itself.
#pragma once

#include <cstdint>

#include "delassus/math/rotation.hpp"
#include "delassus/solvers/contact_certificate.hpp"

namespace delassus {

/// Outcome of a step. Simulator::describe has the words for it.
struct [[nodiscard]] StepStatus {
  enum class Code : std::uint8_t {
    kOk,
    kBadControl,        // index: the actuator whose control, or target velocity, is not finite
    kBadForce,          // index: the degree of freedom whose force is not finite
    kInterpenetrating,  // index, other: bodies that overlap at the start; value: by how much
    kCrowded,           // index, other: bodies for whose contact points there is no room left
    kSingularJoint,     // index: the link whose joint moves nothing that has inertia
    kDegenerate,        // index: the constraint whose direction is undefined
    kNotConverged,      // index: the constraint that is farthest from its law; value: by how many metres per second
    kDiverged,  // index: the degree of freedom whose velocity is not finite or beyond all measure; value: that velocity
  };
  Code code = Code::kOk;
  int index = -1;
  int other = -1;
  double value = 0;

  bool ok() const { return code == Code::kOk; }
  bool operator==(const StepStatus&) const = default;
};

/// One contact point in a step: where the step began, and what acted during it.
struct ContactState {
  int body_a = -1, body_b = -1;  // as in the model's description; kWorld: the world
  Vec3<double> position{};       // world axes
  Vec3<double> normal{};         // from b to a
  Vec3<double> force{};          // on a, newtons, world axes
  Vec3<double> moment{};         // on a, of torsional and rolling friction
  double gap = 0;                // negative: penetration
};

struct StepReport {
  int contacts = 0;
  int constraints = 0;  // contacts included
  int rows = 0;
  bool restructured = false;         // other constraints, or in another order, than in the step before
  bool inexact = false;              // the solve did not converge, but is acceptable
  double penetration = 0;            // metres, the deepest when the step began
  ContactCertificate certificate{};  // of the solve; without rows there is none
};

}  // namespace delassus
