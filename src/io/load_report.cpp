#include "delassus/io/load_report.hpp"

#include <algorithm>
#include <utility>

#include "io/report_builder.hpp"
#include "model/wording.hpp"

namespace delassus {

std::string to_text(const LoadReport& report) {
  std::string text;
  for (const ReportWarning& w : report.warnings) {
    text += report.file + (w.line > 0 ? ":" + std::to_string(w.line) : "") + ": warning: " + w.element +
            ": " + w.message;
    text += '\n';
  }
  if (report.more_warnings > 0) {
    text += report.file + ": and " + counted(report.more_warnings, "more warning") + "\n";
  }
  for (const Ignored& i : report.ignored) {
    text += report.file + (i.line > 0 ? ":" + std::to_string(i.line) : "") + ": not read: " + i.what;
    text += (i.count > 1 ? " (" + std::to_string(i.count) + " times)\n" : "\n");
  }
  if (report.more_ignored > 0) {
    text +=
        report.file + ": not read: and " + std::to_string(report.more_ignored) + " more, of other kinds\n";
  }
  return text.empty() ? report.file + ": all of it was read, without warnings\n" : text;
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

LoadReport ReportBuilder::report() const {
  LoadReport sorted = report_;
  const auto earlier = [](const auto& a, const auto& b) { return a.line < b.line; };
  std::stable_sort(sorted.ignored.begin(), sorted.ignored.end(), earlier);
  std::stable_sort(sorted.warnings.begin(), sorted.warnings.end(), earlier);
  return sorted;
}

}  // namespace io
}  // namespace delassus
