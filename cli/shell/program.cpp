#include "cli/shell/program.hpp"

#include <csignal>
#include <cstdio>
#include <exception>
#include <new>

#include "cli/shell/exit_code.hpp"
#include "cli/shell/message.hpp"
#include "cli/shell/output_file.hpp"
#include "cli/shell/parse_line.hpp"
#include "cli/shell/usage_error.hpp"
#include "delassus/math/error.hpp"
#include "delassus/math/isa.hpp"

namespace delassus::cli {
namespace {

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

int run(const std::vector<std::string>& words, const Command& app) {
  try {
    write_output("", parse_line(app, words));  // of a command nothing; but what is still on its way may be lost
    return kExitOk;
  } catch (const LineError& e) {
    return fail(describe(e, app, words));
  }
}

}  // namespace

int run_program(const std::vector<std::string>& words, const std::string& description,
                const std::function<void(Command& app, int& exit_code)>& add_commands) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow further is an error like a full disk, with the same words
  try {
    active_isa();  // what DELASSUS_ISA says is wrong before anything is done, not in the midst of it
    Command app("delassus", description);
    int exit_code = kExitOk;
    add_commands(app, exit_code);
    const int failed = run(words, app);
    return failed != kExitOk ? failed : exit_code;
  } catch (const Error& e) {
    return fail(e.what());
  } catch (const std::bad_alloc&) {
    return fail("there is not enough memory for this");
  } catch (const std::exception& e) {
    return fail_unforeseen(e);
  }
}

}  // namespace delassus::cli
