#include "delassus/io/scene.hpp"

#include <algorithm>
#include <utility>

#include "delassus/math/error.hpp"
#include "io/report_builder.hpp"
#include "model/wording.hpp"

namespace delassus {

std::string to_text(const LoadReport& report) {
  std::string text;
  for (const ReportWarning& w : report.warnings) {
    text +=
        report.file + (w.line > 0 ? ":" + std::to_string(w.line) : "") + ": warning: " + w.element + ": " + w.message;
    text += '\n';
  }
  if (report.more_warnings > 0) {
    text += report.file + ": and " + counted(report.more_warnings, "more warning") + "\n";
  }
  if (const std::string missing = describe_missing(report); !missing.empty()) {
    text += report.file + ":" + std::to_string(report.missing.front().line) + ": warning: " + missing + "\n";
  }
  for (const Ignored& i : report.ignored) {
    text += report.file + (i.line > 0 ? ":" + std::to_string(i.line) : "") + ": not read: " + i.what;
    text += (i.count > 1 ? " (" + std::to_string(i.count) + " times)\n" : "\n");
  }
  if (report.more_ignored > 0) {
    text += report.file + ": not read: and " + std::to_string(report.more_ignored) + " more, of other kinds\n";
  }
  return text.empty() ? report.file + ": all of it was read, without warnings\n" : text;
}

std::string describe_missing(const LoadReport& report) {
  if (report.missing.empty()) return "";
  const MissingFile& first = report.missing.front();
  const int count = static_cast<int>(report.missing.size()) + report.more_missing;
  std::string text = count == 1
                         ? "the file " + in_quotes(first.name) + " is not there"
                         : std::to_string(count) + " files are not there, the first of them " + in_quotes(first.name);
  text += ", and nothing collides with what it describes; looked for";
  for (const std::string& path : first.tried) text += (&path == &first.tried.front() ? " " : ", ") + in_quotes(path);
  return text;
}

namespace io {

void ReportBuilder::ignore(const std::string& what, int line) {
  if (const auto found = groups_.find(what); found != groups_.end()) {
    ++report_.ignored[found->second].count;
  } else if (report_.ignored.size() < LoadReport::kMaxEntries) {
    groups_.emplace(what, report_.ignored.size());
    report_.ignored.push_back({what, line, 1});
  } else {
    ++report_.more_ignored;
  }
}

void ReportBuilder::warn(std::string element, int line, std::string message) {
  if (report_.warnings.size() < LoadReport::kMaxEntries) {
    report_.warnings.push_back({std::move(element), line, std::move(message)});
  } else {
    ++report_.more_warnings;
  }
}

void ReportBuilder::miss(const std::string& name, int line, std::vector<std::string> tried) {
  if (!missing_.insert(name).second) return;
  if (report_.missing.size() < LoadReport::kMaxEntries) {
    report_.missing.push_back({name, line, std::move(tried)});
  } else {
    ++report_.more_missing;
  }
}

void ReportBuilder::add_included(const LoadReport& other, int line) {
  const auto place = [&](int own_line) { return " (" + other.file + ":" + std::to_string(own_line) + ")"; };
  for (const Ignored& i : other.ignored) {
    if (report_.ignored.size() < LoadReport::kMaxEntries) {
      report_.ignored.push_back({i.what + place(i.line), line, i.count});
    } else {
      report_.more_ignored += i.count;
    }
  }
  for (const ReportWarning& w : other.warnings) warn(w.element + place(w.line), line, w.message);
  for (const MissingFile& m : other.missing) miss(m.name, line, m.tried);
  report_.more_missing += other.more_missing;
  report_.more_ignored += other.more_ignored;
  report_.more_warnings += other.more_warnings;
}

void require_no_warnings(const LoadReport& report) {
  if (report.warnings.empty()) return;
  const int count = static_cast<int>(report.warnings.size()) + report.more_warnings;
  LoadReport only_warnings = report;
  only_warnings.ignored.clear();
  only_warnings.more_ignored = 0;
  only_warnings.missing.clear();
  std::string text = to_text(only_warnings);
  text.pop_back();
  throw Error(report.file + ": " + counted(count, "warning") + ", which strict reading refuses:\n" + text);
}

LoadReport ReportBuilder::report() const {
  LoadReport sorted = report_;
  const auto earlier = [](const auto& a, const auto& b) { return a.line < b.line; };
  std::stable_sort(sorted.ignored.begin(), sorted.ignored.end(), earlier);
  std::stable_sort(sorted.warnings.begin(), sorted.warnings.end(), earlier);
  std::stable_sort(sorted.missing.begin(), sorted.missing.end(), earlier);
  return sorted;
}

}  // namespace io
}  // namespace delassus
