// What a time step says of itself.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "delassus/math/rotation.hpp"
#include "delassus/solvers/contact_problem.hpp"

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
    kOpenLoop,          // index: the constraint that does not hold at the start; value: by how many metres or radians
    kBeyondLimit,       // index: the limit that is exceeded at the start; value: by how many metres or radians
    kNotConverged,      // index: the constraint that is farthest from its law; value: by how many metres per second
    kContradiction,  // index, other: constraints that cannot both hold; value: by how many metres per second the first does not
    kSolveGain,  // index: the body that it moves most; value: joules that impulses of constraints put in against their law
    kEnergyGain,  // index: the body that moves most; value: joules that came out of nothing
    kDiverged,  // index: the degree of freedom whose velocity is not finite or beyond all measure; value: that velocity
  };
  Code code = Code::kOk;
  int index = -1;
  int other = -1;
  double value = 0;

  bool ok() const { return code == Code::kOk; }
  bool operator==(const StepStatus&) const = default;
};

/// "ok", "bad_control", ...: one for each code, in their order.
std::span<const std::string_view> step_words();
std::string_view name_of(StepStatus::Code code);

/// One contact point in a step: where the step began, and what acted during it.
struct ContactState {
  int body_a = -1, body_b = -1;  // as in the model's description; kWorld: the world
  Vec3<double> position{};       // world axes
  Vec3<double> normal{};         // from b to a
  Vec3<double> force{};          // on a, newtons, world axes
  Vec3<double> moment{};         // on a, of torsional and rolling friction
  double gap = 0;                // negative: penetration
  int found = 0;                 // which of Simulator::collision().contacts()
};

/// Where the energy of a step comes from and goes to, in joules. Work is impulse times the mean of the velocities before and after, which is what
/// it adds to the kinetic energy while the configuration stays (docs/simulation.md#energy).
struct StepEnergy {
  double kinetic = 0, potential = 0;  // at its end; the potential is that of weight and of springs at joints
  // Work, positive where it adds to the motion.
  double forces = 0;    // Simulator::forces()
  double motors = 0;    // actuators
  double damping = 0;   // of joints
  double friction = 0;  // dry, of joints
  double loops = 0;     // and all other equalities
  double limits = 0;
  double contacts = 0;
  /// What the impulses of all rows but motors made of the velocities that the step would have ended with. Coulomb's law only takes; what is positive comes from
  /// overlaps that are taken back, from restitution with friction, or from a solve that is not exact. Rigid models only: springs give back what they took.
  double solve = 0;
  /// Change of kinetic and potential energy beside all work: the error of the integrator.
  double drift = 0;

  double work() const { return forces + motors + damping + friction + loops + limits + contacts; }
  /// Adds the work, the gains and the drift of the next step, and takes its energies.
  void add(const StepEnergy& next);
};

/// The accounts of work by name, in the order of StepEnergy: "forces", ...
struct WorkAccount {
  const char* name;
  double StepEnergy::*work;
};
inline constexpr std::array kWorkAccounts = {
    WorkAccount{"forces", &StepEnergy::forces},     WorkAccount{"motors", &StepEnergy::motors},
    WorkAccount{"damping", &StepEnergy::damping},   WorkAccount{"friction", &StepEnergy::friction},
    WorkAccount{"loops", &StepEnergy::loops},       WorkAccount{"limits", &StepEnergy::limits},
    WorkAccount{"contacts", &StepEnergy::contacts},
};

struct StepReport {
  int contacts = 0;
  int constraints = 0;  // contacts included
  int rows = 0;
  bool restructured = false;  // other constraints, or in another order, than in the step before
  bool inexact = false;       // the solve did not converge, but is acceptable
  double penetration = 0;     // metres, the deepest when the step began
  /// Of the solve; without rows there is none. `dual` is that of the velocities which the step ended with, for the rows as they were stated.
  ContactCertificate certificate{};
  StepEnergy energy{};
};

}  // namespace delassus
