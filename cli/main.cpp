// The command `delassus`.
#include <fmt/core.h>

#include <exception>

#include "command.hpp"
#include "delassus/math/error.hpp"
#include "delassus/version.hpp"

int main(int argc, char** argv) {
  CLI::App app("Delassus matrices J M⁻¹ Jᵀ of robots in contact", "delassus");
  app.set_version_flag("--version", std::string(delassus::kVersion));
  app.require_subcommand(1);
  app.failure_message(CLI::FailureMessage::help);
  int exit_code = 0;
  delassus::cli::add_info(app);
  delassus::cli::add_compute(app);
  delassus::cli::add_check(app, exit_code);
  delassus::cli::add_demo(app, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    // Asking for help is no failure; a wrong call is 2, as for other errors.
    return app.exit(e) == 0 ? 0 : 2;
  } catch (const delassus::Error& e) {
    fmt::print(stderr, "delassus: {}\n", e.what());
    return 2;
  } catch (const std::exception& e) {
    fmt::print(stderr, "delassus: internal error: {}\n", e.what());
    return 2;
  }
  return exit_code;
}
