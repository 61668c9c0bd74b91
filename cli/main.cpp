// The command `delassus`.
#include <nlohmann/json.hpp>
#include <string>

#include "cli/commands/commands.hpp"
#include "cli/pages/viewer_page.hpp"
#include "cli/shell/build_info.hpp"
#include "cli/shell/help.hpp"
#include "cli/shell/man_page.hpp"
#include "cli/shell/program.hpp"
#include "cli/sweep/sweep_team.hpp"

namespace delassus::cli {
namespace {

/// How it was built, where it runs, and whether it has the viewer (docs/viewer.md).
std::string version(bool json) {
  if (!json) return as_text(build_info()) + "viewer   " + (has_viewer() ? "yes" : "no") + "\n";
  nlohmann::json out = as_json(build_info());
  out["viewer"] = has_viewer();
  return out.dump() + "\n";
}

void add_version(Command& app, bool& json) {
  Option* as_json_flag = app.add_flag("--json", json, "with --version: print JSON");
  const auto text = [&json] { return version(json); };
  as_json_flag->needs(app.add_text_flag("--version", text, "show the version, how it was built, and the machine"));
}

/// Puts the commands that were added since the last call under this head.
void set_group(Command& app, const std::string& head) {
  for (const auto& sub : app.subcommands()) {
    if (sub->group() == Command::kAnyGroup) sub->group(head);
  }
}

void add_commands(Command& app, int& exit_code) {
  add_tour(app, exit_code);
  add_demo(app, exit_code);
  set_group(app, "Start here");
  add_list(app);
  add_info(app);
  add_scene(app);
  set_group(app, "Models and scenes");
  add_compute(app);
  add_generate(app);
  add_check(app, exit_code);
  set_group(app, "Delassus matrices");
  add_doctor(app, exit_code);
  set_group(app, "Constraints");
  add_simulate(app, exit_code);
  add_serve(app, exit_code);
  static SweepTeam alone;
  add_sweep(app, exit_code, alone);
  set_group(app, "Motion");
  add_bench(app);
  set_group(app, "What algorithms cost");
  add_completion(app);
  add_man(app, "delassus");
  set_group(app, "This command");
  set_examples(app, {{"delassus list", "the robots and scenes that it knows by name"},
                     {"delassus info go2", "what is in a model"},
                     {"delassus compute go2-standing", "its Delassus matrix"},
                     {"delassus compute go2-standing -o matrix.npy", "the same for NumPy"}});
}

}  // namespace
}  // namespace delassus::cli

int main(int argc, char** argv) {
  using namespace delassus::cli;
  const std::vector<std::string> words{argv + 1, argv + argc};
  bool json = false;
  return run_program(words, "Delassus matrices J M⁻¹ Jᵀ of robots in contact", [&](Command& app, int& exit_code) {
    if (is_for_bench(words)) start_bench(words);
    if (is_for_ranks(words)) start_rank(words);
    add_version(app, json);
    add_commands(app, exit_code);
  });
}
