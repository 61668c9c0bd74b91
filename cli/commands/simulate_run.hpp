// A simulation from its start to its end, and what is to be said of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/commands/step_capture.hpp"
#include "delassus/simulation/simulation_setup.hpp"

namespace delassus::cli {

struct RunOptions {
  std::string csv;  // empty: none
  int every = 1;    // steps from row to row
  bool quiet = false;
  std::string recorded_as;  // title of a recording; empty: none is made
  int fps = 60;             // its frames per simulated second
  CaptureOptions capture;   // of hard steps
  std::string scene;        // by which its files are named
};

struct Energy {
  double kinetic = 0, potential = 0;
};

/// Largest and sum of something that each step has.
struct Tally {
  double sum = 0, most = 0;
  void add(double x) {
    sum += x;
    most = x > most ? x : most;
  }
};

/// Hard steps, and how many of them are files now.
struct Captured {
  std::string folder;
  int hard_steps = 0, files = 0;
};

struct RunRecord {
  std::string failure;  // empty: it came to its end
  bool interrupted = false;
  std::vector<std::string> warnings;  // about the scene
  int steps = 0, inexact_steps = 0, last_contacts = 0;
  double time = 0;                // simulated, in seconds
  double step_time = 0;           // of all steps, in seconds of a clock
  std::vector<float> step_times;  // of each
  Tally contacts, iterations, penetration, velocity_residual, force_residual;
  Energy before, after;
  StepEnergy energy;  // work and drift of all steps
  Tally solve_gain;   // of steps whose solve put energy in

  double most_kinetic = 0;
  double most_gained = 0, most_gained_at = 0;  // joules, and the time in seconds

  /// Energy that neither the start nor motors and forces account for; negative: it was lost.
  double gained() const {
    return energy.kinetic + energy.potential - before.kinetic - before.potential - energy.motors - energy.forces;
  }
  /// Whether so much came out of nothing, in between, that the motion of that mass is in doubt: a hundredth of its kinetic energy, and more than the
  /// tolerances of solves.
  bool is_in_doubt(double mass) const { return most_gained > 0.01 * most_kinetic + 1e-5 * mass; }
  std::vector<double> q, v;  // at the end
  std::string recording;     // a document for the viewer, if one was asked for
  std::optional<Captured> captured;

  /// Simulated time over the time that its steps took.
  double real_time_factor() const { return steps == 0 ? 0 : time / step_time; }
};

/// Until the time is over, a step fails, or the user presses Ctrl-C. Shows its progress on stderr.
RunRecord run_simulation(const SimulationSetup& setup, const RunOptions& options);

}  // namespace delassus::cli
