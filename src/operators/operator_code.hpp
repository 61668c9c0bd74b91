// Generated code of an operator, loaded: its functions, and what it was made for (docs/generate.md).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "delassus/constraints/constraint.hpp"
#include "delassus/constraints/state.hpp"

namespace delassus {

/// What a shared object exports. src/generate/entry_text.cpp writes the same struct in C, and `version` counts the changes of both.
struct OperatorEntry {
  static constexpr std::uint32_t kVersion = 1;

  std::uint32_t version;
  std::uint32_t coordinates, rows, dampings, contacts;
  std::uint32_t alignment;  // of the factor
  std::uint64_t bytes;      // of the factor, which is zero before the first update
  // Each returns 0 or a status, as the header of generated code has it. No two arguments overlap.
  std::uint32_t (*update)(void* factor, const double* q, const double* contacts);
  std::uint32_t (*apply)(const void* factor, const double* x, double* y);
  std::uint32_t (*damp)(void* factor, const double* damping);
  std::uint32_t (*solve)(const void* factor, const double* b, double* z);
};

/// Twelve numbers of each contact: the point in its frame, then its axes.
inline constexpr int kContactNumbers = 12;

struct OperatorCode {
  /// `blocks`: dampings are one block per constraint, not one number per row. `library` keeps the functions where they are.
  OperatorCode(const Model& its_model, std::span<const Constraint> its_constraints, bool its_blocks,
               const OperatorEntry& its_entry, std::shared_ptr<void> its_library);

  /// Whether another model has the same numbers.
  bool is_of(const Model& other) const;
  /// Where contacts are, from rows at a configuration. False if the rows are not what constraints of the code, with contacts anywhere,
  /// give there; `scratch` has their structure.
  bool read_contacts(const StateView<double>& at, ConstraintRows<double>& scratch, std::span<double> out) const;
  /// The same from constraints. False if more than points and axes of contacts has changed.
  bool read_contacts(std::span<const Constraint> others, std::span<double> out) const;

  Model model;
  std::vector<Constraint> constraints;
  RowStructure structure;
  bool blocks;
  OperatorEntry entry;
  std::shared_ptr<void> library;
};

/// The numbers of all contacts in constraints.
int contact_numbers(std::span<const Constraint> constraints);

/// A status that generated code returns.
constexpr Status from_generated(std::uint32_t status) {
  return {static_cast<Status::Code>(status & 255U), static_cast<int>(status >> 8U) - 1};
}

}  // namespace delassus
