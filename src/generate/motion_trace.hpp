// Motion of the tree, written down as functions of one stage each: inverse and forward dynamics, named frames.
#pragma once

#include <string>
#include <vector>

#include "generate/generate.hpp"
#include "generate/program.hpp"

namespace delassus::generation {

/// A function by itself: it keeps nothing.
struct MotionTrace {
  explicit MotionTrace(bool is_float) : program(is_float) {}

  Program program;
  /// Arguments in their order; the last one is what the function leaves.
  struct Argument {
    std::string name;
    std::string type;   // "real", or a struct of the header
    std::string count;  // of the header: "NV"
  };
  std::vector<Argument> arguments;
};

/// tau = M a + h.
MotionTrace trace_inverse_dynamics(const Model& model, bool is_float);
/// a = M⁻¹ (tau - h).
MotionTrace trace_forward_dynamics(const Model& model, bool is_float);
/// Poses and velocities, world axes.
MotionTrace trace_frames(const Model& model, const std::vector<int>& frames, bool is_float);

}  // namespace delassus::generation
