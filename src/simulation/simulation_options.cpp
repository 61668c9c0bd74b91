#include "delassus/simulation/simulation_options.hpp"

#include <cmath>
#include <string>

#include "delassus/math/error.hpp"

namespace delassus {
namespace {

void require(bool good, const char* option, const char* what) {
  if (!good) throw Error("option '" + std::string(option) + "' " + what);
}

bool is_positive(double x) { return x > 0 && std::isfinite(x); }

}  // namespace

std::string_view name_of(ContactModel model) {
  switch (model) {
    case ContactModel::kRigid:
      return "rigid";
    case ContactModel::kConvex:
      return "convex";
    case ContactModel::kPgs:
      return "pgs";
    case ContactModel::kRelaxed:
      return "relaxed";
    case ContactModel::kSoftImplicit:
      return "soft-implicit";
    case ContactModel::kSoft:
      return "soft";
  }
  return "";
}

void require_valid(const SimulationOptions& options) {
  require(is_positive(options.dt), "dt", "has to be positive: the length of a step in seconds");
  require(options.restitution >= 0 && options.restitution <= 1, "restitution", "has to lie between 0 and 1");
  const bool springs = options.model == ContactModel::kRelaxed || options.model == ContactModel::kSoftImplicit ||
                       options.model == ContactModel::kSoft;
  require(options.restitution == 0 || !springs, "restitution",
          "is for rigid contacts; the others bounce as their springs do: leave it at 0");
  require(options.restitution_threshold >= 0, "restitution_threshold", "has to be zero or more metres per second");
  require(is_positive(options.recovery_time), "recovery_time", "has to be a positive time in seconds");
  require(is_positive(options.recovery_speed), "recovery_speed", "has to be a positive speed in metres per second");
  require(options.start_penetration >= 0, "start_penetration", "has to be zero or more metres");
  require(options.start_violation >= 0, "start_violation", "has to be zero or more metres and radians");
  require(is_positive(options.fastest), "fastest", "has to be a positive velocity");
  require_valid(options.soft);
  require_valid(options.relaxed);
  require(is_positive(options.tolerance), "tolerance", "has to be a positive velocity in metres per second");
  require(options.algorithm != Algorithm::kGenerated, "algorithm",
          "cannot be generated code: that is for constraints that stay, and contacts come and go");
  require(options.max_iterations >= 0, "max_iterations", "has to be zero, for any number, or more");
  require(options.max_step_time >= 0 && std::isfinite(options.max_step_time), "max_step_time",
          "has to be zero, for any time, or a number of seconds");
  require(options.acceptable >= 0, "acceptable", "has to be zero or more metres per second");
  require(options.gain_per_mass >= 0, "gain_per_mass", "has to be zero or more joules per kilogram");
  require(options.gain_share >= 0, "gain_share", "has to be a share, zero or more, of the kinetic energy");
}

}  // namespace delassus
