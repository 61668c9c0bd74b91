// The condensed operator of one mechanism, written down as functions: update, prepare, damp, apply, solve, and motion with what they have factored.
#pragma once

#include <span>

#include "generate/generate.hpp"
#include "generate/program.hpp"

namespace delassus::generation {

struct OperatorTrace {
  explicit OperatorTrace(bool is_float) : program(is_float) {}

  enum Stage : int { kUpdate, kPrepare, kDamp, kApply, kSolve, kPrepareMotion, kFreeMotion, kResponse, kRowTorques };

  Program program;
  int rows = 0;
  int damping_numbers = 0;
  /// What it has become: not kAuto.
  GenerateOptions::Form form = GenerateOptions::Form::kParts;
  /// Whether each solve is refined, whatever its numbers are.
  bool always_refines = false;
  /// Whether damp and solve leave in `*mild` whether solves with the damping, or this one, need no refinement.
  bool asks_damping = false, asks_solution = false;
  /// Whether there are the stages from kPrepareMotion on.
  bool has_motion = false;
};

OperatorTrace trace_operator(const Model& model, std::span<const Constraint> constraints,
                             const GenerateOptions& options);

/// Contacts that are inputs, in their order.
std::vector<int> contact_inputs(std::span<const Constraint> constraints, const GenerateOptions& options);

}  // namespace delassus::generation
