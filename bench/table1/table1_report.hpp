// The measured Table I, beside the paper's.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/measure/measure.hpp"
#include "bench/table1/callgrind_counts.hpp"
#include "bench/table1/table1.hpp"

namespace delassus::cli {

/// One scene of the table.
struct Table1Result {
  const Table1Scene& about;
  int nv, contacts, rows;
  std::vector<OperatorTimes> times;
  std::vector<VerbOperations> operations;  // of the same operators
};

/// Runs every operator on the scene.
Table1Result measure_table1(const Table1Scene& about, const Effort& effort);

/// What the columns are; before the first scene.
std::string table1_head();
std::string as_text(const Table1Result& result, const CallgrindCounts& counts);

nlohmann::json as_json(const Table1Result& result, const CallgrindCounts& counts);

}  // namespace delassus::cli
