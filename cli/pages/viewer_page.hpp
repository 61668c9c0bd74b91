// The page that plays recordings: viewer/ of the source tree, bundled by the build.
#pragma once

#include <string>
#include <string_view>

namespace delassus::cli {

/// Whether the build has it: it needs npm.
bool has_viewer();
/// Throws an Error that says what to do if not; `what` is what needs it.
void require_viewer(std::string_view what);

/// One file that needs no other. The document is a recording.
std::string make_viewer_page(std::string_view title, std::string_view document);

}  // namespace delassus::cli
