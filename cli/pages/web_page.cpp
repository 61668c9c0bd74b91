#include "cli/pages/web_page.hpp"

#include <fmt/format.h>

#include "delassus/io/load.hpp"
#include "delassus/math/error.hpp"

namespace delassus::cli {

/// The files of cli/viewer/page and of the folders of pages, by the build.
std::span<const EmbeddedFile> page_files();

namespace {

/// All files of a page with this extension, those that pages share among them.
std::string all_of(std::string_view folder, std::string_view extension) {
  std::string out;
  for (const EmbeddedFile& file : page_files()) {
    const bool belongs = file.folder == folder || file.folder == "page";
    if (belongs && file.extension == extension) out += file.text;
  }
  return out;
}

/// Between <script> tags a browser looks for nothing but their end, which begins with '<'. JSON has that in texts only,
/// where it may be written as a code.
std::string for_script(std::string_view document) {
  std::string out;
  for (const char c : document) c == '<' ? out += "\\u003c" : out += c;
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
void fill(std::string& page, std::string_view mark, std::string_view text) {
  const std::size_t at = page.find(mark);
  if (at == std::string::npos) throw Error(fmt::format("page.html has no {}", mark));
  page.replace(at, mark.size(), text);
}

}  // namespace

std::string make_page(const PageParts& parts, std::string_view title, std::string_view document) {
  std::string page(parts.html);
  fill(page, "/* styles */", parts.styles);
  fill(page, "/* scripts */", parts.scripts);
  // These may hold anything, so they come last; the document has no '<', and with it no mark of the title.
  fill(page, "/* document */", for_script(document));
  fill(page, "<!-- title -->", for_html(title));
  return page;
}

std::string make_page(std::string_view folder, std::string_view title, std::string_view document) {
  const std::string html = all_of(folder, ".html"), styles = all_of(folder, ".css"), scripts = all_of(folder, ".js");
  return make_page({html, styles, scripts}, title, document);
}

}  // namespace delassus::cli
