// Robots in contact for `delassus bench constrained`, those of Carpentier, Budhiraja, Mansard, "Proximal and Sparse Resolution
// of Constrained Dynamic Equations", and what is left of both equations for a motion that was found there.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/measure/scene.hpp"

namespace delassus::cli {

/// Which points or frames of the robot are held.
struct HeldSet {
  std::string_view robot;
  std::string_view name;   // "feet", "feet welded", "soles"
  std::string_view where;  // frames, with blanks between
  bool welded;             // or their points only
};

std::span<const HeldSet> held_sets();

struct ConstrainedBench {
  explicit ConstrainedBench(const HeldSet& set);

  BenchScene scene;                      // with two configurations
  std::array<std::vector<double>, 2> v;  // that the constraints allow there
  std::vector<double> tau;               // zero at the base
};

struct Solution {
  std::vector<double> qdd, lambda;
  int iterations = 0;
};

/// What is left of both equations, M ν̇ + h = τ + Jᵀ λ and J ν̇ = -J̇ν, each over the largest of its terms.
struct EquationResiduals {
  double forces = 0, rows = 0;
};

/// At the first configuration, by the oracle in long double.
EquationResiduals residuals_of(const ConstrainedBench& bench, const Solution& solution);

}  // namespace delassus::cli
