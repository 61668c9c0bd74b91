// The command `delassus`.
#include <cstdio>
#include <exception>
#include <string>

#include "build_info.hpp"
#include "command.hpp"
#include "delassus/math/error.hpp"
#include "model/wording.hpp"
#include "output_file.hpp"

namespace {

/// Not fmt::print, which throws if stderr cannot be written either.
int fail(const std::string& message) {
  std::fputs(("delassus: " + delassus::cli::for_terminal(message) + "\n").c_str(), stderr);
  return 2;
}

std::string version_text(bool json) {
  const delassus::cli::BuildInfo& info = delassus::cli::build_info();
  return json ? as_json(info).dump() : as_text(info);
}

/// What to say of a word that is no command of this one; empty if it is one, or an option, or there are none.
std::string unknown_command(const CLI::App& app, const std::string& called, std::string_view word) {
  if (word.starts_with('-')) return "";
  delassus::ClosestName closest(word);
  std::vector<std::string_view> names;
  std::vector<std::string> kept;
  const auto commands = app.get_subcommands([](const CLI::App*) { return true; });
  if (commands.empty()) return "";
  kept.reserve(commands.size());
  for (const CLI::App* sub : commands) kept.push_back(sub->get_name());
  for (const std::string& name : kept) {
    if (name == word) return "";
    closest.consider(name);
    names.emplace_back(name);
  }
  return "there is no command " + delassus::in_quotes(word) + closest.hint() + "; the commands are " +
         delassus::comma_separated(names) + "; see `" + called + " --help`";
}

/// The same for the first word, and for the second where the first has commands of its own.
std::string unknown_command(const CLI::App& app, int argc, char** argv) {
  if (argc < 2) return "";
  const std::string first = argv[1];
  std::string message = unknown_command(app, "delassus", first);
  if (!message.empty() || argc < 3 || first.starts_with('-')) return message;
  return unknown_command(*app.get_subcommand(first), "delassus " + first, argv[2]);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Delassus matrices J M⁻¹ Jᵀ of robots in contact", "delassus");
  bool json = false;
  CLI::Option* as_json = app.add_flag("--json", json, "with --version: as JSON");
  as_json->needs(app.set_version_flag(
      "--version", [&json] { return version_text(json); }, "Shows version and build"));
  app.require_subcommand(1);
  app.failure_message(CLI::FailureMessage::help);
  int exit_code = 0;
  delassus::cli::add_list(app);
  delassus::cli::add_info(app);
  delassus::cli::add_compute(app);
  delassus::cli::add_opcount(app);
  delassus::cli::add_bench(app);
  delassus::cli::add_scene(app);
  delassus::cli::add_check(app, exit_code);
  delassus::cli::add_tour(app, exit_code);
  if (const std::string message = unknown_command(app, argc, argv); !message.empty()) return fail(message);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    // Asking for help is no failure; a wrong call is 2, as for other errors.
    return app.exit(e) == 0 ? 0 : 2;
  } catch (const delassus::Error& e) {
    return fail(e.what());
  } catch (const std::exception& e) {
    return fail(std::string("internal error: ") + e.what());
  }
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    return fail("could not write all of the output");
  }
  return exit_code;
}
