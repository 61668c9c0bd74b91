// The program delassus-bench: the commands that count and measure. `delassus bench` and `delassus opcount` start it with all of
// their words, so what it says of itself is what `delassus` would say.
#include "bench/commands/commands.hpp"
#include "cli/shell/completion.hpp"
#include "cli/shell/help.hpp"
#include "cli/shell/man_page.hpp"
#include "cli/shell/program.hpp"

int main(int argc, char** argv) {
  using namespace delassus::cli;
  return run_program({argv + 1, argv + argc}, "What the algorithms of delassus cost", [](Command& app, int& exit_code) {
    add_opcount(app);
    add_bench(app, exit_code);
    add_man(app, "delassus-bench")->group("");
    add_complete(app);
    set_examples(app, {{"delassus opcount atlas-hands", "operations of every algorithm"},
                       {"delassus bench table1 go2-standing --quick", "times beside the paper's"}});
  });
}
