// The commands.
#pragma once

#include <string>
#include <vector>

#include "cli/shell/options.hpp"

namespace delassus::cli {

class SweepTeam;

/// Each adds its subcommand, whose callback sets `exit_code`.
void add_list(Command& app);
void add_info(Command& app);
void add_compute(Command& app);
void add_bench(Command& app);  // and opcount, which are in a program of their own
void add_scene(Command& app);
void add_generate(Command& app);
void add_check(Command& app, int& exit_code);
void add_doctor(Command& app, int& exit_code);
void add_simulate(Command& app, int& exit_code);
void add_serve(Command& app, int& exit_code);
/// This process alone, or one of several (cli/sweep/sweep_team.hpp).
void add_sweep(Command& app, int& exit_code, SweepTeam& team);
void add_tour(Command& app, int& exit_code);
void add_demo(Command& app, int& exit_code);
void add_completion(Command& app);

/// Whether these words are for that program, or ask how they could go on.
bool is_for_bench(const std::vector<std::string>& words);
/// Becomes that program. Throws an Error if it is not there.
[[noreturn]] void start_bench(const std::vector<std::string>& words);

/// Whether these words are of a sweep, and this process is a rank of MPI.
bool is_for_ranks(const std::vector<std::string>& words);
/// Becomes the program that speaks MPI. Throws an Error if it was not built.
[[noreturn]] void start_rank(const std::vector<std::string>& words);

}  // namespace delassus::cli
