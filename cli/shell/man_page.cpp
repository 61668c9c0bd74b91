#include "cli/shell/man_page.hpp"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <memory>

#include "cli/shell/command_tree.hpp"
#include "cli/shell/help.hpp"
#include "cli/shell/manual_texts.hpp"
#include "cli/shell/output_file.hpp"
#include "cli/shell/output_options.hpp"
#include "delassus/version.hpp"

namespace delassus::cli {
namespace {

constexpr const char* kDescription =
    "When bodies touch, everything that is solved for them goes through the Delassus matrix J M^-1 J^T: the inverse "
    "inertia "
    "that a robot shows at its contacts. This command reads robots and scenes, computes the matrix by any algorithm of "
    "the "
    "library, counts and measures what the algorithms cost, and compares with numbers of other engines. Results go to "
    "stdout, "
    "or into the file of --output; messages and progress go to stderr. With --json, or with an --output that ends in "
    ".json, a "
    "result is one line of JSON.";

constexpr std::array kFiles{
    ManualEntry{"*.urdf", "robots, with the elements <loop> and <coupling> of URDF+"},
    ManualEntry{"*.xml", "MJCF models"},
    ManualEntry{"*.json", "scenes: a model, its configuration and constraints; and reference files for check"},
    ManualEntry{"*.npy", "matrices for NumPy"},
};

/// The next code point of UTF-8 text, whose first byte is not ASCII; takes its bytes away.
unsigned next_code_point(std::string_view& text) {
  const auto first = static_cast<unsigned char>(text.front());
  const std::size_t bytes = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  unsigned code = first & (0xFFU >> (bytes + 1));
  for (std::size_t k = 1; k < bytes && k < text.size(); ++k) {
    code = code << 6U | (static_cast<unsigned char>(text[k]) & 0x3FU);
  }
  text.remove_prefix(std::min(bytes, text.size()));
  return code;
}

/// Text in which roff finds no request, escape or character that it does not know.
std::string escaped(std::string_view text) {
  std::string out;
  bool line_starts = true;
  while (!text.empty()) {
    const char c = text.front();
    if (static_cast<unsigned char>(c) >= 0x80) {
      out += fmt::format("\\[u{:04X}]", next_code_point(text));
      line_starts = false;
      continue;
    }
    text.remove_prefix(1);
    if (line_starts && (c == '.' || c == '\'')) out += "\\&";
    out += c == '\\' ? "\\e" : c == '-' ? "\\-" : c == '\'' ? "\\(aq" : c == '`' ? "\\(ga" : std::string(1, c);
    line_starts = c == '\n';
  }
  return out;
}

std::string head(std::string_view title) { return fmt::format(".SH {}\n", title); }

std::string entry(std::string_view name, std::string_view text) {
  return fmt::format(".TP\n\\fB{}\\fR\n{}\n", escaped(name), escaped(text));
}

template <std::size_t kCount>
std::string entries(const std::array<ManualEntry, kCount>& all) {
  std::string out;
  for (const ManualEntry& one : all) out += entry(one.name, one.text);
  return out;
}

std::string options_text(const Command& app) {
  std::string out;
  for (const Option* argument : arguments_of(app)) out += entry(heading_of(*argument), argument->description());
  for (const Option* option : options_of(app)) out += entry(heading_of(*option), option->description());
  return out;
}

std::string examples_text(const Command& app) {
  return app.footer().empty() ? "" : fmt::format(".PP\n.nf\n{}.fi\n", escaped(app.footer()));
}

/// A command, then the commands of its own.
std::string command_text(const Command& app) {
  std::string out = fmt::format(".SS {}\n{}\n", escaped(usage_of(app)), escaped(app.description() + "."));
  out += options_text(app) + examples_text(app);
  for (const Command* sub : commands_of(app)) out += command_text(*sub);
  return out;
}

}  // namespace

std::string man_page(const Command& app, std::string_view program) {
  std::string title(program);
  for (char& c : title) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  std::string out = fmt::format(".TH {} 1 \"\" \"delassus {}\" \"User Commands\"\n", title, kVersion);
  out += head("NAME") + fmt::format("{} \\- {}\n", escaped(program), escaped(app.description()));
  out += head("SYNOPSIS") + fmt::format("\\fB{}\\fR\n", escaped(usage_of(app)));
  out += head("DESCRIPTION") + escaped(kDescription) + "\n";
  out += head("OPTIONS") + options_text(app);
  out += head("COMMANDS");
  for (const Command* sub : commands_of(app)) out += command_text(*sub);
  out += head("EXAMPLES") + examples_text(app);
  out += head("EXIT STATUS") + entries(kExitCodes);
  out += head("ENVIRONMENT") + entries(kEnvironment);
  out += head("FILES") + entries(kFiles);
  return out + head("SEE ALSO") +
         escaped(
             "delassus(1), delassus-bench(1), python3(1), bash(1). docs/command.md of the source has the fields of "
             "JSON.") +
         "\n";
}

Command* add_man(Command& app, std::string_view program) {
  auto output = std::make_shared<std::string>();
  Command* sub = app.add_subcommand("man", "Prints the manual page, as roff");
  add_output(*sub, *output);
  set_examples(*sub, {{"delassus man | man -l -", "read it"}, {"delassus man -o delassus.1", "keep it"}});
  sub->callback([&app, program, output] {
    require_writable("--output", *output);
    write_output(*output, man_page(app, program));
  });
  return sub;
}

}  // namespace delassus::cli
