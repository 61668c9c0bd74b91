// `delassus completion`: a script for a shell. `delassus complete`, which is not shown: what that script asks.
#include <fmt/format.h>

#include <memory>

#include "argument_values.hpp"
#include "command.hpp"
#include "completion.hpp"
#include "completion_scripts.hpp"
#include "help.hpp"
#include "output_file.hpp"
#include "output_options.hpp"

namespace delassus::cli {
namespace {

const char* name_of(Completion::Beside beside) {
  switch (beside) {
    case Completion::Beside::kFiles:
      return "files";
    case Completion::Beside::kFolders:
      return "folders";
    case Completion::Beside::kNothing:
      break;
  }
  return "nothing";
}

void print_candidates(const Command& app, const std::vector<std::string>& words) {
  const Completion completion = complete(app, words);
  std::string text = fmt::format("{}\n", name_of(completion.beside));
  for (const auto& [word, description] : completion.candidates) text += fmt::format("{}\t{}\n", word, description);
  write_output("", for_terminal(text));
}

/// Has no group, so that nothing shows it.
void add_complete(Command& app) {
  auto words = std::make_shared<std::vector<std::string>>();
  Command* sub = app.add_subcommand("complete", "What may come next on a line")->group("");
  sub->add_option("WORDS", *words, "after --: the words so far");
  sub->callback([&app, words] { print_candidates(app, *words); });
}

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
