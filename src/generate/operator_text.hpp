// The texts of the generated files.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "generate/motion_trace.hpp"
#include "generate/operator_trace.hpp"
#include "generate/stage_text.hpp"

namespace delassus::generation {

/// All that the texts are made of.
struct Material {
  const Model& model;
  std::span<const Constraint> constraints;
  const GenerateOptions& options;
  Dialect dialect;
  OperatorTrace trace;
  Schedule schedule;
  std::vector<MotionTrace> motions;
  std::vector<int> frames;  // of the function `frames`
};

std::string header_text(const Material& m);
/// Appends what each function costs to `costs`.
std::string source_text(const Material& m, std::vector<GeneratedCost>& costs);

/// A program that compares with what the library computes in double, at q.
std::string test_text(const Material& m, std::span<const double> q);
std::string report_text(const Material& m, const GeneratedCode& code);
/// Declarations, without the semicolon: of a function of the operator ("update", "apply", "damp", "solve"; "refine"), and of motion.
std::string operator_signature(const Material& m, const std::string& function);
std::string motion_signature(const Material& m, const MotionTrace& motion);

/// A word of the header: the name in capitals, an underscore, the word.
std::string macro(const Material& m, const std::string& word);

}  // namespace delassus::generation
