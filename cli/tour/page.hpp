// report.html: the document of a tour and what draws it, in one file.
#pragma once

#include <string>
#include <string_view>

namespace delassus::cli {

/// Puts the title, the styles, the scripts and the document into the page (cli/report). The document is JSON; nothing
/// in it ends the element that it stands in.
std::string make_page(std::string_view title, std::string_view document);

}  // namespace delassus::cli
