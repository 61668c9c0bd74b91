// The command `delassus`.
#include <cstdio>
#include <exception>
#include <new>
#include <string>

#include "build_info.hpp"
#include "command.hpp"
#include "delassus/math/error.hpp"
#include "exit_code.hpp"
#include "help.hpp"
#include "message.hpp"
#include "output_file.hpp"
#include "usage_error.hpp"

namespace delassus::cli {
namespace {

void add_version(CLI::App& app, bool& json) {
  CLI::Option* as_json_flag = app.add_flag("--json", json, "with --version: print JSON");
  const auto text = [&json] { return json ? as_json(build_info()).dump() + "\n" : as_text(build_info()); };
  as_json_flag->needs(app.set_version_flag("--version", text, "show the version, how it was built, and the machine"));
}

/// Puts the commands that were added since the last call under this head.
void set_group(CLI::App& app, const std::string& head) {
  const std::string untouched = CLI::App().get_group();
  for (CLI::App* sub : app.get_subcommands([&](CLI::App* s) { return s->get_group() == untouched; })) sub->group(head);
}

void add_commands(CLI::App& app, int& exit_code) {
  add_tour(app, exit_code);
  set_group(app, "Start here");
  add_list(app);
  add_info(app);
  add_scene(app);
  set_group(app, "Models and scenes");
  add_compute(app);
  add_check(app, exit_code);
  set_group(app, "Delassus matrices");
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
  CLI::App app("Delassus matrices J M⁻¹ Jᵀ of robots in contact", "delassus");
  int exit_code = kExitOk;
  bool json = false;
  set_help_layout(app);
  app.option_defaults()->disable_flag_override();  // --json=no would be a second way to say nothing
  add_version(app, json);
  add_commands(app, exit_code);
  app.require_subcommand(1);
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));  // CLI11 wants the last word first
    write_output("", "");                                               // what is still on its way may be lost
    return exit_code;
  } catch (const CLI::CallForHelp&) {
    write_output("", app.help());
  } catch (const CLI::CallForVersion& e) {
    write_output("", e.what());
  } catch (const CLI::ParseError& e) {
    return fail(describe(e, app, words));
  }
  return kExitOk;
}

}  // namespace
}  // namespace delassus::cli

int main(int argc, char** argv) {
  using namespace delassus::cli;
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
