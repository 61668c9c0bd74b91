// C code of one mechanism under constraints of one structure: Λ⁻¹, its damped inverse and the motion of the tree, without a loop over
// links and without what is zero for this robot (docs/generate.md).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "delassus/constraints/constraint.hpp"
#include "delassus/model/model.hpp"

namespace delassus {

struct GenerateOptions {
  /// Numbers of the generated code.
  enum class Scalar : std::uint8_t { kDouble, kFloat };
  /// Whether contacts are where the constraints say, on their links and along fixed axes, or inputs of each update.
  enum class Contacts : std::uint8_t { kFixed, kInputs };
  /// R⁻¹ as one number, one per row, or one block per constraint.
  enum class DampingForm : std::uint8_t { kNumber, kRows, kBlocks };
  /// Parts: functions of some hundred operations each, C99. Lanes: limbs that are alike side by side, on vectors of four numbers as GCC and
  /// clang have them, for processors with such registers (AVX). Limbs: one function for limbs that are alike, which is called for each of
  /// them: small code, C99. Auto: lanes in double and limbs in float, where they take fewer operations; else parts.
  enum class Form : std::uint8_t { kAuto, kParts, kLanes, kLimbs };
  /// All, or Λ⁻¹ and its damped inverse alone: a smaller factor.
  enum class Functions : std::uint8_t { kAll, kOperator };

  std::string name = "robot";  // what all names of the generated code begin with: letters, digits and underscores
  Scalar scalar = Scalar::kDouble;
  Contacts contacts = Contacts::kFixed;
  DampingForm damping = DampingForm::kRows;
  Form form = Form::kParts;
  Functions functions = Functions::kAll;
  int part_nodes = 400;  // functions are cut after so many operations
};

/// What a function of the generated code costs, and how much memory it takes beside its arguments.
struct GeneratedCost {
  std::string function;
  std::int64_t additions = 0, multiplications = 0, divisions = 0, square_roots = 0, sines_and_cosines = 0;
  int scratch_numbers = 0;  // on the stack
  int stack_bytes = 0;      // at most, with what compilers save for calls; without the library of C

  std::int64_t total() const { return additions + multiplications + divisions + square_roots; }
};

/// Texts of files.
struct GeneratedCode {
  std::string name;
  std::string header;  // name.h
  std::string source;  // name.c, C99
  std::string test;    // name_test.c: a program that compares with what the library computed
  std::string report;  // name.json
  std::vector<GeneratedCost> costs;
  int rows = 0;
  int state_numbers = 0;  // of the factor
};

/// `q` is the configuration of the test. Throws an Error that names what cannot be generated.
GeneratedCode generate(const Model& model, std::span<const Constraint> constraints, std::span<const double> q,
                       const GenerateOptions& options = {});

/// Header and source of the operator alone, for who loads it.
GeneratedCode generate_operator(const Model& model, std::span<const Constraint> constraints,
                                const GenerateOptions& options = {});

/// Writes name.h, name.c, name_test.c and name.json into a folder, which is made if it is not there.
void write_generated(const GeneratedCode& code, const std::string& folder);

}  // namespace delassus
