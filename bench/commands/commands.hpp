// The commands of delassus-bench.
#pragma once

#include "cli/shell/options.hpp"

namespace delassus::cli {

/// Each adds its subcommand, whose callback sets `exit_code`.
void add_opcount(Command& app);
void add_bench(Command& app, int& exit_code);
void add_bench_contact(Command& bench, int& exit_code);
void add_bench_planner(Command& bench);
void add_bench_lanes(Command& bench);
void add_bench_batch(Command& bench);
void add_bench_gpu(Command& bench);

}  // namespace delassus::cli
