#include "cli/shell/help.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>

#include "cli/shell/command_tree.hpp"
#include "cli/shell/manual_texts.hpp"

namespace delassus::cli {
namespace {

constexpr std::size_t kWidth = 100, kWidestHeading = 26;

/// In characters, of which UTF-8 has several bytes for some.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

/// The words in lines that end before the last column; all but the first begin at `indent`.
std::string wrapped(const std::string& text, std::size_t indent) {
  std::string out;
  std::size_t column = indent;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ' ');) {
    const std::size_t width = width_of(word);
    if (column > indent && column + 1 + width > kWidth) {
      out += '\n' + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      out += ' ';
      ++column;
    }
    out += word;
    column += width;
  }
  return out;
}

struct Row {
  std::string heading, text;
};

std::string section(std::string_view title, const std::vector<Row>& rows) {
  if (rows.empty()) return "";
  std::size_t widest = 0;
  for (const Row& row : rows) widest = std::max(widest, std::min(row.heading.size(), kWidestHeading));
  const std::size_t indent = widest + 4;
  std::string out = fmt::format("\n{}:\n", title);
  for (const Row& row : rows) {
    out += fmt::format("  {:<{}}", row.heading, widest);
    out += row.heading.size() > widest ? '\n' + std::string(indent, ' ') : "  ";
    out += wrapped(row.text, indent) + "\n";
  }
  return out;
}

std::vector<Row> rows_of(const std::vector<const Option*>& options) {
  std::vector<Row> rows;
  for (const Option* option : options) rows.push_back({heading_of(*option), option->description()});
  return rows;
}

template <std::size_t kCount>
std::vector<Row> rows_of(const std::array<ManualEntry, kCount>& entries) {
  std::vector<Row> rows;
  for (const ManualEntry& entry : entries) rows.push_back({entry.name, entry.text});
  return rows;
}

std::string commands_text(const Command& app) {
  std::string out;
  for (const std::string& group : command_groups(app)) {
    std::vector<Row> rows;
    for (const Command* sub : commands_of(app)) {
      if (sub->group() == group) rows.push_back({sub->name(), sub->description()});
    }
    out += section(group, rows);
  }
  return out;
}

}  // namespace

void set_examples(Command& app, const std::vector<Example>& examples) {
  std::size_t widest = 0;
  for (const Example& example : examples) widest = std::max(widest, example.line.size());
  std::string text;
  for (const Example& example : examples)
    text += fmt::format("  {:<{}}  # {}\n", example.line, widest, example.comment);
  app.footer(text);
}

std::string help_of(const Command& app) {
  std::string out = fmt::format("{}\n\nUsage: {}\n", wrapped(app.description(), 0), usage_of(app));
  out += commands_text(app) + section("Arguments", rows_of(arguments_of(app)));
  out += section("Options", rows_of(options_of(app)));
  if (!app.footer().empty()) out += "\nExamples:\n" + app.footer();
  if (!commands_of(app).empty()) out += fmt::format("\n`{} COMMAND --help` says more of each.\n", full_name(app));
  if (app.parent()) return out;
  return out + section("Exit codes", rows_of(kExitCodes)) + section("Environment", rows_of(kEnvironment)) +
         "\nMore: `delassus man | man -l -`, and docs/command.md of the source.\n";
}

}  // namespace delassus::cli
