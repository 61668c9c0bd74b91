#include "cli/pages/viewer_page.hpp"

#include <fmt/format.h>

#include <span>

#include "cli/pages/web_page.hpp"
#include "delassus/io/load.hpp"
#include "delassus/math/error.hpp"

namespace delassus::cli {

/// page.html, style.css and viewer.js, by the build; none if it has no viewer.
std::span<const EmbeddedFile> viewer_files();

namespace {

std::string_view text_of(std::string_view name) {
  for (const EmbeddedFile& file : viewer_files()) {
    if (file.name == name) return file.text;
  }
  throw Error(fmt::format("the viewer of this build has no file '{}'", name));
}

}  // namespace

bool has_viewer() { return !viewer_files().empty(); }

void require_viewer(std::string_view what) {
  if (has_viewer()) return;
  throw Error(fmt::format(
      "{} needs the viewer, which this build was made without: install npm (Debian: apt-get install npm), configure "
      "with -DDELASSUS_BUILD_VIEWER=ON and build again",
      what));
}

std::string make_viewer_page(std::string_view title, std::string_view document) {
  return make_page({text_of("page"), text_of("style"), text_of("viewer")}, title, document);
}

}  // namespace delassus::cli
