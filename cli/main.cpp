// The command `delassus`.
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <nlohmann/json.hpp>
#include <string>

#include "build_info.hpp"
#include "cli/viewer/viewer_page.hpp"
#include "command.hpp"
#include "delassus/math/error.hpp"
#include "delassus/math/isa.hpp"
#include "exit_code.hpp"
#include "help.hpp"
#include "message.hpp"
#include "output_file.hpp"
#include "parse_line.hpp"
#include "usage_error.hpp"

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
  add_check(app, exit_code);
  set_group(app, "Delassus matrices");
  add_doctor(app, exit_code);
  set_group(app, "Constraints");
  add_simulate(app, exit_code);
  add_serve(app, exit_code);
  set_group(app, "Motion");
  add_opcount(app);
  add_bench(app);
  set_group(app, "What algorithms cost");
  add_completion(app);
  add_man(app);
  set_group(app, "This command");
  set_examples(app, {{"delassus list", "the robots and scenes that it knows by name"},
                     {"delassus info go2", "what is in a model"},
                     {"delassus compute go2-standing", "its Delassus matrix"},
                     {"delassus compute go2-standing -o matrix.npy", "the same for NumPy"}});
}

int fail(std::string_view message, ExitCode code = kExitBadInput) {
  say_error(message);
  return code;
}

/// Of an exception that nothing foresaw.
int fail_unforeseen(const std::exception& e) {
  if (std::ferror(stdout) == 0) {
    return fail(std::string("an error in the command itself; please report it: ") + e.what(), kExitInternal);
  }
  end_if_reader_left();
  return fail("could not write all of the output: is the disk full?");
}

int run(const std::vector<std::string>& words) {
  active_isa();  // what DELASSUS_ISA says is wrong before anything is done, not in the midst of it
  Command app("delassus", "Delassus matrices J M⁻¹ Jᵀ of robots in contact");
  int exit_code = kExitOk;
  bool json = false;
  add_version(app, json);
  add_commands(app, exit_code);
  try {
    write_output("", parse_line(app, words));  // of a command nothing; but what is still on its way may be lost
    return exit_code;
  } catch (const LineError& e) {
    return fail(describe(e, app, words));
  }
}

}  // namespace
}  // namespace delassus::cli

int main(int argc, char** argv) {
  using namespace delassus::cli;
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow further is an error like a full disk, with the same words
  try {
    return run({argv + 1, argv + argc});
  } catch (const delassus::Error& e) {
    return fail(e.what());
  } catch (const std::bad_alloc&) {
    return fail("there is not enough memory for this");
  } catch (const std::exception& e) {
    return fail_unforeseen(e);
  }
}
