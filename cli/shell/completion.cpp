#include "cli/shell/completion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>

#include "cli/shell/command_tree.hpp"
#include "cli/shell/model_options.hpp"
#include "cli/shell/output_file.hpp"

namespace delassus::cli {
namespace {

/// A line so far: its command, and the words after it.
class Line {
 public:
  Line(const Command& root, const std::vector<std::string>& words) {
    const Reached at = reached_by(root, words);
    app_ = at.command;
    rest_.assign(words.begin() + static_cast<std::ptrdiff_t>(at.words), words.end());
    for (const std::string& word : rest_) {
      if (awaiting_) {
        awaiting_ = nullptr;
      } else if (!word.starts_with('-')) {
        arguments_.push_back(word);
      } else if (const Option* option = find_option(*app_, word); option && !option->is_flag()) {
        awaiting_ = option;
      }
    }
  }

  const Command& app() const { return *app_; }
  /// Words that are neither options nor their values.
  const std::vector<std::string>& arguments() const { return arguments_; }
  /// The option of which the value comes next; null if there is none.
  const Option* awaiting() const { return awaiting_; }

  /// The argument that comes next; null if there is none.
  const Option* next_argument() const {
    const std::vector<const Option*> all = arguments_of(*app_);
    if (arguments_.size() < all.size()) return all[arguments_.size()];
    return !all.empty() && all.back()->is_repeatable() ? all.back() : nullptr;
  }

 private:
  const Command* app_ = nullptr;
  std::vector<std::string> rest_, arguments_;
  const Option* awaiting_ = nullptr;
};

/// Bodies and frames of the model that the line names; none if it cannot be read.
std::vector<std::string> frames_of(const Line& line) {
  if (line.arguments().empty()) return {};
  ModelOptions options;
  options.model = line.arguments().front();
  std::vector<std::string> names;
  try {
    const Scene scene = options.load();
    for (const BodyDescription& body : scene.model.description().bodies) names.push_back(body.name);
    for (const FrameDescription& frame : scene.model.description().frames) names.push_back(frame.name);
  } catch (const std::exception&) {
    return {};  // the command says what is wrong when it is run
  }
  return names;
}

Completion values(const Option& option, const Line& line) {
  const std::string& kind = option.placeholder();
  Completion out;
  if (kind == "FILE" || kind == "MODEL" || kind == "SPEC" || kind == "RESULTS") out.beside = Completion::Beside::kFiles;
  if (kind == "FOLDER") out.beside = Completion::Beside::kFolders;
  for (const std::string& value : kind.starts_with("FRAME[") ? frames_of(line) : option.values().known) {
    out.candidates.push_back({value, ""});
  }
  return out;
}

Completion options(const Command& app) {
  Completion out;
  for (const Option* option : options_of(app)) {
    for (const std::string& spelling : option->spellings()) {
      out.candidates.push_back({spelling, option->description()});
    }
  }
  return out;
}

Completion commands(const Command& app) {
  Completion out;
  for (const Command* sub : commands_of(app)) out.candidates.push_back({sub->name(), sub->description()});
  return out;
}

Completion unfiltered(const Line& line, const std::string& current) {
  if (line.awaiting()) return values(*line.awaiting(), line);
  if (current.starts_with('-')) return options(line.app());
  if (line.app().needs_subcommand()) return line.arguments().empty() ? commands(line.app()) : Completion{};
  const Option* argument = line.next_argument();
  Completion out = argument ? values(*argument, line) : options(line.app());
  if (argument && line.arguments().empty())
    std::ranges::move(commands(line.app()).candidates, std::back_inserter(out.candidates));
  return out;
}

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

}  // namespace

Completion complete(const Command& app, std::vector<std::string> words) {
  if (words.empty()) words.emplace_back();
  std::string current = words.back();
  words.pop_back();
  if (current == "=") current.clear();  // bash makes three words of --option=value
  std::erase(words, "=");
  std::string prefix;
  if (const std::size_t equals = current.find('='); current.starts_with("--") && equals != std::string::npos) {
    prefix = current.substr(0, equals + 1);
    words.push_back(current.substr(0, equals));
    current.erase(0, equals + 1);
  }
  Completion out = unfiltered(Line(app, words), current);
  std::erase_if(out.candidates, [&](const Completion::Candidate& c) { return !c.word.starts_with(current); });
  for (Completion::Candidate& c : out.candidates) c.word.insert(0, prefix);
  return out;
}

/// Has no group, so that nothing shows it.
void add_complete(Command& app) {
  auto words = std::make_shared<std::vector<std::string>>();
  Command* sub = app.add_subcommand("complete", "What may come next on a line")->group("");
  sub->add_option("WORDS", *words, "after --: the words so far");
  sub->callback([&app, words] { print_candidates(app, *words); });
}

}  // namespace delassus::cli
