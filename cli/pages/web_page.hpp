// A page that draws a document: both in one file, which needs no other.
#pragma once

#include <string>
#include <string_view>

namespace delassus::cli {

struct PageParts {
  std::string_view html, styles, scripts;
};

/// Puts the title, the styles, the scripts and the document into a page. The document is JSON; nothing in it ends the element that it stands in.
std::string make_page(const PageParts& parts, std::string_view title, std::string_view document);

/// The page of a folder: "report" (cli/tour/report), "box" (cli/demo/box). What such pages share is in cli/viewer/page.
std::string make_page(std::string_view folder, std::string_view title, std::string_view document);

}  // namespace delassus::cli
