// `delassus completion`: a script for a shell.
#include <memory>

#include "cli/commands/commands.hpp"
#include "cli/shell/argument_values.hpp"
#include "cli/shell/completion.hpp"
#include "cli/shell/completion_scripts.hpp"
#include "cli/shell/help.hpp"
#include "cli/shell/output_file.hpp"
#include "cli/shell/output_options.hpp"

namespace delassus::cli {
namespace {

struct ScriptOptions {
  std::string shell, output;
};

void print_script(const ScriptOptions& options) {
  require_writable("--output", options.output);
  write_output(options.output, completion_script(options.shell));
}

}  // namespace

void add_completion(Command& app) {
  auto options = std::make_shared<ScriptOptions>();
  Command* sub = app.add_subcommand("completion", "Prints a script that lets a shell complete this command");
  sub->add_option("SHELL", options->shell, "bash, zsh or fish")->required()->check(one_of("shell", known_shells()));
  add_output(*sub, options->output);
  set_examples(*sub, {{"delassus completion bash > completion.sh", "then `source completion.sh`"},
                      {"delassus completion zsh -o _delassus", "into a folder of fpath"},
                      {"delassus completion fish -o delassus.fish", "into ~/.config/fish/completions"}});
  sub->callback([options] { print_script(*options); });
  add_complete(app);
}

}  // namespace delassus::cli
