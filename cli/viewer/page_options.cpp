#include "cli/viewer/page_options.hpp"

#include "cli/pages/recording.hpp"
#include "cli/pages/viewer_page.hpp"
#include "cli/shell/argument_values.hpp"
#include "cli/shell/output_file.hpp"

namespace delassus::cli {

void add_fps(Command& app, int& fps, std::string text) {
  app.add_option("--fps", fps, std::move(text))->type_name("COUNT")->check(whole_number(1, 100'000));
}

void PageOptions::add_to(Command& app, std::string text) {
  app.add_option("--html", path, std::move(text))->type_name("FILE")->check(file_name());
  add_fps(app, fps, "frames of that page per simulated second (default 60)");
}

void PageOptions::require_possible(const Model& model, double seconds) const {
  if (!wanted()) return;
  require_viewer("--html");
  require_recordable("--html", model, seconds * fps);
}

void PageOptions::write(const std::string& title, const std::string& document) const {
  if (wanted()) write_output(path, make_viewer_page(title + " - delassus", document));
}

}  // namespace delassus::cli
