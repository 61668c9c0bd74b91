#include "cli/tour/page.hpp"

#include <fmt/format.h>

#include "delassus/io/embedded.hpp"
#include "delassus/math/error.hpp"

namespace delassus::cli {

/// The files of cli/report, by the build.
std::span<const EmbeddedFile> report_files();

namespace {

/// All files with this extension, in the order of their names.
std::string all_of(std::string_view extension) {
  std::string out;
  for (const EmbeddedFile& file : report_files()) {
    if (file.extension == extension) out += file.text;
  }
  return out;
}

/// Between <script> tags a browser looks for nothing but their end, which begins with '<'. JSON has that in texts only,
/// where it may be written as a code.
std::string for_script(std::string_view json) {
  std::string out;
  for (const char c : json) c == '<' ? out += "\\u003c" : out += c;
  return out;
}

std::string for_html(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '<')
      out += "&lt;";
    else if (c == '&')
      out += "&amp;";
    else
      out += c;
  }
  return out;
}

/// The text in the place of the mark, which has to be there.
void fill(std::string& page, std::string_view mark, const std::string& text) {
  const std::size_t at = page.find(mark);
  if (at == std::string::npos) throw Error(fmt::format("cli/report/page.html has no {}", mark));
  page.replace(at, mark.size(), text);
}

}  // namespace

std::string make_page(std::string_view title, std::string_view document) {
  std::string page = all_of(".html");
  fill(page, "/* styles */", all_of(".css"));
  fill(page, "/* scripts */", all_of(".js"));
  // These may hold anything, so they come last; the document has no '<', and with it no mark of the title.
  fill(page, "/* document */", for_script(document));
  fill(page, "<!-- title -->", for_html(title));
  return page;
}

}  // namespace delassus::cli
