// A simulation from its start to its end, and what is to be said of it.
#pragma once

#include <string>
#include <vector>

#include "delassus/simulation/simulation_setup.hpp"

namespace delassus::cli {

struct RunOptions {
  std::string csv;  // empty: none
  int every = 1;    // steps from row to row
  bool quiet = false;
  std::string recorded_as;  // title of a recording; empty: none is made
  int fps = 60;             // its frames per simulated second
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

struct RunRecord {
  std::string failure;  // empty: it came to its end
  bool interrupted = false;
  int steps = 0, inexact_steps = 0, last_contacts = 0;
  double time = 0;                // simulated, in seconds
  double step_time = 0;           // of all steps, in seconds of a clock
  std::vector<float> step_times;  // of each
  Tally contacts, iterations, penetration, velocity_residual, force_residual;
  Energy before, after;
  StepEnergy energy;  // work and drift of all steps
  Tally solve_gain;   // of steps whose solve put energy in

  /// More energy at the end than the start, motors and forces account for; negative: less.
  double gained() const {
    return after.kinetic + after.potential - before.kinetic - before.potential - energy.motors - energy.forces;
  }
  std::vector<double> q, v;  // at the end
  std::string recording;     // a document for the viewer, if one was asked for

  /// Simulated time over the time that its steps took.
  double real_time_factor() const { return steps == 0 ? 0 : time / step_time; }
};

/// Until the time is over, a step fails, or the user presses Ctrl-C. Shows its progress on stderr.
RunRecord run_simulation(const SimulationSetup& setup, const RunOptions& options);

}  // namespace delassus::cli
