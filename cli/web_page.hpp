// A page that draws a document: both in one file, which needs no other.
#pragma once

#include <string>
#include <string_view>

namespace delassus::cli {

/// Puts the title, the styles, the scripts and the document into the page of a folder: "report" (cli/report), "box"
/// (cli/demo/box). What pages share is in cli/page. The document is JSON; nothing in it ends the element that it stands in.
std::string make_page(std::string_view folder, std::string_view title, std::string_view document);

}  // namespace delassus::cli
