// A sweep: many simulations of one scene that differ in parameters, as a function from an index to a row of results (docs/sweeps.md).
//
// Everything of case i (parameters, random numbers, initial state) follows from the specification and i, never from time, machine or order: rows may be computed
// anywhere and in any order, and what is made of them has the same bytes.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "delassus/math/error.hpp"  // what all of this throws

namespace delassus {

/// What a sweep has of every case.
struct SweepColumn {
  std::string name;                 // "parameters/friction": a path, as in the file of results
  std::string unit;                 // "m"; empty: a pure number
  std::vector<std::int64_t> shape;  // of one case; empty: a single number
  bool whole = false;               // whole numbers
  bool operator==(const SweepColumn&) const = default;

  /// Numbers of one case.
  std::int64_t width() const;
};

/// A case that could not be simulated to its end: its row has what was until then, and its status is not zero.
struct SweepFailure {
  std::int64_t index = 0;
  std::string message;
  bool operator==(const SweepFailure&) const = default;
};

/// Cases that follow each other.
struct SweepRange {
  std::int64_t first = 0, end = 0;
  bool operator==(const SweepRange&) const = default;
  std::int64_t size() const { return end - first; }
};

struct SweepRows {
  SweepRange range;
  std::vector<std::vector<double>>
      columns;                         // as ParameterSweep::columns() says, case after case; whole numbers as well
  std::vector<SweepFailure> failures;  // by index
};

/// A specification, read and checked. Plain values inside: may be used by several threads at once.
class ParameterSweep {
 public:
  /// Throw an Error of the form `study.json:12: /parameters/friction: what is wrong`. Models that the specification names by a path are looked for in `base_directory`,
  /// which is the folder of the file.
  static ParameterSweep load(const std::string& path);
  static ParameterSweep parse(std::string_view text, const std::string& file_name, const std::string& base_directory);

  ParameterSweep(const ParameterSweep&);
  ParameterSweep& operator=(const ParameterSweep&) = delete;
  ~ParameterSweep();

  std::int64_t size() const;
  /// Of a case, as the options stand; 0 where a function of the user's own makes it.
  std::int64_t steps() const;
  /// `case`, `status` and the others that every sweep has, parameters, and what is kept.
  std::span<const SweepColumn> columns() const;
  /// Names of parameters, without their folder, in the order of their columns.
  std::vector<std::string> parameters() const;
  /// Values of the parameters of a case.
  std::vector<double> values(std::int64_t index) const;
  /// For random numbers of one's own: a hash of the master seed and the index.
  std::uint64_t seed(std::int64_t index) const;
  /// Whether a function of the user's own makes the rows: the specification has columns and no scene.
  bool has_own_run() const;

  /// What the numbers of the column `status` mean: "ok" first.
  std::span<const std::string> status_words() const;

  /// Simulates these cases on the calling thread, side by side in lanes where that is possible. Where `stop` says so in between, throws SweepStopped. A case that fails is a row.
  SweepRows run(SweepRange range, const std::function<bool()>& stop = {}) const;

  /// The specification, all of it, in the one form that it has; of the scene, by what name and hash.
  const std::string& text() const;
  /// Of the text and of the scene: equal if and only if the rows are.
  const std::string& hash() const;
  const std::string& base_directory() const;
  const std::string& name() const;

  struct Parts;

 private:
  void require_case(std::int64_t index) const;
  explicit ParameterSweep(std::shared_ptr<const Parts> parts);
  std::shared_ptr<const Parts> parts_;
};

/// Thrown by ParameterSweep::run when it was asked to stop.
struct SweepStopped {};

}  // namespace delassus
