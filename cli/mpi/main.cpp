// The program delassus-mpi: `delassus sweep` as one of several ranks. `delassus` becomes it where mpirun or a scheduler has started it as a rank, so that no other command
// waits for the libraries of MPI to be loaded.
#include "cli/commands/commands.hpp"
#include "cli/mpi/mpi_team.hpp"
#include "cli/shell/exit_code.hpp"
#include "cli/shell/program.hpp"

int main(int argc, char** argv) {
  using namespace delassus::cli;
  MpiTeam team(argc, argv);
  const int exit_code = run_program({argv + 1, argv + argc}, "Sweeps on the ranks of MPI",
                                    [&](Command& app, int& code) { add_sweep(app, code, team); });
  if (exit_code != kExitOk && team.size() > 1) team.abort(exit_code);
  return exit_code;
}
